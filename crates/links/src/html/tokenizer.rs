//! Finds tags, comments and raw text in the bytes of a document (WHATWG HTML, section 13.2.5).
//!
//! It follows the states of the standard exactly. A [`Feedback`] decides what depends on the tree: the content that
//! follows a start tag, and whether CDATA sections are possible.
//!
//! It works in any encoding whose trail bytes never equal `<`, `>`, quotes, `=`, `/` or white space. These are all
//! encodings of the web but UTF-16 and ISO-2022-JP.

use std::ops::Range;

use memchr::{memchr, memchr_iter};

use super::feedback::Feedback;
use super::token::{Content, StartTag};
use crate::markup::attributes::{Attribute, TagEnd, attributes};
use crate::markup::find::find;
use crate::markup::name::Name;
use crate::markup::tag::ends_tag_name;

/// Receives the tokens of a document.
pub(crate) trait Visitor {
    /// Visits the name of a start tag.
    fn element(&mut self, _element: Name, _name: Range<usize>) {}
    /// Visits an attribute of that tag.
    fn attribute(&mut self, _attribute: Attribute) {}
    /// Visits the complete tag, which `content` follows.
    fn start_tag(&mut self, _tag: &StartTag, _content: Content) {}
    /// Visits an end tag of any name.
    fn end_tag(&mut self) {}
    /// Visits the text between two tags, with character references not yet decoded.
    fn text(&mut self, _text: Range<usize>) {}
    /// Visits the text of a CDATA section.
    fn cdata(&mut self, _text: Range<usize>) {}
    /// Visits the text of a comment that begins with `<!--`.
    fn comment(&mut self, _text: Range<usize>) {}
    /// Visits the raw text of the element whose start tag was the last token.
    fn raw_text(&mut self, _text: Range<usize>) {}
}

/// Tokenizes `document` from `at` to its end, or until the feedback is done.
pub(crate) fn tokenize(document: &[u8], mut at: usize, feedback: &mut impl Feedback, visitor: &mut impl Visitor) {
    while !feedback.is_done()
        && let Some(after) = next_token(document, at, feedback, visitor)
    {
        at = after;
    }
}

/// Tokenizes text from `at` on and the tag, comment or declaration behind it. Returns the end of that, or `None` at the
/// end of the document.
#[inline]
pub(super) fn next_token(
    document: &[u8],
    at: usize,
    feedback: &mut impl Feedback,
    visitor: &mut impl Visitor,
) -> Option<usize> {
    let Some(offset) = find(b'<', &document[at..]) else {
        feedback.text(document, at..document.len());
        visitor.text(at..document.len());
        feedback.end_of_document();
        return None;
    };
    let open = at + offset;
    visitor.text(at..open);
    let after = match document.get(open + 1) {
        Some(byte) if byte.is_ascii_alphabetic() => {
            feedback.text(document, at..open);
            start_tag(document, open, feedback, visitor)
        }
        Some(b'/') => match document.get(open + 2) {
            Some(byte) if byte.is_ascii_alphabetic() => {
                feedback.text(document, at..open);
                visitor.end_tag();
                end_tag(document, open, feedback)
            }
            Some(b'>') => {
                feedback.text(document, at..open);
                Some(open + 3)
            }
            Some(_) => {
                feedback.text(document, at..open);
                Some(bogus_comment(document, open + 2, feedback))
            }
            None => None,
        },
        Some(b'!') => {
            feedback.text(document, at..open);
            Some(declaration(document, open, feedback, visitor))
        }
        Some(b'?') => {
            feedback.text(document, at..open);
            Some(bogus_comment(document, open + 1, feedback))
        }
        _ => {
            // A lone `<` is text. A tag may begin right after it.
            feedback.text(document, at..open + 1);
            visitor.text(open..open + 1);
            Some(open + 1)
        }
    };
    if after.is_none() {
        feedback.end_of_document();
    }
    after
}

#[inline]
fn start_tag(document: &[u8], open: usize, feedback: &mut impl Feedback, visitor: &mut impl Visitor) -> Option<usize> {
    let (element, name_end) = Name::read(document, open + 1, ends_tag_name)?;
    let name = open + 1..name_end;
    visitor.element(element, name.clone());
    let TagEnd { end, self_closing } = attributes(document, name.end, |attribute| visitor.attribute(attribute))?;
    let tag = StartTag { range: open..end, name, element, self_closing };
    let content = feedback.start_tag(document, &tag);
    visitor.start_tag(&tag, content);
    if matches!(content, Content::Markup | Content::Ignored) {
        return Some(end);
    }
    let text_end = raw_text_end(document, end, &document[tag.name.clone()], content);
    visitor.raw_text(end..text_end);
    Some(text_end)
}

fn end_tag(document: &[u8], open: usize, feedback: &mut impl Feedback) -> Option<usize> {
    let name_end = open + 2 + document[open + 2..].iter().position(|byte| ends_tag_name(*byte))?;
    let end = attributes(document, name_end, |_| {})?.end;
    feedback.end_tag(&document[open + 2..name_end]);
    Some(end)
}

/// Reads what begins with `<!`: a comment, a doctype, a CDATA section or a bogus comment. Returns its end.
fn declaration(document: &[u8], open: usize, feedback: &mut impl Feedback, visitor: &mut impl Visitor) -> usize {
    let rest = &document[open + 2..];
    if rest.starts_with(b"--") {
        feedback.comment();
        let end = comment_end(document, open + 4);
        visitor.comment(open + 4..end);
        return end;
    }
    if rest.len() >= 7 && rest[..7].eq_ignore_ascii_case(b"doctype") {
        let end = memchr(b'>', rest).map_or(document.len(), |end| open + 2 + end + 1);
        feedback.doctype(&document[open..end]);
        return end;
    }
    if rest.starts_with(b"[CDATA[") && feedback.allows_cdata() {
        let start = open + 9;
        let end = memchr::memmem::find(&document[start..], b"]]>").map(|end| start + end);
        feedback.cdata(document, start..end.unwrap_or(document.len()));
        visitor.cdata(start..end.unwrap_or(document.len()));
        return end.map_or(document.len(), |end| end + 3);
    }
    bogus_comment(document, open + 2, feedback)
}

fn bogus_comment(document: &[u8], start: usize, feedback: &mut impl Feedback) -> usize {
    feedback.comment();
    memchr(b'>', &document[start..]).map_or(document.len(), |end| start + end + 1)
}

/// Returns the end of the comment whose `<!--` ends at `start`, after its `-->` or `--!>`.
fn comment_end(document: &[u8], start: usize) -> usize {
    let text = &document[start..];
    if text.starts_with(b">") {
        return start + 1;
    }
    if text.starts_with(b"->") {
        return start + 2;
    }
    let closes = |end: &usize| text[..*end].ends_with(b"--") || text[..*end].ends_with(b"--!");
    memchr_iter(b'>', text).find(closes).map_or(document.len(), |end| start + end + 1)
}

/// Returns the start of the end tag of a raw text element, or the end of the document.
fn raw_text_end(document: &[u8], start: usize, name: &[u8], content: Content) -> usize {
    let text = &document[start..];
    let end = match content {
        Content::Script => script_end(text, name),
        Content::Plaintext => None,
        Content::Markup | Content::Ignored => Some(0),
        Content::RawText => memchr_iter(b'<', text).find(|open| is_end_tag(&text[*open..], name)),
    };
    start + end.unwrap_or(text.len())
}

/// Returns the end of script data, with its escaped and double escaped states (sections 13.2.5.15 to 13.2.5.31).
fn script_end(text: &[u8], name: &[u8]) -> Option<usize> {
    #[derive(PartialEq)]
    enum State {
        Plain,
        Escaped,
        DoubleEscaped,
    }
    let mut state = State::Plain;
    let mut at = 0;
    loop {
        let next = match state {
            State::Plain => memchr(b'<', &text[at..])?,
            State::Escaped | State::DoubleEscaped => memchr::memchr2(b'<', b'>', &text[at..])?,
        };
        at += next;
        let rest = &text[at..];
        if rest[0] == b'>' {
            // `<!-->` closes at once.
            if text[..at].ends_with(b"--") {
                state = State::Plain;
            }
        } else if is_end_tag(rest, name) {
            if state != State::DoubleEscaped {
                return Some(at);
            }
            state = State::Escaped;
        } else if state == State::Plain && rest.starts_with(b"<!--") {
            state = State::Escaped;
            at += 3;
        } else if state == State::Escaped && is_tag(&rest[1..], b"script") {
            state = State::DoubleEscaped;
        }
        at += 1;
    }
}

fn is_end_tag(text: &[u8], name: &[u8]) -> bool {
    text.get(1) == Some(&b'/') && is_tag(&text[2..], name)
}

/// Returns whether `text` begins with the complete name `name`.
fn is_tag(text: &[u8], name: &[u8]) -> bool {
    text.len() > name.len() && text[..name.len()].eq_ignore_ascii_case(name) && ends_tag_name(text[name.len()])
}
