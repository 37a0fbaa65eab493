//! What a heading says of the body below it.

use std::ops::Range;

use absolve_base::{Declaration, HeaderField, declarations_in_header, header_fields, url_of_field_value};
use absolve_links::DocumentType;
use absolve_resolver::{ReferenceKind, Standard};
use mail_parser::HeaderValue;
use mail_parser::parsers::MessageStream;

use crate::entity::body_fields::BodyField;
use crate::entity::transfer::Transfer;
use crate::limits::{FIELD_BYTES, REPEATED_FIELDS};

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
    pub(crate) claims: Vec<BodyField>,
    /// Whether a DKIM or ARC signature covers the message.
    pub(crate) is_signed: bool,
    /// Whether a browser saved a page as this message.
    pub(crate) is_saved_page: bool,
    /// The URL of that page.
    pub(crate) snapshot: Option<String>,
    /// The type that the file name of the body tells, in `Content-Disposition` or else in `Content-Type`.
    pub(crate) named_type: Option<DocumentType>,
    pub(crate) extent: Extent,
    /// Why nobody can tell what the body is.
    pub(crate) trouble: Option<&'static str>,
}

/// A `Content-Type`.
#[derive(Debug, PartialEq, Eq)]
pub struct MediaType {
    /// As in `text/html`, in lower case.
    pub name: String,
    /// The boundary of a multipart.
    pub boundary: Option<String>,
    /// The label of a charset.
    pub charset: Option<String>,
}

/// The field by which Chromium tells the URL of a page.
pub(crate) const SNAPSHOT: &str = "Snapshot-Content-Location";

/// Why a body is not read that begins nobody knows where.
const NO_FIELD: &str = "its heading holds a line that is no field";

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
pub fn body_start(message: &[u8], within: Range<usize>) -> (usize, usize) {
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

/// The first line of a heading that is no field. A separator line of an mbox does no harm.
fn stray_line(heading: &[u8]) -> Option<Range<usize>> {
    let mut end = 0;
    let mut lines = heading.split_inclusive(|byte| *byte == b'\n').map(|line| {
        end += line.len();
        (end - line.len()..end, line)
    });
    lines.find(|(at, line)| !is_of_heading(line) || (at.start == 0 && goes_on(line))).map(|(at, _)| at)
}

/// Whether a line is a field, goes on with one, or separates messages.
fn is_of_heading(line: &[u8]) -> bool {
    let colon = memchr::memchr(b':', line);
    goes_on(line)
        || colon.is_some_and(|colon| !line[..colon].trim_ascii_end().contains(&b' '))
        || line.starts_with(b"From ")
        || line.starts_with(b">From ")
}

fn goes_on(line: &[u8]) -> bool {
    matches!(line.first(), Some(b' ' | b'\t'))
}

/// Whether a field says something of the body, or of what becomes of it.
fn matters(field: &HeaderField<'_>) -> bool {
    let begins = |start: &[u8]| field.name.get(..start.len()).is_some_and(|name| name.eq_ignore_ascii_case(start));
    const OTHERS: [&str; 7] =
        ["Base", "Lines", "Archived-At", SNAPSHOT, "DKIM-Signature", "ARC-Message-Signature", "DomainKey-Signature"];
    !field.name.contains(&b' ')
        && (begins(b"Content-") || begins(b"List-") || OTHERS.into_iter().any(|name| field.is_named(name)))
}

/// Whether an edit could make a field of a line that is none: no white space stands in it before what may be a reference.
fn may_become_field(line: &[u8]) -> bool {
    let word = line.iter().take_while(|byte| !matches!(byte, b' ' | b'\t'));
    !matches!(line.get(word.clone().count()), Some(b' '))
        || word.clone().any(|byte| !byte.is_ascii_alphanumeric() && !matches!(byte, b'<' | b'>' | b',' | b'!'))
}

/// Where a heading ends and its body begins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Extent {
    /// Where its fields end.
    pub(crate) end: usize,
    pub(crate) body: usize,
    /// What of it is no field.
    pub(crate) stray: Stray,
}

/// A line of a heading that is no field.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Stray {
    #[default]
    None,
    /// It begins the body, in the place of an empty line.
    Body,
    /// Nobody knows what it is.
    Doubtful,
}

impl Extent {
    /// The extent of the heading that begins at the start of `within`.
    ///
    /// Some readers take a line that is no field for the beginning of the body, others for nothing. Where nothing behind
    /// it matters, both find the same in the body, and it begins there.
    pub(crate) fn of(message: &[u8], within: Range<usize>) -> Self {
        let (end, body) = body_start(message, within.clone());
        let Some(line) = stray_line(&message[within.start..end]) else { return Self { end, body, stray: Stray::None } };
        let start = within.start + line.start;
        let mut behind = header_fields(&message[start..end]);
        match may_become_field(&message[start..within.start + line.end]) || behind.any(|field| matters(&field)) {
            true => Self { end, body, stray: Stray::Doubtful },
            false => Self { end: start, body: start, stray: Stray::Body },
        }
    }
}

impl Heading {
    /// Reads the heading that begins at the start of `within`. Places are bytes of the message.
    pub(crate) fn read(message: &[u8], within: Range<usize>) -> Self {
        let extent = Extent::of(message, within.clone());
        let mut heading = Self { extent, ..Self::of_fields(message, within.start..extent.end) };
        if extent.stray == Stray::Doubtful {
            heading.trouble = Some(NO_FIELD);
        }
        heading
    }

    /// What the fields that stand in `at` say.
    fn of_fields(message: &[u8], at: Range<usize>) -> Self {
        let bytes = &message[at.clone()];
        let mut heading = Self { declarations: declarations(bytes), ..Self::default() };
        for field in header_fields(bytes) {
            heading.take(&field, &bytes[field.value.clone()], at.start);
        }
        heading
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
            self.named_type = self.named_type.or_else(|| named_type(value, "name"));
        } else if is("Content-Transfer-Encoding") {
            // Comments, and what looks like parameters, are none of the name.
            let name = value.split(|byte| matches!(byte, b'(' | b';')).next().unwrap_or_default().trim_ascii();
            let name = String::from_utf8_lossy(name).trim_matches('"').to_ascii_lowercase();
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
            if is("Content-Disposition") && value.len() <= FIELD_BYTES {
                self.named_type = named_type(value, "filename").or(self.named_type);
            }
            self.claims.extend(BodyField::of_field(field, value, offset + field.value.start));
        }
    }

    /// Why nobody can tell where the body begins: other readers would find something else in it.
    pub(crate) fn doubt(&self, default_type: &str) -> Option<&'static str> {
        let media_type = self.media_type.as_ref().map_or(default_type, |media_type| &media_type.name);
        let is_sure = !media_type.starts_with("message/") && self.transfer() != Some(Transfer::Base64);
        (self.extent.stray == Stray::Body && !is_sure).then_some(NO_FIELD)
    }

    /// How the body is written; `None` if nobody knows.
    pub(crate) fn transfer(&self) -> Option<Transfer> {
        match &*self.encoding {
            "" | "7bit" | "8bit" | "7bits" | "8bits" => Some(Transfer::Lines),
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
    for declaration in declarations_in_header(heading, 0) {
        let same = kept.iter().filter(|known| known.layer == declaration.layer);
        if same.clone().count() < 2 && same.clone().all(|known| known.value != declaration.value) {
            kept.push(declaration);
        }
    }
    kept
}

/// Returns the media type that a `Content-Type` declares (RFC 2045, section 5.1); `None` if it declares none.
///
/// ```
/// let media_type = absolve_rewriter::media_type(b"text/HTML; charset=utf-8").unwrap();
/// assert_eq!((&*media_type.name, media_type.charset.as_deref()), ("text/html", Some("utf-8")));
/// ```
pub fn media_type(value: &[u8]) -> Option<MediaType> {
    // The parser needs a line end to stop at.
    let value = [value, b"\n"].concat();
    let HeaderValue::ContentType(parsed) = MessageStream::new(&value).parse_content_type() else { return None };
    let attribute = |name| parsed.attribute(name).map(str::to_owned);
    let name = format!("{}/{}", parsed.ctype(), parsed.subtype()?).to_ascii_lowercase();
    Some(MediaType { name, boundary: attribute("boundary"), charset: attribute("charset") })
}

/// The type of a document by the file name in a parameter, if a content can prove it.
fn named_type(value: &[u8], parameter: &str) -> Option<DocumentType> {
    let value = [value, b"\n"].concat();
    let HeaderValue::ContentType(parsed) = MessageStream::new(&value).parse_content_type() else { return None };
    let (_, extension) = parsed.attribute(parameter)?.rsplit_once('.')?;
    DocumentType::of_extension(extension.trim()).filter(|named| matches!(named, DocumentType::Html | DocumentType::Xml))
}

#[cfg(test)]
mod tests {
    use super::{Heading, Stray};

    #[test]
    fn a_stray_line_behind_a_separator_line_went_unnoticed() {
        for (heading, is_in_doubt) in [
            ("From a\n>From b\n\tc\nSubject: x\n", false),
            ("From a\n--b--\nSubject: x\n", true),
            ("Subject: x\n>From a\nstray\n", true),
            ("Subject: x\nstray\nFrom a\n", true),
        ] {
            let read = Heading::read(heading.as_bytes(), 0..heading.len());
            assert_eq!(read.extent.stray != Stray::None, is_in_doubt, "{heading}");
        }
    }
}
