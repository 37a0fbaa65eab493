//! Framing of Babyl messages (version 5), as Rmail kept them until Emacs 22. Each begins with a form feed, a line of labels and the
//! original header, if the shown header after `*** EOOH ***` is another one. A byte 1F ends it.

use std::ops::Range;
use std::sync::LazyLock;

use memchr::memmem::{self, Finder};

use crate::framing::mbox::line_end;
use crate::framing::{Content, Extent, Framed};

const FILE_MARK: &[u8] = b"BABYL OPTIONS:";

/// The line between the two headers of a message.
const END_OF_HEADER: &[u8] = b"*** EOOH ***";

static END: LazyLock<Finder<'_>> = LazyLock::new(|| Finder::new(b"\x1f"));

/// Returns whether `bytes` begin with the options of a Babyl file.
pub(crate) fn begins_babyl(bytes: &[u8]) -> bool {
    bytes.starts_with(FILE_MARK)
}

/// Returns whether a message contains bytes that end one.
pub(crate) fn contains_end(message: &[u8]) -> bool {
    END.find_iter(message).any(|end| begins_message(&message[end + 1..]))
}

fn begins_message(bytes: &[u8]) -> bool {
    matches!(bytes, [b'\x0c', b'\n', ..] | [b'\x0c', b'\r', b'\n', ..])
}

/// Returns the first message of `bytes`, which begin at a message; `None` if its end is not in `bytes`.
pub(crate) fn first_message(bytes: &[u8], extent: Extent) -> Option<Framed> {
    let length = next_message(bytes, 0, extent)?;
    let content = match bytes.first() {
        Some(b'\x0c') => content(&bytes[..length]),
        _ if begins_babyl(bytes) => Content::FileHeader,
        _ => Content::NoRecord,
    };
    Some(Framed { length, content })
}

/// Returns the offset of the next message after `from`, or of the end of the file; `None` if it is not in `bytes`.
pub(crate) fn next_message(bytes: &[u8], from: usize, extent: Extent) -> Option<usize> {
    for end in END.find_iter(&bytes[from..]).map(|found| from + found + 1) {
        match &bytes[end..] {
            next if begins_message(next) => return Some(end),
            [] | [b'\x0c'] | [b'\x0c', b'\r'] if extent == Extent::Partial => return None,
            _ => {}
        }
    }
    (extent == Extent::Complete).then_some(bytes.len())
}

/// Returns the content of a message with its framing.
fn content(bytes: &[u8]) -> Content {
    let end = bytes.trim_ascii_end().strip_suffix(b"\x1f").map_or(bytes.len(), <[u8]>::len);
    let next_line = |at: usize| line_end(bytes, at).map_or(end, |next| next.min(end));
    let labels = next_line(0);
    let headers = next_line(labels);
    let mut marks = memmem::find_iter(&bytes[headers..end], END_OF_HEADER).map(|at| headers + at);
    let Some(mark) = marks.find(|mark| bytes[..*mark].ends_with(b"\n")) else { return Content::Record(headers..end) };
    let shown = next_line(mark);
    let original = bytes[headers..mark].trim_ascii_end().len();
    match original {
        // Behind an empty line, the mark is text of a body.
        _ if empty_line(bytes, headers..headers + original) < headers + original => Content::Record(headers..end),
        0 => Content::Record(shown..end),
        // The line end of the last field belongs to the header.
        _ => Content::TwoPieces(headers..next_line(headers + original), empty_line(bytes, shown..end)..end),
    }
}

/// Returns the offset of the first empty line in a range, or its end.
fn empty_line(bytes: &[u8], range: Range<usize>) -> usize {
    let mut at = range.start;
    while at < range.end && !matches!(&bytes[at..], [b'\n', ..] | [b'\r', b'\n', ..]) {
        at = line_end(bytes, at).map_or(range.end, |next| next.min(range.end));
    }
    at
}
