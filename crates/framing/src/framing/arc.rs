//! Framing of ARC records (version 1 of the predecessor of WARC).

use std::net::IpAddr;

use crate::framing::{Content, Extent, Framed};
use crate::header_fields::text_of_field;
use crate::limits::{ARC_LINE, RECORD_BYTES};

/// Returns whether `bytes` begin with the version block of an ARC file.
pub(crate) fn begins_arc(bytes: &[u8]) -> bool {
    bytes.starts_with(b"filedesc://")
}

/// Returns whether `bytes` begin with a record.
pub(crate) fn begins_record(bytes: &[u8]) -> bool {
    memchr::memchr(b'\n', bytes).is_some_and(|end| Line::read(&bytes[..end]).is_some())
}

/// A record: its URL, and the response that was retrieved from it.
#[derive(Debug)]
pub struct ArcRecord<'r> {
    /// The URL of its line.
    pub url: String,
    /// As a `WARC-Date`, if the line has all of its 14 digits.
    pub date: Option<String>,
    /// The media type of its line, with its parameters.
    media_type: String,
    /// What follows its line.
    pub block: &'r [u8],
}

impl<'r> ArcRecord<'r> {
    /// Parses a record.
    pub fn new(bytes: &'r [u8]) -> Option<Self> {
        let end = memchr::memchr(b'\n', bytes)?;
        let Line { url, date, media_type, .. } = Line::read(&bytes[..end])?;
        let date = str::from_utf8(date).ok().and_then(warc_date);
        Some(Self { url: text_of_field(url), date, media_type: text_of_field(media_type), block: &bytes[end + 1..] })
    }

    /// Returns the URL, unless it is of a scheme that documents are not retrieved from.
    pub fn target(&self) -> Option<&str> {
        Some(&*self.url).filter(|url| !is_internal(url))
    }

    /// Returns the type that its line declares; empty for `no-type` and the like.
    pub fn own_type(&self) -> String {
        if self.media_type.contains('/') { self.media_type.clone() } else { String::new() }
    }
}

/// Returns whether a URL is of a scheme for parts of the archive itself.
pub(crate) fn is_internal(url: &str) -> bool {
    ["urn:", "dns:", "metadata:", "filedesc:"].iter().any(|scheme| url.starts_with(scheme))
}

/// Returns the 14 digits of a date as a `WARC-Date`.
pub(crate) fn warc_date(digits: &str) -> Option<String> {
    let is_date = digits.len() == 14 && digits.bytes().all(|byte| byte.is_ascii_digit());
    let part = |range| &digits[range];
    is_date.then(|| {
        let day = format!("{}-{}-{}", part(0..4), part(4..6), part(6..8));
        format!("{day}T{}:{}:{}Z", part(8..10), part(10..12), part(12..14))
    })
}

/// The header line of a record: URL, IP address, date, media type and length.
struct Line<'l> {
    url: &'l [u8],
    date: &'l [u8],
    media_type: &'l [u8],
    length: usize,
}

impl<'l> Line<'l> {
    /// Reads a line. Some writers leave spaces in the URL, others in the type: the address and the date stand between them.
    fn read(line: &'l [u8]) -> Option<Self> {
        let line = line.trim_ascii_end();
        let colon = memchr::memchr(b':', line).filter(|colon| *colon > 0)?;
        let is_scheme = line[..colon].iter().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(byte));
        let (before, length) = split_last(line).filter(|_| is_scheme)?;
        let length = str::from_utf8(length).ok()?.parse().ok()?;
        let (mut rest, mut media_type) = split_last(before)?;
        loop {
            let (before, date) = split_last(rest)?;
            let (url, address) = split_last(before)?;
            let is_date = date.len() >= 8 && date.iter().all(u8::is_ascii_digit);
            let is_one_word = !media_type.contains(&b' ');
            if is_date && url.len() > colon && (is_one_word || (date.len() == 14 && is_address(address))) {
                return Some(Self { url, date, media_type, length });
            }
            rest = before;
            media_type = &line[before.len() + 1..before.len() + 1 + date.len() + 1 + media_type.len()];
        }
    }
}

/// Returns what is before the last space, and what is behind it.
fn split_last(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let space = memchr::memrchr(b' ', text)?;
    Some((&text[..space], &text[space + 1..]))
}

fn is_address(word: &[u8]) -> bool {
    str::from_utf8(word).is_ok_and(|word| word.trim_matches(['[', ']']).parse::<IpAddr>().is_ok())
}

/// Returns the first record of `bytes`; `None` if its end is not in `bytes`.
pub(crate) fn first_record(bytes: &[u8], extent: Extent) -> Option<Framed> {
    let line_end = match memchr::memchr(b'\n', bytes) {
        Some(end) => end,
        None if extent == Extent::Partial && bytes.len() < ARC_LINE => return None,
        None => bytes.len(),
    };
    match claimed_end(bytes, line_end) {
        None => Some(Framed { length: next_record(bytes, 0, extent)?, content: Content::NoRecord }),
        Some(end) if end >= RECORD_BYTES => Some(Framed::too_long(end, bytes, extent)),
        Some(end) if bytes.len() <= end && extent == Extent::Partial => None,
        // A wrong length may end before the record's end or after it: the next record delimits it.
        Some(end) => match delimited(bytes, line_end + 1, end, extent)? {
            true => {
                let line_end = usize::from(bytes.get(end) == Some(&b'\n'));
                Some(Framed { length: end + line_end, content: Content::Record(0..end) })
            }
            false => next_record(bytes, bytes.len().min(line_end + 1), extent)
                .map(|length| Framed { length, content: Content::CutOff }),
        },
    }
}

/// Returns the bytes from the start of a record to the end of its block, as its line claims.
pub(crate) fn claimed_length(bytes: &[u8]) -> Option<usize> {
    memchr::memchr(b'\n', bytes).and_then(|line_end| claimed_end(bytes, line_end))
}

fn claimed_end(bytes: &[u8], line_end: usize) -> Option<usize> {
    Line::read(&bytes[..line_end]).and_then(|line| (line_end + 1).checked_add(line.length))
}

/// Returns whether a record ends at `end`, where its line claims that it does; `None` if more bytes are needed. A line end follows, or the next
/// record, or nothing. If there is no record behind the line end, or right at `end`, none may begin within the block: then the length is wrong.
fn delimited(bytes: &[u8], block: usize, end: usize, extent: Extent) -> Option<bool> {
    let Some(following) = bytes.get(end..) else { return Some(false) };
    let behind = following.trim_ascii_start();
    if extent == Extent::Partial && behind.len() < ARC_LINE && !behind.contains(&b'\n') {
        return None;
    }
    let is_line_end = following.starts_with(b"\n") || following.starts_with(b"\r");
    if behind.is_empty() || (is_line_end && begins_record(behind)) {
        return Some(true);
    }
    let holds_next =
        || next_record(&bytes[..end + line_length(following)], block, Extent::Complete).is_some_and(|next| next < end);
    Some((is_line_end || begins_record(following)) && !holds_next())
}

/// Returns the length of the first line, with its end.
fn line_length(bytes: &[u8]) -> usize {
    memchr::memchr(b'\n', bytes).map_or(bytes.len(), |end| end + 1)
}

/// Returns the offset of the next record after `from`, or of the end of the stream.
pub(crate) fn next_record(bytes: &[u8], from: usize, extent: Extent) -> Option<usize> {
    let ends = memchr::memchr_iter(b'\n', &bytes[from..]).map(|end| from + end + 1);
    for start in ends {
        match memchr::memchr(b'\n', &bytes[start..]) {
            Some(length) if Line::read(&bytes[start..start + length]).is_some() => return Some(start),
            Some(_) => {}
            None if extent == Extent::Partial => return None,
            None => {}
        }
    }
    (extent == Extent::Complete).then_some(bytes.len())
}

#[cfg(test)]
mod tests {
    use super::{ArcRecord, begins_record};

    /// Old crawlers wrote dates of fewer digits than the 14 of the format.
    #[test]
    fn a_date_has_at_least_eight_digits() {
        for (date, is_record) in
            [("19970101", true), ("199701010203", true), ("19970101020304", true), ("1997010", false)]
        {
            let record = format!("http://h/ 1.2.3.4 {date} text/html 2\nab\n");
            assert_eq!(begins_record(record.as_bytes()), is_record, "{date}");
            let found = ArcRecord::new(record.as_bytes()).map(|record| record.date);
            let whole = (date.len() == 14).then(|| "1997-01-01T02:03:04Z".to_owned());
            assert_eq!(found, is_record.then_some(whole), "{date}");
        }
        assert!(!begins_record(b"http://h/ 1.2.3.4 1997010x text/html 2\n"));
    }

    #[test]
    fn a_type_may_have_spaces() {
        let date = "19970101020304";
        for (line, expected) in [
            (format!("http://h/a b 1.2.3.4 {date} text/html 2"), Some(("http://h/a b", "text/html"))),
            (
                format!("http://h/ 1.2.3.4 {date} text/html; charset=utf-8 2"),
                Some(("http://h/", "text/html; charset=utf-8")),
            ),
            (format!("http://h/a b ::1 {date} text/html; a = b 2"), Some(("http://h/a b", "text/html; a = b"))),
            (format!("http://h/ 1.2.3.4 {date} no-type 2"), Some(("http://h/", ""))),
            ("http://h/ 1.2.3.4 1997010102 text/html; charset=utf-8 2".to_owned(), None),
            (format!("http://h/ nowhere {date} text/html; charset=utf-8 2"), None),
            (format!("see http://h/ 1.2.3.4 {date} text/html 2"), None),
        ] {
            let found =
                ArcRecord::new(format!("{line}\nab").as_bytes()).map(|record| (record.url.clone(), record.own_type()));
            assert_eq!(found, expected.map(|(url, own)| (url.to_owned(), own.to_owned())), "{line}");
        }
    }
}
