//! Quirks mode, in which browsers apply a stylesheet of the same origin whatever its type is.

use html5ever::interface::QuirksMode;
use html5ever::tokenizer::{Token, TokenSink};
use html5ever::tree_builder::{TreeBuilder, TreeBuilderOpts};
use markup5ever_rcdom::RcDom;
use memchr::{memchr, memmem};

use super::tree::parse_doctype;
use crate::document::Document;
use crate::document_type::DocumentType;
use crate::markup::attributes::attributes;
use crate::markup::name::Name;
use crate::scan::{Link, Place};

impl Document<'_> {
    /// Returns whether browsers apply what this link names as a stylesheet, whatever its type is: it is a `<link rel=stylesheet>` of a page in
    /// quirks mode.
    ///
    /// ```
    /// use absolve_links::{Document, DocumentType::Html, Table};
    /// let applies = |page: &'static str| {
    ///     let document = Document::new(page.as_bytes(), Html);
    ///     document.scan(&Table::default()).is_ok_and(|scan| document.applies_any_style_sheet(&scan.links[0]))
    /// };
    /// assert!(applies("<!-- --><link href=x rel=StyleSheet>"));
    /// assert!(!applies("<link href=x rel=icon>") && !applies("<!DOCTYPE html><link href=x rel=stylesheet>"));
    /// ```
    pub fn applies_any_style_sheet(&self, link: &Link) -> bool {
        const REL: Name = Name::of("rel");
        const START: &[u8] = b"<link";
        let Place::Attribute { tag, nesting: 0, .. } = link.place else { return false };
        let page = self.bytes();
        let begins = |start: &[u8]| start.eq_ignore_ascii_case(START);
        if self.document_type() != DocumentType::Html || !page.get(tag..tag + START.len()).is_some_and(begins) {
            return false;
        }
        let mut is_sheet = false;
        attributes(page, tag + START.len(), |attribute| {
            let mut words = page[attribute.value].split(u8::is_ascii_whitespace);
            is_sheet |= attribute.name == REL && words.any(|word| word.eq_ignore_ascii_case(b"stylesheet"));
        });
        is_sheet && is_in_quirks_mode(page)
    }
}

/// Returns whether browsers read a page in quirks mode: it has no doctype, or an old one (HTML Standard, section 13.2.6.4.1).
fn is_in_quirks_mode(html: &[u8]) -> bool {
    let Some(doctype) = doctype_of(html).and_then(parse_doctype) else { return true };
    let builder = TreeBuilder::new(RcDom::default(), TreeBuilderOpts::default());
    let _ = builder.process_token(Token::DoctypeToken(doctype), 1);
    builder.sink.quirks_mode.get() == QuirksMode::Quirks
}

/// Returns the doctype of a page, before which only white space and comments may stand.
fn doctype_of(html: &[u8]) -> Option<&[u8]> {
    const NAME: &[u8] = b"<!doctype";
    let mut rest = html.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(html);
    loop {
        rest = rest.trim_ascii_start();
        if rest.get(..NAME.len()).is_some_and(|start| start.eq_ignore_ascii_case(NAME)) {
            return memchr(b'>', rest).map(|end| &rest[..=end]);
        }
        let end = match rest {
            [b'<', b'!', b'-', b'-', ..] => memmem::find(rest, b"-->")? + 3,
            [b'<', b'!' | b'?', ..] => memchr(b'>', rest)? + 1,
            _ => return None,
        };
        rest = &rest[end..];
    }
}
