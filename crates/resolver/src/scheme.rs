//! Scheme names, and their use with relative references.

use alloc::borrow::Cow;

/// Whether the URLs of a scheme follow the generic syntax (draft-ietf-uri-relative-url-06, section 2.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RelativeUse {
    /// Never used with relative references: `mailto`, `news`, `telnet`.
    Never,
    /// Usable if the base follows the generic syntax: `gopher`, `prospero`, `wais`.
    Sometimes,
    /// Always parsed by the generic syntax: `file`, `ftp`, `http`, `nntp`.
    Always,
    /// The draft does not name the scheme.
    Unlisted,
}

impl RelativeUse {
    /// Returns the class of `scheme`, ignoring case.
    ///
    /// `https` is more recent than the draft, and has the class of `http`.
    ///
    /// ```
    /// use absolve_resolver::RelativeUse;
    /// assert_eq!(RelativeUse::of("MAILTO"), RelativeUse::Never);
    /// assert_eq!(RelativeUse::of("ftp"), RelativeUse::Always);
    /// ```
    pub fn of(scheme: &str) -> Self {
        let is_one_of = |names: &[&str]| names.iter().any(|name| name.eq_ignore_ascii_case(scheme));
        if is_one_of(&["mailto", "news", "telnet"]) {
            Self::Never
        } else if is_one_of(&["gopher", "prospero", "wais"]) {
            Self::Sometimes
        } else if is_one_of(&["file", "ftp", "http", "https", "nntp"]) {
            Self::Always
        } else {
            Self::Unlisted
        }
    }

    /// Returns the name of the class: `never`, `sometimes`, `always` or `unlisted`.
    ///
    /// ```
    /// use absolve_resolver::RelativeUse;
    /// assert_eq!(RelativeUse::of("wais").name(), "sometimes");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Self::Never => "never",
            Self::Sometimes => "sometimes",
            Self::Always => "always",
            Self::Unlisted => "unlisted",
        }
    }
}

/// Returns the scheme of a text by RFC 3986 section 3.1: a letter, then letters, digits, `+`, `-`, `.`.
///
/// ```
/// use absolve_resolver::scheme_of_3986;
/// assert_eq!((scheme_of_3986("WSS://h/"), scheme_of_3986("d?a:b")), (Some("WSS"), None));
/// ```
pub fn scheme_of_3986(text: &str) -> Option<&str> {
    scheme_of_1808(text).filter(|scheme| scheme.as_bytes()[0].is_ascii_alphabetic())
}

/// Returns the scheme of a text by draft-ietf-uri-relative-url-06 section 2.4.2, which may begin with a digit.
pub(crate) fn scheme_of_1808(text: &str) -> Option<&str> {
    let end = text.bytes().position(|byte| !is_scheme_byte(byte))?;
    (end > 0 && text.as_bytes()[end] == b':').then(|| &text[..end])
}

/// Returns where the authority of a URL begins: the byte behind its scheme and `://`; `None` if it has none.
///
/// ```
/// assert_eq!(absolve_resolver::authority_start("http://h/"), Some(7));
/// assert_eq!(absolve_resolver::authority_start("tag:x?of=http://h/"), None);
/// ```
pub fn authority_start(url: &str) -> Option<usize> {
    let scheme = scheme_of_3986(url)?;
    url[scheme.len()..].starts_with("://").then_some(scheme.len() + "://".len())
}

/// Returns whether this is a special scheme of the URL Standard, section 4.2.
///
/// ```
/// assert!(absolve_resolver::is_special("HTTPS") && !absolve_resolver::is_special("mailto"));
/// ```
pub fn is_special(scheme: &str) -> bool {
    ["http", "https", "file", "ftp", "ws", "wss"].iter().any(|name| name.eq_ignore_ascii_case(scheme))
}

pub(crate) fn is_file(scheme: &str) -> bool {
    scheme.eq_ignore_ascii_case("file")
}

fn is_scheme_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.')
}

/// Returns whether URLs of a scheme have the same meaning everywhere, and a hierarchy.
///
/// ```
/// use absolve_resolver::is_portable;
/// assert!(is_portable("http") && !is_portable("file") && !is_portable("mailto"));
/// ```
pub fn is_portable(scheme: &str) -> bool {
    const MEANINGLESS_ELSEWHERE: [&str; 9] =
        ["file", "cid", "mid", "thismessage", "about", "blob", "mhtml", "filesystem", "wyciwyg"];
    // Nearly all bases.
    if matches!(scheme, "http" | "https") {
        return true;
    }
    !MEANINGLESS_ELSEWHERE.iter().any(|name| name.eq_ignore_ascii_case(scheme))
        && RelativeUse::of(scheme) != RelativeUse::Never
}

/// Returns whether a `Content-Location` declares no base: it names its part (`cid:`), as Chromium writes for a `<style>`, or
/// says that there is no place (`about:`, and `wyciwyg:`, as WebKitGTK writes for frames).
///
/// ```
/// assert!(absolve_resolver::is_no_place("cid:css-1@mhtml.blink") && !absolve_resolver::is_no_place("http://h/"));
/// ```
pub fn is_no_place(location: &str) -> bool {
    let scheme = location.split(':').next().filter(|scheme| scheme.len() < location.len());
    scheme.is_some_and(|scheme| ["cid", "about", "wyciwyg"].iter().any(|name| scheme.eq_ignore_ascii_case(name)))
}

/// Returns whether a URL is an http or https URL of a page; a mark may contain anything.
///
/// ```
/// use absolve_resolver::is_page_url;
/// assert!(is_page_url("http://h/") && !is_page_url("http://localhost/") && !is_page_url("http://h/ x"));
/// ```
pub fn is_page_url(url: &str) -> bool {
    let start = url.get(..8).unwrap_or(url).to_ascii_lowercase();
    // The last one replaces invalid UTF-8.
    let is_plain = |character: char| !character.is_whitespace() && !character.is_control() && character != '\u{FFFD}';
    let is_here = ["http://localhost", "http://localhost/"].contains(&url);
    (start.starts_with("http://") || start.starts_with("https://")) && url.chars().all(is_plain) && !is_here
}

/// Returns a text that holds a URL without the user name and the password in it.
///
/// ```
/// assert_eq!(absolve_resolver::without_login("at http://u:p@h/"), "at http://h/");
/// ```
pub fn without_login(text: &str) -> Cow<'_, str> {
    let is_begun = text.contains('@').then(|| text.find("://")).flatten();
    let Some(start) = is_begun.map(|colon| colon + "://".len()) else { return Cow::Borrowed(text) };
    let end = text[start..].find(['/', '?', '#']).map_or(text.len(), |end| start + end);
    match text[start..end].rfind('@') {
        Some(at) => Cow::Owned([&text[..start], &text[start + at + 1..]].concat()),
        None => Cow::Borrowed(text),
    }
}
