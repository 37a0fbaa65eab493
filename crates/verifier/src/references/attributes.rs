//! The attributes of a tag with their bytes.

use std::borrow::Cow;
use std::ops::Range;

use memchr::memchr;

use crate::values;

/// An attribute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Attribute<'t> {
    /// In lower case.
    pub(crate) name: Cow<'t, str>,
    /// From the name to the end of the value with its quote.
    pub(crate) range: Range<usize>,
    /// The value without quotes; an empty range behind the name if there is none.
    pub(crate) value: Range<usize>,
    /// Whether quotes open and close it.
    pub(crate) is_quoted: bool,
}

/// The attributes of a tag, with duplicates.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Attributes<'t> {
    pub(crate) all: Vec<Attribute<'t>>,
    /// The byte of the `>` behind them, or the end of the text.
    pub(crate) end: usize,
}

/// Parses the attributes of a tag, from the end of its name at `at` (WHATWG HTML, sections 13.2.5.32 to 13.2.5.40).
pub(crate) fn attributes(text: &str, mut at: usize) -> Attributes<'_> {
    let bytes = text.as_bytes();
    let skip = |at: usize, is_skipped: fn(u8) -> bool| {
        at + bytes[at..].iter().position(|byte| !is_skipped(*byte)).unwrap_or(bytes.len() - at)
    };
    let mut all = Vec::new();
    loop {
        at = skip(at, |byte| is_space(byte) || byte == b'/');
        if at == bytes.len() || bytes[at] == b'>' {
            return Attributes { all, end: at };
        }
        let start = at;
        // A name may begin with an equals sign, but not contain one.
        at = skip(at + 1, |byte| !is_space(byte) && !matches!(byte, b'/' | b'>' | b'='));
        let name = start..at;
        let equals = skip(at, is_space);
        let (mut value, mut is_quoted) = (at..at, false);
        if bytes.get(equals) == Some(&b'=') {
            at = skip(equals + 1, is_space);
            let quote = bytes.get(at).filter(|byte| matches!(byte, b'"' | b'\''));
            let close = quote.and_then(|quote| memchr(*quote, &bytes[at + 1..]));
            is_quoted = close.is_some();
            value = match quote {
                Some(_) => at + 1..close.map_or(bytes.len(), |close| at + 1 + close),
                None => at..skip(at, |byte| !is_space(byte) && byte != b'>'),
            };
            at = bytes.len().min(value.end + usize::from(is_quoted));
        }
        all.push(Attribute { name: in_lower_case(&text[name]), range: start..at, value, is_quoted });
    }
}

/// Returns a name in lower case.
pub(crate) fn in_lower_case(name: &str) -> Cow<'_, str> {
    match name.bytes().any(|byte| byte.is_ascii_uppercase()) {
        true => name.to_ascii_lowercase().into(),
        false => name.into(),
    }
}

/// Returns the length of the name of a tag that begins `text`.
pub(crate) fn name_length(text: &str) -> usize {
    text.find(|character| values::is_space(character) || matches!(character, '/' | '>')).unwrap_or(text.len())
}

const fn is_space(byte: u8) -> bool {
    values::is_space(byte as char)
}

#[cfg(test)]
mod tests {
    use super::attributes;

    #[test]
    fn as_written() {
        let tag = "<a HREF = 'x>y' b/c=d =e f=\"g\"h>";
        let found = attributes(tag, 2).all;
        let names: Vec<&str> = found.iter().map(|one| &*one.name).collect();
        assert_eq!(names, ["href", "b", "c", "=e", "f", "h"]);
        assert_eq!((&tag[found[0].value.clone()], &tag[found[0].range.clone()]), ("x>y", "HREF = 'x>y'"));
        assert_eq!((&tag[found[2].value.clone()], found[2].is_quoted), ("d", false));
        assert_eq!((found[5].value.clone(), attributes(tag, 2).end), (31..31, 31));
    }
}
