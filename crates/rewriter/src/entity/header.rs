//! The header of a body (RFC 5322, RFC 2045).

mod location;

use std::ops::Range;

use absolve_base::{Declaration, Layer, UrlSource, declaration_of, url_and_charset, url_of_field_value};
use absolve_framing::{
    FIELD_BYTES, HeaderExtent, HeaderField, Malformed, Measure, MediaType, SERVER_SIGNATURES, Transfer, attached_name,
    body_start, describes_body, header_fields, is_saved_by_browser, referring_field, type_of_part, with_parameters,
};
use absolve_links::DocumentType;
use absolve_resolver::{ReferenceKind, Standard};
use memchr::memmem;

use crate::entity::body_fields::BodyField;
use crate::limits::REPEATED_FIELDS;

/// The fields of a header that matter for the body.
#[derive(Debug, Default)]
pub(crate) struct Header {
    /// The bases that it declares.
    pub(crate) declarations: Vec<Declaration>,
    /// The media type of the body, if it is declared and well-formed.
    pub(crate) media_type: Option<MediaType>,
    has_media_type: bool,
    /// The name of the transfer encoding without comments; empty if none is declared.
    pub(crate) encoding: String,
    /// The places of that name, one for each repetition of the field; an empty one is where the name would be.
    pub(crate) encoding_places: Vec<Range<usize>>,
    /// Fields that hold references, and the places of their values.
    pub(crate) references: Vec<(&'static str, Range<usize>)>,
    /// The place of its first `Content-ID`.
    content_id: Option<Range<usize>>,
    /// Fields that depend on the body: sizes and digests.
    pub(crate) body_fields: Vec<BodyField>,
    /// Whether a DKIM or ARC signature covers the message.
    pub(crate) is_signed: bool,
    /// Whether a browser saved a page as this message.
    pub(crate) is_saved_page: bool,
    /// The URL of that page.
    pub(crate) snapshot: Option<Declaration>,
    /// The type of an untyped body by the file name in `Content-Disposition`, else in `Content-Type`.
    pub(crate) named_type: Option<DocumentType>,
    /// Its first byte in the message.
    pub(crate) start: usize,
    pub(crate) extent: HeaderExtent,
    /// Why the body cannot be read reliably.
    pub(crate) trouble: Option<&'static str>,
}

/// What a `Content-Disposition` declares (RFC 2183).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Disposition {
    /// The part is shown with the others; the default.
    #[default]
    Inline,
    /// The part is not shown unless a reader asks for it.
    Attachment,
}

/// The field in which Chromium declares the URL of a saved page.
pub(crate) const SNAPSHOT: &str = UrlSource::Snapshot.name();

/// The reason for leaving a body whose beginning is in doubt.
pub(crate) const MALFORMED_LINE: &str = "malformed header line";

/// Returns why the header of a message, which ends at `body`, is not the one that its lines look like.
pub(crate) fn unread_header(message: &[u8], body: usize) -> Option<&'static str> {
    if body == message.len() && memmem::find(message, b"\r\r").is_some() {
        return Some("its lines end in a bare CR");
    }
    let mut text = message;
    while let [b'\n', rest @ ..] | [b'\r', b'\n', rest @ ..] = text {
        text = rest;
    }
    let fields = || header_fields(&text[..body_start(text, 0..text.len()).0]);
    let is_late = text.len() < message.len()
        && fields().next().is_some_and(|field| field.start == 0 && !field.name.contains(&b' '))
        && fields().any(|field| describes_body(&field));
    is_late.then_some("it begins with an empty line, and what looks like its header follows")
}

impl Header {
    /// Parses the header at the start of `within`. Places are bytes of the message.
    pub(crate) fn read(message: &[u8], within: Range<usize>) -> Self {
        let bytes = &message[within.clone()];
        let mut header = Self { start: within.start, ..Self::default() };
        let mut add = |field: &HeaderField<'_>| {
            declare(&mut header.declarations, declaration_of(field, bytes, 0));
            header.add(field, &bytes[field.value.clone()], within.start);
        };
        let extent = HeaderExtent::of(message, within.clone(), &mut add);
        header.extent = extent;
        if header.media_type.as_ref().is_some_and(|media_type| media_type.name == DocumentType::UNTYPED) {
            header.named_type =
                attached_name(&message[within.start..extent.end]).and_then(|name| DocumentType::of_file_name(&name));
        }
        if header.extent.malformed == Malformed::Doubtful {
            header.trouble = Some(MALFORMED_LINE);
        }
        header
    }

    fn add(&mut self, field: &HeaderField<'_>, value: &[u8], offset: usize) {
        if self.body_fields.len() + self.references.len() + self.encoding_places.len() > REPEATED_FIELDS {
            self.trouble = Some("its header repeats fields too often");
            return;
        }
        if let Some(name) = referring_field(field, value) {
            self.references.push((name, offset + field.value.start..offset + field.value.end));
        }
        const FIELDS_THAT_DECIDE: [&str; 5] =
            ["Content-Type", "Content-Transfer-Encoding", "Content-Base", "Content-Location", "Base"];
        let is = |name: &str| field.is_named(name);
        if value.len() > FIELD_BYTES && FIELDS_THAT_DECIDE.into_iter().any(is) {
            self.trouble = Some("a header field is too long");
        } else if is("Content-Type") {
            let media_type = type_of_part(value);
            if self.has_media_type && self.media_type != media_type {
                self.trouble = Some("its header declares two types");
            }
            self.has_media_type = true;
            self.media_type = media_type;
        } else if is("Content-Transfer-Encoding") {
            let name = Transfer::name_in(value);
            if !self.encoding_places.is_empty() && self.encoding != name {
                self.trouble = Some("its header declares two transfer encodings");
            }
            let trimmed = value.trim_ascii();
            // An empty value begins after the colon, not in the next line.
            let before = if trimmed.is_empty() { 0 } else { value.len() - value.trim_ascii_start().len() };
            let start = offset + field.value.start + before;
            self.encoding_places.push(start..start + trimmed.len());
            self.encoding = name;
        } else if is("Content-ID") {
            self.content_id.get_or_insert(offset + field.value.start..offset + field.value.end);
        } else if SERVER_SIGNATURES.into_iter().any(is) {
            self.is_signed = true;
        } else if is(SNAPSHOT) {
            let (value, charset) = url_and_charset(value);
            self.is_saved_page = true;
            let is_absolute = Standard::Whatwg.kind_of(&value) == ReferenceKind::Absolute;
            self.snapshot = is_absolute
                .then_some(Declaration { charset, ..Declaration::new(Layer::Retrieval, value, UrlSource::Snapshot) });
        } else if is("From") {
            self.is_saved_page |= is_saved_by_browser(value);
        } else {
            let start = offset + field.value.start;
            self.body_fields.extend(
                Measure::of_field(field, value)
                    .map(|(measure, place)| BodyField { measure, value: start + place.start..start + place.end }),
            );
        }
    }

    /// Returns its bytes.
    pub(crate) fn bytes<'m>(&self, message: &'m [u8]) -> &'m [u8] {
        &message[self.start..self.extent.end.max(self.start)]
    }

    /// Returns its `Content-ID`, without brackets.
    pub(crate) fn content_id(&self, message: &[u8]) -> Option<String> {
        let value = self.content_id.clone()?;
        Some(url_of_field_value(&message[value])).filter(|id| !id.is_empty())
    }

    /// Returns whether its media type is malformed, and read as it is meant.
    pub(crate) fn has_malformed_type(&self) -> bool {
        self.media_type.as_ref().is_some_and(|declared| declared.is_malformed)
    }

    /// Returns whether no field says that this body, which begins like HTML, is anything else than plain text.
    pub(crate) fn hides_markup(&self, body: &[u8]) -> bool {
        self.media_type.is_none() && DocumentType::of_fragment(body).is_some()
    }

    /// Returns why the beginning of the body is in doubt, if other readers would find other content in it.
    pub(crate) fn doubt(&self, default_type: &str) -> Option<&'static str> {
        let media_type = self.media_type.as_ref().map_or(default_type, |media_type| &media_type.name);
        let is_sure = !media_type.starts_with("message/") && self.transfer() != Some(Transfer::Base64);
        (self.extent.malformed == Malformed::StartsBody && !is_sure).then_some(MALFORMED_LINE)
    }

    /// Returns the transfer encoding of the body; `None` if it is unknown.
    pub(crate) fn transfer(&self) -> Option<Transfer> {
        Transfer::named(&self.encoding)
    }
}

/// Returns the bases that a header declares.
pub(crate) fn declarations(header: &[u8]) -> Vec<Declaration> {
    let mut kept = Vec::new();
    header_fields(header).for_each(|field| declare(&mut kept, declaration_of(&field, header, 0)));
    kept
}

/// Adds a declared base. Of each field, two different values are enough to contradict each other.
pub(crate) fn declare(kept: &mut Vec<Declaration>, declaration: Option<Declaration>) {
    kept.extend(declaration.filter(|declaration| {
        let same = kept.iter().filter(|known| known.layer == declaration.layer);
        same.clone().count() < 2 && same.clone().all(|known| known.value != declaration.value)
    }));
}

/// Returns the disposition that a header declares.
pub(crate) fn disposition(header: &[u8]) -> Disposition {
    let declared = with_parameters(header, "Content-Disposition").last();
    match declared.is_some_and(|parsed| parsed.ctype().eq_ignore_ascii_case("attachment")) {
        true => Disposition::Attachment,
        false => Disposition::Inline,
    }
}

#[cfg(test)]
mod tests {
    use absolve_framing::Malformed;

    use super::Header;

    #[test]
    fn notices_a_stray_line_behind_a_separator_line() {
        for (header, is_in_doubt) in [
            ("From a\n>From b\n\tc\nSubject: x\n", false),
            ("From a\n--b--\nSubject: x\n", true),
            ("Subject: x\n>From a\nstray\n", true),
            ("Subject: x\nstray\nFrom a\n", true),
            ("Subject: x\n\ty\n z\n", false),
            ("Subject\n : x\n", true),
            ("\tSubject: x\n", true),
        ] {
            let read = Header::read(header.as_bytes(), 0..header.len());
            assert_eq!(read.extent.malformed != Malformed::None, is_in_doubt, "{header}");
        }
    }
}
