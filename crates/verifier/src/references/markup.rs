//! Tags and comments of HTML with their bytes, by html5ever's own tokenizer.

use std::cell::{Cell, RefCell};
use std::ops::Range;

use absolve_links::Budgeted;
use html5ever::TokenizerResult;
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::states::RawKind;
use html5ever::tokenizer::{BufferQueue, Tag, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts};
use html5ever::tree_builder::{TreeBuilder, TreeBuilderOpts};
use markup5ever_rcdom::{Handle, RcDom};

/// The tags and comments of an HTML text, and its tree.
pub(crate) struct Markup {
    /// In the order of the text.
    pub(crate) events: Vec<Event>,
    /// The tree, if one was built.
    pub(crate) tree: Option<RcDom>,
}

/// A piece of markup, in bytes of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    /// A start tag, even one that makes no element.
    Start(StartTag),
    /// An end tag that begins here.
    End { start: usize, name: String },
    /// The content of a comment that begins with `<!--`.
    Comment(Range<usize>),
    /// All of a piece that is neither text nor a tag: a comment of any kind, a doctype, an unclosed tag.
    Aside(Range<usize>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StartTag {
    /// From `<` to behind `>`.
    pub(crate) range: Range<usize>,
    pub(crate) name: String,
    /// Whether its text is parsed as markup, as in SVG.
    pub(crate) is_foreign: bool,
}

/// The document takes more work than one of its size may.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TooMuchWork;

/// Tokenizes a document without scripting, and builds its tree.
pub(crate) fn read_document(text: &str) -> Result<Markup, TooMuchWork> {
    let options = TreeBuilderOpts { scripting_enabled: false, ..TreeBuilderOpts::default() };
    let builder = TreeBuilder::new(Budgeted::new(text.len()), options);
    let (events, builder) = read(text, Tree { builder, formatting: Cell::new(0) });
    let budgeted = builder.builder.sink;
    if budgeted.is_spent() { Err(TooMuchWork) } else { Ok(Markup { events, tree: Some(budgeted.tree) }) }
}

/// Tokenizes a fragment; the names of its elements alone decide how their contents are read.
pub(crate) fn read_fragment(text: &str) -> Markup {
    Markup { events: read(text, Names).0, tree: None }
}

/// Chooses the next state of the tokenizer.
trait Construction {
    fn process(&self, token: Token, line: u64) -> TokenSinkResult<Handle>;
    fn is_foreign(&self) -> bool;
}

struct Tree {
    builder: TreeBuilder<Handle, Budgeted>,
    /// The most formatting elements that may be open.
    formatting: Cell<usize>,
}

impl Construction for Tree {
    fn process(&self, token: Token, line: u64) -> TokenSinkResult<Handle> {
        const FORMATTING: [&str; 13] =
            ["b", "big", "code", "em", "font", "i", "s", "small", "strike", "strong", "tt", "u", "a"];
        if self.builder.sink.is_spent() {
            return TokenSinkResult::Continue;
        }
        if let Token::TagToken(tag) = &token
            && FORMATTING.contains(&&*tag.name)
        {
            let open = self.formatting.get();
            match tag.kind {
                TagKind::StartTag => {
                    self.builder.sink.compare_formatting(open);
                    self.formatting.set(open + 1);
                }
                TagKind::EndTag => self.formatting.set(open.saturating_sub(1)),
            }
        }
        self.builder.process_token(token, line)
    }

    fn is_foreign(&self) -> bool {
        self.builder.adjusted_current_node_present_but_not_in_html_namespace()
    }
}

struct Names;

impl Construction for Names {
    fn process(&self, token: Token, _line: u64) -> TokenSinkResult<Handle> {
        match token {
            Token::TagToken(Tag { kind: TagKind::StartTag, name, .. }) => match &*name {
                "title" | "textarea" => TokenSinkResult::RawData(RawKind::Rcdata),
                "style" | "xmp" | "iframe" | "noembed" | "noframes" => TokenSinkResult::RawData(RawKind::Rawtext),
                "script" => TokenSinkResult::RawData(RawKind::ScriptData),
                "plaintext" => TokenSinkResult::Plaintext,
                _ => TokenSinkResult::Continue,
            },
            _ => TokenSinkResult::Continue,
        }
    }

    fn is_foreign(&self) -> bool {
        false
    }
}

fn read<C: Construction>(text: &str, construction: C) -> (Vec<Event>, C) {
    let tendril = StrTendril::from_slice(text);
    let queue = BufferQueue::default();
    let address = tendril.as_ptr() as usize;
    let recorder =
        Recorder { queue: &queue, text, address, last: Cell::new(0), construction, events: RefCell::default() };
    queue.push_back(tendril);
    // html5ever drops a U+FEFF behind every `</script>`, not only at the start; so it may drop none.
    let tokenizer = Tokenizer::new(recorder, TokenizerOpts { discard_bom: false, ..TokenizerOpts::default() });
    while !matches!(tokenizer.feed(&queue), TokenizerResult::Done) {}
    tokenizer.end();
    (tokenizer.sink.events.take(), tokenizer.sink.construction)
}

struct Recorder<'q, C> {
    queue: &'q BufferQueue,
    text: &'q str,
    /// The address of the text in memory. The address of the rest in the queue gives the number of bytes read.
    address: usize,
    /// The number of bytes read when the last token came.
    last: Cell<usize>,
    construction: C,
    events: RefCell<Vec<Event>>,
}

impl<C> Recorder<'_, C> {
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
        let rest = self.queue.clone();
        self.text.len() - std::iter::from_fn(|| rest.pop_front()).map(|chunk| chunk.len()).sum::<usize>()
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
}

impl<C: Construction> TokenSink for Recorder<'_, C> {
    type Handle = Handle;

    fn process_token(&self, token: Token, line: u64) -> TokenSinkResult<Handle> {
        let end = match token {
            // It may come in the middle of a tag.
            Token::ParseError(_) => return self.construction.process(token, line),
            _ => self.bytes_read(),
        };
        let is_name = |rest: &[u8]| rest.first().is_some_and(u8::is_ascii_alphabetic);
        let is_end = |rest: &[u8]| rest.first() == Some(&b'/') && is_name(&rest[1..]);
        let mut aside = None;
        let event = match &token {
            Token::TagToken(Tag { kind: TagKind::StartTag, name, .. }) => {
                let range = self.start(end, is_name)..end;
                Some(Event::Start(StartTag { range, name: name.to_string(), is_foreign: false }))
            }
            Token::TagToken(Tag { name, .. }) => {
                let start = self.start(end, is_end);
                Some(Event::End { start, name: name.to_string() })
            }
            Token::DoctypeToken(_) => {
                aside = Some(self.start(end, |rest| rest.first() == Some(&b'!'))..end);
                None
            }
            Token::EOFToken => {
                aside = Some(self.start(end, |rest| is_name(rest) || is_end(rest))..end);
                None
            }
            Token::CommentToken(_) => {
                let is_comment = |rest: &[u8]| match rest {
                    [b'/', next, ..] => *next != b'>',
                    [first, ..] => matches!(first, b'!' | b'?'),
                    [] => false,
                };
                let start = self.start(end, is_comment);
                aside = Some(start..end);
                comment(self.text, start..end).map(Event::Comment)
            }
            _ => None,
        };
        self.last.set(end);
        let result = self.construction.process(token, line);
        if let Some(mut event) = event {
            if let Event::Start(tag) = &mut event {
                tag.is_foreign = self.construction.is_foreign();
            }
            self.events.borrow_mut().push(event);
        }
        let begins_as_one = |range: &Range<usize>| self.text.as_bytes().get(range.start) == Some(&b'<');
        self.events.borrow_mut().extend(aside.filter(begins_as_one).map(Event::Aside));
        result
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&self) -> bool {
        self.construction.is_foreign()
    }
}

/// Returns the content of a comment that begins with `<!--`; other malformed markup also makes a comment.
fn comment(text: &str, range: Range<usize>) -> Option<Range<usize>> {
    let inside = text[range.clone()].strip_prefix("<!--")?;
    let end = ["-->", "--!>"].iter().find_map(|end| inside.strip_suffix(end)).unwrap_or(inside);
    Some(range.start + 4..range.start + 4 + end.len())
}

/// Reports whether a comment with this content is a conditional one.
pub(crate) fn is_conditional(comment: &str) -> bool {
    comment.get(..3).is_some_and(|start| start.eq_ignore_ascii_case("[if"))
}

#[cfg(test)]
mod tests {
    use super::{Event, read_document, read_fragment};

    fn places(text: &str, events: &[Event]) -> Vec<String> {
        let place = |event: &Event| match event {
            Event::Start(tag) => text[tag.range.clone()].to_owned(),
            Event::End { start, name } => format!("{start}/{name}"),
            Event::Comment(range) => format!("!{}", &text[range.clone()]),
            Event::Aside(range) => format!("?{}", &text[range.clone()]),
        };
        events.iter().map(place).collect()
    }

    #[test]
    fn each_in_its_bytes() {
        let text = "a<<b c>&lt;</><!--[if x]><i>--><svg><style>x</style></svg><style>y<z></style ><a href=é>";
        let markup = read_document(text).map(|markup| markup.events).unwrap_or_default();
        let expected = [
            "<b c>",
            "![if x]><i>",
            "?<!--[if x]><i>-->",
            "<svg>",
            "<style>",
            "44/style",
            "52/svg",
            "<style>",
            "69/style",
            "<a href=é>",
        ];
        assert_eq!(places(text, &markup), expected);
        assert_eq!(places("<i>x</i><br/", &read_fragment("<i>x</i><br/").events), ["<i>", "4/i", "?<br/"]);
    }
}
