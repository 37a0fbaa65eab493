//! What references mean, by judges that share nothing with the resolver of the rewriter.

use std::borrow::Cow;

use encoding_rs::{Encoding, UTF_8};
use url::Url;

use crate::literal;
use crate::settings::{Settings, Spelling, Standard};

/// Whether a reference means the same at every base.
pub(crate) fn stands_alone(standard: Standard, reference: &str) -> bool {
    let whatwg = || {
        let text = stripped(reference);
        let Some((scheme, rest)) = text.split_once(':').filter(|(scheme, _)| is_scheme(scheme)) else { return false };
        let slashes = rest.bytes().take(2).filter(|byte| matches!(byte, b'/' | b'\\')).count();
        !is_special(scheme) || slashes == 2
    };
    match standard {
        Standard::Whatwg => whatwg(),
        // Every reader of today sees a scheme where the URL Standard does.
        Standard::Literal(standard) => literal::is_absolute(standard, reference) || whatwg(),
    }
}

/// Whether a reference means the document it stands in.
pub(crate) fn is_same_document(standard: Standard, reference: &str) -> bool {
    let text = if standard == Standard::Whatwg { stripped(reference) } else { reference.to_owned() };
    text.is_empty() || text.starts_with('#')
}

/// What a reference means at a base; `None` when it means nothing there.
pub(crate) fn target(standard: Standard, base: &str, reference: &str) -> Option<String> {
    target_in(standard, base, reference, UTF_8)
}

/// The same in a document in this charset, in which browsers write queries.
pub(crate) fn target_in(
    standard: Standard,
    base: &str,
    reference: &str,
    encoding: &'static Encoding,
) -> Option<String> {
    match standard {
        Standard::Whatwg => Some(joined(&Url::parse(base).ok()?, reference, encoding)?.to_string()),
        Standard::Literal(standard) => literal::target(standard, base, reference),
    }
}

fn joined(base: &Url, reference: &str, encoding: &'static Encoding) -> Option<Url> {
    let query: &dyn Fn(&str) -> Cow<'_, [u8]> = &|text| encoding.encode(text).0.into_owned().into();
    let options = Url::options().base_url(Some(base));
    let options = if encoding == UTF_8 { options } else { options.encoding_override(Some(query)) };
    options.parse(&as_the_crate_reads(base, reference)).ok()
}

/// Whether `written`, at any base, means `target` in a document in this charset.
pub(crate) fn means(written: &str, target: &str, encoding: &'static Encoding, settings: &Settings) -> bool {
    match settings.standard {
        Standard::Whatwg => {
            const ELSEWHERE: [&str; 2] = ["ftp://elsewhere.example/x/y", "https://elsewhere.example/?q"];
            let meant = Url::parse(target).ok();
            ELSEWHERE.iter().all(|base| {
                let read = Url::parse(base).ok().and_then(|base| joined(&base, written, encoding));
                read.is_some() && read == meant
            })
        }
        Standard::Literal(_) if settings.spelling == Spelling::Ascii => {
            // Only what is no ASCII may be spelled otherwise, the query in the charset of the document.
            let is_plain = |url: &str| spelled(url, |byte| !byte.is_ascii_graphic());
            let end = target.find('?').unwrap_or(target.len());
            let hash = target[end..].find('#').map_or(target.len(), |hash| end + hash);
            let query = encoding.encode(&target[end..hash]).0;
            let in_charset = [
                is_plain(&target[..end]),
                spelled_bytes(&query, |byte| !byte.is_ascii_graphic()),
                is_plain(&target[hash..]),
            ];
            written == in_charset.concat()
                || is_plain(written) == is_plain(target)
                || Url::parse(written).is_ok_and(|url| Ok(url) == Url::parse(target))
        }
        Standard::Literal(_) => written == target || spelled(written, ends_values) == spelled(target, ends_values),
    }
}

/// Whether the path of an absolute URL holds dot segments.
pub(crate) fn holds_dots(url: &str) -> bool {
    path_of(url).split_once("://").is_some_and(|(_, path)| path.split('/').skip(1).any(is_dot))
}

/// Whether what had not to be resolved is still written as its author wrote it: `old` and `new` are the bytes of the
/// link before and after, `reference` what it said.
pub(crate) fn keeps_spelling(old: &[u8], new: &[u8], reference: &str) -> bool {
    let mut tail = old;
    while let Some(rest) = [&b"./"[..], b"../", b"/"].iter().find_map(|prefix| tail.strip_prefix(*prefix)) {
        tail = rest;
    }
    let path = path_of(reference);
    let written = String::from_utf8_lossy(tail).into_owned();
    let has_scheme = reference.split_once(':').is_some_and(|(scheme, _)| is_scheme(scheme));
    let needs_more = stripped(reference) != reference
        || has_scheme
        || path.contains('\\')
        || path_of(&written).split('/').any(is_dot)
        || path_of(&written).contains('&');
    let is_broken = |bytes: &[u8]| bytes.iter().any(u8::is_ascii_whitespace);
    (needs_more || new.ends_with(tail)) && (is_broken(old) || !is_broken(new))
}

/// Whether what was put before a reference is written as it stands in the base: its scheme, and its authority unless the
/// reference brings its own. What needs an escape somewhere is not looked at.
pub(crate) fn begins_like_base(new: &[u8], base: &str, reference: &str) -> bool {
    let reference = stripped(reference);
    let Some((scheme, rest)) = base.split_once("://") else { return true };
    let authority = rest.find(['/', '?', '#', '\\']).unwrap_or(rest.len());
    let brings_scheme = reference.split_once(':').is_some_and(|(scheme, _)| is_scheme(scheme));
    let brings_authority = reference.starts_with("//") || reference.replace('\\', "/").starts_with("//");
    let expected = match brings_authority {
        true => format!("{scheme}://"),
        false => format!("{scheme}://{}", &rest[..authority]),
    };
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b":/.-_~@".contains(&byte);
    let is_wide = new.contains(&0);
    let ends_authority = |rest: &[u8]| brings_authority || rest.first().is_none_or(|byte| b"/?#\\".contains(byte));
    let begins = || new.strip_prefix(expected.as_bytes()).is_some_and(ends_authority);
    brings_scheme || is_wide || !expected.bytes().all(is_plain) || begins()
}

fn path_of(text: &str) -> &str {
    &text[..text.find(['?', '#']).unwrap_or(text.len())]
}

fn is_dot(segment: &str) -> bool {
    matches!(&*segment.to_ascii_lowercase().replace("%2e", "."), "." | "..")
}

/// An absolute URL as it may stand in a document: in ASCII, without what would end a value.
pub(crate) fn as_base(text: &str) -> Option<String> {
    let url = Url::parse(text).ok()?;
    if text.bytes().all(|byte| byte.is_ascii_graphic() && !matches!(byte, b'"' | b'<' | b'>' | b'`')) {
        return Some(text.to_owned());
    }
    Some(match (url.host_str(), text.split_once("://")) {
        (Some(host), Some((scheme, rest))) if url.username().is_empty() => {
            let end = rest.find(['/', '?', '#', '\\']).unwrap_or(rest.len());
            let port = rest[..end].rsplit_once(':').map_or(String::new(), |(_, port)| format!(":{port}"));
            let needs_escape = |byte: u8| !byte.is_ascii_graphic() || matches!(byte, b'"' | b'<' | b'>' | b'`');
            let host = if rest[..end].is_ascii() { rest[..end].to_owned() } else { format!("{host}{port}") };
            format!("{scheme}://{host}{}", spelled(&rest[end..], needs_escape))
        }
        _ => url.to_string(),
    })
}

/// Whether a base means the same everywhere and has a hierarchy.
pub(crate) fn is_portable(base: &str) -> bool {
    const ELSEWHERE: [&str; 14] = [
        "file",
        "cid",
        "mid",
        "thismessage",
        "about",
        "blob",
        "mhtml",
        "filesystem",
        "data",
        "javascript",
        "mailto",
        "news",
        "urn",
        "tel",
    ];
    base.split_once(':').is_some_and(|(scheme, _)| !ELSEWHERE.iter().any(|known| known.eq_ignore_ascii_case(scheme)))
}

/// Whether another system will replace how the reference begins.
pub(crate) fn begins_with_placeholder(reference: &str) -> bool {
    ["{{", "{%", "<%", "<?", "*|", "%%", "${", "$(", "@@"].iter().any(|mark| reference.starts_with(mark))
}

/// Without what the URL Standard ignores (section 4.4).
pub(crate) fn stripped(text: &str) -> String {
    text.trim_matches(|character: char| character <= ' ').replace(['\t', '\n', '\r'], "")
}

/// A reference in the way in which the crate reads it right: it takes `///` and the like for a missing host.
fn as_the_crate_reads(base: &Url, reference: &str) -> String {
    let text = stripped(reference);
    let (scheme, rest) = match text.split_once(':').filter(|(scheme, _)| is_scheme(scheme)) {
        Some((scheme, _)) if !is_special(scheme) || scheme.eq_ignore_ascii_case("file") => return text,
        Some((scheme, rest)) => (Some(scheme), rest),
        None if !base.is_special() || base.scheme() == "file" => return text,
        None => (None, &*text),
    };
    let end = rest.find(['?', '#']).unwrap_or(rest.len());
    let path = rest[..end].replace('\\', "/");
    let path = if path.starts_with("//") { format!("//{}", path.trim_start_matches('/')) } else { path };
    let scheme = scheme.map_or(String::new(), |scheme| format!("{scheme}:"));
    [&scheme, &path, &rest[end..]].concat()
}

fn is_scheme(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'))
}

pub(crate) fn is_special(scheme: &str) -> bool {
    ["http", "https", "ftp", "ws", "wss", "file"].iter().any(|special| special.eq_ignore_ascii_case(scheme))
}

/// What might end a value, and is percent-encoded then.
const fn ends_values(byte: u8) -> bool {
    !byte.is_ascii_graphic() || matches!(byte, b'"' | b'\'' | b'(' | b')' | b',' | b'<' | b'>' | b'`')
}

/// With those bytes percent-encoded.
fn spelled(text: &str, is_encoded: impl Fn(u8) -> bool) -> String {
    spelled_bytes(text.as_bytes(), is_encoded)
}

fn spelled_bytes(text: &[u8], is_encoded: impl Fn(u8) -> bool) -> String {
    let mut spelled = String::with_capacity(text.len());
    for byte in text {
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
    fn judged_by_the_crate() {
        let target = |base, reference| target(Standard::Whatwg, base, reference).unwrap_or_default();
        assert_eq!(target("http://a/b/c", "///g\\h"), "http://g/h");
        assert_eq!(target("http://a/b/c", "http:g"), "http://a/b/g");
        assert_eq!(target("https://a/b/c", "http:g"), "http://g/");
        assert!(!stands_alone(Standard::Whatwg, "http:g") && stands_alone(Standard::Whatwg, "java\nscript:x"));
        assert!(means("http://a/b/é", "http://a/b/%C3%A9", UTF_8, &Settings::default()));
        assert!(!means("//a/b", "http://a/b", UTF_8, &Settings::default()));
    }

    #[test]
    fn spelling() {
        let keeps = |old: &str, new: &str| keeps_spelling(old.as_bytes(), new.as_bytes(), old);
        assert!(keeps("../x%20y/z?q#f", "http://a/x%20y/z?q#f") && keeps("/a/b", "http://h/a/b"));
        assert!(keeps("a/../b", "http://h/b") && keeps("../..", "http://h/"));
        assert!(!keeps("x%20y", "http://a/x y") && !keeps("x?q=%41", "http://a/x?q=A"));
        assert!(holds_dots("http://a/b/%2E./x") && !holds_dots("http://a/b.c?/../"));
        assert_eq!(
            as_base("http://bücher.example:80/ä b").as_deref(),
            Some("http://xn--bcher-kva.example:80/%C3%A4%20b")
        );
    }
}
