//! The tokens of CSS that matter for references (CSS Syntax Level 3, section 4).

use std::borrow::Cow;
use std::ops::Range;

use crate::value::wrapping::Wrapping;

/// Returns the next byte from `at` that begins a string, comment, escape, function or at-rule, or with `follows_blocks`
/// opens or closes a block.
#[inline]
pub(super) fn next_stop(css: &[u8], at: usize, follows_blocks: bool) -> usize {
    let classes = if follows_blocks { STOP | BLOCK } else { STOP };
    // The next stop is usually far, which makes strides worth while.
    let (strides, _) = css[at.min(css.len())..].as_chunks::<8>();
    let seen = |stride: &[u8; 8]| stride.iter().fold(0, |seen, byte| seen | CLASS[usize::from(*byte)]);
    let passed = strides.iter().take_while(|stride| seen(stride) & classes == 0).count();
    next_of(classes, css, at + 8 * passed)
}

/// Returns the content of the string at `at`, unless a line end breaks it, and its end.
pub(super) fn string(css: &[u8], at: usize) -> (Option<Range<usize>>, usize) {
    let quote = css[at];
    let start = at + 1;
    let mut end = start;
    loop {
        end = next_of(IN_STRING, css, end);
        match css.get(end) {
            None => return (Some(start..css.len()), css.len()),
            Some(byte) if *byte == quote => return (Some(start..end), end + 1),
            Some(b'"' | b'\'') => end += 1,
            // An escaped line end does not break it.
            Some(b'\\') if css[end + 1..].starts_with(b"\r\n") => end += 3,
            Some(b'\\') => end += escape_length(css, end),
            Some(_) => return (None, end),
        }
    }
}

/// Returns the content of an unquoted URL, unless it is a bad URL, and its end. `at` is the byte after the parenthesis.
/// Returns `None` if a string follows: then `url(` is a function.
pub(super) fn unquoted_url(css: &[u8], at: usize) -> Option<(Option<Range<usize>>, usize)> {
    let start = skip_space(css, at);
    let mut end = start;
    if matches!(css.get(start), Some(b'"' | b'\'')) {
        return None;
    }
    loop {
        end = next_of(IN_URL, css, end);
        match css.get(end) {
            None => return Some((Some(start..end), end)),
            Some(b')') => return Some((Some(start..end), end + 1)),
            Some(b'\\') if !ends_line(css.get(end + 1)) => end += escape_length(css, end),
            Some(byte) if is_space(*byte) => {
                let after = skip_space(css, end);
                return Some(match css.get(after) {
                    None => (Some(start..end), after),
                    Some(b')') => (Some(start..end), after + 1),
                    Some(_) => (None, bad_url_end(css, after)),
                });
            }
            Some(_) => return Some((None, bad_url_end(css, end))),
        }
    }
}

/// Returns the name of the at-keyword at `at`, and its end.
pub(super) fn at_keyword(css: &str, at: usize) -> (Cow<'_, str>, usize) {
    let bytes = css.as_bytes();
    let start = at + 1;
    let mut end = start;
    loop {
        match bytes.get(end) {
            Some(byte) if is_name(*byte) => end += 1,
            Some(b'\\') if !ends_line(bytes.get(end + 1)) => end += escape_length(bytes, end),
            _ => return (unescaped(&css[start..end]), end),
        }
    }
}

/// Reads names backwards, from their ends, because most names do not matter.
#[derive(Debug, Default)]
pub(super) struct Names {
    /// The part of a name up to its last escape so far.
    escaped: Range<usize>,
}

impl Names {
    /// Passes the escape at `at`. Returns its end.
    pub(super) fn escape(&mut self, css: &str, at: usize) -> usize {
        let bytes = css.as_bytes();
        if ends_line(bytes.get(at + 1)) {
            return at + 1;
        }
        let end = at + escape_length(bytes, at);
        self.escaped = self.start(bytes, at)..end;
        end
    }

    /// Passes a token that ends at `end`. The next name begins there or later.
    pub(super) const fn pass(&mut self, end: usize) {
        self.escaped = end..end;
    }

    /// Returns the name of the function whose parenthesis is at `at`.
    pub(super) fn of_function<'c>(&self, css: &'c str, at: usize) -> Option<Cow<'c, str>> {
        let start = self.start(css.as_bytes(), at);
        let is_of_other = matches!(css.as_bytes()[..start].last(), Some(b'#' | b'@'));
        let is_name = begins_name(&css.as_bytes()[start..at]) && !is_of_other;
        let has_escapes = start < self.escaped.end;
        is_name.then(|| if has_escapes { unescaped(&css[start..at]) } else { Cow::Borrowed(&css[start..at]) })
    }

    /// Returns whether `src=` precedes the value at `at`.
    pub(super) fn is_of_source(&self, css: &str, at: usize) -> bool {
        self.before(css, at, '=').is_some_and(|name| name.eq_ignore_ascii_case("src"))
    }

    /// Returns whether the value at `at` is that of a filter property.
    pub(super) fn is_of_filter(&self, css: &str, at: usize) -> bool {
        let is_filter = |name: &str| name.eq_ignore_ascii_case("filter") || name.eq_ignore_ascii_case("-ms-filter");
        self.before(css, at, ':').is_some_and(|name| is_filter(&name))
    }

    /// Returns the name before `separator`, if that precedes `at`.
    fn before<'c>(&self, css: &'c str, at: usize, separator: char) -> Option<Cow<'c, str>> {
        let name = css[self.escaped.end..at].trim_ascii_end().strip_suffix(separator)?.trim_ascii_end();
        self.of_function(css, self.escaped.end + name.len())
    }

    /// Returns the start of the name that ends at `end`.
    fn start(&self, css: &[u8], end: usize) -> usize {
        let mut start = end;
        while start > self.escaped.end && is_name(css[start - 1]) {
            start -= 1;
        }
        if start == self.escaped.end && !self.escaped.is_empty() {
            self.escaped.start
        } else if css[start..end].starts_with(b"--") && css[self.escaped.end..start].ends_with(b"<!") {
            // The end of `<!--`, which is a token of its own.
            start + 2
        } else {
            start
        }
    }
}

/// Returns whether `text` begins like a name and not like a number.
fn begins_name(text: &[u8]) -> bool {
    let is_start =
        |byte: Option<&u8>| byte.is_some_and(|byte| (is_name(*byte) && !byte.is_ascii_digit()) || *byte == b'\\');
    match text.first() {
        Some(b'-') => is_start(text.get(1)),
        first => is_start(first),
    }
}

fn unescaped(name: &str) -> Cow<'_, str> {
    if name.contains('\\') { Wrapping::CssUrl.decode(name).0.into() } else { name.into() }
}

/// Returns the end of a bad URL, after its parenthesis.
fn bad_url_end(css: &[u8], mut at: usize) -> usize {
    loop {
        match css.get(at) {
            None => return at,
            Some(b')') => return at + 1,
            Some(b'\\') if !ends_line(css.get(at + 1)) => at += escape_length(css, at),
            Some(_) => at += 1,
        }
    }
}

/// The length of the escape that begins at `at`.
fn escape_length(css: &[u8], at: usize) -> usize {
    let after = &css[at + 1..];
    let digits = after.iter().take(6).take_while(|byte| byte.is_ascii_hexdigit()).count();
    if digits == 0 {
        let character = after.first().map_or(0, |first| match first {
            0xF0.. => 4,
            0xE0.. => 3,
            0xC0.. => 2,
            _ => 1,
        });
        return 1 + character;
    }
    let space = match &after[digits..] {
        [b'\r', b'\n', ..] => 2,
        [byte, ..] if is_space(*byte) => 1,
        _ => 0,
    };
    1 + digits + space
}

fn skip_space(css: &[u8], at: usize) -> usize {
    at + css[at..].iter().take_while(|byte| is_space(**byte)).count()
}

const fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | b'\x0c')
}

const fn ends_line(byte: Option<&u8>) -> bool {
    matches!(byte, Some(b'\n' | b'\r' | b'\x0c'))
}

const fn is_name(byte: u8) -> bool {
    CLASS[byte as usize] & NAME != 0
}

/// Returns the next byte of one of these classes, from `at` on.
#[inline(always)]
fn next_of(classes: u8, css: &[u8], mut at: usize) -> usize {
    while css.get(at).is_some_and(|byte| CLASS[usize::from(*byte)] & classes == 0) {
        at += 1;
    }
    at
}

/// Begins a token that matters.
const STOP: u8 = 1;
/// Begins or ends a block or a statement.
const BLOCK: u8 = 2;
/// A character of names. A NUL is decoded as U+FFFD, which is one.
const NAME: u8 = 4;
/// Ends a string, or may do so.
const IN_STRING: u8 = 8;
/// Ends an unquoted URL, or may do so.
const IN_URL: u8 = 16;

const CLASS: [u8; 256] = {
    let mut class = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        class[byte] = match byte as u8 {
            b'"' | b'\'' | b'\\' => STOP | IN_STRING | IN_URL,
            b'(' => STOP | IN_URL,
            b'/' | b'@' => STOP,
            b')' => BLOCK | IN_URL,
            b'[' | b'{' | b']' | b'}' | b';' => BLOCK,
            b'\n' | b'\r' | b'\x0c' => IN_STRING | IN_URL,
            b'\t' | b' ' | 0x01..=0x08 | 0x0B | 0x0E..=0x1F | 0x7F => IN_URL,
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | 0 | 0x80.. => NAME,
            _ => 0,
        };
        byte += 1;
    }
    class
};
