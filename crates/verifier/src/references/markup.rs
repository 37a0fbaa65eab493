//! Tags and comments of HTML with their bytes, by html5ever's own tokenizer.

use std::cell::{Cell, RefCell};
use std::ops::Range;

use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{BufferQueue, Tag, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts};
use html5ever::{LocalName, TokenizerResult};
use markup5ever_rcdom::Handle;

use super::attributes::{Attributes, attributes, name_length};
use super::construction::Construction;

/// A piece of markup, in bytes of the text.
pub(crate) enum Event<'t> {
    /// A start tag, even one that makes no element.
    Start(StartTag<'t>),
    /// The `<` of an end tag.
    End(usize),
    /// All of a piece that is neither text nor a tag: a comment of any kind, a doctype, an unclosed tag.
    Aside(Range<usize>),
}

pub(crate) struct StartTag<'t> {
    /// From `<` to behind `>`.
    pub(crate) range: Range<usize>,
    pub(crate) name: LocalName,
    pub(crate) attributes: Attributes<'t>,
    pub(crate) content: Content,
}

/// What follows a start tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Content {
    Markup,
    /// Markup in an element of SVG or MathML.
    Foreign,
    /// Nothing, in SVG or MathML.
    Nothing,
    /// Text up to the end tag.
    Raw,
}

/// Tokenizes a text, and calls `visit` for each piece of markup in its order. Stops where the construction does.
pub(crate) fn read<'t>(text: &'t str, construction: &Construction, visit: impl FnMut(Event<'t>)) {
    let tendril = StrTendril::from_slice(text);
    let queue = BufferQueue::default();
    let address = tendril.as_ptr() as usize;
    let (last, ahead, hidden, visit) = (Cell::new(0), RefCell::default(), Cell::default(), RefCell::new(visit));
    let reader = Reader { queue: &queue, text, address, last, ahead, hidden, construction, visit };
    queue.push_back(tendril);
    reader.look_ahead(0);
    // html5ever drops a U+FEFF behind every `</script>`, not only at the start; so it may drop none.
    let tokenizer = Tokenizer::new(reader, TokenizerOpts { discard_bom: false, ..TokenizerOpts::default() });
    while !construction.is_stopped() && !matches!(tokenizer.feed(&queue), TokenizerResult::Done) {}
    tokenizer.end();
}

struct Reader<'r, 't, V> {
    queue: &'r BufferQueue,
    text: &'t str,
    /// The address of the text in memory. The address of the rest in the queue gives the number of bytes read.
    address: usize,
    /// The number of bytes read when the last token came.
    last: Cell<usize>,
    /// The next tag, and its attributes.
    ahead: RefCell<Option<(usize, Attributes<'t>)>>,
    /// The first byte of what is hidden from html5ever in that tag, and the first one behind.
    hidden: Cell<(usize, usize)>,
    construction: &'r Construction,
    visit: RefCell<V>,
}

impl<'t, V: FnMut(Event<'t>)> Reader<'_, 't, V> {
    fn bytes_read(&self) -> usize {
        match self.queue.peek_front_chunk_mut() {
            None => return self.text.len(),
            // Shorter ones are copies.
            Some(chunk) if chunk.len() > 8 => {
                let offset = (chunk.as_ptr() as usize).wrapping_sub(self.address);
                if offset < self.text.len() {
                    return offset;
                }
            }
            Some(_) => {}
        }
        let chunk = self.queue.pop_front();
        let (hidden, behind) = (self.hidden.get(), self.bytes_read());
        let next = if behind == hidden.1 { hidden.0 } else { behind };
        let read = next - chunk.as_ref().map_or(0, |chunk| chunk.len());
        chunk.into_iter().for_each(|chunk| self.queue.push_front(chunk));
        read
    }

    /// Parses the tag that follows the text at byte `at`, if one does, and hides those of its attributes from html5ever on which no
    /// token depends: they are most of the work.
    fn look_ahead(&self, at: usize) {
        let bytes = self.text.as_bytes();
        let mut opens = memchr::memchr_iter(b'<', &bytes[at..]).map(|open| at + open);
        let is_mark =
            |open: &usize| matches!(bytes.get(open + 1), Some(b'a'..=b'z' | b'A'..=b'Z' | b'/' | b'!' | b'?'));
        let Some(open) = opens.find(is_mark) else { return };
        let name = open + 1 + usize::from(bytes[open + 1] == b'/');
        // `<!`, `<?` and a `</` without a name begin comments.
        if !is_name(&bytes[name..]) {
            return;
        }
        let name_end = name + name_length(&self.text[name..]);
        let found = attributes(self.text, name_end);
        if let Some(first) = found.all.get(self.construction.attributes(&self.text[name..name_end]))
            && let Some(chunk) = self.queue.pop_front()
        {
            let start = (chunk.as_ptr() as usize).wrapping_sub(self.address);
            // A slash between attributes is not one before the end.
            let hidden = self.text[..first.range.start].trim_end_matches('/').len();
            match (hidden.checked_sub(start), found.end.checked_sub(start)) {
                (Some(cut), Some(end)) if end <= chunk.len() => {
                    // A slash directly before the end is a part of it, but for that of a value.
                    let behind = found.all.last().map_or(name_end, |last| last.range.end)..found.end;
                    let end = end - usize::from(bytes[behind].ends_with(b"/"));
                    self.queue.push_front(chunk.subtendril(end as u32, (chunk.len() - end) as u32));
                    self.queue.push_front(chunk.subtendril(0, cut as u32));
                    self.hidden.set((hidden, start + end));
                }
                _ => self.queue.push_front(chunk),
            }
        }
        self.ahead.replace((name == open + 1).then_some((open, found)));
    }

    /// Returns where a token begins with such bytes, in front of byte `end`. Some malformed text in front of it makes
    /// no token.
    fn start(&self, end: usize, is_start: impl Fn(&[u8]) -> bool) -> usize {
        let bytes = self.text.as_bytes();
        let last = self.last.get();
        // A token ended by `<` includes that byte.
        let from = last - usize::from(last > 0 && bytes[last - 1] == b'<');
        let found = memchr::memchr_iter(b'<', &bytes[from..end]).find(|at| is_start(&bytes[from + at + 1..]));
        found.map_or(from, |at| from + at)
    }

    fn start_tag(&self, tag: &Tag, end: usize, result: &TokenSinkResult<Handle>) -> StartTag<'t> {
        let start = self.start(end, is_name);
        let ahead = self.ahead.take().filter(|(open, _)| *open == start).map(|(_, attributes)| attributes);
        let name_end = || start + 1 + name_length(&self.text[start + 1..end]);
        let content = match result {
            TokenSinkResult::RawData(_) | TokenSinkResult::Plaintext => Content::Raw,
            _ if !self.construction.is_foreign() => Content::Markup,
            _ if tag.self_closing => Content::Nothing,
            _ => Content::Foreign,
        };
        let attributes = ahead.unwrap_or_else(|| attributes(&self.text[..end], name_end()));
        StartTag { range: start..end, name: tag.name.clone(), attributes, content }
    }

    fn visit(&self, event: Event<'t>) {
        (self.visit.borrow_mut())(event);
    }
}

fn is_name(rest: &[u8]) -> bool {
    rest.first().is_some_and(u8::is_ascii_alphabetic)
}

fn is_end(rest: &[u8]) -> bool {
    rest.first() == Some(&b'/') && is_name(&rest[1..])
}

/// Reports whether these bytes behind a `<` begin a comment, however malformed.
fn is_comment(rest: &[u8]) -> bool {
    match rest {
        [b'/', next, ..] => *next != b'>',
        [first, ..] => matches!(first, b'!' | b'?'),
        [] => false,
    }
}

impl<'t, V: FnMut(Event<'t>)> TokenSink for Reader<'_, 't, V> {
    type Handle = Handle;

    fn process_token(&self, token: Token, _line: u64) -> TokenSinkResult<Handle> {
        // An error may come in the middle of a tag.
        if matches!(token, Token::ParseError(_)) || self.construction.is_stopped() {
            return TokenSinkResult::Continue;
        }
        let end = self.bytes_read();
        let mut result = TokenSinkResult::Continue;
        match token {
            Token::TagToken(tag) if tag.kind == TagKind::StartTag => {
                result = self.construction.tag(&tag);
                self.visit(Event::Start(self.start_tag(&tag, end, &result)));
            }
            Token::TagToken(tag) => {
                self.visit(Event::End(self.start(end, is_end)));
                result = self.construction.tag(&tag);
            }
            Token::CommentToken(_) | Token::DoctypeToken(_) | Token::EOFToken => {
                let is_start: fn(&[u8]) -> bool = match token {
                    Token::CommentToken(_) => is_comment,
                    Token::DoctypeToken(_) => |rest| rest.first() == Some(&b'!'),
                    _ => |rest| is_name(rest) || is_end(rest),
                };
                let range = self.start(end, is_start)..end;
                self.construction.process(token);
                if self.text.as_bytes().get(range.start) == Some(&b'<') {
                    self.visit(Event::Aside(range));
                }
            }
            token => {
                self.construction.process(token);
                self.last.set(end);
                return result;
            }
        }
        self.last.set(end);
        if !matches!(result, TokenSinkResult::RawData(_) | TokenSinkResult::Plaintext) {
            self.look_ahead(end);
        }
        result
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&self) -> bool {
        self.construction.is_foreign()
    }
}

#[cfg(test)]
mod tests {
    use super::{Construction, Event, read};

    fn places(text: &str, construction: &Construction) -> Vec<String> {
        let mut places = Vec::new();
        read(text, construction, |event| match event {
            Event::Start(tag) => places.push(text[tag.range].to_owned()),
            Event::End(start) => places.push(format!("/{start}")),
            Event::Aside(range) => places.push(format!("?{}", &text[range])),
        });
        places
    }

    #[test]
    fn each_in_its_bytes() {
        let text = "a<<b c>&lt;</><!--[if x]><i>--><svg><style>x</style></svg><style>y<z></style ><a href=é>";
        let expected =
            ["<b c>", "?<!--[if x]><i>-->", "<svg>", "<style>", "/44", "/52", "<style>", "/69", "<a href=é>"];
        assert_eq!(places(text, &Construction::light()), expected);
        assert_eq!(places(text, &Construction::tree(text)), expected);
        assert_eq!(places("<i>x</i><br/", &Construction::Names), ["<i>", "/4", "?<br/"]);
    }

    #[test]
    fn a_tag_of_many_attributes_ends_where_it_does() {
        let many: String = (0..1000).map(|number| format!("a{number}='>' ")).collect();
        let text = format!("<svg><path {many}/>x<g {many}>y</g {many}>z<i>");
        let lengths: Vec<usize> = places(&text, &Construction::light()).iter().map(String::len).collect();
        assert_eq!(lengths, [5, 8 + many.len(), 4 + many.len(), 6, 3]);
    }

    #[test]
    fn a_slash_in_a_value_or_between_attributes_ends_no_element() {
        let starts = |text| places(text, &Construction::light()).len();
        assert_eq!(starts("<svg d=x /><style><i></style>"), 3);
        assert_eq!(starts("<svg d='x'/><style><i></style>"), 3);
        assert_eq!(starts("<svg d=x/><style><x/></style><path>"), 5);
        assert_eq!(starts("<svg/d/e><style><x/></style><path>"), 5);
    }

    #[test]
    fn a_comment_without_a_name_has_no_attributes() {
        let text = "<b x>y</ b='>'><i z='>'></?><u>";
        assert_eq!(places(text, &Construction::light()), ["<b x>", "?</ b='>", "<i z='>'>", "?</?>", "<u>"]);
    }
}
