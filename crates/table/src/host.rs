//! Hosts of URLs.

use std::borrow::Cow;

use url::Url;

/// Returns the host of a URL in the form of the URL Standard, without user and port; `None` if it has none, or is that of a file.
///
/// ```
/// use absolve_table::host_of;
/// assert_eq!(host_of("http://user@EXAMPLE.org:80/").as_deref(), Some("example.org"));
/// assert_eq!(host_of("mailto:ann@example.org"), None);
/// ```
pub fn host_of(url: &str) -> Option<Cow<'_, str>> {
    if let Some(host) = plain_host(url) {
        return Some(host.into());
    }
    let url = Url::parse(url).ok()?;
    named_host(&url).map(|host| host.to_owned().into())
}

/// Returns the host of a URL that names one of the network.
pub(crate) fn named_host(url: &Url) -> Option<&str> {
    url.host_str().filter(|host| !host.is_empty() && url.scheme() != "file")
}

/// Returns the host of a web URL if it is certainly in the form of the URL Standard: a name in lower case, whose last label is no
/// number and none of whose labels may be in Punycode.
fn plain_host(url: &str) -> Option<&str> {
    let rest = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"))?;
    let length = rest.bytes().take_while(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.')).count();
    let host = &rest[..length];
    let ends = matches!(rest.as_bytes().get(length), None | Some(b'/' | b'?' | b'#'));
    let is_name = host.bytes().next_back().is_some_and(|last| last.is_ascii_lowercase());
    // `0x7f` is a number in lower case.
    let last = host.rsplit('.').next().unwrap_or_default();
    let is_number = last.starts_with(|first: char| first.is_ascii_digit());
    (ends && is_name && !is_number && !host.contains("xn--")).then_some(host)
}
