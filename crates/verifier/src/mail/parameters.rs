//! The parameters of header fields (RFC 2045, section 5.1, and RFC 2231).

use std::ops::Range;

use super::header::Header;
use crate::base::decoded_words;
use crate::values::{unescaped, within};

/// Returns the media type of an entity in lower case; empty if its header has none.
pub(crate) fn media_type(header: &Header) -> String {
    media_type_of(&header.value("content-type").unwrap_or_default())
}

/// Returns a type and a subtype without comments, and without white space and quotes around them; none without the other.
fn media_type_of(value: &str) -> String {
    let words = without_comments(value);
    let named = words.split(';').next().and_then(|name| name.split_once('/'));
    let [main, subtype] = named.map_or([""; 2], |(main, subtype)| [main, subtype].map(bare));
    if main.is_empty() || subtype.is_empty() {
        return String::new();
    }
    format!("{main}/{subtype}").to_ascii_lowercase()
}

fn bare(word: &str) -> &str {
    word.trim_matches([' ', '\t', '\r', '\n', '"'])
}

/// Reports whether two values of `Content-Type` describe a body equally.
pub(crate) fn describe_alike(one: &str, other: &str) -> bool {
    let described = |value: &str| {
        let parameters = parameters(value);
        let named = ["boundary", "charset", "start"].map(|name| parameter_in(&parameters, name));
        (media_type_of(value), named)
    };
    described(one) == described(other)
}

/// Returns a parameter of a field (RFC 2045, section 5.1), joined from its sections (RFC 2231, section 3).
pub(crate) fn parameter(header: &Header, field: &str, name: &str) -> Option<String> {
    parameter_in(&parameters(&header.value(field)?), name)
}

fn parameter_in(parameters: &[(String, String)], name: &str) -> Option<String> {
    let value = |wanted: &str| parameters.iter().find(|(key, _)| key == wanted).map(|(_, value)| value);
    let extended = |wanted: &str| value(&format!("{wanted}*")).map(|value| plain(value));
    let pieces = (0..).map_while(|number| {
        let piece = format!("{name}*{number}");
        value(&piece).cloned().or_else(|| extended(&piece))
    });
    let whole: String = pieces.collect();
    value(name).cloned().or_else(|| extended(name)).or(Some(whole).filter(|whole| !whole.is_empty()))
}

/// Returns the parameters behind the first semicolon: their names in lower case, and their values without quotes.
fn parameters(value: &str) -> Vec<(String, String)> {
    let value = without_comments(value);
    let mut found = Vec::new();
    let mut rest = value.split_once(';').map_or("", |(_, rest)| rest);
    while !rest.is_empty() {
        let end = rest.find([';', '=']).unwrap_or(rest.len());
        let (key, after) = rest.split_at(end);
        let Some(after) = after.strip_prefix('=').map(str::trim_start) else {
            // A parameter without a value.
            rest = after.strip_prefix(';').unwrap_or_default();
            continue;
        };
        let (text, next) = match after.strip_prefix('"') {
            Some(quoted) => unquoted(quoted),
            None => {
                let end = after.find(';').unwrap_or(after.len());
                (after[..end].trim().trim_end_matches('"').to_owned(), &after[end..])
            }
        };
        // Words in front of a name, and quotes around it, belong to nothing.
        let name = key.split_ascii_whitespace().next_back().unwrap_or_default().trim_matches('"');
        found.push((name.to_ascii_lowercase(), text));
        // Behind quotes, the semicolon may be missing.
        rest = next.trim_start().strip_prefix(';').unwrap_or(next);
    }
    found
}

/// Returns the place of the value of the first parameter of this name, without quotes around it, and the value itself.
pub(super) fn written_parameter(value: &str, name: &str) -> Option<(Range<usize>, String)> {
    let plain = without_comments(value);
    let mut rest = &*plain;
    while !rest.is_empty() {
        let end = end_of_parameter(rest);
        let named = rest[..end].split_once('=').filter(|(key, _)| key.trim_ascii().eq_ignore_ascii_case(name));
        if let Some((_, text)) = named {
            let text = text.trim_ascii();
            let Some(quoted) = text.strip_prefix('"') else { return Some((within(&plain, text), text.to_owned())) };
            let (read, behind) = unquoted(quoted);
            let place = within(&plain, quoted.strip_suffix('"')?);
            return behind.is_empty().then_some((place, read));
        }
        rest = rest[end..].strip_prefix(';').unwrap_or_default();
    }
    None
}

/// Returns the place of the first semicolon outside quotes, else the length.
fn end_of_parameter(text: &str) -> usize {
    let mut at = 0;
    while let Some(found) = text[at..].find([';', '"']) {
        at += found;
        match text[at..].strip_prefix('"') {
            Some(quoted) => at = text.len() - unquoted(quoted).1.len(),
            None => return at,
        }
    }
    text.len()
}

/// Decodes an extended value: removes charset and language, and decodes the percent-encoding (RFC 2231, section 4).
fn plain(value: &str) -> String {
    let escaped = value.splitn(3, '\'').nth(2).unwrap_or(value);
    String::from_utf8_lossy(&unescaped(escaped)).into_owned()
}

/// Returns the file name of an entity (RFC 2183, section 2.3).
pub(crate) fn file_name(header: &Header) -> Option<String> {
    let name = parameter(header, "content-disposition", "filename");
    let name = name.or_else(|| parameter(header, "content-type", "name"));
    // Against RFC 2047, mail programs write encoded words there.
    name.map(|name| decoded_words(&name))
}

/// Splits behind the closing quote; returns the quoted text, and the rest.
fn unquoted(text: &str) -> (String, &str) {
    let mut read = String::new();
    let mut is_escaped = false;
    for (at, character) in text.char_indices() {
        match character {
            _ if is_escaped => {
                read.push(character);
                is_escaped = false;
            }
            '\\' => is_escaped = true,
            '"' => return (read, &text[at + 1..]),
            _ => read.push(character),
        }
    }
    (read, "")
}

/// Returns a field without its comments, which may contain others (RFC 822, section 3.4.3), and with a space for each of their bytes.
pub(super) fn without_comments(value: &str) -> String {
    let (mut read, mut rest) = (String::new(), value);
    while let Some(at) = rest.find(['(', '"']) {
        let (before, found) = rest.split_at(at);
        let (kept, behind) = match found.strip_prefix('"') {
            Some(quoted) => found.split_at(found.len() - unquoted(quoted).1.len()),
            None => (&*" ".repeat(found.len() - behind_comment(found).len()), behind_comment(found)),
        };
        read.extend([before, kept]);
        rest = behind;
    }
    read + rest
}

/// Returns what follows the comment that a text begins with; nothing if it does not end.
fn behind_comment(text: &str) -> &str {
    let (mut depth, mut characters) = (0_usize, text.chars());
    while let Some(character) = characters.next() {
        match character {
            '(' => depth += 1,
            ')' => depth -= 1,
            '\\' => drop(characters.next()),
            _ => {}
        }
        if depth == 0 {
            break;
        }
    }
    characters.as_str()
}
