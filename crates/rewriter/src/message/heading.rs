//! What a heading says of the body below it.

use std::ops::Range;

use absolve_base::{Declaration, HeaderField, declarations_in_heading, header_fields, url_of_field_value};
use absolve_resolver::{ReferenceKind, Standard};
use mail_parser::HeaderValue;
use mail_parser::parsers::MessageStream;

use crate::limits::{FIELD_BYTES, REPEATED_FIELDS};
use crate::message::claims::Claim;
use crate::transfer::Transfer;

/// A heading, as far as it decides what becomes of the body.
#[derive(Debug, Default)]
pub(crate) struct Heading {
    /// What it says of the base.
    pub(crate) declarations: Vec<Declaration>,
    /// The type of the body, if it is told and can be read.
    pub(crate) media_type: Option<MediaType>,
    has_media_type: bool,
    /// The transfer encoding as it is named, comments left out; empty when none is.
    pub(crate) encoding: String,
    /// Where that name stands, or where it would; more than once, if the field is repeated.
    pub(crate) encoding_places: Vec<Range<usize>>,
    /// Fields that hold references, and where their values stand.
    pub(crate) references: Vec<(&'static str, Range<usize>)>,
    /// What it says of the size and the digest of the body.
    pub(crate) claims: Vec<Claim>,
    /// Whether a DKIM or ARC signature covers the message.
    pub(crate) is_signed: bool,
    /// Whether a browser saved a page as this message.
    pub(crate) is_saved_page: bool,
    /// The URL of that page.
    pub(crate) snapshot: Option<String>,
    /// Why nobody can tell what the body is.
    pub(crate) trouble: Option<&'static str>,
}

/// A `Content-Type`.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct MediaType {
    /// As in `text/html`, in lower case.
    pub(crate) name: String,
    pub(crate) boundary: Option<String>,
    pub(crate) charset: Option<String>,
}

/// The field by which Chromium tells the URL of a page.
pub(crate) const SNAPSHOT: &str = "Snapshot-Content-Location";

/// Fields that hold references, but those that only declare a base (RFC 2557, section 4.2; RFC 2369; RFC 5064).
const REFERRING: [&str; 8] = [
    "Content-Location",
    "List-Archive",
    "List-Help",
    "List-Owner",
    "List-Post",
    "List-Subscribe",
    "List-Unsubscribe",
    "Archived-At",
];

/// Where the heading that begins at the start of `within` ends and its body begins: behind the first empty line.
pub(crate) fn body_start(message: &[u8], within: Range<usize>) -> (usize, usize) {
    let mut at = within.start;
    while at < within.end {
        let end = memchr::memchr(b'\n', &message[at..within.end]).map_or(within.end, |length| at + length + 1);
        if matches!(message[at..end], [b'\n'] | [b'\r', b'\n']) {
            return (at, end);
        }
        at = end;
    }
    (within.end, within.end)
}

impl Heading {
    /// Reads the heading that stands in `at`. Places are bytes of the message.
    pub(crate) fn read(message: &[u8], at: Range<usize>) -> Self {
        let bytes = &message[at.clone()];
        let mut heading = Self { declarations: declarations(bytes), ..Self::default() };
        let mut end = 0;
        for field in header_fields(bytes) {
            // Some readers take such a line for the beginning of the body.
            if field.start > end || field.name.contains(&b' ') {
                heading.note_stray_line(&bytes[end..]);
            }
            end = field.value.end;
            heading.take(&field, &bytes[field.value.clone()], at.start);
        }
        heading.note_stray_line(&bytes[end..]);
        heading
    }

    /// A separator line of an mbox among the fields does no harm.
    fn note_stray_line(&mut self, line: &[u8]) {
        if !line.is_empty() && !line.starts_with(b"From ") && !line.starts_with(b">From ") {
            self.trouble = Some("its heading holds a line that is no field");
        }
    }

    fn take(&mut self, field: &HeaderField<'_>, value: &[u8], offset: usize) {
        if self.claims.len() + self.references.len() + self.encoding_places.len() > REPEATED_FIELDS {
            self.trouble = Some("its heading repeats fields more often than any real one");
            return;
        }
        // All but a location stand in brackets; `List-Post: NO` is no reference.
        let refers = |name: &&str| *name == "Content-Location" || value.contains(&b'<');
        if let Some(name) = REFERRING.into_iter().find(|name| field.is_named(name)).filter(refers) {
            self.references.push((name, offset + field.value.start..offset + field.value.end));
        }
        const FIELDS_THAT_DECIDE: [&str; 5] =
            ["Content-Type", "Content-Transfer-Encoding", "Content-Base", "Content-Location", "Base"];
        let is = |name: &str| field.is_named(name);
        if value.len() > FIELD_BYTES && FIELDS_THAT_DECIDE.into_iter().any(is) {
            self.trouble = Some("a field of its heading is longer than any real one");
        } else if is("Content-Type") {
            let media_type = media_type(value);
            if self.has_media_type && self.media_type != media_type {
                self.trouble = Some("its heading says two things of its type");
            }
            self.has_media_type = true;
            self.media_type = media_type;
        } else if is("Content-Transfer-Encoding") {
            let name = value.split(|byte| *byte == b'(').next().unwrap_or_default().trim_ascii();
            let name = String::from_utf8_lossy(name).to_ascii_lowercase();
            if !self.encoding_places.is_empty() && self.encoding != name {
                self.trouble = Some("its heading says two things of its transfer encoding");
            }
            let trimmed = value.trim_ascii();
            // An empty value begins behind the colon, not in the next line.
            let before = if trimmed.is_empty() { 0 } else { value.len() - value.trim_ascii_start().len() };
            let start = offset + field.value.start + before;
            self.encoding_places.push(start..start + trimmed.len());
            self.encoding = name;
        } else if is("DKIM-Signature") || is("ARC-Message-Signature") || is("DomainKey-Signature") {
            self.is_signed = true;
        } else if is(SNAPSHOT) {
            let url = url_of_field_value(value);
            self.is_saved_page = true;
            self.snapshot = (Standard::Rfc3986.kind_of(&url) == ReferenceKind::Absolute).then_some(url);
        } else if is("From") {
            let text = value.trim_ascii().strip_prefix(b"<").unwrap_or(value.trim_ascii());
            self.is_saved_page |= text.trim_ascii_start().strip_prefix(b"\"").unwrap_or(text).starts_with(b"Saved by ");
        } else {
            self.claims.extend(Claim::of_field(field, value, offset + field.value.start));
        }
    }

    /// How the body is written; `None` if nobody knows.
    pub(crate) fn transfer(&self) -> Option<Transfer> {
        match &*self.encoding {
            "" | "7bit" | "8bit" => Some(Transfer::Lines),
            "binary" => Some(Transfer::Binary),
            "quoted-printable" => Some(Transfer::QuotedPrintable),
            "base64" => Some(Transfer::Base64),
            _ => None,
        }
    }
}

/// What a heading says of the base. Of each field two different values are enough to contradict each other.
pub(crate) fn declarations(heading: &[u8]) -> Vec<Declaration> {
    let mut kept: Vec<Declaration> = Vec::new();
    for declaration in declarations_in_heading(heading, 0) {
        let same = kept.iter().filter(|known| known.layer == declaration.layer);
        if same.clone().count() < 2 && same.clone().all(|known| known.value != declaration.value) {
            kept.push(declaration);
        }
    }
    kept
}

pub(crate) fn media_type(value: &[u8]) -> Option<MediaType> {
    // The parser needs a line end to stop at.
    let value = [value, b"\n"].concat();
    let HeaderValue::ContentType(parsed) = MessageStream::new(&value).parse_content_type() else { return None };
    let attribute = |name| parsed.attribute(name).map(str::to_owned);
    let name = format!("{}/{}", parsed.ctype(), parsed.subtype()?).to_ascii_lowercase();
    Some(MediaType { name, boundary: attribute("boundary"), charset: attribute("charset") })
}
