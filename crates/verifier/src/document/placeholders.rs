//! Placeholders further on in references: they stay as they are, and no part of one is a part of a path.

use std::borrow::Cow;

use crate::resolution::MARKS;

/// Characters that may stand for those of a placeholder.
const STAND_INS: [char; 8] = ['~', '!', '_', '=', ',', ';', '*', '$'];

/// Returns the placeholders of template systems in a reference.
pub(crate) fn placeholders(reference: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = reference;
    while let Some(first) = rest.chars().next() {
        let marks = MARKS.iter().find(|[open, _]| rest.starts_with(open));
        let length = marks.and_then(|[open, close]| Some(open.len() + rest[open.len()..].find(close)? + close.len()));
        found.extend(length.map(|length| &rest[..length]));
        rest = &rest[length.unwrap_or(first.len_utf8())..];
    }
    found
}

/// Returns a character that none of these texts has, to stand for placeholders.
pub(crate) fn stand_in(texts: &[&str]) -> Option<char> {
    STAND_INS.into_iter().find(|stand_in| texts.iter().all(|text| !text.contains(*stand_in)))
}

/// Returns a reference of the same length with `stand_in` in place of each byte of its placeholders.
pub(crate) fn masked<'r>(reference: &'r str, placeholders: &[&str], stand_in: char) -> Cow<'r, str> {
    let mut masked = Cow::Borrowed(reference);
    let mut at = 0;
    for placeholder in placeholders {
        let Some(start) = masked[at..].find(placeholder).map(|start| at + start) else { continue };
        at = start + placeholder.len();
        let stand_ins = stand_in.to_string().repeat(placeholder.len());
        masked.to_mut().replace_range(start..at, &stand_ins);
    }
    masked
}

#[cfg(test)]
mod tests {
    use super::{masked, placeholders};

    #[test]
    fn placeholders_are_masked() {
        let text = "a/{{../b}}/{{{c}}}%%d%%{{e";
        assert_eq!(placeholders(text), ["{{../b}}", "{{{c}}}", "%%d%%"]);
        assert_eq!(masked(text, &placeholders(text), '~'), "a/~~~~~~~~/~~~~~~~~~~~~{{e");
    }
}
