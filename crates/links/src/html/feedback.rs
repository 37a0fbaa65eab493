//! The feedback of tree construction to the tokenizer.

use std::ops::Range;

use memchr::memmem;

use super::special::{Special, special};
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

/// Feedback from element names alone. In a conditional comment, elements may lack their start or end tags.
#[derive(Debug)]
pub(crate) struct TokenLevel;

impl Feedback for TokenLevel {
    fn start_tag(&mut self, _document: &[u8], tag: &StartTag) -> Content {
        match special(tag.element) {
            Some(Special::Text(content)) => content,
            _ => Content::Markup,
        }
    }
}

/// Where a BASE does not count. Code of a template (`<% … %>`) never leaves the server. Where scripts run, the content of a `noscript` element
/// is text up to the first `</noscript`.
#[derive(Debug, Default)]
pub(crate) struct Hidden {
    /// The last code that was found; what is in front of it was searched.
    code: Range<usize>,
    /// The first byte of the last `noscript` that was not searched for its end, which is not found yet.
    noscript: Option<usize>,
}

impl Hidden {
    /// Processes the start tag of a `noscript`.
    pub(crate) fn open(&mut self, tag: &StartTag) {
        self.noscript = Some(tag.range.end);
    }

    /// Returns whether a BASE at this byte, behind the last start tag, does not count.
    pub(crate) fn hides(&mut self, document: &[u8], tag: usize) -> bool {
        while self.code.end <= tag {
            let Some(code) = next_code(document, self.code.end, tag) else {
                self.code = tag..tag;
                break;
            };
            self.code = code;
        }
        self.code.start < tag || self.is_in_noscript(document, tag)
    }

    fn is_in_noscript(&mut self, document: &[u8], tag: usize) -> bool {
        const END: &[u8] = b"</noscript";
        let is_end = |window: &[u8]| window[..END.len()].eq_ignore_ascii_case(END) && ends_tag_name(window[END.len()]);
        let content = self.noscript.filter(|content| !document[*content..tag].windows(END.len() + 1).any(is_end));
        self.noscript = content.map(|_| tag);
        content.is_some()
    }
}

/// Returns the first code of ASP, JSP, ERB or EJS that begins between two bytes: `<% … %>`, or `<%-- … --%>`. Code without an end hides nothing:
/// its range is then empty and behind the document.
fn next_code(document: &[u8], from: usize, until: usize) -> Option<Range<usize>> {
    let start = from + memmem::find(&document[from..until], b"<%")?;
    let end: &[u8] = if document[start..].starts_with(b"<%--") { b"--%>" } else { b"%>" };
    let behind = start + b"<%".len();
    let length = memmem::find(&document[behind..], end);
    Some(length.map_or(document.len()..usize::MAX, |length| start..behind + length + end.len()))
}
