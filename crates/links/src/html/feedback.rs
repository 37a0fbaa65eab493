//! What the tokenizer asks of tree construction.

use std::ops::Range;

use super::token::{Content, StartTag};

/// Follows a document as tree construction does, as far as that decides about tokens.
pub(crate) trait Feedback {
    /// A start tag; the answer is the content that follows it.
    fn start_tag(&mut self, document: &[u8], tag: &StartTag) -> Content;
    /// An end tag of this name.
    fn end_tag(&mut self, name: &[u8]);
    /// Whether `<![CDATA[` opens a CDATA section: the adjusted current node is a foreign element.
    fn allows_cdata(&self) -> bool;
    /// Whether reading on is pointless.
    fn is_done(&self) -> bool;
    /// The first `<base href>` of the document tree, counted among those of the source.
    fn first_base(&self) -> Option<usize>;
    /// Text between tags, character references unresolved.
    fn text(&mut self, _document: &[u8], _text: Range<usize>) {}
    /// The text of a CDATA section.
    fn cdata(&mut self, _document: &[u8], _text: Range<usize>) {}
    /// A comment, bogus or not.
    fn comment(&mut self) {}
    /// A doctype, from `<!` to `>`.
    fn doctype(&mut self, _doctype: &[u8]) {}
    /// Nothing follows.
    fn end_of_document(&mut self) {}
}
