//! What is compared of the placeholders in references: they stay as they are, and no part of one is a part of a path.

use std::mem;
use std::ops::Range;

use absolve_links::{EXPRESSIONS, PLACEHOLDERS, placeholder_around, placeholders};
use encoding_rs::{Encoding, UTF_8};
use memchr::memmem;

use super::joined::{encoded, stripped};
use super::spelled;
use crate::settings::Purpose;

/// Characters that may stand for those of a placeholder.
const STAND_INS: [char; 8] = ['~', '!', '_', '=', ',', ';', '*', '$'];

/// Returns the texts of the placeholders in a reference.
fn texts(reference: &str, purpose: Purpose) -> Vec<&str> {
    placeholders(reference, purpose).map(|range| &reference[range]).collect()
}

/// Returns where the rewritten reference has the placeholders of the original: at its end. Others are those of its base.
pub(crate) fn same_in(original: &str, rewritten: &str, purpose: Purpose) -> Option<Vec<Range<usize>>> {
    let wanted = texts(original, purpose);
    let mut found: Vec<_> = placeholders(rewritten, purpose).collect();
    let last = found.split_off(found.len().saturating_sub(wanted.len()));
    last.iter().map(|range| &rewritten[range.clone()]).eq(wanted).then_some(last)
}

/// Reports whether a reference at a base has placeholders that neither has by itself: one that the base opens may end in it.
pub(crate) fn makes_others(base: &str, reference: &str, purpose: Purpose) -> bool {
    let own = texts(reference, purpose);
    !own.is_empty() && texts(&format!("{base}{reference}"), purpose) != [texts(base, purpose), own].concat()
}

/// Reports whether a reference may have other placeholders in ASCII, in a document with this charset: an escape may be a part of
/// a mark, as in `{%20x`, which has been `{ x`.
pub(crate) fn may_change_in_ascii(reference: &str, purpose: Purpose, encoding: &'static Encoding) -> bool {
    let before = texts(reference, purpose);
    let changes = |encoding: &'static Encoding| {
        let escaped = |character: char| match character.is_ascii_graphic() {
            true => character.to_string(),
            false => spelled(encoded(&character.to_string(), encoding), |byte| !byte.is_ascii_graphic()),
        };
        let (mut ascii, mut end) = (String::new(), 0);
        for place in placeholders(reference, purpose) {
            ascii.extend(reference[end..place.start].chars().map(escaped));
            end = place.end;
            ascii.push_str(&reference[place]);
        }
        ascii.extend(reference[end..].chars().map(escaped));
        texts(&ascii, purpose) != before
    };
    [UTF_8, encoding].into_iter().any(changes)
}

/// Reports whether a byte of a document is within a placeholder of a template system that begins before it, in the same value of an
/// attribute or the same text, which `end` ends, or its own quote: the grammar of a value has cut it.
pub(crate) fn cut_before(document: &[u8], byte: usize, end: Option<&str>) -> bool {
    const FAR: usize = 1 << 16;
    placeholder_around(document, byte).is_some_and(|around| {
        let far = around.start.saturating_sub(FAR);
        let opens = |at: usize, mark: &str| document[at..].starts_with(mark.as_bytes());
        let is_tag = |at: &usize| !PLACEHOLDERS[..EXPRESSIONS].iter().any(|(open, _)| opens(*at, open));
        let mut tags = memchr::memrchr_iter(b'<', &document[far..around.start]).map(|at| far + at);
        let end = end.unwrap_or_else(|| end_of_value(&document[tags.find(is_tag).unwrap_or(byte)..byte]));
        memmem::find(&document[byte..around.end], end.as_bytes()).is_none()
    })
}

/// Returns what ends the value or the text at the end of this beginning of a tag, or of a tag and the text behind it.
fn end_of_value(tag: &[u8]) -> &'static str {
    let mut quote = None;
    for byte in tag {
        match (quote, byte) {
            (None, b'>') => return "</",
            (None, b'"' | b'\'') => quote = Some(byte),
            (Some(open), _) if open == byte => quote = None,
            _ => {}
        }
    }
    match quote {
        Some(b'"') => "\"",
        Some(_) => "'",
        None if tag.is_empty() => "</",
        None => ">",
    }
}

/// Reports whether a link has other placeholders without the tabs and line ends that a URL ignores.
pub(crate) fn is_torn(text: &str, purpose: Purpose) -> bool {
    let plain = stripped(text);
    if plain.len() == text.len() {
        return false;
    }
    // Without what is ignored, the text in front of each placeholder, and the placeholder itself.
    let pieces = |text: &str| {
        let places = placeholders(text, purpose);
        let piece = |end: &mut usize, place: Range<usize>| {
            let start = mem::replace(end, place.end);
            Some([text[start..place.start].replace(['\t', '\n', '\r'], ""), text[place].to_owned()])
        };
        places.scan(0, piece).collect::<Vec<_>>()
    };
    pieces(text.trim_matches(|character| character <= ' ')) != pieces(&plain)
}

/// Returns a character that none of these texts has, to stand for placeholders.
pub(crate) fn stand_in(texts: &[&str]) -> Option<char> {
    STAND_INS.into_iter().find(|stand_in| texts.iter().all(|text| !text.contains(*stand_in)))
}

/// Returns a reference with `stand_in` in place of each of these placeholders, however long: a host has a limit.
pub(crate) fn masked(reference: &str, placeholders: &[Range<usize>], stand_in: char) -> String {
    let mut masked = reference.to_owned();
    for range in placeholders.iter().rev() {
        masked.replace_range(range.clone(), stand_in.encode_utf8(&mut [0; 4]));
    }
    masked
}

#[cfg(test)]
mod tests {
    use absolve_links::placeholders;

    use super::{UTF_8, makes_others, masked, may_change_in_ascii, same_in};
    use crate::settings::Purpose;

    #[test]
    fn placeholders_are_masked() {
        let text = "a/{{../b}}/{{{c}}}%%d%%*|e";
        let found: Vec<_> = placeholders(text, Purpose::Any).collect();
        let texts: Vec<_> = found.iter().map(|range| &text[range.clone()]).collect();
        assert_eq!(texts, ["{{../b}}", "{{{c}}}", "%%d%%"]);
        assert_eq!(masked(text, &found, '~'), "a/~/~~*|e");
        let text = "{{a}}/[b/../c]/[d].png?e[ü]=$[f]$&{!g}&[[h]]";
        let found: Vec<_> = placeholders(text, Purpose::Mail).collect();
        assert_eq!(masked(text, &found, '~'), "~/~/[d].png?e[ü]=~&~&~");
    }

    #[test]
    fn placeholders_of_the_base_are_not_those_of_the_reference() {
        let new = "http://h/{{a}}/{{b}}/{{a}}?[%C3%BC]";
        let found = same_in("{{b}}/{{a}}?[ü]", new, Purpose::Mail).expect("it has both");
        assert_eq!(masked(new, &found, '~'), "http://h/{{a}}/~/~?[%C3%BC]");
        assert_eq!(same_in("{{b}}/{{a}}", "http://h/{{a}}/{{b}}", Purpose::Any), None);
        assert!(makes_others("http://h/{{/", "{{x}}", Purpose::Any));
        assert!(!makes_others("http://h/{{a}}/", "{{x}}", Purpose::Any));
    }

    #[test]
    fn escapes_may_be_parts_of_marks() {
        let may_change = |text| may_change_in_ascii(text, Purpose::Any, UTF_8);
        assert!(may_change("% ${x}% a") && may_change("{ x") && may_change("a%%%%%%% %b"));
        assert!(!may_change("{{ x }} é") && !may_change("{x%") && !may_change("5% x"));
    }
}
