//! Retrieval URLs of the files of a tree.

use std::path::{Component, Path};

/// The URL of the file at `path` below a folder whose URL is `root`: the path is appended, percent-encoded
/// byte by byte. A root without a trailing slash gets one, for it names a folder.
///
/// ```
/// use absolve_rewriter::url_below;
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
        for byte in name.as_encoded_bytes() {
            if byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=:@".contains(byte) {
                url.push(char::from(*byte));
            } else {
                url.push_str(&format!("%{byte:02X}"));
            }
        }
    }
    url
}
