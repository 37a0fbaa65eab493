//! Where the records of an ARC begin and end (version 1 of the format that WARC replaced).

use crate::framing::{Content, Framed, Rest, text_of_field};
use crate::limits::{ARC_LINE, RECORD_BYTES};

/// Whether `bytes` begin like an ARC: with the record that describes the file.
pub(crate) fn begins_arc(bytes: &[u8]) -> bool {
    bytes.starts_with(b"filedesc://")
}

/// Whether a record begins where `bytes` do.
pub(crate) fn begins_record(bytes: &[u8]) -> bool {
    memchr::memchr(b'\n', bytes).is_some_and(|end| Line::read(&bytes[..end]).is_some())
}

/// A record: the URL, and what was retrieved from it.
#[derive(Debug)]
pub(crate) struct Record<'r> {
    pub(crate) url: String,
    pub(crate) block: &'r [u8],
}

impl<'r> Record<'r> {
    /// The record that `bytes` are.
    pub(crate) fn new(bytes: &'r [u8]) -> Option<Self> {
        let end = memchr::memchr(b'\n', bytes)?;
        let Line { url, .. } = Line::read(&bytes[..end])?;
        Some(Self { url: text_of_field(url), block: &bytes[end + 1..] })
    }
}

/// The line that a record begins with: URL, IP address, date, type and length.
struct Line<'l> {
    url: &'l [u8],
    length: usize,
}

impl<'l> Line<'l> {
    fn read(line: &'l [u8]) -> Option<Self> {
        // Spaces may stand in the URL of a careless writer.
        let mut words = line.trim_ascii_end().rsplitn(5, |byte| *byte == b' ');
        let (length, _type, date, _address, url) =
            (words.next()?, words.next()?, words.next()?, words.next()?, words.next()?);
        let is_date = date.len() >= 8 && date.iter().all(u8::is_ascii_digit);
        let length = str::from_utf8(length).ok()?.parse().ok()?;
        (is_date && url.contains(&b':')).then_some(Self { url, length })
    }
}

/// The first record of `bytes`; `None` if they do not tell where it ends.
pub(crate) fn first_record(bytes: &[u8], rest: Rest) -> Option<Framed> {
    let line_end = match memchr::memchr(b'\n', bytes) {
        Some(end) => end,
        None if rest == Rest::Begun && bytes.len() < ARC_LINE => return None,
        None => bytes.len(),
    };
    let end = Line::read(&bytes[..line_end]).and_then(|line| (line_end + 1).checked_add(line.length));
    match end {
        None => Some(Framed { length: next_beginning(bytes, 0, rest)?, content: Content::NoRecord }),
        Some(end) if end >= RECORD_BYTES && (rest == Rest::Begun || end <= bytes.len()) => {
            Some(Framed { length: end, content: Content::TooLong })
        }
        Some(end) if bytes.len() <= end && rest == Rest::Begun => None,
        // A line end follows; not behind the last record of some writers. Else the end lies before it or behind it.
        Some(end) if bytes.len() < end || !ends_record(&bytes[end..]) => {
            let behind = &bytes[end.min(bytes.len())..];
            let is_begun = rest == Rest::Begun && behind.len() < ARC_LINE && !behind.contains(&b'\n');
            let length = if is_begun { None } else { next_beginning(bytes, bytes.len().min(line_end + 1), rest) };
            length.map(|length| Framed { length, content: Content::CutOff })
        }
        Some(end) => {
            let line_end = usize::from(bytes.get(end) == Some(&b'\n'));
            Some(Framed { length: end + line_end, content: Content::Record(0..end) })
        }
    }
}

/// Whether what stands behind a record lets it end there.
fn ends_record(behind: &[u8]) -> bool {
    behind.is_empty() || behind.starts_with(b"\n") || behind.starts_with(b"\r") || begins_record(behind)
}

/// Where the next record begins behind `from`, or the end.
pub(crate) fn next_beginning(bytes: &[u8], from: usize, rest: Rest) -> Option<usize> {
    let ends = memchr::memchr_iter(b'\n', &bytes[from..]).map(|end| from + end + 1);
    for start in ends {
        match memchr::memchr(b'\n', &bytes[start..]) {
            Some(length) if Line::read(&bytes[start..start + length]).is_some() => return Some(start),
            Some(_) => {}
            None if rest == Rest::Begun => return None,
            None => {}
        }
    }
    (rest == Rest::Whole).then_some(bytes.len())
}
