//! The attributes of a tag with their bytes.

use std::ops::Range;

use crate::values;

/// An attribute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Attribute {
    /// In lower case.
    pub(crate) name: String,
    /// From the name to the end of the value with its quote.
    pub(crate) range: Range<usize>,
    /// The value without quotes; an empty range behind the name if there is none.
    pub(crate) value: Range<usize>,
    pub(crate) form: Form,
}

/// The form of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// The attribute has no value.
    Absent,
    Unquoted,
    Quoted,
}

/// Parses the attributes of a tag, from the end of its name at `at` to its `>` (WHATWG HTML, sections 13.2.5.32 to
/// 13.2.5.40). Duplicates are included.
pub(crate) fn attributes(text: &str, mut at: usize) -> Vec<Attribute> {
    let bytes = text.as_bytes();
    let skip = |at: usize, skipped: &dyn Fn(u8) -> bool| {
        at + bytes[at..].iter().position(|byte| !skipped(*byte)).unwrap_or(bytes.len() - at)
    };
    let mut found = Vec::new();
    loop {
        at = skip(at, &|byte| is_space(byte) || byte == b'/');
        if at == bytes.len() || bytes[at] == b'>' {
            return found;
        }
        let start = at;
        // A name may begin with an equals sign, but not contain one.
        at = skip(at + 1, &|byte| !is_space(byte) && !matches!(byte, b'/' | b'>' | b'='));
        let name = start..at;
        let equals = skip(at, &is_space);
        let (mut value, mut end, mut form) = (name.end..name.end, name.end, Form::Absent);
        if bytes.get(equals) == Some(&b'=') {
            at = skip(equals + 1, &is_space);
            (value, end, form) = match bytes.get(at) {
                Some(quote @ (b'"' | b'\'')) => {
                    let close = skip(at + 1, &|byte| byte != *quote);
                    (at + 1..close, (close + 1).min(bytes.len()), Form::Quoted)
                }
                _ => {
                    let close = skip(at, &|byte| !is_space(byte) && byte != b'>');
                    (at..close, close, Form::Unquoted)
                }
            };
        }
        found.push(Attribute { name: text[name].to_ascii_lowercase(), range: start..end, value, form });
        at = end;
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
    use super::{Form, attributes};

    #[test]
    fn as_written() {
        let tag = "<a HREF = 'x>y' b/c=d =e f=\"g\"h>";
        let found = attributes(tag, 2);
        let names: Vec<&str> = found.iter().map(|one| &*one.name).collect();
        assert_eq!(names, ["href", "b", "c", "=e", "f", "h"]);
        assert_eq!((&tag[found[0].value.clone()], &tag[found[0].range.clone()]), ("x>y", "HREF = 'x>y'"));
        assert_eq!((&tag[found[2].value.clone()], found[2].form), ("d", Form::Unquoted));
        assert_eq!(found[5].form, Form::Absent);
    }
}
