//! Resolution of references, independent of the rewriter's resolver.

pub(crate) mod below;
mod joined;
pub(crate) mod part_key;
pub(crate) mod placeholders;

use absolve_resolver::{BaseUrl, ReferenceKind, is_portable, is_special, resolve_without_base};
use encoding_rs::{Encoding, UTF_8};
use url::Url;

use joined::{encoded, joined, lacks_host, without_marks};
pub(crate) use joined::{is_scheme, stripped};

use crate::settings::{Settings, Spelling, Standard};

/// Reports whether a reference has the same target at every base.
pub(crate) fn is_absolute(standard: Standard, reference: &str) -> bool {
    let whatwg = || {
        let text = stripped(reference);
        let Some((scheme, rest)) = text.split_once(':').filter(|(scheme, _)| is_scheme(scheme)) else { return false };
        let slashes = rest.bytes().take(2).filter(|byte| matches!(byte, b'/' | b'\\')).count();
        !is_special(scheme) || slashes == 2
    };
    match standard {
        Standard::Whatwg => whatwg(),
        // Every reader of today sees a scheme where the URL Standard does.
        _ => standard.kind_of(reference) == ReferenceKind::Absolute || whatwg(),
    }
}

/// Reports whether a reference leads to the document it stands in.
pub(crate) fn is_same_document(standard: Standard, reference: &str) -> bool {
    let text = if standard == Standard::Whatwg { stripped(reference) } else { reference.into() };
    text.is_empty() || text.starts_with('#')
}

/// A base that is read once for all references at it.
#[derive(Debug)]
pub(crate) struct Base {
    /// As it is declared.
    pub(crate) text: String,
    /// Whether it has a hierarchy and is the same everywhere.
    pub(crate) is_portable: bool,
    reader: Reader,
}

#[derive(Debug)]
enum Reader {
    Whatwg(Option<Url>),
    Older(Standard, Option<BaseUrl>),
}

impl Base {
    pub(crate) fn new(standard: Standard, text: String) -> Self {
        let reader = match standard {
            Standard::Whatwg => Reader::Whatwg(joined(None, &text, UTF_8)),
            older => Reader::Older(older, BaseUrl::parse(&text, older).ok()),
        };
        Self { is_portable: text.split_once(':').is_some_and(|(scheme, _)| is_portable(scheme)), text, reader }
    }

    /// Resolves a reference in a document with this charset, in which browsers encode queries; `None` if it has no target here.
    pub(crate) fn target(&self, reference: &str, encoding: &'static Encoding) -> Option<String> {
        match &self.reader {
            Reader::Whatwg(base) => joined(Some(base.as_ref()?), reference, encoding).map(without_marks),
            Reader::Older(_, Some(base)) => base.resolve(reference).ok(),
            Reader::Older(standard, None) => resolve_without_base(reference, *standard).ok(),
        }
    }
}

/// Resolves a reference against a base; `None` if it has no target there.
pub(crate) fn target(standard: Standard, base: &str, reference: &str) -> Option<String> {
    Base::new(standard, base.to_owned()).target(reference, UTF_8)
}

/// Reports whether `written` resolves to `target` at any base, in a document with this charset. The percent-encoding of
/// the barred character is equal to it.
pub(crate) fn resolves_to(
    written: &str,
    target: &str,
    barred: Option<char>,
    encoding: &'static Encoding,
    settings: &Settings,
) -> bool {
    let is_barred = |byte: u8| Some(char::from(byte)) == barred;
    match settings.standard {
        Standard::Whatwg => is_same_url(written, target, barred, encoding),
        _ if settings.spelling == Spelling::Ascii => {
            // Only non-ASCII characters may be spelled otherwise, in the query by the charset of the document.
            let plain = |url: &[u8]| spelled(url, |byte| !byte.is_ascii_graphic() || is_barred(byte));
            let end = target.find('?').unwrap_or(target.len());
            let hash = target[end..].find('#').map_or(target.len(), |hash| end + hash);
            let query = encoded(&target[end..hash], encoding);
            let in_charset = [&target.as_bytes()[..end], &query, &target.as_bytes()[hash..]].map(plain).concat();
            written == in_charset
                || plain(written.as_bytes()) == plain(target.as_bytes())
                || Url::parse(written).is_ok_and(|url| Ok(url) == Url::parse(target))
        }
        _ => {
            let plain = |url: &str| spelled(url, |byte| ends_values(byte) || is_barred(byte));
            written == target || plain(written) == plain(target)
        }
    }
}

/// Reports whether `written` is `target` to the URL Standard.
pub(crate) fn is_same_url(written: &str, target: &str, barred: Option<char>, encoding: &'static Encoding) -> bool {
    let is_barred = |byte: u8| Some(char::from(byte)) == barred;
    let is_read_so = || {
        let (read, meant) = (joined(None, written, encoding), joined(None, target, UTF_8));
        let plain = |url: &Option<Url>| url.as_ref().map(|url| spelled(url.as_str(), is_barred));
        read.is_some() && (read == meant || plain(&read) == plain(&meant))
    };
    // The spelling of a URL by the standard is read as that URL.
    written == target || (is_absolute(Standard::Whatwg, written) && is_read_so())
}

/// Returns the part of a reference that needs no resolution: all behind the dot segments and slashes it begins with.
/// `None` if it is resolved differently from how it is written.
pub(crate) fn unresolved_tail(reference: &str) -> Option<&str> {
    let mut tail = reference;
    while let Some(rest) = ["./", "../", "/"].iter().find_map(|prefix| tail.strip_prefix(prefix)) {
        tail = rest;
    }
    let path = path_of(reference);
    let is_read_otherwise =
        stripped(reference) != reference || scheme_of(reference).is_some() || path.contains('\\') || holds_dot(tail);
    (!is_read_otherwise).then_some(tail)
}

/// Spells a reference with a host of its own with a scheme and two slashes: `//h/x`, and `http:h/x` at a base of
/// another scheme (URL Standard, section 4.4, "special authority ignore slashes state").
pub(crate) fn with_authority(base: &str, reference: &str) -> Option<String> {
    let reference = stripped(reference);
    let of_base = scheme_of(base)?;
    let (scheme, rest) = match scheme_of(&reference) {
        Some(scheme) if scheme.eq_ignore_ascii_case(of_base) => return None,
        Some(scheme) => (scheme, &reference[scheme.len() + 1..]),
        None if brings_authority(&reference) => (of_base, &*reference),
        None => return None,
    };
    takes_any_slashes(scheme).then(|| format!("{scheme}://{}", rest.trim_start_matches(['/', '\\'])))
}

/// Reports whether a URL holds dot segments that were not in the reference; behind a host of its own they may stay.
pub(crate) fn has_new_dot_segments(written: &str, base: &str, reference: &str) -> bool {
    let holds_dots =
        |url: &str| path_of(url).split_once("//").is_some_and(|(_, path)| path.split('/').skip(1).any(is_dot));
    let is_own = || {
        let own = with_authority(base, reference)
            .or_else(|| brings_authority(reference).then(|| stripped(reference).into_owned()));
        own.is_some_and(|own| holds_dots(&own.replace('\\', "/")))
    };
    holds_dots(written) && !is_own()
}

/// Resolves a base that is declared as a relative reference. What it has from the base around it is spelled as there.
pub(crate) fn target_as_base(standard: Standard, base: &str, reference: &str) -> Option<String> {
    let url = target(standard, base, reference)?;
    if standard != Standard::Whatwg || brings_authority(reference) {
        return Some(url);
    }
    let path = url.split_once("://").and_then(|(_, rest)| Some(&rest[rest.find(['/', '?', '#'])?..]));
    Some(up_to_authority(standard, base).zip(path).map_or(url.clone(), |(start, path)| start + path))
}

/// Returns the beginning of an absolute reference as the base spells it: the scheme, and the authority unless the
/// reference has its own. `None` if the reference has another scheme, or a character of the beginning needs an escape
/// somewhere.
pub(crate) fn start_of_base(standard: Standard, base: &str, reference: &str) -> Option<String> {
    let start = match brings_authority(reference) {
        true => format!("{}:", base.split_once("://")?.0),
        false => up_to_authority(standard, base)?,
    };
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b":/.-_~@".contains(&byte);
    // At a base of its own scheme, `http:x` is relative to the URL Standard.
    let is_of_base = |scheme: &str| {
        standard == Standard::Whatwg && scheme_of(base).is_some_and(|of_base| scheme.eq_ignore_ascii_case(of_base))
    };
    (scheme_of(&stripped(reference)).is_none_or(is_of_base) && start.bytes().all(is_plain)).then_some(start)
}

/// Returns the scheme and the authority of a URL as it spells them.
fn up_to_authority(standard: Standard, url: &str) -> Option<String> {
    let (scheme, rest) = split_at_authority(standard, url)?;
    let authority = rest.find(['/', '?', '#', '\\']).unwrap_or(rest.len());
    Some(format!("{scheme}://{}", &rest[..authority]))
}

/// Returns the scheme of a URL and what is behind the slashes before its host: two, but to the URL Standard any number. To the RFCs the host
/// is empty, or there is none, and they begin the path.
fn split_at_authority(standard: Standard, url: &str) -> Option<(&str, &str)> {
    let scheme = scheme_of(url)?;
    let rest = &url[scheme.len() + 1..];
    let rest = match standard == Standard::Whatwg && takes_any_slashes(scheme) {
        true => rest.trim_start_matches(['/', '\\']),
        false => rest.strip_prefix("//")?,
    };
    Some((scheme, rest))
}

/// Reports whether in a URL of this scheme, the number of slashes before the host does not matter to the URL Standard.
fn takes_any_slashes(scheme: &str) -> bool {
    is_special(scheme) && !scheme.eq_ignore_ascii_case("file")
}

/// Reports whether a reference has a host of its own, and no scheme.
pub(crate) fn brings_authority(reference: &str) -> bool {
    let is_slash = |byte: &u8| matches!(byte, b'/' | b'\\');
    matches!(stripped(reference).as_bytes(), [first, second, ..] if is_slash(first) && is_slash(second))
}

fn scheme_of(reference: &str) -> Option<&str> {
    reference.split_once(':').map(|(scheme, _)| scheme).filter(|scheme| is_scheme(scheme))
}

fn holds_dot(text: &str) -> bool {
    path_of(text).split('/').any(is_dot)
}

fn path_of(text: &str) -> &str {
    &text[..text.find(['?', '#']).unwrap_or(text.len())]
}

fn is_dot(segment: &str) -> bool {
    let dot = |text: &str| match text {
        _ if text.starts_with('.') => 1,
        _ if text.get(..3).is_some_and(|escape| escape.eq_ignore_ascii_case("%2e")) => 3,
        _ => 0,
    };
    let first = dot(segment);
    first > 0 && segment.len() == first + dot(&segment[first..])
}

/// Spells an absolute URL as it may stand in a document: in ASCII, without characters that end a value.
pub(crate) fn spelled_as_base(standard: Standard, text: &str) -> Option<String> {
    let url = Url::parse(text).ok().filter(|_| standard != Standard::Whatwg || !lacks_host(text))?;
    let needs_escape = |byte: u8| !byte.is_ascii_graphic() || matches!(byte, b'"' | b'<' | b'>' | b'`');
    let in_parts = |text: &str| {
        let (before, fragment) = text.split_at(text.find('#').unwrap_or(text.len()));
        let (path, query) = before.split_at(before.find('?').unwrap_or(before.len()));
        // A backtick in a query stays.
        let query = spelled(query, |byte| byte != b'`' && needs_escape(byte));
        spelled(path, needs_escape) + &query + &spelled(fragment, needs_escape)
    };
    let ascii = match (url.host_str(), split_at_authority(standard, text)) {
        (Some(host), Some((scheme, rest))) => {
            let end = rest.find(['/', '?', '#', '\\']).unwrap_or(rest.len());
            let start = rest[..end].rfind('@').map_or(0, |at| at + 1);
            let port = rest[start..end].rfind(':').map_or(end, |colon| start + colon);
            let host = if rest[start..end].is_ascii() { &rest[start..port] } else { host };
            format!("{scheme}://{}", in_parts(&[&rest[..start], host, &rest[port..]].concat()))
        }
        // It has a path only.
        _ => in_parts(text),
    };
    // The escape of a character in a host may be another host.
    Url::parse(&ascii).is_ok_and(|read| read.host_str() == url.host_str()).then_some(ascii)
}

/// Reports whether a byte might end a value, and is percent-encoded then.
const fn ends_values(byte: u8) -> bool {
    !byte.is_ascii_graphic() || matches!(byte, b'"' | b'\'' | b'(' | b')' | b',' | b'<' | b'>' | b'`')
}

/// Percent-encodes those bytes.
fn spelled(text: impl AsRef<[u8]>, is_encoded: impl Fn(u8) -> bool) -> String {
    let mut spelled = String::with_capacity(text.as_ref().len());
    for byte in text.as_ref() {
        match is_encoded(*byte) {
            true => spelled.push_str(&format!("%{byte:02X}")),
            false => spelled.push((*byte).into()),
        }
    }
    spelled
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_relative_base_keeps_the_spelling_of_the_one_around_it() {
        for (reference, expected) in [
            ("x/", "HTTP://H:80/a/x/"),
            ("../?q", "HTTP://H:80/?q"),
            ("http:/x", "HTTP://H:80/x"),
            ("//K/x", "http://k/x"),
        ] {
            let found = target_as_base(Standard::Whatwg, "HTTP://H:80/a/b", reference);
            assert_eq!(found.as_deref(), Some(expected));
        }
    }

    #[test]
    fn judged_by_the_crate() {
        let target = |base, reference| target(Standard::Whatwg, base, reference).unwrap_or_default();
        assert_eq!(target("http://a/b/c", "///g\\h"), "http://g/h");
        assert_eq!(target("http://a/b/c", "http:g"), "http://a/b/g");
        assert_eq!(target("https://a/b/c", "http:g"), "http://g/");
        assert_eq!(target("https://a/b/c", "http:/p://h/d/"), "http://p//h/d/");
        assert_eq!(target("https://a/b/c", "http:///p:/../d"), "http://p/d");
        assert_eq!(target("http://a/b/c", "http:/p:/../d"), "http://a/d");
        assert_eq!(target("c:/x", "/a:/../b"), "c:/b");
        assert_eq!(target("c:/a:/x/", "../../b"), "c:/b");
        assert_eq!(target("c://a:/x/", "../../b"), "c://a/b");
        assert!(!is_absolute(Standard::Whatwg, "http:g") && is_absolute(Standard::Whatwg, "java\nscript:x"));
        let resolves_to = |written, target, barred| resolves_to(written, target, barred, UTF_8, &Settings::default());
        assert!(resolves_to("http://a/b/é", "http://a/b/%C3%A9", None));
        assert!(!resolves_to("//a/b", "http://a/b", None));
        assert!(
            resolves_to("http://a/%2C", "http://a/,", Some(','))
                && !resolves_to("http://a/%2C", "http://a/,", Some(';'))
        );
    }

    #[test]
    fn a_barred_character_may_be_encoded_by_every_standard() {
        for standard in Standard::ALL {
            let settings = Settings { standard, ..Settings::default() };
            let is_right = |barred| resolves_to("http://a/d%3Bp/x", "http://a/d;p/x", barred, UTF_8, &settings);
            assert!(is_right(Some(';')) && !is_right(None), "{standard}");
        }
    }

    #[test]
    fn spelling() {
        for (reference, tail) in [
            ("../x%20y/z?q#f", Some("x%20y/z?q#f")),
            ("/a/b", Some("a/b")),
            ("a/../b", None),
            ("../..", None),
            ("http:a", None),
            ("a\\b", None),
            ("?a/../b", Some("?a/../b")),
        ] {
            assert_eq!(unresolved_tail(reference), tail);
        }
        let base = "https://a/b";
        assert!(
            has_new_dot_segments("http://a/b/%2E./x", base, "x")
                && !has_new_dot_segments("http://a/b.c?/../", base, "x")
        );
        assert_eq!(
            spelled_as_base(Standard::Whatwg, "http://bücher.example:80/ä b").as_deref(),
            Some("http://xn--bcher-kva.example:80/%C3%A4%20b")
        );
        assert_eq!(
            spelled_as_base(Standard::Whatwg, "http:/2/<a>?http://x").as_deref(),
            Some("http://2/%3Ca%3E?http://x")
        );
        let backticks = spelled_as_base(Standard::Whatwg, "http://h/`?`#`?`");
        assert_eq!(backticks.as_deref(), Some("http://h/%60?`#%60?%60"));
        assert_eq!(spelled_as_base(Standard::Whatwg, "https:/ü/").as_deref(), Some("https://xn--tda/"));
        assert_eq!(spelled_as_base(Standard::Rfc3986, "https:/ü/").as_deref(), Some("https:/%C3%BC/"));
    }

    #[test]
    fn a_host_behind_a_scheme_without_slashes_is_read_as_a_host() {
        assert_eq!(with_authority("https://a/b", "http:h:/x").as_deref(), Some("http://h:/x"));
        assert_eq!(with_authority("https://a/b", "http:\\h\n/x").as_deref(), Some("http://h/x"));
        for (base, reference) in
            [("http://a/b", "HTTP:x"), ("http://a/b", "x:y"), ("http://a/b", "file:x"), ("http://a/", "x")]
        {
            assert_eq!(with_authority(base, reference), None, "{reference}");
        }
        assert_eq!(with_authority("https://a/b", "\\/h:").as_deref(), Some("https://h:"));
        assert!(!has_new_dot_segments("http://h/a/../b", "https://a/b", "http:h/a/../b"));
        assert!(!has_new_dot_segments("http://h/%2e%2e/", "http://a/b", "//h/\n%2e%2e/"));
        assert!(has_new_dot_segments("http://h/a/../b", "http://a/b", "http:h/a/../b"));
    }
}
