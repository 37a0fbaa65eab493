//! Where the records of a WARC begin and end, and what their headings say (ISO 28500).

use absolve_base::header_fields;
use memchr::memmem;
use uuid::Uuid;

use crate::conversion::Source;
use crate::framing::{Content, Framed, Rest};
use crate::limits::{RECORD_BYTES, RECORD_HEADING};
use crate::message::heading::body_start;

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
    let (heading_end, block) = body_start(bytes, 0..bytes.len().min(RECORD_HEADING));
    let is_heading = heading_end < block;
    if begins_warc(bytes) && !is_heading && is_cut(RECORD_HEADING) {
        return None;
    }
    if begins_warc(bytes) && !is_heading && bytes.len() < RECORD_HEADING {
        return Some(Framed { length: bytes.len(), content: Content::CutOff });
    }
    let length = content_length(&bytes[..heading_end]).filter(|_| begins_warc(bytes) && is_heading);
    let Some(end) = length.and_then(|length| block.checked_add(length)) else {
        return Some(Framed { length: next_beginning(bytes, 0, rest)?, content: Content::NoRecord });
    };
    if end > RECORD_BYTES {
        let is_there = rest == Rest::Begun || end <= bytes.len();
        let content = if is_there { Content::TooLong } else { Content::CutOff };
        return Some(Framed { length: if is_there { end } else { bytes.len() }, content });
    }
    if bytes.len() < end {
        return (rest == Rest::Whole).then_some(Framed { length: bytes.len(), content: Content::CutOff });
    }
    // Two line ends follow; some writers leave them out.
    let line_ends = bytes[end..].iter().take(4).take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
    if line_ends < 4 && is_cut(end + 4) {
        return None;
    }
    Some(Framed { length: end + line_ends, content: Content::Record(0..end) })
}

/// Where the next record begins behind `from`, or the end.
pub(crate) fn next_beginning(bytes: &[u8], from: usize, rest: Rest) -> Option<usize> {
    match memmem::find(&bytes[from..], b"\nWARC/1.") {
        Some(found) => Some(from + found + 1),
        None => (rest == Rest::Whole).then_some(bytes.len()),
    }
}

fn content_length(heading: &[u8]) -> Option<usize> {
    let field = header_fields(heading).find(|field| field.name.eq_ignore_ascii_case(b"Content-Length"))?;
    str::from_utf8(heading[field.value].trim_ascii()).ok()?.parse().ok()
}

/// The heading and the block of a record.
#[derive(Debug)]
pub(crate) struct Record<'r> {
    heading: &'r [u8],
    pub(crate) block: &'r [u8],
}

impl<'r> Record<'r> {
    pub(crate) fn new(record: &'r [u8]) -> Self {
        let (heading_end, block) = body_start(record, 0..record.len());
        Self { heading: &record[..heading_end], block: &record[block..] }
    }

    /// The value of a field, without white space around it; the first one, if there are more.
    pub(crate) fn field(&self, name: &str) -> Option<&'r str> {
        let field = header_fields(self.heading).find(|field| field.name.eq_ignore_ascii_case(name.as_bytes()))?;
        str::from_utf8(self.heading[field.value].trim_ascii()).ok()
    }

    /// The URL it was retrieved from, if it is one that documents have.
    pub(crate) fn target(&self) -> Option<&'r str> {
        let target = self.field("WARC-Target-URI")?;
        // Some writers of WARC/1.0 put it into brackets, as its text has it.
        let target = target.strip_prefix('<').and_then(|target| target.strip_suffix('>')).unwrap_or(target);
        let is_of_archive = ["urn:", "dns:", "metadata:"].iter().any(|scheme| target.starts_with(scheme));
        (!is_of_archive).then_some(target)
    }

    /// What a conversion of it tells of it.
    pub(crate) fn source(&self) -> Source<'r> {
        Source {
            version: self.version(),
            id: self.field("WARC-Record-ID"),
            target: self.field("WARC-Target-URI").unwrap_or_default(),
            date: self.field("WARC-Date").unwrap_or_default(),
            truncated: self.field("WARC-Truncated"),
        }
    }

    /// Its id, if it is a conversion whose id is a UUID.
    pub(crate) fn id_of_conversion(&self) -> Option<Uuid> {
        let id = self.field("WARC-Record-ID").filter(|_| self.field("WARC-Type") == Some("conversion"))?;
        id.strip_prefix("<urn:uuid:")?.strip_suffix('>')?.parse().ok()
    }

    /// The version of the standard that it names, as in `WARC/1.1`.
    pub(crate) fn version(&self) -> &'r str {
        let line = self.heading.split(|byte| *byte == b'\n').next().unwrap_or_default();
        str::from_utf8(line.trim_ascii()).unwrap_or("WARC/1.0")
    }
}
