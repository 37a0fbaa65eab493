//! What is compared of the placeholders in references: they stay as they are, and no part of one is a part of a path.

use std::mem;
use std::ops::Range;

use absolve_links::{EXPRESSIONS, PLACEHOLDERS, placeholder_around, placeholders};
use memchr::memmem;

use super::joined::stripped;
use crate::settings::Purpose;

/// Characters that may stand for those of a placeholder.
const STAND_INS: [char; 8] = ['~', '!', '_', '=', ',', ';', '*', '$'];

/// Returns where the rewritten reference has these placeholders of the original: the last of each. Others are those of its
/// base.
pub(crate) fn same_in(
    original: &str,
    wanted: &[Range<usize>],
    rewritten: &str,
    purpose: Purpose,
) -> Option<Vec<Range<usize>>> {
    let texts = wanted.iter().rev().map(|range| &original[range.clone()]);
    let mut candidates = placeholders(rewritten, purpose).collect::<Vec<_>>().into_iter().rev();
    let as_read: Option<Vec<_>> =
        texts.map(|text| candidates.find(|range| &rewritten[range.clone()] == text)).collect();
    // An escape behind a percent sign looks like a mark, and hides those behind it: `%%20${x}%%`.
    let (mut next, mut end) = (original.len(), rewritten.len());
    let by_text = wanted.iter().rev().map(|range| {
        // The signs behind it say which of several that overlap it is: `%%%%%`.
        let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'%';
        let behind = original[range.end..next].bytes().take_while(is_plain).count();
        (next, end) = (range.start, rewritten[..end].rfind(&original[range.start..range.end + behind])?);
        Some(end..end + range.len())
    });
    as_read.or_else(|| by_text.collect()).map(|found| found.into_iter().rev().collect())
}

/// Reports whether a byte of a document is within a placeholder of a template system that begins before it, in the same value of an
/// attribute or the same text: the grammar of a value has cut it.
pub(crate) fn cut_before(document: &[u8], byte: usize) -> bool {
    const FAR: usize = 1 << 16;
    placeholder_around(document, byte).is_some_and(|around| {
        let far = around.start.saturating_sub(FAR);
        let opens = |at: usize, mark: &str| document[at..].starts_with(mark.as_bytes());
        let is_tag = |at: &usize| !PLACEHOLDERS[..EXPRESSIONS].iter().any(|(open, _)| opens(*at, open));
        let mut tags = memchr::memrchr_iter(b'<', &document[far..around.start]).map(|at| far + at);
        let end = end_of_value(&document[tags.find(is_tag).unwrap_or(byte)..byte]);
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

    use super::{masked, same_in};
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
        let same_in = |original, new, purpose| {
            same_in(original, &placeholders(original, purpose).collect::<Vec<_>>(), new, purpose)
        };
        let new = "http://h/{{a}}/{{b}}/{{a}}?[%C3%BC]";
        let found = same_in("{{b}}/{{a}}?[ü]", new, Purpose::Mail).expect("it has both");
        assert_eq!(masked(new, &found, '~'), "http://h/{{a}}/~/~?[%C3%BC]");
        assert_eq!(same_in("{{b}}/{{a}}", "http://h/{{a}}/{{b}}", Purpose::Any), None);
        let new = "http://h/%%20${x}%%20a";
        let found = same_in("% ${x}% a", new, Purpose::Any).expect("it has it");
        assert_eq!(masked(new, &found, '~'), "http://h/%%20~%%20a");
    }
}
