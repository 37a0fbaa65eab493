//! Framing of MMDF messages: each stands between two lines of four bytes 01, as in MMDF and in SCO's mail programs.

use std::sync::LazyLock;

use memchr::memmem::Finder;

use crate::framing::mbox::{before_empty_line, line_end};
use crate::framing::{Content, Extent, Framed};

/// Start of the line before and after each message.
const MARK: &[u8] = b"\x01\x01\x01\x01";

/// Maximum bytes of such a line.
const MARK_LINE: usize = MARK.len() + 2;

static MARKED_LINE: LazyLock<Finder<'_>> = LazyLock::new(|| Finder::new(b"\n\x01\x01\x01\x01"));

/// Returns whether `bytes` begin with the line before a message.
pub(crate) fn begins_mmdf(bytes: &[u8]) -> bool {
    mark_end(bytes).is_some()
}

/// Returns whether a line of a message is one of those between messages.
pub(crate) fn contains_mark(message: &[u8]) -> bool {
    begins_mmdf(message) || MARKED_LINE.find_iter(message).any(|found| begins_mmdf(&message[found + 1..]))
}

/// Returns the length of the line at the start of `bytes`, if it is one of those between messages.
fn mark_end(bytes: &[u8]) -> Option<usize> {
    match bytes.strip_prefix(MARK)? {
        [b'\n', ..] => Some(MARK.len() + 1),
        [b'\r', b'\n', ..] => Some(MARK_LINE),
        _ => None,
    }
}

/// Returns the first message of `bytes`, which begin at a message; `None` if its end is not in `bytes`.
pub(crate) fn first_message(bytes: &[u8], extent: Extent) -> Option<Framed> {
    if bytes.len() < MARK_LINE && extent == Extent::Partial {
        return None;
    }
    let Some(begin) = mark_end(bytes) else {
        let length = next_mark(bytes, 0, extent)?;
        return Some(Framed { length, content: Content::NoRecord });
    };
    let rest = bytes.len() - begin < MARK_LINE && extent == Extent::Partial;
    let end = match mark_end(&bytes[begin..]) {
        _ if rest => return None,
        Some(_) => begin,
        None => next_mark(bytes, begin, extent)?,
    };
    let is_separator = bytes[begin..end].starts_with(b"From ");
    let start = if is_separator { line_end(bytes, begin).map_or(end, |next| next.min(end)) } else { begin };
    let content = Content::Record(start..before_empty_line(bytes, start, end));
    Some(Framed { length: end + mark_end(&bytes[end..]).unwrap_or_default(), content })
}

/// Returns the offset of the next message after `from`, or of the end of the file; `None` if it is not in `bytes`.
pub(crate) fn next_message(bytes: &[u8], from: usize, extent: Extent) -> Option<usize> {
    let mark = next_mark(bytes, from, extent)?;
    Some(mark + mark_end(&bytes[mark..]).unwrap_or_default())
}

/// Returns the offset of the next line between messages after `from`, or of the end of the file.
fn next_mark(bytes: &[u8], from: usize, extent: Extent) -> Option<usize> {
    for mark in MARKED_LINE.find_iter(&bytes[from..]).map(|found| from + found + 1) {
        if extent == Extent::Partial && bytes.len() - mark < MARK_LINE {
            return None;
        }
        if mark_end(&bytes[mark..]).is_some() {
            return Some(mark);
        }
    }
    (extent == Extent::Complete).then_some(bytes.len())
}
