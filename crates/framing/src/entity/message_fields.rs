//! Fields of messages that say something about references in them.

use crate::header_fields::{HeaderField, body_start, header_fields};

/// Fields that hold references, except those that only declare a base (RFC 2557, section 4.2; RFC 2369; RFC 5064).
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

/// Returns the name of a field that holds references. All except a location are in brackets; `List-Post: NO` is no reference. A carriage
/// return without a line feed ends the field to some readers (RFC 5322, section 2.2), so that none is certain.
///
/// ```
/// use absolve_framing::{header_fields, referring_field};
/// let name = |header: &[u8]| header_fields(header).find_map(|field| referring_field(&field, &header[field.value.clone()]));
/// assert_eq!(name(b"LIST-POST: <mailto:a@b>\n"), Some("List-Post"));
/// assert_eq!(name(b"List-Post: NO\n"), None);
/// ```
pub fn referring_field(field: &HeaderField<'_>, value: &[u8]) -> Option<&'static str> {
    let name = REFERRING.into_iter().find(|name| field.is_named(name))?;
    let text = value.trim_ascii();
    let has_bare_return = memchr::memchr_iter(b'\r', text).any(|at| text.get(at + 1) != Some(&b'\n'));
    ((name == REFERRING[0] || value.contains(&b'<')) && !has_bare_return).then_some(name)
}

/// Returns whether a message is a page that a browser saved, by its header.
///
/// ```
/// assert!(absolve_framing::is_saved_page(b"Subject: x\nSnapshot-Content-Location: http://h/\n\n"));
/// assert!(!absolve_framing::is_saved_page(b"Subject: x\nFrom: a@b\n\n"));
/// ```
pub fn is_saved_page(message: &[u8]) -> bool {
    let header = &message[..body_start(message, 0..message.len()).0];
    header_fields(header).any(|field| {
        field.is_named("Snapshot-Content-Location")
            || (field.is_named("From") && is_saved_by_browser(&header[field.value]))
    })
}

/// Returns whether the value of `From` is that of a page which a browser saved as a message.
///
/// ```
/// assert!(absolve_framing::is_saved_by_browser(b" <Saved by Blink>"));
/// ```
pub fn is_saved_by_browser(value: &[u8]) -> bool {
    let text = value.trim_ascii().strip_prefix(b"<").unwrap_or(value.trim_ascii());
    text.trim_ascii_start().strip_prefix(b"\"").unwrap_or(text).starts_with(b"Saved by ")
}
