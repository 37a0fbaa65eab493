//! Which tags can become comments.

use std::ops::Range;

use memchr::memmem;

use crate::document_type::DocumentType;

/// Returns for each tag of a BASE, in their order, whether it can be put into a comment: it contains no dashes, leaves no end tag in XML, and
/// does not stand where it may divide a stylesheet, which would be read in one then.
///
/// ```
/// use absolve_links::{DocumentType, commentable};
/// let page = b"<base href=a><svg><style><base href=b>a{b:url(c)}";
/// assert_eq!(commentable(page, DocumentType::Html, &[0..13, 25..38]), [true, false]);
/// ```
pub fn commentable(document: &[u8], document_type: DocumentType, tags: &[Range<usize>]) -> Vec<bool> {
    let is_xml = document_type == DocumentType::Xml;
    // In HTML, a style has tags only as an element of SVG or MJML, or in MathML.
    let around: &[&str] = if is_xml { &["style"] } else { &["<svg", "<math", "<mj-style"] };
    let text = document[..tags.last().map_or(0, |last| last.start)].to_ascii_lowercase();
    let first = around.iter().filter_map(|name| memmem::find(&text, name.as_bytes())).min();
    let is_commentable = |tag: &Range<usize>| {
        let written = &document[tag.clone()];
        let has_end_tag = is_xml && !written.ends_with(b"/>");
        first.is_none_or(|first| tag.start < first) && !has_end_tag && memmem::find(written, b"--").is_none()
    };
    tags.iter().map(is_commentable).collect()
}
