//! Placeholders further on in references: they stay as they are, and no part of one is a part of a path.

use std::ops::Range;

use crate::resolution::{MARKS, word_in_brackets};
use crate::settings::Purpose;

/// Characters that may stand for those of a placeholder.
const STAND_INS: [char; 8] = ['~', '!', '_', '=', ',', ';', '*', '$'];

/// Bytes up to which words in brackets are placeholders.
const LONGEST_WORD: usize = 200;

/// Returns the placeholders of template systems in a reference and, in a mail, those of mail services in brackets or
/// braces.
pub(crate) fn placeholders(reference: &str, purpose: Purpose) -> Vec<Range<usize>> {
    let (mut found, mut at) = (Vec::new(), 0);
    while let Some(first) = reference[at..].chars().next() {
        let length = length_of(&reference[at..], purpose);
        found.extend(length.map(|length| at..at + length));
        at += length.unwrap_or(first.len_utf8());
    }
    found
}

/// Returns the length of the placeholder that a text begins with.
fn length_of(text: &str, purpose: Purpose) -> Option<usize> {
    if let Some([open, close]) = MARKS.iter().find(|[open, _]| text.starts_with(open)) {
        return text[open.len()..].find(close).map(|length| open.len() + length + close.len());
    }
    let near = &text[..text.floor_char_boundary(LONGEST_WORD)];
    // `filter[größe]` is a field of a query.
    let is_field = |word: &str| word.starts_with('[') && !word.starts_with("[[") && !word.is_ascii();
    let word = word_in_brackets(near).filter(|word| purpose == Purpose::Mail && !is_field(word));
    word.map(str::len)
}

/// Returns where the rewritten reference has the placeholders of the original: the last of each. Others are those of its base.
pub(crate) fn same_in(original: &str, rewritten: &str, purpose: Purpose) -> Option<Vec<Range<usize>>> {
    let mut candidates = placeholders(rewritten, purpose).into_iter().rev();
    let mut found = Vec::new();
    for wanted in placeholders(original, purpose).into_iter().rev() {
        found.push(candidates.find(|range| rewritten[range.clone()] == original[wanted.clone()])?);
    }
    found.reverse();
    Some(found)
}

/// Returns a character that none of these texts has, to stand for placeholders.
pub(crate) fn stand_in(texts: &[&str]) -> Option<char> {
    STAND_INS.into_iter().find(|stand_in| texts.iter().all(|text| !text.contains(*stand_in)))
}

/// Returns a reference of the same length with `stand_in` in place of each byte of these placeholders.
pub(crate) fn masked(reference: &str, placeholders: &[Range<usize>], stand_in: char) -> String {
    let mut masked = reference.to_owned();
    for range in placeholders {
        masked.replace_range(range.clone(), &stand_in.to_string().repeat(range.len()));
    }
    masked
}

#[cfg(test)]
mod tests {
    use super::{masked, placeholders, same_in};
    use crate::settings::Purpose;

    #[test]
    fn placeholders_are_masked() {
        let text = "a/{{../b}}/{{{c}}}%%d%%{{e";
        let found = placeholders(text, Purpose::Any);
        let texts: Vec<_> = found.iter().map(|range| &text[range.clone()]).collect();
        assert_eq!(texts, ["{{../b}}", "{{{c}}}", "%%d%%"]);
        assert_eq!(masked(text, &found, '~'), "a/~~~~~~~~/~~~~~~~~~~~~{{e");
        let text = "{{a}}/[b/../c]/[d].png?e[ü]=$[f]$&{!g}&[[h]]";
        let found = placeholders(text, Purpose::Mail);
        assert_eq!(masked(text, &found, '~'), "~~~~~/~~~~~~~~/[d].png?e[ü]=~~~~~&~~~~&~~~~~");
    }

    #[test]
    fn placeholders_of_the_base_were_taken_for_others() {
        let new = "http://h/{{a}}/{{b}}/{{a}}?[%C3%BC]";
        let found = same_in("{{b}}/{{a}}?[ü]", new, Purpose::Mail).expect("it has both");
        assert_eq!(masked(new, &found, '~'), "http://h/{{a}}/~~~~~/~~~~~?[%C3%BC]");
        assert_eq!(same_in("{{b}}/{{a}}", "http://h/{{a}}/{{b}}", Purpose::Any), None);
    }
}
