//! The feedback of tree construction to the tokenizer.

use std::ops::Range;

use super::token::{Content, StartTag};

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
