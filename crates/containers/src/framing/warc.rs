//! Where the records of a WARC begin and end, and what their headings say (ISO 28500).

use memchr::memmem;

use crate::framing::{Content, Framed, Rest, content_length};
use crate::limits::{RECORD_BYTES, RECORD_HEADING};

/// Whether `bytes` begin like a record.
pub(crate) fn begins_warc(bytes: &[u8]) -> bool {
    bytes.starts_with(MARK)
}

const MARK: &[u8] = b"WARC/";

/// The first record of `bytes`; `None` if they do not tell where it ends.
pub(crate) fn first_record(bytes: &[u8], rest: Rest) -> Option<Framed> {
    let is_cut = |needed: usize| rest == Rest::Begun && bytes.len() < needed;
    if is_cut(MARK.len()) {
        return None;
    }
    let no_record = |length| Framed { length, content: Content::NoRecord };
    let (heading_end, block) = match heading(bytes) {
        _ if !begins_warc(bytes) => return next_beginning(bytes, 0, rest).map(no_record),
        Heading::Whole(heading_end, block) => (heading_end, block),
        Heading::None(length) => return Some(no_record(length)),
        Heading::Begun if is_cut(RECORD_HEADING) => return None,
        Heading::Begun if bytes.len() >= RECORD_HEADING => return Some(no_record(RECORD_HEADING)),
        Heading::Begun => return Some(Framed { length: bytes.len(), content: Content::CutOff }),
    };
    let Some(end) = content_length(&bytes[..heading_end]).and_then(|length| block.checked_add(length)) else {
        return next_beginning(bytes, 0, rest).map(no_record);
    };
    if end > RECORD_BYTES - LINE_ENDS {
        let is_there = rest == Rest::Begun || end <= bytes.len();
        let content = if is_there { Content::TooLong } else { Content::CutOff };
        return Some(Framed { length: if is_there { end } else { bytes.len() }, content });
    }
    // Where its length does not lead to the end of a record, that may lie before or behind.
    let cut_off = || next_beginning(bytes, block, rest).map(|length| Framed { length, content: Content::CutOff });
    if bytes.len() < end {
        return if rest == Rest::Whole { cut_off() } else { None };
    }
    // Some writers leave them out.
    let line_ends = bytes[end..].iter().take(LINE_ENDS).take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
    if line_ends < LINE_ENDS && is_cut(end + LINE_ENDS) {
        return None;
    }
    let behind = &bytes[end + line_ends..];
    if line_ends == 0 && !behind.is_empty() && !begins_warc(behind) {
        return if is_cut(end + MARK.len()) { None } else { cut_off() };
    }
    Some(Framed { length: end + line_ends, content: Content::Record(0..end) })
}

/// How many bytes of line ends follow a record.
const LINE_ENDS: usize = 4;

enum Heading {
    /// Where it ends, and where the block begins.
    Whole(usize, usize),
    /// It is not there to its end.
    Begun,
    /// The next record begins within it.
    None(usize),
}

fn heading(bytes: &[u8]) -> Heading {
    let bytes = &bytes[..bytes.len().min(RECORD_HEADING)];
    let mut at = 0;
    while let Some(length) = memchr::memchr(b'\n', &bytes[at..]) {
        let end = at + length + 1;
        match &bytes[at..end] {
            b"\n" | b"\r\n" => return Heading::Whole(at, end),
            line if at > 0 && line.starts_with(MARK) => return Heading::None(at),
            _ => at = end,
        }
    }
    Heading::Begun
}

/// Where the next record begins behind `from`, or the end.
pub(crate) fn next_beginning(bytes: &[u8], from: usize, rest: Rest) -> Option<usize> {
    for found in memmem::find_iter(&bytes[from..], b"\nWARC/").map(|found| from + found + 1) {
        match bytes.get(found + MARK.len()..found + MARK.len() + 3) {
            Some([major, b'.', minor]) if major.is_ascii_digit() && minor.is_ascii_digit() => return Some(found),
            Some(_) => {}
            None if rest == Rest::Begun => return None,
            None => {}
        }
    }
    (rest == Rest::Whole).then_some(bytes.len())
}
