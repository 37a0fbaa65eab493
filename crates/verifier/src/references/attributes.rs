//! The attributes of a tag, as its bytes hold them.

use std::ops::Range;

use crate::values;

/// An attribute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Attribute {
    /// In lower case.
    pub(crate) name: String,
    /// From the name to behind the value and its quote.
    pub(crate) range: Range<usize>,
    /// The value without quotes; empty behind the name when there is none.
    pub(crate) value: Range<usize>,
    pub(crate) form: Form,
}

/// How a value is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// There is only a name.
    Absent,
    Unquoted,
    Quoted,
}

/// The attributes that stand between the name of a tag, which ends at `at`, and its `>` (WHATWG HTML, sections
/// 13.2.5.32 to 13.2.5.40). Those that stand twice are there twice.
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
        // A name may begin with an equals sign, and with nothing else that would end it.
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

/// A tag without its attribute `href`, however often it has that, and without the white space before it.
pub(crate) fn without_href(tag: &str) -> String {
    let name_end = tag.find(|character: char| character.is_ascii_whitespace() || "/>".contains(character));
    let mut left = String::new();
    let mut at = 0;
    for attribute in attributes(tag, name_end.unwrap_or(tag.len())) {
        if attribute.name == "href" {
            left.push_str(tag[at..attribute.range.start].trim_end_matches([' ', '\t', '\n', '\r', '\x0c']));
            at = attribute.range.end;
            if !tag[at..].starts_with([' ', '\t', '\n', '\r', '\x0c', '/', '>']) {
                left.push(' ');
            }
        }
    }
    left + &tag[at..]
}

/// Returns the length of the name of a tag that begins `text`.
pub(crate) fn name_length(text: &str) -> usize {
    text.find(|character| values::is_space(character) || matches!(character, '/' | '>')).unwrap_or(text.len())
}

pub(crate) const fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | b'\x0c')
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
