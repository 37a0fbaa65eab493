//! Framing of WARC records (ISO 28500).

use memchr::memmem;

use crate::framing::{Content, Extent, Framed, content_length};
use crate::limits::{RECORD_BYTES, RECORD_HEADER};

/// Returns whether `bytes` begin like a record.
pub(crate) fn begins_warc(bytes: &[u8]) -> bool {
    bytes.starts_with(MARK)
}

/// Start of the version line of a record.
const MARK: &[u8] = b"WARC/";

/// Returns the first record of `bytes`; `None` if its end is not in `bytes`.
pub(crate) fn first_record(bytes: &[u8], extent: Extent) -> Option<Framed> {
    let needs_more = |needed: usize| extent == Extent::Partial && bytes.len() < needed;
    if needs_more(MARK.len()) {
        return None;
    }
    let no_record = |length| Framed { length, content: Content::NoRecord };
    let (header_end, block) = match header(bytes) {
        _ if !begins_warc(bytes) => return next_record(bytes, 0, extent).map(no_record),
        Header::Complete(header_end, block) => (header_end, block),
        Header::Interrupted(length) => return Some(no_record(length)),
        Header::Unended if needs_more(RECORD_HEADER) => return None,
        Header::Unended if bytes.len() >= RECORD_HEADER => return Some(no_record(RECORD_HEADER)),
        Header::Unended => return Some(Framed { length: bytes.len(), content: Content::CutOff }),
    };
    let Some(end) = content_length(&bytes[..header_end]).and_then(|length| block.checked_add(length)) else {
        return next_record(bytes, 0, extent).map(no_record);
    };
    if end > RECORD_BYTES - LINE_ENDS {
        let may_be_complete = extent == Extent::Partial || end <= bytes.len();
        let content = if may_be_complete { Content::TooLong } else { Content::CutOff };
        return Some(Framed { length: if may_be_complete { end } else { bytes.len() }, content });
    }
    // A wrong length may end before the record's end or after it: the next record delimits it.
    let cut_off = || next_record(bytes, block, extent).map(|length| Framed { length, content: Content::CutOff });
    if bytes.len() < end {
        return if extent == Extent::Complete { cut_off() } else { None };
    }
    // Some writers omit them.
    let line_ends = bytes[end..].iter().take(LINE_ENDS).take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
    if line_ends < LINE_ENDS && needs_more(end + LINE_ENDS) {
        return None;
    }
    let following = &bytes[end + line_ends..];
    if line_ends == 0 && !following.is_empty() && !begins_warc(following) {
        return if needs_more(end + MARK.len()) { None } else { cut_off() };
    }
    Some(Framed { length: end + line_ends, content: Content::Record(0..end) })
}

/// Bytes of the two CRLF that follow a record.
const LINE_ENDS: usize = 4;

enum Header {
    /// The end of the header, and the start of the block.
    Complete(usize, usize),
    /// The end of the header is not in the bytes.
    Unended,
    /// Another record begins within the header, at this offset.
    Interrupted(usize),
}

fn header(bytes: &[u8]) -> Header {
    let bytes = &bytes[..bytes.len().min(RECORD_HEADER)];
    let mut at = 0;
    while let Some(length) = memchr::memchr(b'\n', &bytes[at..]) {
        let end = at + length + 1;
        match &bytes[at..end] {
            b"\n" | b"\r\n" => return Header::Complete(at, end),
            line if at > 0 && line.starts_with(MARK) => return Header::Interrupted(at),
            _ => at = end,
        }
    }
    Header::Unended
}

/// Returns the offset of the next record after `from`, or of the end of the stream.
pub(crate) fn next_record(bytes: &[u8], from: usize, extent: Extent) -> Option<usize> {
    for found in memmem::find_iter(&bytes[from..], b"\nWARC/").map(|found| from + found + 1) {
        match bytes.get(found + MARK.len()..found + MARK.len() + 3) {
            Some([major, b'.', minor]) if major.is_ascii_digit() && minor.is_ascii_digit() => return Some(found),
            Some(_) => {}
            None if extent == Extent::Partial => return None,
            None => {}
        }
    }
    (extent == Extent::Complete).then_some(bytes.len())
}
