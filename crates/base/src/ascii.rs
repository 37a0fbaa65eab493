//! The ASCII form of a base, as it is written into documents.

use std::borrow::Cow;

use absolve_resolver::authority_start;
use url::Url;

/// Converts an absolute URL to characters that any document can contain: ASCII without spaces and controls.
///
/// It percent-encodes the path, query and fragment like the URL Standard (UTF-8, section 1.3), and converts the host to
/// its ASCII form. ASCII characters stay as they are, also `{`, `}` and `|`, because templates use them for
/// placeholders. Returns `None` if the text is not a URL, as `http://[`, or if an escape would make its host another one.
pub(crate) fn ascii_url(text: &str) -> Option<Cow<'_, str>> {
    if is_plainly_a_url(text) {
        return Some(Cow::Borrowed(text));
    }
    let parsed = Url::parse(text).ok()?;
    if text.bytes().all(|byte| !needs_escape(byte)) {
        return Some(Cow::Borrowed(text));
    }
    let mut ascii = String::with_capacity(text.len() + 16);
    let text = with_ascii_host(text, &parsed);
    let query = text.find(['?', '#']).filter(|at| text[*at..].starts_with('?')).unwrap_or(text.len());
    let fragment = text.find('#').unwrap_or(text.len());
    for (at, character) in text.char_indices() {
        // The set of a query is the only one without the backtick (URL Standard, section 1.3).
        let stays = character == '`' && (query..fragment).contains(&at);
        if stays || (character.is_ascii() && !needs_escape(character as u8)) {
            ascii.push(character);
        } else {
            let mut bytes = [0; 4];
            character.encode_utf8(&mut bytes).bytes().for_each(|byte| ascii.push_str(&format!("%{byte:02X}")));
        }
    }
    // In a host of another scheme than those of the web, an escape is no spelling of the character.
    let is_same_host = Url::parse(&ascii).is_ok_and(|escaped| escaped.host_str() == parsed.host_str());
    is_same_host.then_some(Cow::Owned(ascii))
}

/// Converts the host of an absolute URL to its ASCII form. Returns the text unchanged if its host has none.
///
/// ```
/// assert_eq!(absolve_base::ascii_host("http://bücher.example/ü"), "http://xn--bcher-kva.example/ü");
/// ```
pub fn ascii_host(text: &str) -> Cow<'_, str> {
    match host_range(text).and_then(|_| Url::parse(text).ok()) {
        Some(parsed) => with_ascii_host(text, &parsed),
        None => Cow::Borrowed(text),
    }
}

fn with_ascii_host<'t>(text: &'t str, parsed: &Url) -> Cow<'t, str> {
    match (host_range(text), parsed.host_str()) {
        (Some(host), Some(ascii)) => Cow::Owned([&text[..host.start], ascii, &text[host.end..]].concat()),
        _ => Cow::Borrowed(text),
    }
}

/// Returns whether `text` is obviously a URL, without parsing it: a web scheme, a host name of letters, and a path in
/// ASCII.
fn is_plainly_a_url(text: &str) -> bool {
    let Some(rest) = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://")) else { return false };
    let (host, path) = rest.as_bytes().split_at(rest.bytes().position(|byte| byte == b'/').unwrap_or(rest.len()));
    // A host without hyphens and digits is neither in Punycode nor an address.
    host.iter().all(|byte| byte.is_ascii_lowercase() || *byte == b'.')
        && host.last().is_some_and(|last| *last != b'.')
        && path.iter().all(|byte| !needs_escape(*byte))
}

fn needs_escape(byte: u8) -> bool {
    !byte.is_ascii_graphic() || matches!(byte, b'"' | b'<' | b'>' | b'`')
}

/// Returns the range of the host if it is not ASCII.
fn host_range(text: &str) -> Option<std::ops::Range<usize>> {
    let start = authority_start(text)?;
    let end = text[start..].find(['/', '?', '#', '\\']).map_or(text.len(), |length| start + length);
    let start = text[start..end].rfind('@').map_or(start, |at| start + at + 1);
    let end = text[start..end].rfind(':').map_or(end, |colon| start + colon);
    (!text[start..end].is_ascii()).then_some(start..end)
}

#[cfg(test)]
mod tests {
    use super::ascii_url;

    #[test]
    fn the_meaning_stays() {
        for text in [
            "http://bücher.example:80/ä b?ü\"#ö",
            "http://a/%7E{x}|`<>",
            "http://a/`?`#`?`",
            "http://a/#`?`",
            "foo://é/ü?`",
            "http://u:ü@h/é",
            "http:/2/é?http://é/",
            "tag:é://é/",
        ] {
            let ascii = ascii_url(text).map(|text| text.into_owned()).unwrap_or_default();
            assert!(ascii.bytes().all(|byte| byte.is_ascii_graphic()), "{ascii}");
            assert_eq!(url::Url::parse(&ascii), url::Url::parse(text), "{ascii}");
        }
        assert_eq!(ascii_url("http://`/").as_deref(), Some("http://%60/"));
        assert_eq!(ascii_url("foo://`/"), None);
    }

    #[test]
    fn ascii_is_left_alone() {
        assert_eq!(ascii_url("HTTP://A/b(c)'{{x}},").as_deref(), Some("HTTP://A/b(c)'{{x}},"));
        assert_eq!(ascii_url("http://["), None);
    }
}
