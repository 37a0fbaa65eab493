//! The parameters of header fields (RFC 2045, section 5.1, and RFC 2231).

use mail_parser::parsers::MessageStream;
use mail_parser::{ContentType, HeaderValue};

use super::header::Header;

/// The longest field that is read; in a longer one nothing is certain.
pub(super) const FIELD_BYTES: usize = 64 << 10;

/// Returns the fields of this name that have a word and parameters.
pub(super) fn with_parameters<'h>(header: &'h Header<'_>, name: &'h str) -> impl Iterator<Item = ContentType<'static>> {
    header.named(name).filter_map(|field| word_and_parameters(field.value))
}

/// Returns a value that consists of a word and parameters.
pub(super) fn word_and_parameters(value: &[u8]) -> Option<ContentType<'static>> {
    if value.len() > FIELD_BYTES {
        return None;
    }
    let mut plain = without_comments(value);
    plain.retain(|byte| !matches!(byte, b'\r' | b'\n'));
    plain.push(b'\n');
    match MessageStream::new(&plain).parse_content_type().into_owned() {
        HeaderValue::ContentType(parsed) => Some(parsed),
        _ => None,
    }
}

/// What a `Content-Type` declares of a body.
#[derive(Default, PartialEq, Eq, Hash)]
pub(super) struct MediaType {
    /// In lower case; empty without a type and a subtype.
    pub(super) name: String,
    pub(super) boundary: Option<String>,
    pub(super) charset: Option<String>,
    start: Option<String>,
}

impl MediaType {
    /// Returns what a header declares.
    pub(super) fn of(header: &Header<'_>) -> Self {
        header.named("content-type").next().map(|field| Self::of_value(field.value)).unwrap_or_default()
    }

    pub(super) fn of_value(value: &[u8]) -> Self {
        let Some(parsed) = word_and_parameters(value) else { return Self::default() };
        let Some(subtype) = parsed.subtype() else { return Self::default() };
        let [boundary, charset, start] =
            ["boundary", "charset", "start"].map(|name| parsed.attribute(name).map(str::to_owned));
        let boundary = boundary.filter(|boundary| !boundary.is_empty());
        Self { name: format!("{}/{subtype}", parsed.ctype()).to_ascii_lowercase(), boundary, charset, start }
    }
}

/// Returns the file name of an entity (RFC 2183, section 2.3).
pub(super) fn file_name(header: &Header<'_>) -> Option<String> {
    let named = |parsed: ContentType<'_>, parameter| parsed.attribute(parameter).map(str::to_owned);
    let disposition = with_parameters(header, "content-disposition").last();
    let name = disposition.and_then(|parsed| named(parsed, "filename"));
    name.or_else(|| with_parameters(header, "content-type").find_map(|parsed| named(parsed, "name")))
}

/// Returns a value with spaces in place of the bytes of comments, which may contain others (RFC 822, section 3.4.3).
pub(super) fn without_comments(value: &[u8]) -> Vec<u8> {
    let (mut depth, mut is_quoted, mut is_escaped) = (0_usize, false, false);
    let plain = value.iter().map(|byte| {
        let is_outside = depth == 0;
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = is_quoted || !is_outside,
            b'"' if is_outside => is_quoted = !is_quoted,
            b'(' if !is_quoted => depth += 1,
            b')' if !is_quoted => depth = depth.saturating_sub(1),
            _ => {}
        }
        if is_outside && depth == 0 { *byte } else { b' ' }
    });
    plain.collect()
}
