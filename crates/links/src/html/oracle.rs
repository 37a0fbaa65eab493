//! The tags of html5ever's tokenizer and tree construction, with their byte ranges.

use std::cell::{Cell, RefCell};
use std::ops::Range;

use html5ever::TokenizerResult;
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{BufferQueue, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts};
use html5ever::tree_builder::{TreeBuilder, TreeBuilderOpts};
use markup5ever_rcdom::{Handle, RcDom};

use crate::document::behind_mark;

/// A start tag as html5ever sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct OracleTag {
    pub(crate) range: Range<usize>,
    pub(crate) name: String,
    pub(crate) attributes: Vec<(String, String)>,
}

/// Returns all start tags of `text`, including those that create no element.
pub(crate) fn start_tags(text: &str) -> Vec<OracleTag> {
    // html5ever drops a U+FEFF after every `</script>`, not only at the start, so `discard_bom` is off.
    let skipped = behind_mark(text.as_bytes());
    let tendril = StrTendril::from_slice(&text[skipped..]);
    let queue = BufferQueue::default();
    let recorder = Recorder {
        queue: &queue,
        text,
        address: (tendril.as_ptr() as usize).wrapping_sub(skipped),
        last: Cell::new(skipped),
        builder: TreeBuilder::new(
            RcDom::default(),
            TreeBuilderOpts { scripting_enabled: false, ..TreeBuilderOpts::default() },
        ),
        tags: RefCell::default(),
    };
    queue.push_back(tendril);
    let tokenizer = Tokenizer::new(recorder, TokenizerOpts { discard_bom: false, ..TokenizerOpts::default() });
    while !matches!(tokenizer.feed(&queue), TokenizerResult::Done) {}
    tokenizer.end();
    tokenizer.sink.tags.take()
}

struct Recorder<'q> {
    queue: &'q BufferQueue,
    text: &'q str,
    address: usize,
    /// The number of bytes consumed up to the last token.
    last: Cell<usize>,
    builder: TreeBuilder<Handle, RcDom>,
    tags: RefCell<Vec<OracleTag>>,
}

impl Recorder<'_> {
    /// Returns how many bytes the tokenizer has consumed.
    fn consumed(&self) -> usize {
        match self.queue.peek_front_chunk_mut() {
            None => return self.text.len(),
            // Longer chunks are views into the one text that was pushed.
            Some(chunk) if chunk.len() > 8 => {
                let offset = (chunk.as_ptr() as usize).wrapping_sub(self.address);
                if offset < self.text.len() {
                    return offset;
                }
            }
            Some(_) => {}
        }
        let rest = self.queue.clone();
        let mut length = 0;
        while let Some(chunk) = rest.pop_front() {
            length += chunk.len();
        }
        self.text.len() - length
    }
}

impl TokenSink for Recorder<'_> {
    type Handle = Handle;

    fn process_token(&self, token: Token, line: u64) -> TokenSinkResult<Handle> {
        if let Token::ParseError(_) = token {
            return self.builder.process_token(token, line);
        }
        let (last, end) = (self.last.get(), self.consumed());
        self.last.set(end);
        if let Token::TagToken(tag) = &token
            && tag.kind == TagKind::StartTag
        {
            let bytes = self.text.as_bytes();
            // When a token was ended by a `<`, that one was consumed with it.
            let from = last - usize::from(last > 0 && bytes[last - 1] == b'<');
            let start = (from..end)
                .find(|at| bytes[*at] == b'<' && bytes.get(at + 1).is_some_and(u8::is_ascii_alphabetic))
                .unwrap_or(from);
            let attributes =
                tag.attrs.iter().map(|attribute| (attribute.name.local.to_string(), attribute.value.to_string()));
            self.tags.borrow_mut().push(OracleTag {
                range: start..end,
                name: tag.name.to_string(),
                attributes: attributes.collect(),
            });
        }
        self.builder.process_token(token, line)
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&self) -> bool {
        self.builder.adjusted_current_node_present_but_not_in_html_namespace()
    }
}
