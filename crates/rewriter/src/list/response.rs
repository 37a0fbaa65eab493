//! The links in the header of an HTTP response: `Location` (RFC 9110, section 10.2.2), `Refresh` and `Link` (RFC 8288).

use std::ops::Range;

use absolve_base::Layer;
use absolve_framing::{header_fields, text_of_field, trimmed};
use absolve_links::{DocumentType, refresh_url};
use absolve_resolver::{BaseUrl, ReferenceKind};

use crate::entity::Entity;
use crate::entity::capture::Capture;
use crate::findings;
use crate::limits::{RELATION_CHARACTERS, listed_bytes_of_header};
use crate::list::{ListedLink, Listing};
use crate::options::Options;
use crate::position::{Position, Positions};
use crate::provenance::retrieval_url::retrieval_url;
use crate::report::{Cause, Status};

/// Returns the links in the header of the HTTP response that an entity was captured in. They resolve against the URL of the
/// record, and no rewrite changes them. Their element is `http`, their attribute `location`, `refresh` or `link`; their bytes are those
/// of the response, from its status line on.
///
/// ```
/// use absolve_rewriter::internal::{Capture, Entity, links_of_response};
/// use absolve_rewriter::Options;
/// let head = b"HTTP/1.1 301 Moved Permanently\r\nLocation: /b\r\n\r\n";
/// let entity = Entity::of_capture(Capture::new("http://h/a").with_head(head));
/// let links = links_of_response(&entity, &Options::default()).links;
/// assert_eq!((&*links[0].attribute, links[0].target.as_deref()), ("location", Some("http://h/b")));
/// ```
pub fn links_of_response(entity: &Entity<'_>, options: &Options) -> Listing {
    let mut listing = Listing::default();
    let Some(capture) = entity.capture.as_deref().filter(|capture| !capture.head.is_empty()) else { return listing };
    let fields_start = memchr::memchr(b'\n', capture.head).map_or(capture.head.len(), |end| end + 1);
    let base = retrieval_url(&capture.url, options.rules).ok();
    let context = Context { capture, base: base.as_ref(), options };
    let mut positions = Positions::of(capture.head);
    let mut room = listed_bytes_of_header(capture.head);
    for field in header_fields(&capture.head[fields_start..]) {
        let value = fields_start + field.value.start..fields_start + field.value.end;
        let (attribute, found): (_, Box<dyn Iterator<Item = Written>>) = match () {
            () if field.is_named("Location") => ("location", Box::new(location(capture.head, value).into_iter())),
            () if field.is_named("Refresh") => ("refresh", Box::new(refresh(capture.head, value).into_iter())),
            () if field.is_named("Link") => ("link", Box::new(links(capture.head, value))),
            () => continue,
        };
        for written in found {
            let link = context.listed(attribute, &written, positions.at(written.range.start));
            let texts = [&link.base, &link.target, &link.rel, &link.anchor];
            let length = texts.into_iter().flatten().map(String::len).sum::<usize>() + size_of::<ListedLink>();
            listing.links.push(link);
            room = room.saturating_sub(length);
            if room == 0 {
                listing.findings.push(findings::listing_too_large());
                return listing;
            }
        }
    }
    listing
}

/// A reference in a field.
struct Written {
    range: Range<usize>,
    /// The first `rel` of a `Link`; later ones do not count (RFC 8288, section 3.3).
    rel: Option<String>,
    /// The first `anchor` of a `Link`, as written.
    anchor: Option<String>,
}

struct Context<'c> {
    capture: &'c Capture<'c>,
    base: Option<&'c BaseUrl>,
    options: &'c Options,
}

impl Context<'_> {
    fn listed(&self, attribute: &str, written: &Written, position: Position) -> ListedLink {
        let raw = &self.capture.head[written.range.clone()];
        let reference = text_of_field(raw);
        let (status, mut target) = self.resolved(&reference);
        if attribute == "location"
            && is_redirection(self.capture.head)
            && let (Some(target), Some((_, fragment))) = (&mut target, self.capture.url.split_once('#'))
            && !target.contains('#')
        {
            // A redirection inherits the fragment of what was requested.
            target.push_str(&format!("#{fragment}"));
        }
        ListedLink {
            part: String::new(),
            document_type: DocumentType::Field,
            start: written.range.start,
            end: written.range.end,
            written: String::from_utf8_lossy(raw).into_owned(),
            line: position.line,
            column: position.column,
            element: "http".to_owned(),
            attribute: attribute.to_owned(),
            reference,
            target,
            status,
            base: self.base.map(|base| base.as_str().to_owned()),
            layer: if self.base.is_some() { Layer::Retrieval } else { Layer::None },
            out_of_reach: None,
            text: None,
            rel: written.rel.as_deref().map(short),
            anchor: written.anchor.as_ref().and_then(|anchor| self.resolved(anchor).1),
        }
    }

    /// Returns what becomes of a reference, and its target.
    fn resolved(&self, reference: &str) -> (Status, Option<String>) {
        if self.options.rules.standard.kind_of(reference) == ReferenceKind::Absolute {
            return (Status::Absolute, Some(reference.to_owned()));
        }
        let Some(base) = self.base else { return (Status::Unresolved(Cause::NoBase), None) };
        match base.resolve(reference) {
            Ok(target) => (Status::Kept, Some(target)),
            Err(_) => (Status::Unresolved(Cause::NoTarget), None),
        }
    }
}

/// Returns whether the status of a response is that of a redirection (RFC 9110, section 15.4).
fn is_redirection(head: &[u8]) -> bool {
    let line = head.split(|byte| *byte == b'\n').next().unwrap_or_default();
    line.split(u8::is_ascii_whitespace).nth(1).is_some_and(|status| status.len() == 3 && status[0] == b'3')
}

/// Returns a relation with single spaces, up to a length.
fn short(rel: &str) -> String {
    rel.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(RELATION_CHARACTERS).collect()
}

/// Returns the reference of a `Location`, unless it is empty.
fn location(head: &[u8], value: Range<usize>) -> Option<Written> {
    let range = trimmed(head, value);
    (!range.is_empty()).then_some(Written { range, rel: None, anchor: None })
}

/// Returns the reference of a `Refresh` (WHATWG HTML, section 4.2.5.3).
fn refresh(head: &[u8], value: Range<usize>) -> Option<Written> {
    let url = refresh_url(&head[value.clone()])?;
    let range = trimmed(head, value.start + url.start..value.start + url.end);
    (!range.is_empty()).then_some(Written { range, rel: None, anchor: None })
}

/// Returns the references of a `Link` (RFC 8288, appendix B.2). What follows a malformed one is dropped.
fn links(head: &[u8], value: Range<usize>) -> impl Iterator<Item = Written> {
    let mut rest = Rest { bytes: &head[..value.end], at: value.start };
    std::iter::from_fn(move || {
        rest.skip(|byte| byte.is_ascii_whitespace() || byte == b',');
        let range = rest.bracketed()?;
        let mut written = Written { range: trimmed(head, range), rel: None, anchor: None };
        while rest.take(b';') {
            let name = rest.until(|byte| matches!(byte, b'=' | b';' | b','));
            let value = if rest.take(b'=') { rest.value() } else { String::new() };
            match &*name.trim_ascii().to_ascii_lowercase() {
                b"rel" => written.rel = written.rel.or(Some(value)),
                b"anchor" => written.anchor = written.anchor.or(Some(value)),
                _ => {}
            }
        }
        rest.until(|byte| byte == b',');
        Some(written)
    })
}

/// The bytes of a field that are not yet parsed.
struct Rest<'h> {
    bytes: &'h [u8],
    at: usize,
}

impl<'h> Rest<'h> {
    fn skip(&mut self, is_skipped: impl Fn(u8) -> bool) {
        self.at += self.bytes[self.at..].iter().take_while(|byte| is_skipped(**byte)).count();
    }

    fn until(&mut self, ends: impl Fn(u8) -> bool) -> &'h [u8] {
        let start = self.at;
        self.skip(|byte| !ends(byte));
        &self.bytes[start..self.at]
    }

    /// Takes a byte after white space, if it follows.
    fn take(&mut self, byte: u8) -> bool {
        self.skip(|byte| byte.is_ascii_whitespace());
        let follows = self.bytes.get(self.at) == Some(&byte);
        self.at += usize::from(follows);
        follows
    }

    /// Takes what stands in angle brackets.
    fn bracketed(&mut self) -> Option<Range<usize>> {
        let start = self.at + 1;
        let end = start + memchr::memchr(b'>', self.bytes.get(start..)?)?;
        (self.bytes[self.at] == b'<').then(|| self.at = end + 1)?;
        Some(start..end)
    }

    /// Takes the value of a parameter, a token or a quoted string.
    fn value(&mut self) -> String {
        if !self.take(b'"') {
            return text_of_field(self.until(|byte| matches!(byte, b';' | b',')));
        }
        let mut value = Vec::new();
        while let Some(byte) = self.bytes.get(self.at) {
            self.at += 1;
            match byte {
                b'"' => break,
                b'\\' => {
                    value.extend(self.bytes.get(self.at));
                    self.at += 1;
                }
                byte => value.push(*byte),
            }
        }
        self.at = self.at.min(self.bytes.len());
        text_of_field(&value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refresh_is_listed_as_location_is() {
        for (value, written) in [("3; url=next.html", "next.html"), ("0;URL='/n'", "/n"), ("5", ""), ("url=x", "")] {
            let head = format!("HTTP/1.1 200 OK\r\nRefresh: {value}\r\n\r\n");
            let entity = Entity::of_capture(Capture::new("http://h/a").with_head(head.as_bytes()));
            let links = links_of_response(&entity, &Options::default()).links;
            let found: Vec<&str> = links.iter().map(|link| &*link.written).collect();
            assert_eq!(found, Vec::from_iter(Some(written).filter(|written| !written.is_empty())), "{value}");
            assert!(links.iter().all(|link| link.attribute == "refresh" && link.target.is_some()), "{links:?}");
        }
    }

    #[test]
    fn a_new_resource_does_not_inherit_the_fragment_of_the_request() {
        for (status, target) in [("301 Moved", "http://h/n#f"), ("201 Created", "http://h/n"), ("200", "http://h/n")] {
            let head = format!("HTTP/1.1 {status}\r\nLocation: /n\r\n\r\n");
            let entity = Entity::of_capture(Capture::new("http://h/a#f").with_head(head.as_bytes()));
            let links = links_of_response(&entity, &Options::default()).links;
            assert_eq!(links[0].target.as_deref(), Some(target), "{status}");
        }
    }
}
