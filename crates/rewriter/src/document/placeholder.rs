//! Placeholders of mail and template systems, which stay.

use absolve_links::{Link, Quote, Wrapping, first_placeholder, holds_placeholder, placeholder_around, placeholders};
use memchr::memmem;

use crate::options::{Options, Purpose};

/// Returns the texts of the placeholders in a URL.
pub(crate) fn texts_of_placeholders(url: &str, purpose: Purpose) -> Vec<&str> {
    placeholders(url, purpose).map(|range| &url[range]).collect()
}

/// Returns whether a reference begins in a placeholder that its value cuts.
pub(crate) fn begins_in_placeholder(document: &[u8], link: &Link) -> bool {
    let byte = link.range.start;
    let around = placeholder_around(document, byte);
    around.is_some_and(|around| memmem::find(&document[byte..around.end], end_of_value(link)).is_none())
}

/// Returns what ends the value around a link: its quote, or the end of an element.
fn end_of_value(link: &Link) -> &'static [u8] {
    match link.wrappings.iter().next() {
        Some(Wrapping::Attribute(quote) | Wrapping::XmlAttribute(quote) | Wrapping::Instruction(quote)) => {
            match quote {
                Quote::Double => b"\"",
                Quote::Single => b"'",
                Quote::Unquoted | Quote::Absent => b">",
            }
        }
        _ => b"</",
    }
}

/// Returns whether a reference is kept as a placeholder, built-in or by option.
pub(crate) fn is_kept(reference: &str, options: &Options) -> bool {
    first_placeholder(reference, options.purpose).is_some()
        || (!options.keep.is_empty() && options.keep.is_match(reference))
}

/// Returns whether an unquoted URL of CSS would have escapes in the expression of a template.
pub(crate) fn breaks_expression(link: &Link, reference: &str, target: &str) -> bool {
    let is_unquoted = link.wrappings.iter().next_back() == Some(Wrapping::CssUrl);
    let first = reference.find([' ', '\t', '\n', '\r', '\x0c', '"', '\'', '(']).filter(|_| is_unquoted);
    first.is_some_and(|first| !target.ends_with(&reference[first..]) && holds_placeholder(reference))
}
