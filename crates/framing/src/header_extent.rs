//! Where a header ends, malformed ones too (RFC 5322, section 2.1).

use std::ops::Range;

use crate::header_fields::{HeaderField, body_start, header_fields};
use crate::parameters::type_of_part;

/// The fields with signatures of servers over the body.
pub const SERVER_SIGNATURES: [&str; 4] =
    ["DKIM-Signature", "ARC-Message-Signature", "DomainKey-Signature", "X-Google-DKIM-Signature"];

/// The end of a header and the beginning of its body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HeaderExtent {
    /// The end of its fields.
    pub end: usize,
    /// The first byte of its body.
    pub body: usize,
    /// Whether it has a malformed line.
    pub malformed: Malformed,
    /// The first byte of that line.
    pub malformed_line: usize,
    /// Whether its first line is no field, and is skipped because fields follow.
    pub is_first_line_skipped: bool,
}

/// A malformed line of a header.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Malformed {
    /// There is none.
    #[default]
    None,
    /// It is the first line of the body: the empty line is missing.
    StartsBody,
    /// Readers disagree about it.
    Doubtful,
}

impl HeaderExtent {
    /// Returns the extent of the header at the start of `within`, and passes its fields to `add`. Places in those are bytes
    /// of the header.
    ///
    /// Some readers begin the body at a malformed line, others skip it. If no field after it describes the body,
    /// both read the same, and the body begins there. It also begins at a delimiter of the boundary that the header has just declared.
    /// A first line that is no field is skipped if two fields follow: a program has written it above the message.
    ///
    /// ```
    /// use absolve_framing::{HeaderExtent, Malformed};
    /// let (message, mut names) = (b"Subject: x\nHello, all.\n", Vec::new());
    /// let extent = HeaderExtent::of(message, 0..message.len(), &mut |field| names.push(field.name.to_vec()));
    /// assert_eq!((extent.body, extent.malformed), (11, Malformed::StartsBody));
    /// assert_eq!(names, [b"Subject"]);
    /// let message = b"Microsoft Mail Internet Headers Version 2.0\nTo: x\nContent-Type: text/html\n\n";
    /// let extent = HeaderExtent::of(message, 0..message.len(), &mut |_| {});
    /// assert!(extent.is_first_line_skipped && extent.malformed == Malformed::None);
    /// ```
    pub fn of(message: &[u8], within: Range<usize>, add: &mut dyn FnMut(&HeaderField<'_>)) -> Self {
        let text = &message[within.clone()];
        let line_end = |at: usize| memchr::memchr(b'\n', &text[at..]).map_or(text.len(), |length| at + length + 1);
        let mut extent = Self::default();
        let mut at = if is_above_header(text) { line_end(0) } else { 0 };
        extent.is_first_line_skipped = at > 0;
        while at < text.len() {
            let line = at..line_end(at);
            if matches!(text[line.clone()], [b'\n'] | [b'\r', b'\n']) {
                return Self { end: within.start + at, body: within.start + line.end, ..extent };
            }
            let mut end = line.end;
            while is_continuation(&text[end..]) {
                end = line_end(end);
            }
            let field = HeaderField::in_lines(text, at..end);
            if extent.malformed == Malformed::None && !is_well_formed(&text[line.clone()], field.as_ref()) {
                let start = within.start + at;
                extent.malformed_line = start;
                if is_delimiter(&text[..at], &text[line.clone()]) || begins_body(&text[at..], line.len()) {
                    return Self { end: start, body: start, malformed: Malformed::StartsBody, ..extent };
                }
                extent.malformed = Malformed::Doubtful;
            }
            field.iter().for_each(&mut *add);
            at = end;
        }
        Self { end: within.end, body: within.end, ..extent }
    }
}

/// Returns whether the first line of a header is no field, but two fields follow it.
fn is_above_header(text: &[u8]) -> bool {
    let mut lines = text.split_inclusive(|byte| *byte == b'\n');
    let Some(first) = lines.next().filter(|first| !first.trim_ascii().is_empty()) else { return false };
    let is_field = |line: &[u8]| {
        let is_name =
            |name: &[u8]| !name.is_empty() && name.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'-');
        // Behind the colon of a URL stands a slash.
        let is_value = |value: Option<&u8>| value.is_some_and(u8::is_ascii_whitespace);
        HeaderField::in_lines(line, 0..line.len())
            .is_some_and(|field| is_name(field.name) && is_value(line.get(field.value.start)))
    };
    if is_well_formed(first, HeaderField::in_lines(first, 0..first.len()).as_ref()) {
        return false;
    }
    let mut fields = lines.take_while(|line| is_field(line) || is_continuation(line));
    fields.next().is_some_and(is_field) && fields.any(is_field)
}

/// Returns whether a line is a delimiter of the boundary that the header before it declares.
fn is_delimiter(header: &[u8], line: &[u8]) -> bool {
    let Some(delimiter) = line.strip_prefix(b"--") else { return false };
    let types = header_fields(header).filter(|field| field.is_named("Content-Type"));
    let boundary = types.last().and_then(|field| type_of_part(&header[field.value])?.boundary);
    boundary.is_some_and(|boundary| delimiter.trim_ascii_end() == boundary.as_bytes())
}

fn is_continuation(line: &[u8]) -> bool {
    matches!(line.first(), Some(b' ' | b'\t'))
}

/// Returns whether the first line of a field is well-formed. A separator line of an mbox counts as well-formed.
fn is_well_formed(line: &[u8], field: Option<&HeaderField<'_>>) -> bool {
    let has_colon = |field: &HeaderField<'_>| field.value.start - field.start <= line.len();
    let is_field = field.is_some_and(|field| has_colon(field) && !field.name.contains(&b' '));
    (is_field && !is_continuation(line)) || line.starts_with(b"From ") || line.starts_with(b">From ")
}

/// Returns whether a body begins at a malformed line of a header of this length: no field after it describes it.
fn begins_body(text: &[u8], length: usize) -> bool {
    let (end, _) = body_start(text, 0..text.len());
    !may_become_field(&text[..length]) && !header_fields(&text[..end]).any(|field| describes_body(&field))
}

/// Returns whether a field affects how the body is read or changed.
///
/// ```
/// let described = |header| absolve_framing::header_fields(header).any(|field| absolve_framing::describes_body(&field));
/// assert!(described(b"Content-Type: text/html\n") && !described(b"Subject: x\n"));
/// ```
pub fn describes_body(field: &HeaderField<'_>) -> bool {
    let begins = |start: &[u8]| field.name.get(..start.len()).is_some_and(|name| name.eq_ignore_ascii_case(start));
    const OTHERS: [&str; 4] = ["Base", "Lines", "Archived-At", "Snapshot-Content-Location"];
    let mut others = OTHERS.into_iter().chain(SERVER_SIGNATURES);
    !field.name.contains(&b' ') && (begins(b"Content-") || begins(b"List-") || others.any(|name| field.is_named(name)))
}

/// Returns whether an edit could turn a malformed line into a field: no white space precedes what may be a reference.
fn may_become_field(line: &[u8]) -> bool {
    let word = line.iter().take_while(|byte| !matches!(byte, b' ' | b'\t'));
    !matches!(line.get(word.clone().count()), Some(b' '))
        || word.clone().any(|byte| !byte.is_ascii_alphanumeric() && !matches!(byte, b'<' | b'>' | b',' | b'!'))
}
