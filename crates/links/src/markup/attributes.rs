//! The attributes of a tag (WHATWG HTML, sections 13.2.5.32 to 13.2.5.40).

use std::ops::Range;

use super::find::find;
use super::name::Name;
use super::space::is_space;

/// How an attribute value is delimited.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Quote {
    /// In `"`.
    Double,
    /// In `'`.
    Single,
    /// Without quotes, up to white space or `>`.
    Unquoted,
    /// The attribute has neither `=` nor a value.
    Absent,
}

/// An attribute. Ranges are bytes of the document.
#[derive(Clone, Debug)]
pub(crate) struct Attribute {
    pub(crate) name: Name,
    pub(crate) name_range: Range<usize>,
    /// The range between the quotes. For an absent value, the empty range after the name.
    pub(crate) value: Range<usize>,
    pub(crate) quote: Quote,
}

/// The end of a tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TagEnd {
    /// After the `>`.
    pub(crate) end: usize,
    pub(crate) self_closing: bool,
}

/// Reads the attributes from `at`, right after the tag name, to the end of the tag. Returns `None` if the document ends
/// first: such a tag is dropped.
#[inline(always)]
pub(crate) fn attributes(document: &[u8], mut at: usize, mut on_attribute: impl FnMut(Attribute)) -> Option<TagEnd> {
    loop {
        let mut byte = *document.get(at)?;
        // The usual separator, so that the branches below are about what follows it.
        if byte == b' ' {
            at += 1;
            byte = *document.get(at)?;
        }
        if byte <= b'>' {
            if byte == b'>' {
                return Some(TagEnd { end: at + 1, self_closing: false });
            }
            if byte == b'/' {
                at += 1;
                if document.get(at) == Some(&b'>') {
                    return Some(TagEnd { end: at + 1, self_closing: true });
                }
                continue;
            }
            if is_space(byte) {
                at += 1;
                continue;
            }
        }
        let (name, name_end) = match byte {
            // An `=` at the start belongs to the name, which matches no row of the table then.
            b'=' => (Name::LONG, Name::read(document, at + 1, ends_attribute_name)?.1),
            _ => Name::read(document, at, ends_attribute_name)?,
        };
        let name_range = at..name_end;
        at = name_end;
        let mut byte = *document.get(at)?;
        if is_space(byte) {
            at = skip_space(document, at);
            byte = *document.get(at)?;
        }
        let (value, quote) = if byte == b'=' {
            let (value, quote, after) = value(document, at + 1)?;
            at = after;
            (value, quote)
        } else {
            (name_end..name_end, Quote::Absent)
        };
        on_attribute(Attribute { name, name_range, value, quote });
    }
}

/// Reads the value after an `=`. Returns its range, its quoting, and the end of both.
#[inline(always)]
fn value(document: &[u8], at: usize) -> Option<(Range<usize>, Quote, usize)> {
    let mut start = at;
    let mut first = *document.get(start)?;
    if first == b'"' {
        let end = start + 1 + find(b'"', &document[start + 1..])?;
        return Some((start + 1..end, Quote::Double, end + 1));
    }
    if is_space(first) {
        start = skip_space(document, start);
        first = *document.get(start)?;
    }
    let quote = match first {
        b'"' => Quote::Double,
        b'\'' => Quote::Single,
        _ => {
            let end = start + document[start..].iter().position(|byte| is_space(*byte) || *byte == b'>')?;
            return Some((start..end, Quote::Unquoted, end));
        }
    };
    let end = start + 1 + find(first, &document[start + 1..])?;
    Some((start + 1..end, quote, end + 1))
}

#[inline(always)]
const fn ends_attribute_name(byte: u8) -> bool {
    is_space(byte) || matches!(byte, b'=' | b'>' | b'/')
}

#[inline]
fn skip_space(document: &[u8], at: usize) -> usize {
    at + document[at..].iter().take_while(|byte| is_space(**byte)).count()
}
