//! URLs in the values of header fields.

use std::borrow::Cow;

use encoding_rs::WINDOWS_1252;
use mail_parser::HeaderValue;
use mail_parser::parsers::MessageStream;

use crate::comments::without_comments;

/// The URL that a header field declares.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct FieldUrl {
    /// The URL.
    pub url: String,
    /// Whether its characters are a guess: its bytes are not UTF-8, and nothing names their charset.
    pub is_guess: bool,
}

impl FieldUrl {
    /// Returns the URL in a raw header field value.
    ///
    /// Lines are unfolded: line breaks and the white space after each are removed (RFC 2557, section 4.4.2). Encoded words
    /// (RFC 2047) are decoded. Comments, and quotes, angle brackets and `URL:` around the URL, are removed. Within angle brackets all
    /// white space is removed, as in the appendix of both drafts of relative URLs. Elsewhere a space becomes `%20`, as in browsers. A
    /// parenthesis begins a comment only at the start or after white space, because URLs may contain parentheses.
    ///
    /// Bytes that are not UTF-8 are read as windows-1252, as old programs wrote them. That is good enough to find a part of the same
    /// message by it, and no more.
    ///
    /// ```
    /// use absolve_framing::FieldUrl;
    /// let read = |value: &[u8]| FieldUrl::of(value).url;
    /// assert_eq!(read(b" \"http://a/b\" (the mirror)\r\n"), "http://a/b");
    /// assert_eq!(read(b" http://a/b_(c)\r\n"), "http://a/b_(c)");
    /// assert_eq!(read(b" http://a/\r\n b c\r\n"), "http://a/b%20c");
    /// assert_eq!(read(b" <URL:http://a/\r\n b c>\r\n"), "http://a/bc");
    /// assert_eq!(FieldUrl::of(b" http://a/B\xFCro/\r\n"), FieldUrl { url: "http://a/Büro/".into(), is_guess: true });
    /// assert!(!FieldUrl::of(b" http://a/ (B\xFCro)\r\n").is_guess);
    /// ```
    pub fn of(raw: &[u8]) -> Self {
        let unfolded = unfolded(raw);
        let (line, is_utf_8) = match str::from_utf8(&unfolded) {
            Ok(line) => (Cow::Borrowed(line), true),
            Err(_) => (WINDOWS_1252.decode_without_bom_handling(&unfolded).0, false),
        };
        let url = url_in(&decoded_words(line));
        // An encoded word may hold what its charset has not.
        let is_guess = !url.is_ascii() && (!is_utf_8 || url.contains(char::REPLACEMENT_CHARACTER));
        Self { url, is_guess }
    }
}

/// Returns whether the value of an `Archived-At` has more than the one URL that is allowed (RFC 5064, section 2.1).
///
/// ```
/// use absolve_framing::holds_several_urls;
/// assert!(holds_several_urls(b" <http://h/a> <http://h/b>") && !holds_several_urls(b" <http://h/a> (first)"));
/// ```
pub fn holds_several_urls(value: &[u8]) -> bool {
    let urls = without_comments(value);
    match urls.trim_ascii().strip_prefix(b"<") {
        Some(rest) => memchr::memchr(b'>', rest).is_some_and(|end| end + 1 < rest.len()),
        // A long URL is folded within its brackets only.
        None => urls.trim_ascii().iter().any(u8::is_ascii_whitespace),
    }
}

fn url_in(line: &str) -> String {
    let text = url_without_comments(line);
    let text = text.trim().trim_matches('"').trim();
    // A bracket within a URL is part of it, as in a query.
    let bracketed = text.strip_prefix('<').map(|after| after.split_once('>').map_or(after, |(inside, _)| inside));
    let url = bracketed.unwrap_or(text).trim().trim_matches('"').trim();
    let url = match url.get(..4) {
        Some(prefix) if prefix.eq_ignore_ascii_case("URL:") => url[4..].trim(),
        _ => url,
    };
    match bracketed {
        Some(_) => url.split_whitespace().collect(),
        None => url.replace(' ', "%20").split_whitespace().collect(),
    }
}

/// Unfolds a value. A comment, and encoded words, stay separate from the text before the line break.
fn unfolded(raw: &[u8]) -> Vec<u8> {
    let mut line = Vec::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(at) = memchr::memchr2(b'\r', b'\n', rest) {
        line.extend_from_slice(&rest[..at]);
        let space = rest[at..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        rest = &rest[at + space..];
        if rest.starts_with(b"(") || (line.ends_with(b"?=") && rest.starts_with(b"=?")) {
            line.push(b' ');
        }
    }
    line.extend_from_slice(rest);
    line
}

fn decoded_words(line: Cow<'_, str>) -> Cow<'_, str> {
    if !line.contains("=?") {
        return line;
    }
    // The parser requires a line end.
    match MessageStream::new(format!("{line}\n").as_bytes()).parse_unstructured() {
        HeaderValue::Text(text) => text.into_owned().into(),
        _ => Cow::Borrowed(""),
    }
}

fn url_without_comments(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let (mut depth, mut quoted) = (0_usize, false);
    for character in text.chars() {
        match character {
            '(' if depth > 0 || (!quoted && (kept.is_empty() || kept.ends_with(char::is_whitespace))) => depth += 1,
            ')' if depth > 0 => depth -= 1,
            _ if depth > 0 => {}
            _ => {
                // A URL in quotes or angle brackets contains no comments.
                quoted ^= matches!(character, '"' | '<' | '>');
                kept.push(character);
            }
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::FieldUrl;

    #[test]
    fn brackets_within_a_url_belong_to_it() {
        for (value, url) in [
            (" http://h/list?from=<http://other/x/>\r\n", "http://h/list?from=<http://other/x/>"),
            (" http://h/?q=<b>\n", "http://h/?q=<b>"),
            (" \"<URL:http://h/>\" (the page)\n", "http://h/"),
            (" (the page) < http://h/ >\n", "http://h/"),
        ] {
            assert_eq!(FieldUrl::of(value.as_bytes()).url, url, "{value}");
        }
    }

    #[test]
    fn keeps_a_space_in_a_base() {
        for (value, url) in [
            (" http://h/a b/d.html\r\n", "http://h/a%20b/d.html"),
            (" http://h/a  b\n", "http://h/a%20%20b"),
            (" =?us-ascii?Q?http://h/a=20b/d.html?=\r\n", "http://h/a%20b/d.html"),
            (" =?us-ascii?Q?http://h/a?=\r\n =?us-ascii?Q?=20b/?=\r\n", "http://h/a%20b/"),
            (" http://h/a\r\n\t b/ (a comment)\r\n", "http://h/ab/"),
            (" \"http://h/a b\"\r\n (a comment)\r\n", "http://h/a%20b"),
            ("\r\n http://h/a b\r\n", "http://h/a%20b"),
            (" URL:http://h/a b\r\n", "http://h/a%20b"),
            (" <http://h/a b/>\r\n", "http://h/ab/"),
            (" <URL: http://h/a\r\n b c/>\r\n", "http://h/abc/"),
        ] {
            assert_eq!(FieldUrl::of(value.as_bytes()).url, url, "{value:?}");
        }
    }
}
