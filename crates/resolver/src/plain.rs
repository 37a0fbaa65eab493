//! The fast path for references and bases that all standards treat alike.

use core::ops::Range;

use crate::base_url::BaseUrl;
use crate::standard::Standard;

impl BaseUrl {
    /// Resolves a plain reference by its prefix: returns the text that replaces the first bytes of `reference`, and the
    /// number of these bytes. Returns `None` if the reference requires [`BaseUrl::resolve`].
    ///
    /// A plain reference is a path, possibly with a query and a fragment, of ASCII characters that all standards treat
    /// alike, with dot segments only at its start. Every standard resolves it by appending. It may also be given in its
    /// encoded form in HTML or CSS, because the decoded form is then plain as well.
    ///
    /// ```
    /// use absolve_resolver::{BaseUrl, Standard};
    /// let base = BaseUrl::parse("http://a/b/c/d", Standard::Whatwg)?;
    /// assert_eq!(base.plain_prefix(b"e.html#f"), Some(("http://a/b/c/", 0)));
    /// assert_eq!(base.plain_prefix(b"../e.html"), Some(("http://a/b", 2)));
    /// assert_eq!(base.plain_prefix(b"/e?f"), Some(("http://a", 0)));
    /// assert_eq!(base.plain_prefix(b"e/../f"), None);
    /// # Ok::<(), absolve_resolver::NotABase>(())
    /// ```
    #[inline]
    pub fn plain_prefix(&self, reference: &[u8]) -> Option<(&str, usize)> {
        let mut directory = self.directory.as_deref()?;
        if let [b'/', rest @ ..] = reference {
            let is_plain = self.has_plain_root() && is_plain(rest);
            return is_plain.then(|| (&self.text[..self.path.start], 0));
        }
        let mut rest = reference;
        while let [b'.', after @ ..] = rest {
            rest = match after {
                [b'/', after @ ..] => after,
                [b'.', b'/', after @ ..] => {
                    directory = self.parent(directory)?;
                    after
                }
                _ => return None,
            };
        }
        if !is_plain(rest) {
            return None;
        }
        match reference.len() - rest.len() {
            0 => Some((directory, 0)),
            // The slash after the last dot replaces that of the directory.
            climbed => Some((&directory[..directory.len() - 1], climbed - 1)),
        }
    }

    /// Returns whether the target of `/g` is the base up to its path, and `/g`. This is not so in RFC 1630, which
    /// counts slashes, and for a `file:` base, which may have a drive letter.
    #[inline]
    fn has_plain_root(&self) -> bool {
        self.standard != Standard::Rfc1630 && !self.is_file()
    }

    /// Returns the parent of a directory that ends with a slash, if all standards agree on it.
    fn parent<'b>(&self, directory: &'b str) -> Option<&'b str> {
        let root_length = self.path.start + 1;
        let inside = directory.get(root_length..)?.strip_suffix('/')?;
        let start = inside.bytes().rposition(|byte| byte == b'/').map_or(0, |slash| slash + 1);
        let is_ordinary = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
        let segment = &inside.as_bytes()[start..];
        (segment.first().is_some_and(u8::is_ascii_alphanumeric) && segment.iter().all(|byte| is_ordinary(*byte)))
            .then(|| &directory[..root_length + start])
    }
}

/// Returns the length of the scheme, the path and the directory of a base that all standards treat alike. Such a base is a web
/// URL of ordinary characters, without dot segments, query and fragment.
pub(crate) fn plain_base(text: &str) -> Option<(usize, Range<usize>, &str)> {
    let scheme = ["https", "http"].into_iter().find(|scheme| text.starts_with(scheme))?;
    let rest = text[scheme.len()..].strip_prefix("://")?;
    let (authority, path) = rest.split_at(rest.bytes().position(|byte| byte == b'/').filter(|length| *length > 0)?);
    let is_host = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b':');
    let is_plain = authority.bytes().all(is_host) && (path == "/" || is_plain_path(&path.as_bytes()[1..]));
    let directory = &text[..=text.bytes().rposition(|byte| byte == b'/')?];
    is_plain.then(|| (scheme.len(), text.len() - path.len()..text.len(), directory))
}

fn is_plain_path(path: &[u8]) -> bool {
    is_plain(path) && !path.iter().any(|byte| matches!(byte, b'?' | b'#'))
}

/// Returns whether every standard appends `reference` to the directory of the base. It then has no dot segments, no
/// empty components, and only characters that all standards treat alike.
#[inline]
fn is_plain(reference: &[u8]) -> bool {
    let mut at = 0;
    while let Some(ordinary) = reference[at..].iter().position(|byte| PLAIN[usize::from(*byte)] != Plain::Ordinary) {
        at += ordinary;
        match PLAIN[usize::from(reference[at])] {
            // At the start, as after a slash, no segment may begin with a dot or be empty.
            Plain::DotOrSlash if at > 0 && reference[at - 1] != b'/' => at += 1,
            Plain::Mark if at > 0 => return is_plain_behind_mark(&reference[at..]),
            _ => return false,
        }
    }
    !reference.is_empty()
}

/// Matches a query, a fragment or both, none of them empty.
fn is_plain_behind_mark(text: &[u8]) -> bool {
    match (text[0], text.iter().position(|byte| *byte == b'#')) {
        (b'?', Some(crosshatch)) => is_component(&text[1..crosshatch]) && is_component(&text[crosshatch + 1..]),
        _ => is_component(&text[1..]),
    }
}

/// Matches a query or a fragment. An ampersand may begin a character reference, of which only numeric ones, `&Tab;` and
/// `&NewLine;` may decode to a character that is not plain.
fn is_component(text: &[u8]) -> bool {
    let is_plain = |(index, byte): (usize, &u8)| match PLAIN[usize::from(*byte)] {
        Plain::No | Plain::Mark => false,
        Plain::Ampersand => !matches!(text.get(index + 1), None | Some(b'#' | b'T' | b'N')),
        _ => true,
    };
    // Most are ordinary, which takes no branch for each byte.
    let is_ordinary = |all: bool, byte: &u8| all & (PLAIN[usize::from(*byte)] == Plain::Ordinary);
    !text.is_empty() && (text.iter().fold(true, is_ordinary) || text.iter().enumerate().all(is_plain))
}

/// Where a plain reference may contain a byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Plain {
    No,
    /// Anywhere.
    Ordinary,
    /// In a path, not at the start of a segment.
    DotOrSlash,
    /// Before a query or a fragment.
    Mark,
    /// In a query or a fragment.
    Behind,
    /// In a query or a fragment, unless it may begin the character reference of white space.
    Ampersand,
}

static PLAIN: [Plain; 256] = {
    let mut table = [Plain::No; 256];
    let mut byte = 0_u8;
    while byte < 128 {
        table[byte as usize] = match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'~' | b'+' | b',' | b'=' | b'$' | b'!' | b'*' => {
                Plain::Ordinary
            }
            b'.' | b'/' => Plain::DotOrSlash,
            b'?' | b'#' => Plain::Mark,
            b'%' | b':' | b';' | b'(' | b')' => Plain::Behind,
            b'&' => Plain::Ampersand,
            _ => Plain::No,
        };
        byte += 1;
    }
    table
};
