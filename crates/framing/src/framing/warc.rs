//! Framing of WARC records (ISO 28500).

use memchr::memmem;

use crate::framing::{Content, Extent, Framed};
use crate::header_fields::content_length;
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
        Header::Unended if bytes.len() >= RECORD_HEADER => {
            // The end of these bytes may be the start of a version line.
            let length = next_record(&bytes[..RECORD_HEADER], MARK.len(), Extent::Complete);
            return length.map(|length| no_record(length.min(RECORD_HEADER - VERSION_LINE)));
        }
        Header::Unended => return Some(Framed { length: bytes.len(), content: Content::CutOff }),
    };
    let Some(end) = claimed_end(&bytes[..header_end], block) else {
        return next_record(bytes, MARK.len(), extent).map(no_record);
    };
    if end > RECORD_BYTES - LINE_ENDS {
        return Some(Framed::too_long(end, bytes, extent));
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
    if !following.is_empty() && !begins_warc(following) {
        if needs_more(end + line_ends + MARK.len()) {
            return None;
        }
        // A block that ends at a line end by chance may contain the next record.
        let has_next = || next_record(&bytes[..end], block, Extent::Complete).is_some_and(|next| next < end);
        if line_ends == 0 || has_next() {
            return cut_off();
        }
    }
    Some(Framed { length: end + line_ends, content: Content::Record(0..end) })
}

/// Returns the bytes from the start of a record to the end of its block, as its header claims.
pub(crate) fn claimed_length(bytes: &[u8]) -> Option<usize> {
    match header(bytes) {
        Header::Complete(header_end, block) if begins_warc(bytes) => claimed_end(&bytes[..header_end], block),
        _ => None,
    }
}

fn claimed_end(header: &[u8], block: usize) -> Option<usize> {
    content_length(header).and_then(|length| block.checked_add(length))
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
            // A header that is cut off may end within a line.
            line => match ends_with_version(line).filter(|_| at > 0) {
                Some(start) => return Header::Interrupted(at + start),
                None => at = end,
            },
        }
    }
    Header::Unended
}

/// Returns the offset of the next record from `from` on, or of the end of the stream. Behind damage it may begin within a line.
pub(crate) fn next_record(bytes: &[u8], from: usize, extent: Extent) -> Option<usize> {
    for found in memmem::find_iter(&bytes[from..], MARK).map(|found| from + found) {
        let rest = &bytes[found..];
        if rest.len() < VERSION_LINE && extent == Extent::Partial {
            return None;
        }
        let begins_line = found.checked_sub(1).is_some_and(|before| bytes[before] == b'\n');
        if is_version_line(rest) || (begins_line && begins_version(rest)) {
            return Some(found);
        }
    }
    (extent == Extent::Complete).then_some(bytes.len())
}

/// Bytes of a version line with its line end.
const VERSION_LINE: usize = 10;

fn begins_version(bytes: &[u8]) -> bool {
    matches!(bytes.strip_prefix(MARK), Some([major, b'.', minor, ..]) if major.is_ascii_digit() && minor.is_ascii_digit())
}

fn is_version_line(bytes: &[u8]) -> bool {
    begins_version(bytes) && matches!(&bytes[MARK.len() + 3..], [b'\n', ..] | [b'\r', b'\n', ..])
}

/// Returns where the version line begins that a line ends with.
fn ends_with_version(line: &[u8]) -> Option<usize> {
    let start = line.trim_ascii_end().len().checked_sub(MARK.len() + 3)?;
    is_version_line(&line[start..]).then_some(start)
}
