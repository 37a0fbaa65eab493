//! The feedback of tree construction to the tokenizer.

use std::ops::Range;

use super::token::{Content, StartTag};
use crate::markup::tag::ends_tag_name;

/// Tree construction, as far as it decides how the tokenizer continues.
pub(crate) trait Feedback {
    /// Processes a start tag. Returns the content that follows it.
    fn start_tag(&mut self, document: &[u8], tag: &StartTag) -> Content;
    /// Processes an end tag of this name.
    fn end_tag(&mut self, _name: &[u8]) {}
    /// Returns whether `<![CDATA[` opens a CDATA section: the adjusted current node is a foreign element.
    fn allows_cdata(&self) -> bool {
        false
    }
    /// Returns whether the tokenizer can stop.
    fn is_done(&self) -> bool {
        false
    }
    /// Processes text between tags, with character references not yet decoded.
    fn text(&mut self, _document: &[u8], _text: Range<usize>) {}
    /// Processes the text of a CDATA section.
    fn cdata(&mut self, _document: &[u8], _text: Range<usize>) {}
    /// Processes a comment, bogus or not.
    fn comment(&mut self) {}
    /// Processes a doctype, from `<!` to `>`.
    fn doctype(&mut self, _doctype: &[u8]) {}
    /// Processes the end of the document.
    fn end_of_document(&mut self) {}
}

/// The last `noscript` element. Where scripts run, its content is text up to the first `</noscript`, and a BASE in it is none.
#[derive(Debug, Default)]
pub(crate) struct Noscript {
    /// The first byte that was not searched for its end, which is not found yet.
    content: Option<usize>,
}

impl Noscript {
    /// Processes its start tag.
    pub(crate) fn open(&mut self, tag: &StartTag) {
        self.content = Some(tag.range.end);
    }

    /// Returns whether the tag at a byte, which is behind its start tag, is text to browsers that run scripts.
    pub(crate) fn hides(&mut self, document: &[u8], tag: usize) -> bool {
        const END: &[u8] = b"</noscript";
        let is_end = |window: &[u8]| window[..END.len()].eq_ignore_ascii_case(END) && ends_tag_name(window[END.len()]);
        let content = self.content.filter(|content| !document[*content..tag].windows(END.len() + 1).any(is_end));
        self.content = content.map(|_| tag);
        content.is_some()
    }
}
