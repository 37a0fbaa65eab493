//! Where the records of a WARC begin and end, and what their headings say (ISO 28500).

use absolve_base::header_fields;
use memchr::memmem;
use uuid::Uuid;

use crate::conversion::Source;
use crate::framing::{Content, Framed, Rest, content_length};
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

    /// The value of a field, unfolded; the first one, if there are more.
    pub(crate) fn field(&self, name: &str) -> Option<String> {
        self.fields(name).next()
    }

    /// The values of all fields of this name.
    pub(crate) fn fields(&self, name: &str) -> impl Iterator<Item = String> {
        let fields = header_fields(self.heading).filter(move |field| field.is_named(name));
        fields.map(|field| text_of_field(&self.heading[field.value]))
    }

    /// Whether a field has this value, whatever the case of the letters.
    pub(crate) fn is(&self, name: &str, value: &str) -> bool {
        self.field(name).is_some_and(|found| found.eq_ignore_ascii_case(value))
    }

    /// The URL it was retrieved from, if it is one that documents have.
    pub(crate) fn target(&self) -> Option<String> {
        let target = self.url()?;
        // Some writers of WARC/1.0 put it into brackets, as its text has it.
        let target = match target.strip_prefix('<').and_then(|target| target.strip_suffix('>')) {
            Some(target) => target.to_owned(),
            None => target,
        };
        let is_of_archive = ["urn:", "dns:", "metadata:"].iter().any(|scheme| target.starts_with(scheme));
        (!is_of_archive).then_some(target)
    }

    /// The same as it is written; no white space belongs to it where lines are folded.
    fn url(&self) -> Option<String> {
        let field = header_fields(self.heading).find(|field| field.is_named("WARC-Target-URI"))?;
        let lines = self.heading[field.value].split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
        Some(text_of_field(&lines.collect::<Vec<_>>().concat()))
    }

    /// What a record that is made of it tells of it.
    pub(crate) fn source(&self) -> Source {
        Source {
            version: self.version().to_owned(),
            kind: self.field("WARC-Type").unwrap_or_default().to_ascii_lowercase(),
            id: self.field("WARC-Record-ID"),
            date: self.field("WARC-Date"),
            target: self.url().unwrap_or_default(),
            refers_to: self.field("WARC-Refers-To"),
            truncated: self.field("WARC-Truncated"),
            payload_digest: self.field("WARC-Payload-Digest"),
            concurrent_to: self.fields("WARC-Concurrent-To").collect(),
        }
    }

    /// Its id, if it is a conversion whose id is a UUID.
    pub(crate) fn id_of_conversion(&self) -> Option<Uuid> {
        let id = self.field("WARC-Record-ID").filter(|_| self.is("WARC-Type", "conversion"))?;
        id.strip_prefix("<urn:uuid:")?.strip_suffix('>')?.parse().ok()
    }

    /// The version of the standard that it names, as in `WARC/1.1`, if it is one.
    pub(crate) fn version(&self) -> &'r str {
        let line = self.heading.split(|byte| *byte == b'\n').next().unwrap_or_default();
        let version = str::from_utf8(line.trim_ascii()).unwrap_or_default();
        let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let numbers = version.strip_prefix("WARC/").and_then(|numbers| numbers.split_once('.'));
        let is_version = numbers.is_some_and(|(major, minor)| is_number(major) && is_number(minor));
        if is_version { version } else { "WARC/1.0" }
    }
}

/// The text of a header field: unfolded, without white space around it; what is no UTF-8 is Latin-1, as in HTTP.
pub(crate) fn text_of_field(value: &[u8]) -> String {
    let text = match str::from_utf8(value) {
        Ok(text) => text.to_owned(),
        Err(_) => encoding_rs::mem::decode_latin1(value).into_owned(),
    };
    match text.trim().contains('\n') {
        true => text.lines().map(str::trim).collect::<Vec<_>>().join(" ").trim().to_owned(),
        false => text.trim().to_owned(),
    }
}
