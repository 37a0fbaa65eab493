//! Tags and comments of HTML with their bytes, as html5ever's own tokenizer sees them.

use std::cell::{Cell, RefCell};
use std::ops::Range;

use absolve_links::Budgeted;
use html5ever::TokenizerResult;
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::states::RawKind;
use html5ever::tokenizer::{BufferQueue, Tag, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts};
use html5ever::tree_builder::{TreeBuilder, TreeBuilderOpts};
use markup5ever_rcdom::{Handle, RcDom};

/// What html5ever tells of a text of HTML.
pub(crate) struct Markup {
    /// In the order of the text.
    pub(crate) events: Vec<Event>,
    /// The tree, where one was built.
    pub(crate) tree: Option<RcDom>,
}

/// A piece of markup, in bytes of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    /// A start tag, one that makes no element included.
    Start(StartTag),
    /// An end tag, which begins here.
    End { start: usize, name: String },
    /// A comment that begins with `<!--`: what is in it.
    Comment(Range<usize>),
    /// All of what is no text between tags: a comment of any kind, a doctype, a tag that does not end.
    Aside(Range<usize>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StartTag {
    /// From `<` to behind `>`.
    pub(crate) range: Range<usize>,
    pub(crate) name: String,
    /// Whether its text is markup like any other, as in SVG.
    pub(crate) is_foreign: bool,
}

/// The document takes more work than one of its size may.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TooMuchWork;

/// Reads a document, scripting off, and builds its tree.
pub(crate) fn of_document(text: &str) -> Result<Markup, TooMuchWork> {
    let options = TreeBuilderOpts { scripting_enabled: false, ..TreeBuilderOpts::default() };
    let builder = TreeBuilder::new(Budgeted::new(text.len()), options);
    let (events, builder) = read(text, Tree { builder, formatting: Cell::new(0) });
    let budgeted = builder.builder.sink;
    if budgeted.is_spent() { Err(TooMuchWork) } else { Ok(Markup { events, tree: Some(budgeted.tree) }) }
}

/// Reads a stretch that is no whole document; the names of elements alone decide how their contents are read.
pub(crate) fn of_stretch(text: &str) -> Markup {
    Markup { events: read(text, Names).0, tree: None }
}

/// What decides how the tokenizer goes on.
trait Construction {
    fn process(&self, token: Token, line: u64) -> TokenSinkResult<Handle>;
    fn is_foreign(&self) -> bool;
}

struct Tree {
    builder: TreeBuilder<Handle, Budgeted>,
    /// How many formatting elements may be open.
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
    // html5ever drops a U+FEFF behind every `</script>`, not only at the start; it is told to drop none.
    let tokenizer = Tokenizer::new(recorder, TokenizerOpts { discard_bom: false, ..TokenizerOpts::default() });
    while !matches!(tokenizer.feed(&queue), TokenizerResult::Done) {}
    tokenizer.end();
    (tokenizer.sink.events.take(), tokenizer.sink.construction)
}

struct Recorder<'q, C> {
    queue: &'q BufferQueue,
    text: &'q str,
    /// Where the text is in memory: what is left of it in the queue tells by its address how much was read.
    address: usize,
    /// How much was read when the last token came.
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

    /// Where a token begins that starts like this, before byte `end`. No token is told of some nonsense before it.
    fn start(&self, end: usize, is_start: impl Fn(&[u8]) -> bool) -> usize {
        let bytes = self.text.as_bytes();
        let last = self.last.get();
        // A token that is ended by `<` has that read with it.
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

/// What is in a comment, unless it is another thing that is taken for one.
fn comment(text: &str, range: Range<usize>) -> Option<Range<usize>> {
    let inside = text[range.clone()].strip_prefix("<!--")?;
    let end = ["-->", "--!>"].iter().find_map(|end| inside.strip_suffix(end)).unwrap_or(inside);
    Some(range.start + 4..range.start + 4 + end.len())
}

#[cfg(test)]
mod tests {
    use super::{Event, of_document, of_stretch};

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
        let markup = of_document(text).map(|markup| markup.events).unwrap_or_default();
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
        assert_eq!(places("<i>x</i><br/", &of_stretch("<i>x</i><br/").events), ["<i>", "4/i", "?<br/"]);
    }
}
