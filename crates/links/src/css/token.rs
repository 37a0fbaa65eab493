//! The tokens of CSS that matter for references (CSS Syntax Level 3, section 4).

use std::borrow::Cow;
use std::ops::Range;

use memchr::memmem;

use crate::markup::find::{any_of, next, up_to};
use crate::markup::space::is_space;
use crate::value::placeholder::holds_expression;
use crate::value::wrapping::Wrapping;

/// Returns the next byte from `at` that begins a string, comment, escape, function or at-rule, or with `follows_blocks`
/// opens or closes a block.
#[inline]
pub(super) fn next_stop(css: &[u8], at: usize, follows_blocks: bool) -> usize {
    let stops = any_of(*b"\"'\\(/@");
    match follows_blocks {
        true => next(css, at, |bytes| stops(bytes) | any_of(*b")[]{};")(bytes)),
        false => next(css, at, stops),
    }
}

/// Returns whether the name before the parenthesis at `open` may end that of a function with references: `url`, `src`,
/// `image`, `image-set`, `AlphaImageLoader`.
#[inline]
pub(super) fn may_take_references(css: &[u8], open: usize) -> bool {
    const fn word(end: [u8; 3]) -> u32 {
        // A bit that letters differ in by case.
        u32::from_le_bytes([end[0] | 0x20, end[1] | 0x20, end[2] | 0x20, 0])
    }
    const ENDS: [u32; 5] = [word(*b"url"), word(*b"src"), word(*b"set"), word(*b"age"), word(*b"der")];
    css[..open].last_chunk().is_some_and(|end| ENDS.contains(&word(*end)))
}

/// Returns the end of the string, comment, name or URL that begins at `at`, or the next byte.
pub(super) fn end(css: &[u8], at: usize) -> usize {
    match &css[at..] {
        [b'"' | b'\'', ..] => string(css, at).1.max(at + 1),
        [b'/', b'*', ..] => memmem::find(&css[at + 2..], b"*/").map_or(css.len(), |length| at + 2 + length + 2),
        _ => {
            let (name, end) = name(css, at);
            let is_url = css.get(end) == Some(&b'(') && name.eq_ignore_ascii_case(b"url");
            let url = if is_url { unquoted_url(css, end + 1) } else { None };
            url.map_or(end.max(at + 1), |(_, end)| end)
        }
    }
}

/// Returns the content of the string at `at`, unless a line end breaks it, and its end.
pub(super) fn string(css: &[u8], at: usize) -> (Option<Range<usize>>, usize) {
    let quote = css[at];
    let start = at + 1;
    let mut end = start;
    loop {
        end = next(css, end, any_of([quote, b'\\', b'\n', b'\r', b'\x0c']));
        match css.get(end) {
            None => return (Some(start..css.len()), css.len()),
            Some(byte) if *byte == quote => return (Some(start..end), end + 1),
            // An escaped line end does not break it.
            Some(b'\\') if css[end + 1..].starts_with(b"\r\n") => end += 3,
            Some(b'\\') => end += escape_length(css, end),
            Some(_) => return (None, end),
        }
    }
}

/// Returns the content of a string that is all of a function's arguments, and the end of the function. `at` is the byte
/// after the parenthesis.
pub(super) fn only_string(css: &[u8], at: usize) -> Option<(Range<usize>, usize)> {
    let start = skip_space(css, at);
    if !matches!(css.get(start), Some(b'"' | b'\'')) {
        return None;
    }
    let (inside, end) = string(css, start);
    let end = skip_space(css, end);
    Some((inside?, end + 1)).filter(|_| css.get(end) == Some(&b')'))
}

/// Returns the content of an unquoted URL, unless it is a bad URL without a placeholder, and its end. `at` is the byte after the parenthesis.
/// Returns `None` if a string follows: then `url(` is a function.
pub(super) fn unquoted_url(css: &[u8], at: usize) -> Option<(Option<Range<usize>>, usize)> {
    let start = skip_space(css, at);
    let mut end = start;
    if matches!(css.get(start), Some(b'"' | b'\'')) {
        return None;
    }
    loop {
        end = next(css, end, |bytes| up_to(b' ')(bytes) | any_of(*b")\\\"'(\x7F")(bytes));
        match css.get(end) {
            None => return Some((Some(start..end), end)),
            // It is decoded as U+FFFD.
            Some(0) => end += 1,
            Some(b')') => return Some((Some(start..end), end + 1)),
            Some(b'\\') if !ends_line(css.get(end + 1)) => end += escape_length(css, end),
            Some(byte) if is_space(*byte) => {
                let after = skip_space(css, end);
                return Some(match css.get(after) {
                    None => (Some(start..end), after),
                    Some(b')') => (Some(start..end), after + 1),
                    Some(_) => bad_url(css, start, after),
                });
            }
            Some(_) => return Some(bad_url(css, start, end)),
        }
    }
}

/// Returns the name of the at-keyword at `at`, and its end.
pub(super) fn at_keyword(css: &[u8], at: usize) -> (Cow<'_, [u8]>, usize) {
    name(css, at + 1)
}

/// Returns the name that begins at `start`, without escapes, and its end.
pub(super) fn name(css: &[u8], start: usize) -> (Cow<'_, [u8]>, usize) {
    let mut end = start;
    loop {
        match css.get(end) {
            Some(byte) if is_name(*byte) => end += 1,
            Some(b'\\') if !ends_line(css.get(end + 1)) => end += escape_length(css, end),
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
    pub(super) fn escape(&mut self, css: &[u8], at: usize) -> usize {
        if ends_line(css.get(at + 1)) {
            return at + 1;
        }
        let end = at + escape_length(css, at);
        self.escaped = self.start(css, at)..end;
        end
    }

    /// Passes a token that ends at `end`. The next name begins there or later.
    pub(super) const fn pass(&mut self, end: usize) {
        self.escaped = end..end;
    }

    /// Returns whether a name that ends here may contain an escape.
    pub(super) const fn may_be_escaped(&self) -> bool {
        self.escaped.start < self.escaped.end
    }

    /// Returns the name of the function whose parenthesis is at `at`.
    pub(super) fn of_function<'c>(&self, css: &'c [u8], at: usize) -> Option<Cow<'c, [u8]>> {
        let start = self.start(css, at);
        let is_of_other = matches!(css[..start].last(), Some(b'#' | b'@'));
        let is_name = begins_name(&css[start..at]) && !is_of_other;
        let has_escapes = start < self.escaped.end;
        is_name.then(|| if has_escapes { unescaped(&css[start..at]) } else { Cow::Borrowed(&css[start..at]) })
    }

    /// Returns whether `src=` precedes the value at `at`.
    pub(super) fn is_of_source(&self, css: &[u8], at: usize) -> bool {
        self.before(css, at, b"=").is_some_and(|name| name.eq_ignore_ascii_case(b"src"))
    }

    /// Returns whether the value at `at` is that of a filter property.
    pub(super) fn is_of_filter(&self, css: &[u8], at: usize) -> bool {
        let is_filter = |name: &[u8]| name.eq_ignore_ascii_case(b"filter") || name.eq_ignore_ascii_case(b"-ms-filter");
        self.before(css, at, b":").is_some_and(|name| is_filter(&name))
    }

    /// Returns the name before `separator`, if that precedes `at`.
    fn before<'c>(&self, css: &'c [u8], at: usize, separator: &[u8]) -> Option<Cow<'c, [u8]>> {
        let name = css[self.escaped.end..at].trim_ascii_end().strip_suffix(separator)?.trim_ascii_end();
        self.of_function(css, self.escaped.end + name.len())
    }

    /// Returns the start of the name that ends at `end`.
    fn start(&self, css: &[u8], end: usize) -> usize {
        let mut start = end;
        while start > self.escaped.end && is_name(css[start - 1]) {
            start -= 1;
        }
        if start == self.escaped.end && self.may_be_escaped() {
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

fn unescaped(name: &[u8]) -> Cow<'_, [u8]> {
    match name.contains(&b'\\') {
        true => Wrapping::CssUrl.decode(&String::from_utf8_lossy(name)).0.into_bytes().into(),
        false => name.into(),
    }
}

/// Returns the content of the bad URL from `start` on, if only a placeholder may make it one, and its end after `at`.
fn bad_url(css: &[u8], start: usize, at: usize) -> (Option<Range<usize>>, usize) {
    let end = bad_url_end(css, at);
    let inside = css[start..end].strip_suffix(b")").unwrap_or(&css[start..end]).trim_ascii_end();
    (holds_expression(inside).then(|| start..start + inside.len()), end)
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

const fn ends_line(byte: Option<&u8>) -> bool {
    matches!(byte, Some(b'\n' | b'\r' | b'\x0c'))
}

/// Returns whether a byte is one of names. A NUL is decoded as U+FFFD, which is one.
pub(super) const fn is_name(byte: u8) -> bool {
    matches!(byte, b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | 0 | 0x80..)
}
