//! Declarations in header fields.

use std::ops::Range;

use mail_parser::HeaderValue;
use mail_parser::parsers::MessageStream;

use crate::{Declaration, Field, Layer};

/// The declarations of one heading, `depth` headings outwards of the part, in the order of the fields.
///
/// `heading` is the raw bytes of the header fields, with any line ending; field names are compared without
/// regard to case. The place of a declaration is the byte of the heading at which its field begins.
///
/// ```
/// use absolve_base::declarations_in_heading;
/// let found = declarations_in_heading(b"Subject: x\r\nBase: <URL:http://a/\r\n b/>\r\n", 0);
/// assert_eq!(found[0].value, "http://a/b/");
/// assert_eq!(found[0].layer.name(), "base");
/// ```
pub fn declarations_in_heading(heading: &[u8], depth: usize) -> Vec<Declaration> {
    header_fields(heading)
        .filter_map(|found| {
            let field = Field::ALL.into_iter().find(|field| found.is_named(field.name()))?;
            Some(Declaration {
                layer: Layer::Header { depth, field },
                value: url_of_field_value(&heading[found.value]),
                place: format!("byte {} of the heading", found.start).into(),
            })
        })
        .collect()
}

/// A header field as it stands in its heading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeaderField<'h> {
    /// The name as it is written.
    pub name: &'h [u8],
    /// Its first byte, in the heading.
    pub start: usize,
    /// What stands behind the colon, as bytes of the heading, with the line end.
    pub value: Range<usize>,
}

impl HeaderField<'_> {
    /// Whether this is its name, whatever the case of the letters.
    ///
    /// ```
    /// let field = absolve_base::header_fields(b"SUBJECT : x\n").next();
    /// assert!(field.is_some_and(|field| field.is_named("Subject")));
    /// ```
    pub const fn is_named(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name.as_bytes())
    }
}

/// The fields of a heading in order (RFC 5322, section 2.2); lines that are none are passed over.
///
/// ```
/// use absolve_base::header_fields;
/// let heading = b"Subject: a\n b\nnonsense\nBase : c\n";
/// let names: Vec<_> = header_fields(heading).map(|field| field.name).collect();
/// assert_eq!(names, [&b"Subject"[..], b"Base"]);
/// ```
pub fn header_fields(heading: &[u8]) -> impl Iterator<Item = HeaderField<'_>> {
    folded_lines(heading).filter_map(|lines| {
        let colon = lines.start + memchr::memchr(b':', &heading[lines.clone()])?;
        let name = heading[lines.start..colon].trim_ascii_end();
        Some(HeaderField { name, start: lines.start, value: colon + 1..lines.end })
    })
}

/// The URL that a raw header field value holds, its wrappings and all white space removed.
///
/// Lines are unfolded, RFC 2047 encoded words decoded, comments, quotes, angle brackets and `URL:`
/// stripped. White space inside is ignored, as both drafts ask for. A parenthesis counts as a comment only
/// after white space or at the start, because URLs may hold parentheses.
///
/// ```
/// use absolve_base::url_of_field_value;
/// assert_eq!(url_of_field_value(b" \"http://a/b\" (the mirror)\r\n"), "http://a/b");
/// assert_eq!(url_of_field_value(b" http://a/b_(c)\r\n"), "http://a/b_(c)");
/// ```
pub fn url_of_field_value(raw: &[u8]) -> String {
    let text = decoded_words(raw);
    let text = without_comments(&text);
    let text = match text.split_once('<') {
        Some((_, after)) => after.split_once('>').map_or(after, |(inside, _)| inside),
        None => &text,
    };
    let text = text.trim().trim_matches('"').trim();
    let text = match text.get(..4) {
        Some(prefix) if prefix.eq_ignore_ascii_case("URL:") => &text[4..],
        _ => text,
    };
    text.split_whitespace().collect()
}

/// The lines of a heading, each with those that continue it.
fn folded_lines(heading: &[u8]) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at;
        while at < heading.len() {
            at += memchr::memchr(b'\n', &heading[at..]).map_or(heading.len() - at, |end| end + 1);
            if !matches!(heading.get(at), Some(b' ' | b'\t')) {
                break;
            }
        }
        (at > start).then_some(start..at)
    })
}

fn decoded_words(raw: &[u8]) -> String {
    // The parser stops at a line end that no white space follows, and needs one to stop at.
    let mut value = raw.to_vec();
    value.push(b'\n');
    match MessageStream::new(&value).parse_unstructured() {
        HeaderValue::Text(text) => text.into_owned(),
        _ => String::new(),
    }
}

fn without_comments(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let (mut depth, mut quoted) = (0_usize, false);
    for character in text.chars() {
        match character {
            '(' if depth > 0 || (!quoted && (kept.is_empty() || kept.ends_with(char::is_whitespace))) => depth += 1,
            ')' if depth > 0 => depth -= 1,
            _ if depth > 0 => {}
            _ => {
                // A URL in angle brackets is as safe from comments as a quoted one.
                quoted ^= matches!(character, '"' | '<' | '>');
                kept.push(character);
            }
        }
    }
    kept
}
