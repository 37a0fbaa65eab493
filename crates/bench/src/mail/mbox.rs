//! The mbox format, written and parsed as simply as a benchmark may.

use std::iter;

use memchr::{memchr, memmem};

const SEPARATOR: &[u8] = b"From someone@example.org Thu Jan  1 00:00:00 2026\n";
const BETWEEN: &[u8] = b"\n\nFrom ";

/// Appends a message: the separator line, the message with `From ` quoted, a blank line.
pub(super) fn append(message: &[u8], out: &mut Vec<u8>) {
    out.extend_from_slice(SEPARATOR);
    if message.starts_with(b"From ") {
        out.push(b'>');
    }
    let mut copied = 0;
    for line_end in memmem::find_iter(message, b"\nFrom ") {
        out.extend_from_slice(&message[copied..=line_end]);
        out.push(b'>');
        copied = line_end + 1;
    }
    out.extend_from_slice(&message[copied..]);
    if !out.ends_with(b"\n") {
        out.push(b'\n');
    }
    out.push(b'\n');
}

/// Returns the messages without the separator lines and the blank lines.
pub(super) fn messages(mbox: &[u8]) -> impl Iterator<Item = &[u8]> {
    let between = memmem::Finder::new(BETWEEN);
    let mut rest = mbox;
    iter::from_fn(move || {
        let separator_end = memchr(b'\n', rest)?;
        let end = between.find(&rest[separator_end..]).map_or(rest.len(), |at| separator_end + at + 2);
        let record = &rest[separator_end + 1..end];
        rest = &rest[end..];
        Some(record.strip_suffix(b"\n").unwrap_or(record))
    })
}

/// Returns as many messages from the beginning as fit in `bytes`.
pub(super) fn head(mbox: &[u8], bytes: usize) -> &[u8] {
    match mbox.get(..bytes) {
        Some(head) => &head[..memmem::rfind(head, BETWEEN).map_or(0, |at| at + 2)],
        None => mbox,
    }
}
