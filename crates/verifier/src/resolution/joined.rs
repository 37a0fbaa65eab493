//! References at a base by the `url` crate, and what it reads otherwise than the URL Standard.

use std::borrow::Cow;

use absolve_resolver::is_special;
use encoding_rs::{Encoding, UTF_8};
use url::Url;

/// Parses a reference at a base, in a document with this charset; `None` if it has no target.
pub(super) fn joined(base: Option<&Url>, reference: &str, encoding: &'static Encoding) -> Option<Url> {
    let query: &dyn Fn(&str) -> Cow<'_, [u8]> = &|text| encoded(text, encoding).into();
    let options = Url::options().base_url(base);
    let options = if encoding == UTF_8 { options } else { options.encoding_override(Some(query)) };
    let text = stripped(reference);
    if lacks_host(&text) { None } else { options.parse(&as_the_crate_reads(base, text)).ok() }
}

/// Encodes a query. A character that the charset lacks is a character reference in percent-encoding (URL Standard,
/// "percent-encode after encoding").
pub(super) fn encoded(query: &str, encoding: &'static Encoding) -> Vec<u8> {
    let lacks = |character: char| encoding.encode(character.encode_utf8(&mut [0; 4])).2;
    let (bytes, _, lacks_some) = encoding.encode(query);
    if !lacks_some {
        return bytes.into_owned();
    }
    let reference = |character: char| match lacks(character) {
        true => format!("%26%23{}%3B", u32::from(character)),
        false => character.to_string(),
    };
    encoding.encode(&query.chars().map(reference).collect::<String>()).0.into_owned()
}

/// Removes the characters that the URL Standard ignores (section 4.4).
pub(crate) fn stripped(text: &str) -> Cow<'_, str> {
    let text = text.trim_matches(|character: char| character <= ' ');
    let is_ignored = |byte: u8| matches!(byte, b'\t' | b'\n' | b'\r');
    if text.bytes().any(is_ignored) { text.replace(['\t', '\n', '\r'], "").into() } else { text.into() }
}

/// Spells a stripped reference so that the `url` crate resolves it right: the crate takes `///` and the like for a missing host, a
/// backslash at the beginning for a slash, whatever the scheme, and `a:` for a drive, which `..` does not leave.
fn as_the_crate_reads<'t>(base: Option<&Url>, text: Cow<'t, str>) -> Cow<'t, str> {
    let is_of_special = base.is_none_or(Url::is_special);
    let (scheme, rest) = match text.split_once(':').filter(|(scheme, _)| is_scheme(scheme)) {
        Some((scheme, _)) if scheme.eq_ignore_ascii_case("file") => return text,
        Some((scheme, rest)) => (&text[..=scheme.len()], rest),
        None if !is_of_special && text.starts_with('\\') => return format!("./{text}").into(),
        None if !is_of_special && text.starts_with("/\\") => return format!("/.{text}").into(),
        None if base.is_some_and(|base| base.scheme() == "file") => return text,
        None => ("", &*text),
    };
    let end = rest.find(['?', '#']).unwrap_or(rest.len());
    if !rest.starts_with("///") && !rest[..end].contains(['\\', ':', '|']) {
        return text;
    }
    let is_special = if scheme.is_empty() { is_of_special } else { is_special(scheme.trim_end_matches(':')) };
    let path = if is_special { rest[..end].replace('\\', "/") } else { rest[..end].to_owned() };
    let is_of_base = base.is_some_and(|base| scheme.trim_end_matches(':').eq_ignore_ascii_case(base.scheme()));
    let has_host = path.starts_with("//") || (is_special && !(scheme.is_empty() || is_of_base));
    let path = match (has_host, is_special) {
        (true, true) => path.trim_start_matches('/'),
        (true, false) => &path["//".len()..],
        (false, _) => &*path,
    };
    let segments = path.split('/').enumerate().map(|(index, segment)| {
        match is_drive(segment.trim_end_matches(NO_DRIVE)) && !(has_host && index == 0) {
            true => format!("{segment}{NO_DRIVE}"),
            false => segment.to_owned(),
        }
    });
    [scheme, if has_host { "//" } else { "" }, &segments.collect::<Vec<_>>().join("/"), &rest[end..]].concat().into()
}

/// Reports whether a URL ends behind an `@` where its host has to begin, which the `url` crate overlooks there (URL
/// Standard, section 4.4, "authority state").
pub(super) fn lacks_host(text: &str) -> bool {
    let before = text.strip_suffix("//@");
    before.is_some_and(|before| before.is_empty() || before.strip_suffix(':').is_some_and(is_scheme))
}

/// Marks a segment that is no drive.
const NO_DRIVE: &str = "-is-no-drive-";

fn is_drive(segment: &str) -> bool {
    matches!(segment.as_bytes(), [b'a'..=b'z' | b'A'..=b'Z', b':' | b'|'])
}

/// Removes the marks from the path of a URL.
pub(super) fn without_marks(url: Url) -> String {
    let url = String::from(url);
    if !url.contains(NO_DRIVE) {
        return url;
    }
    let (path, rest) = url.split_at(url.find(['?', '#']).unwrap_or(url.len()));
    let segments = path.split('/').map(|segment| match segment.split_at_checked("a:".len()) {
        Some((drive, marked)) if is_drive(drive) => [drive, marked.strip_prefix(NO_DRIVE).unwrap_or(marked)].concat(),
        _ => segment.to_owned(),
    });
    [&segments.collect::<Vec<_>>().join("/"), rest].concat()
}

/// Reports whether a text is a scheme.
pub(crate) fn is_scheme(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'))
}
