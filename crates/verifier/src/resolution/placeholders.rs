//! Placeholders in references: they stay as they are, and no part of one is a part of a path.

use std::ops::Range;

use crate::settings::Purpose;

/// Characters that may stand for those of a placeholder.
const STAND_INS: [char; 8] = ['~', '!', '_', '=', ',', ';', '*', '$'];

/// Bytes up to which words in brackets are placeholders.
const LONGEST_WORD: usize = 200;

/// What placeholders of template systems begin and end with.
const MARKS: [[&str; 2]; 12] = [
    ["{{{", "}}}"],
    ["{{", "}}"],
    ["{%", "%}"],
    ["<%", "%>"],
    ["<?php", "?>"],
    ["<?=", "?>"],
    ["<?", "?>"],
    ["*|", "|*"],
    ["%%", "%%"],
    ["${", "}"],
    ["$(", ")"],
    ["@@", "@@"],
];

/// Reports whether a reference begins with a placeholder of a template system or, in a mail, of a mail service. One may follow
/// the scheme of web pages.
pub(crate) fn begins_with_placeholder(reference: &str, purpose: Purpose) -> bool {
    let of_web =
        reference.split_once(':').filter(|(scheme, _)| matches!(&*scheme.to_ascii_lowercase(), "http" | "https"));
    let reference = of_web.map_or(reference, |(_, rest)| rest);
    let is_of_template = MARKS.iter().any(|[open, _]| reference.starts_with(open));
    is_of_template || (purpose == Purpose::Mail && begins_with_word_in_marks(reference))
}

/// Reports whether a reference begins with a word in the marks of a mail service.
fn begins_with_word_in_marks(reference: &str) -> bool {
    let between = |open: &str, close: &str| {
        let (word, rest) = reference.strip_prefix(open)?.split_once(close)?;
        (!word.is_empty()).then_some((word, rest))
    };
    let is_of_name = |character: char| character.is_ascii_alphanumeric() || "_.:-".contains(character);
    let is_name =
        |word: &str| word.starts_with(|first: char| first.is_ascii_alphabetic()) && word.chars().all(is_of_name);
    let named = |open: &str, close: &str| between(open, close).filter(|(word, _)| is_name(word));
    let whole = |mark: &str| reference.strip_prefix(mark).and_then(|rest| rest.strip_suffix(mark)).is_some_and(is_name);
    let is_percent_encoded = |(word, rest): (&str, &str)| {
        [word, rest].iter().all(|text| text.len() > 1 && text.chars().take(2).all(|digit| digit.is_ascii_hexdigit()))
    };
    word_in_brackets(reference).is_some()
        || named("%", "%").is_some_and(|pair| !is_percent_encoded(pair))
        || ["$", "#", "##", "::"].iter().any(|mark| named(mark, mark).is_some())
        || whole("-")
        || whole("__")
        || begins_with_expression(reference)
}

/// Reports whether a reference begins with an expression of Velocity, Razor, Thymeleaf, FreeMarker, or with `!*`.
fn begins_with_expression(reference: &str) -> bool {
    let is_word = |character: &char| character.is_ascii_alphanumeric() || ['_', '.'].contains(character);
    let mut characters = reference.chars();
    match (characters.next(), characters.next()) {
        (Some('$'), Some('!')) => characters.next().is_some_and(|third| third == '{' || third.is_ascii_alphabetic()),
        (Some('$'), Some(second)) => second.is_ascii_alphabetic(),
        (Some('@'), Some('{' | '(')) | (Some('!'), Some('*')) | (Some('<'), Some('#' | '@')) => true,
        (Some('@'), Some('A'..='Z')) => characters.take_while(is_word).any(|character| character == '.'),
        // A member with a capital, as in `@item.Url`.
        (Some('@'), Some('a'..='z')) => {
            let mut behind = characters.skip_while(|character| *character != '.' && is_word(character));
            behind.next() == Some('.') && behind.next().is_some_and(|first| first.is_ascii_uppercase())
        }
        _ => false,
    }
}

/// Returns what is in the brackets or braces that a text begins with, with them, if it may be a placeholder of a mail
/// service.
fn word_in_brackets(text: &str) -> Option<&str> {
    let marks = [("$[", "]$"), ("[[", "]]"), ("[", "]"), ("{", "}")];
    let (open, close) = marks.into_iter().find(|(open, _)| text.starts_with(open))?;
    let (word, rest) = text[open.len()..].split_once(close)?;
    // A name before an extension is that of a file.
    let is_file = open != "$[" && rest.starts_with('.');
    (!word.is_empty() && !is_file).then(|| &text[..text.len() - rest.len()])
}

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
        let length = text[open.len()..].find(close).map(|length| open.len() + length + close.len());
        // The value ended before it did.
        return length.or(is_bracketed(open).then_some(text.len()));
    }
    let near = &text[..text.floor_char_boundary(LONGEST_WORD)];
    // `filter[größe]` is a field of a query.
    let is_field = |word: &str| word.starts_with('[') && !word.starts_with("[[") && !word.is_ascii();
    let word = word_in_brackets(near).filter(|word| purpose == Purpose::Mail && !is_field(word));
    word.map(str::len)
}

/// Returns where the rewritten reference has the placeholders of the original: the last of each. Others are those of its base.
pub(crate) fn same_in(original: &str, rewritten: &str, purpose: Purpose) -> Option<Vec<Range<usize>>> {
    let wanted = placeholders(original, purpose);
    let mut candidates = placeholders(rewritten, purpose).into_iter().rev();
    let as_read = from_the_last(original, &wanted, |text| candidates.find(|range| &rewritten[range.clone()] == text));
    // An escape behind a percent sign looks like a mark, and hides those behind it: `%%20${x}%%`.
    let mut end = rewritten.len();
    as_read.or_else(|| {
        from_the_last(original, &wanted, |text| {
            end = rewritten[..end].rfind(text)?;
            Some(end..end + text.len())
        })
    })
}

/// Returns what a search finds of these placeholders, of which it gets the last one first.
fn from_the_last(
    original: &str,
    wanted: &[Range<usize>],
    search: impl FnMut(&str) -> Option<Range<usize>>,
) -> Option<Vec<Range<usize>>> {
    let found: Option<Vec<_>> = wanted.iter().rev().map(|range| &original[range.clone()]).map(search).collect();
    found.map(|mut found| {
        found.reverse();
        found
    })
}

/// Reports whether a byte of a document is within a placeholder of a template system that begins before it, in the same value of an
/// attribute or the same text: the grammar of a value has cut it.
pub(crate) fn cut_before(document: &[u8], byte: usize) -> bool {
    const NEAR: usize = 200;
    const FAR: usize = 1 << 16;
    let start = byte.saturating_sub(NEAR);
    let bracketed = || MARKS.iter().filter(|[open, _]| is_bracketed(open));
    let begins = |at: usize, mark: &str| document[at..].starts_with(mark.as_bytes());
    let find = |mark: &str, range: Range<usize>| memchr::memmem::find(document.get(range)?, mark.as_bytes());
    let is_tag = |at: &usize| document[*at] == b'<' && !bracketed().any(|[open, _]| begins(*at, open));
    let tag = (start..byte).rev().find(is_tag);
    let mut may_open = (tag.unwrap_or(start)..byte).rev().filter(|at| matches!(document[*at], b'{' | b'<' | b'$'));
    let opened = may_open.find_map(|at| {
        let [open, close] = bracketed().find(|[open, _]| begins(at, open))?;
        find(close, at + open.len()..byte).is_none().then_some((at, close))
    });
    opened.is_some_and(|(at, close)| {
        let end = document.len().min(at + NEAR).max(byte);
        find(close, byte..end).is_some_and(|length| {
            let far = start.saturating_sub(FAR);
            let further = || memchr::memrchr_iter(b'<', &document[far..start]).map(|at| far + at).find(is_tag);
            let tag = tag.or_else(further).unwrap_or(byte);
            find(end_of_value(&document[tag..byte]), byte..byte + length).is_none()
        })
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

/// Reports whether a placeholder with this mark holds expressions, which the grammar of a value may cut.
fn is_bracketed(open: &str) -> bool {
    // What else begins with `<?` may be an instruction of XML.
    open.contains('{') || ["<%", "<?=", "<?php"].contains(&open)
}

/// Reports whether a text without escapes may hold a placeholder, whose white space and quotes make a bad URL of it (CSS).
pub(crate) fn cuts_a_url(text: &str) -> bool {
    !text.contains('\\') && MARKS.iter().any(|[open, _]| is_bracketed(open) && text.contains(open))
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
        let text = "a/{{../b}}/{{{c}}}%%d%%*|e";
        let found = placeholders(text, Purpose::Any);
        let texts: Vec<_> = found.iter().map(|range| &text[range.clone()]).collect();
        assert_eq!(texts, ["{{../b}}", "{{{c}}}", "%%d%%"]);
        assert_eq!(masked(text, &found, '~'), "a/~~~~~~~~/~~~~~~~~~~~~*|e");
        let text = "{{a}}/[b/../c]/[d].png?e[ü]=$[f]$&{!g}&[[h]]";
        let found = placeholders(text, Purpose::Mail);
        assert_eq!(masked(text, &found, '~'), "~~~~~/~~~~~~~~/[d].png?e[ü]=~~~~~&~~~~&~~~~~");
    }

    #[test]
    fn placeholders_of_the_base_are_not_those_of_the_reference() {
        let new = "http://h/{{a}}/{{b}}/{{a}}?[%C3%BC]";
        let found = same_in("{{b}}/{{a}}?[ü]", new, Purpose::Mail).expect("it has both");
        assert_eq!(masked(new, &found, '~'), "http://h/{{a}}/~~~~~/~~~~~?[%C3%BC]");
        assert_eq!(same_in("{{b}}/{{a}}", "http://h/{{a}}/{{b}}", Purpose::Any), None);
        let new = "http://h/%%20${x}%%20a";
        let found = same_in("% ${x}% a", new, Purpose::Any).expect("it has it");
        assert_eq!(masked(new, &found, '~'), "http://h/%%20~~~~%%20a");
    }
}
