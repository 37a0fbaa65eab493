//! Whether an unpacked page applies the stylesheets that it applied before.

use std::ops::Range;

use absolve_links::DocumentType;
use encoding_rs::Encoding;
use html5ever::interface::QuirksMode;
use html5ever::tendril::TendrilSink;
use html5ever::{ParseOpts, parse_document};
use markup5ever_rcdom::RcDom;
use url::Url;

use crate::references::found::Reference;

/// The stylesheets that a page links.
pub(super) struct Sheets<'p> {
    page: &'p [u8],
    encoding: &'static Encoding,
    /// The attributes of the elements that link them; none where the document is not HTML.
    tags: &'p [Range<usize>],
}

impl<'p> Sheets<'p> {
    pub(super) fn of(
        page: &'p [u8],
        (document_type, encoding): (DocumentType, &'static Encoding),
        tags: &'p [Range<usize>],
    ) -> Self {
        Self { page, encoding, tags: if document_type == DocumentType::Html { tags } else { &[] } }
    }

    /// Returns what is wrong with the file that a link leads to now, which is that of a URL: only a page in quirks mode applies a stylesheet of its
    /// own origin with another type, and so leads to the copy of it.
    pub(super) fn fault(
        &self,
        link: &Reference,
        (reference, url, own): (&str, &str, &str),
        has_sheet: &dyn Fn(&str) -> bool,
    ) -> Option<String> {
        let path = reference.split(['?', '#']).next().unwrap_or_default();
        let is_copy = ["^.css", "%5E.css"].iter().any(|end| path.ends_with(end));
        let page = url.split('#').next().unwrap_or_default();
        let origin = |url: &str| Url::parse(url).ok().map(|url| url.origin());
        let needs_copy =
            !path.is_empty() && self.applies(link.range.start) && origin(page) == origin(own) && has_sheet(page);
        let message = match (needs_copy, is_copy) {
            (true, false) => "the page applied the stylesheet, which has another type, and does not apply this file",
            (false, true) => "the page did not apply this file as a stylesheet",
            _ => return None,
        };
        Some(message.to_owned())
    }

    /// Returns whether the page applies a stylesheet of any type that a link names, by what html5ever makes of its start.
    fn applies(&self, link: usize) -> bool {
        const START: usize = 16 << 10;
        let next = self.tags.partition_point(|tag| tag.end <= link);
        let is_sheet = self.tags.get(next).is_some_and(|tag| tag.contains(&link));
        is_sheet && self.encoding.is_ascii_compatible() && {
            let (start, _) = self.encoding.decode_without_bom_handling(&self.page[..self.page.len().min(START)]);
            let tree = parse_document(RcDom::default(), ParseOpts::default()).one(&*start);
            tree.quirks_mode.get() == QuirksMode::Quirks
        }
    }
}
