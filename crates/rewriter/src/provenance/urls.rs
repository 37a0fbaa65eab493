//! URLs of pages and of files.

use std::path::{Component, Path};

pub use absolve_resolver::{is_page_url, without_login};
use percent_encoding::percent_decode_str;

/// Returns whether two URLs have the same host, and the same port if one is not the usual one.
pub(crate) fn has_host(url: &str, other: &str) -> bool {
    host(url).eq_ignore_ascii_case(host(other))
}

/// Returns the host of a URL, and its port if that is not the usual one.
pub(crate) fn host(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let authority = &rest[..rest.find(['/', '\\', '?', '#']).unwrap_or(rest.len())];
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    [":80", ":443"].iter().find_map(|port| host.strip_suffix(port)).unwrap_or(host)
}

/// Returns the URL of the file at `path` below a folder with the URL `root`. The path is appended, percent-encoded byte
/// by byte, after a slash.
///
/// ```
/// use absolve_rewriter::internal::url_below;
/// assert_eq!(url_below("http://h/docs", "a b/c.html".as_ref()), "http://h/docs/a%20b/c.html");
/// ```
pub fn url_below(root: &str, path: &Path) -> String {
    let end = root.find(['?', '#']).unwrap_or(root.len());
    let mut url = root[..end].to_owned();
    for component in path.components() {
        let Component::Normal(name) = component else { continue };
        if !url.ends_with('/') {
            url.push('/');
        }
        url.push_str(&escaped(name.as_encoded_bytes(), b""));
    }
    url
}

/// Returns a name as a segment of a path, percent-encoded except for `kept`.
pub fn escaped(name: &[u8], kept: &[u8]) -> String {
    let mut text = String::with_capacity(name.len());
    for byte in name {
        if byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=:@".contains(byte) || kept.contains(byte) {
            text.push(char::from(*byte));
        } else {
            text.push_str(&format!("%{byte:02X}"));
        }
    }
    text
}

/// Returns the path with slashes between its names; `None` if it is not UTF-8.
pub fn slashed(path: &Path) -> Option<String> {
    let names: Option<Vec<&str>> = path.components().map(|name| name.as_os_str().to_str()).collect();
    Some(names?.join("/"))
}

/// Returns the bytes of a text without its percent-encoding; a `%` that begins no escape stands for itself.
///
/// ```
/// assert_eq!(absolve_rewriter::internal::decode_percent("a%20b%"), b"a b%");
/// ```
pub fn decode_percent(text: &str) -> Vec<u8> {
    percent_decode_str(text).collect()
}
