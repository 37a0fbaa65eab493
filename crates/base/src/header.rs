//! The base that header fields declare.

use absolve_framing::{FieldUrl, HeaderField, header_fields};

use crate::establish::{Charset, Declaration};
use crate::layer::{Field, Layer};
use crate::source::Place;

/// Returns the declarations of one header, in the order of its fields. `depth` is 0 for the header of the part, 1 for
/// the next one outwards, and so on.
///
/// `header` is the raw bytes of the header, with any line ending. Case in field names is ignored. The place of a
/// declaration is the first byte of its field in the header.
///
/// ```
/// use absolve_base::declarations_in_header;
/// let found = declarations_in_header(b"Subject: x\r\nBase: <URL:http://a/\r\n b/>\r\n", 0);
/// assert_eq!(found[0].value, "http://a/b/");
/// assert_eq!(found[0].layer.name(), "base");
/// ```
pub fn declarations_in_header(header: &[u8], depth: usize) -> Vec<Declaration> {
    header_fields(header).filter_map(|field| declaration_of(&field, header, depth)).collect()
}

/// Returns the base that a field of a header declares, if it is a field for that; `depth` as for [`declarations_in_header`].
///
/// ```
/// let header = b"Base: http://h/\n";
/// let field = absolve_framing::header_fields(header).next().unwrap();
/// assert_eq!(absolve_base::declaration_of(&field, header, 0).unwrap().value, "http://h/");
/// ```
pub fn declaration_of(written: &HeaderField<'_>, header: &[u8], depth: usize) -> Option<Declaration> {
    let field = Field::ALL.into_iter().find(|field| written.is_named(field.name()))?;
    let (value, charset) = url_and_charset(&header[written.value.clone()]);
    let place = Place::Field { byte: written.start, header: "the header".into() };
    Some(Declaration { layer: Layer::Header { depth, field }, value, place, charset })
}

/// Returns the URL of a raw header field value.
///
/// Lines are unfolded, and what may stand around a URL is removed: see [`FieldUrl::of`].
///
/// ```
/// use absolve_base::url_of_field_value;
/// assert_eq!(url_of_field_value(b" \"http://a/b\" (the mirror)\r\n"), "http://a/b");
/// assert_eq!(url_of_field_value(b" http://a/b_(c)\r\n"), "http://a/b_(c)");
/// assert_eq!(url_of_field_value(b" http://a/\r\n b c\r\n"), "http://a/b%20c");
/// assert_eq!(url_of_field_value(b" <URL:http://a/\r\n b c>\r\n"), "http://a/bc");
/// ```
pub fn url_of_field_value(raw: &[u8]) -> String {
    url_and_charset(raw).0
}

/// Returns the URL of a raw header field value, as [`url_of_field_value`], and whether its characters are certain.
///
/// ```
/// use absolve_base::{Charset, url_and_charset};
/// assert_eq!(url_and_charset(b" http://a/B\xFCro/\r\n"), ("http://a/Büro/".into(), Charset::Unknown));
/// assert_eq!(url_and_charset(b" http://a/ (B\xFCro)\r\n"), ("http://a/".into(), Charset::Known));
/// ```
pub fn url_and_charset(raw: &[u8]) -> (String, Charset) {
    let FieldUrl { url, is_guess } = FieldUrl::of(raw);
    (url, if is_guess { Charset::Unknown } else { Charset::Known })
}
