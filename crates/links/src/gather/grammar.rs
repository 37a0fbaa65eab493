//! The grammars of attribute values.

use std::ops::Range;

use crate::css;
use crate::markup::find::{any_of, next};
use crate::markup::space::{SPACES, is_space, trim};
use crate::table::row::Grammar;
use crate::value::wrapping::Wrapping;
use crate::value::wrappings::Wrappings;

/// Finds the URLs in a decoded value. Calls `found` with the range of each and its wrapping within the value. Finds
/// none in nested documents.
pub(crate) fn urls(grammar: Grammar, text: &[u8], mut found: impl FnMut(Range<usize>, Wrappings)) {
    let plain = Wrappings::of(Wrapping::Plain);
    let quoted = |quote| Wrappings::of(Wrapping::Quoted(quote));
    match grammar {
        Grammar::Url => found(trim(text, 0..text.len()), plain),
        Grammar::SpaceList => list(text, is_space, |range| found(range, plain)),
        Grammar::CommaList => list(text, is_comma, |range| found(range, quoted(b','))),
        Grammar::SemicolonList => list(text, is_semicolon, |range| found(range, quoted(b';'))),
        Grammar::Srcset => srcset(text, |range, _| found(range, plain)),
        Grammar::UrlOrSrcset => match ForScripts::of(&String::from_utf8_lossy(text)) {
            ForScripts::Url => found(trim(text, 0..text.len()), plain),
            ForScripts::Srcset => srcset(text, |range, _| found(range, plain)),
            ForScripts::Css => css::find(text, &mut |reference| found(reference.range, reference.wrappings)),
            ForScripts::Data => {}
        },
        Grammar::Css => css::find(text, &mut |reference| found(reference.range, reference.wrappings)),
        Grammar::KeyValue => key_values(&String::from_utf8_lossy(text), |range| found(range, quoted(b';'))),
        Grammar::UrlOrCurie => {
            let range = trim(text, 0..text.len());
            if !text[range.clone()].starts_with(b"[") {
                found(range, plain);
            }
        }
        Grammar::Refresh => {
            if let Some((range, quote)) = refresh(text) {
                found(range, quote.map_or(plain, quoted));
            }
        }
        Grammar::UrlPattern => found(0..text.len(), plain),
        Grammar::Html => {}
    }
}

/// Finds the URLs of a srcset ("parse a srcset attribute", WHATWG HTML, section 4.8.4.3.10) and their descriptors, as
/// ranges of `value`.
///
/// A URL may contain commas. A comma at its end separates. Descriptors are not validated.
fn srcset(value: &[u8], mut found: impl FnMut(Range<usize>, Range<usize>)) {
    let mut at = 0;
    loop {
        at += value[at..].iter().take_while(|byte| is_space(**byte) || **byte == b',').count();
        if at == value.len() {
            return;
        }
        let start = at;
        at = next(value, at, any_of(SPACES));
        let commas = value[start..at].iter().rev().take_while(|byte| **byte == b',').count();
        let url = start..at - commas;
        let descriptors = at;
        if commas == 0 {
            at = descriptors_end(value, at);
        }
        if !url.is_empty() {
            found(url, descriptors..at);
        }
    }
}

/// The content of an attribute for scripts that load images.
///
/// ```
/// use absolve_links::ForScripts;
/// assert_eq!(ForScripts::of("a.png 1x, b.png 2x"), ForScripts::Srcset);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ForScripts {
    /// One URL, which may contain spaces and commas here.
    Url,
    /// A list of image candidates.
    Srcset,
    /// Images in CSS, which a script copies into a style.
    Css,
    /// JSON.
    Data,
}

impl ForScripts {
    /// Distinguishes a list of image candidates from one URL. A list has several URLs or a descriptor, and only descriptors after
    /// its URLs.
    ///
    /// ```
    /// use absolve_links::ForScripts;
    /// assert_eq!(ForScripts::of("my photo, old.png"), ForScripts::Url);
    /// ```
    pub fn of(value: &str) -> Self {
        let start = value.trim_start();
        if start.starts_with(['[', '{']) {
            return Self::Data;
        }
        if start.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("url(")) {
            return Self::Css;
        }
        let (mut urls, mut descriptors, mut others) = (0, 0, 0);
        srcset(value.as_bytes(), |_, behind| {
            urls += 1;
            for word in value[behind].split([',', ' ', '\t', '\n', '\r', '\x0c']).filter(|word| !word.is_empty()) {
                match word.strip_suffix(['w', 'h', 'x']).is_some_and(|number| number.parse::<f32>().is_ok()) {
                    true => descriptors += 1,
                    false => others += 1,
                }
            }
        });
        if others == 0 && (urls > 1 || descriptors > 0) { Self::Srcset } else { Self::Url }
    }
}

/// Returns the position after the comma that ends the descriptors. Commas in parentheses do not end them.
fn descriptors_end(bytes: &[u8], mut at: usize) -> usize {
    let mut in_parentheses = false;
    loop {
        at = next(bytes, at, any_of(*b",()"));
        match bytes.get(at) {
            None => return at,
            Some(b',') if !in_parentheses => return at + 1,
            Some(byte) => in_parentheses = *byte == b'(' || (in_parentheses && *byte == b','),
        }
        at += 1;
    }
}

/// Finds the URLs of a list in which `separates` holds between them.
fn list(value: &[u8], separates: fn(u8) -> bool, mut found: impl FnMut(Range<usize>)) {
    let mut at = 0;
    while at < value.len() {
        at += value[at..].iter().take_while(|byte| separates(**byte)).count();
        let start = at;
        at += value[at..].iter().take_while(|byte| !separates(**byte)).count();
        if at > start {
            found(trim(value, start..at));
        }
    }
}

/// Returns the bytes of the URL in the value of a refresh, without quotes: that of a `<meta>`, or of the HTTP field `Refresh`.
///
/// ```
/// assert_eq!(absolve_links::refresh_url(b"3; url=next.html"), Some(7..16));
/// ```
pub fn refresh_url(value: &[u8]) -> Option<Range<usize>> {
    refresh(value).map(|(range, _)| range)
}

/// Returns the URL of a refresh and the quote around it, if any ("shared declarative refresh steps", WHATWG HTML,
/// section 4.2.5.3).
fn refresh(value: &[u8]) -> Option<(Range<usize>, Option<u8>)> {
    let skip = |at: usize, skipped: fn(u8) -> bool| at + value[at..].iter().take_while(|byte| skipped(**byte)).count();
    let mut at = skip(0, is_space);
    let time = at;
    at = skip(at, |byte| byte.is_ascii_digit());
    if at == time && value.get(at) != Some(&b'.') {
        return None;
    }
    at = skip(at, |byte| byte.is_ascii_digit() || byte == b'.');
    match value.get(at) {
        Some(b';' | b',') => {}
        Some(byte) if is_space(*byte) => {}
        _ => return None,
    }
    at = skip(at, is_space);
    if matches!(value.get(at), Some(b';' | b',')) {
        at += 1;
    }
    at = skip(at, is_space);
    if value.get(at..at + 3).is_some_and(|word| word.eq_ignore_ascii_case(b"url")) {
        let after = skip(at + 3, is_space);
        if value.get(after) == Some(&b'=') {
            at = skip(after + 1, is_space);
        }
    }
    let quote = value.get(at).copied().filter(|byte| matches!(byte, b'"' | b'\''));
    let (start, end) = match quote {
        Some(quote) => {
            let start = at + 1;
            (start, value[start..].iter().position(|byte| *byte == quote).map_or(value.len(), |end| start + end))
        }
        None => (at, value.len()),
    };
    let range = trim(value, start..end);
    (!range.is_empty()).then_some((range, quote))
}

/// Finds the URLs of `key=value` pairs, which declare the tasks, badges and notifications of pinned sites.
fn key_values(value: &str, mut found: impl FnMut(Range<usize>)) {
    const KEYS: [&str; 3] = ["action-uri", "icon-uri", "polling-uri"];
    list(value.as_bytes(), is_semicolon, |pair| {
        if let Some((key, url)) = value[pair.clone()].split_once('=') {
            let key = key.trim().trim_end_matches(|digit: char| digit.is_ascii_digit());
            let range = trim(value.as_bytes(), pair.end - url.len()..pair.end);
            if KEYS.iter().any(|known| known.eq_ignore_ascii_case(key)) && !range.is_empty() {
                found(range);
            }
        }
    });
}

const fn is_comma(byte: u8) -> bool {
    byte == b','
}

const fn is_semicolon(byte: u8) -> bool {
    byte == b';'
}

#[cfg(test)]
mod tests {
    use std::ops::Range;

    use absolve_testing::rounds;

    use super::{is_space, list, refresh, srcset};
    use crate::table::row::Grammar;

    #[test]
    fn srcset_urls() {
        let urls = |value: &'static str| {
            let mut urls = Vec::new();
            srcset(value.as_bytes(), |url, _| urls.push(&value[url]));
            urls
        };
        assert_eq!(urls("a 1x, b 2x"), ["a", "b"]);
        assert_eq!(urls("a,b"), ["a,b"]);
        assert_eq!(urls("a, b"), ["a", "b"]);
        assert_eq!(urls(" , a,,, b 2x,"), ["a", "b"]);
        assert_eq!(urls("data:,a 1x, b"), ["data:,a", "b"]);
        assert_eq!(urls("a (b, c) 1x, d"), ["a", "d"]);
        assert_eq!(urls("x/w=320,h=2/a.png 320w"), ["x/w=320,h=2/a.png"]);
    }

    /// Compares with a reader of one byte at a time.
    #[test]
    fn srcset_is_read_in_strides_as_byte_by_byte() {
        fn byte_by_byte(value: &[u8]) -> Vec<(Range<usize>, Range<usize>)> {
            let mut found = Vec::new();
            let mut at = 0;
            while at < value.len() {
                if is_space(value[at]) || value[at] == b',' {
                    at += 1;
                    continue;
                }
                let start = at;
                while at < value.len() && !is_space(value[at]) {
                    at += 1;
                }
                let (mut url, descriptors, mut depth) = (start..at, at, 0);
                if value[at - 1] == b',' {
                    while value[url.clone()].ends_with(b",") {
                        url.end -= 1;
                    }
                } else {
                    while at < value.len() && (depth == 1 || value[at] != b',') {
                        depth = match value[at] {
                            b'(' => 1,
                            b')' => 0,
                            _ => depth,
                        };
                        at += 1;
                    }
                    at = value.len().min(at + 1);
                }
                found.push((url, descriptors..at));
            }
            found
        }
        const BYTES: &[u8] = b"abcdefg.,,  \n()1x\0\xC3";
        let mut random = fastrand::Rng::with_seed(9);
        for _ in 0..rounds(300_000) {
            let value: Vec<u8> = (0..random.usize(..90)).map(|_| BYTES[random.usize(..BYTES.len())]).collect();
            let mut found = Vec::new();
            srcset(&value, |url, descriptors| found.push((url, descriptors)));
            assert_eq!(found, byte_by_byte(&value), "{:?}", String::from_utf8_lossy(&value));
        }
    }

    #[test]
    fn reads_a_list_in_data_src_as_several_urls() {
        let urls = |value: &'static str| {
            let mut urls = Vec::new();
            super::urls(Grammar::UrlOrSrcset, value.as_bytes(), |url, _| urls.push(&value[url]));
            urls
        };
        assert_eq!(urls(" a "), ["a"]);
        assert_eq!(urls("a 1x, b 2.5x"), ["a", "b"]);
        assert_eq!(urls("a 320w 200h,\nb 640w"), ["a", "b"]);
        assert_eq!(urls("a 320w"), ["a"]);
        assert_eq!(urls("a, b"), ["a", "b"]);
        assert_eq!(urls("w_320,h_2/a.png"), ["w_320,h_2/a.png"]);
        assert_eq!(urls("my photo.jpg"), ["my photo.jpg"]);
        assert_eq!(urls("our photos, 2 w.jpg, x.jpg"), ["our photos, 2 w.jpg, x.jpg"]);
        assert_eq!(urls(" [\"a\", \"b\"]"), Vec::<&str>::new());
        assert_eq!(urls(" {\"small\": \"a\"}"), Vec::<&str>::new());
        assert_eq!(urls(" url(a.png), URL('b')"), ["a.png", "b"]);
    }

    #[test]
    fn refresh_urls() {
        let url = |value: &'static str| refresh(value.as_bytes()).map(|(url, quote)| (&value[url], quote));
        assert_eq!(url("5; url=a b"), Some(("a b", None)));
        assert_eq!(url(" 0;URL = 'a' trailing"), Some(("a", Some(b'\''))));
        assert_eq!(url("1.5,a"), Some(("a", None)));
        assert_eq!(url("3 a"), Some(("a", None)));
        assert_eq!(url("0; url=\"a"), Some(("a", Some(b'"'))));
        assert_eq!(url("0; urls"), Some(("urls", None)));
        assert_eq!(url("5"), None);
        assert_eq!(url("5;"), None);
        assert_eq!(url("x; url=a"), None);
        assert_eq!(url("5url=a"), None);
    }

    #[test]
    fn pairs() {
        let value = "name=A; action-uri=/x?a=b ;icon-uri=y;window-type=tab;polling-uri2=z";
        let mut urls = Vec::new();
        super::key_values(value, |url| urls.push(&value[url]));
        assert_eq!(urls, ["/x?a=b", "y", "z"]);
    }

    #[test]
    fn lists() {
        let urls = |value: &str, separates| {
            let mut urls = Vec::new();
            list(value.as_bytes(), separates, |url| urls.push(url));
            urls
        };
        assert_eq!(urls(" a  b ", is_space), [1..2, 4..5]);
        assert_eq!(urls("a , b,", super::is_comma), [0..1, 4..5]);
    }
}
