//! Where a header ends, malformed ones too (RFC 5322, section 2.1).

use std::ops::Range;

use crate::header_fields::{HeaderField, body_start, header_fields};

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
    /// both read the same, and the body begins there.
    ///
    /// ```
    /// use absolve_framing::{HeaderExtent, Malformed};
    /// let (message, mut names) = (b"Subject: x\nHello, all.\n", Vec::new());
    /// let extent = HeaderExtent::of(message, 0..message.len(), &mut |field| names.push(field.name.to_vec()));
    /// assert_eq!((extent.body, extent.malformed), (11, Malformed::StartsBody));
    /// assert_eq!(names, [b"Subject"]);
    /// ```
    pub fn of(message: &[u8], within: Range<usize>, add: &mut dyn FnMut(&HeaderField<'_>)) -> Self {
        let text = &message[within.clone()];
        let line_end = |at: usize| memchr::memchr(b'\n', &text[at..]).map_or(text.len(), |length| at + length + 1);
        let mut malformed = Malformed::None;
        let mut at = 0;
        while at < text.len() {
            let line = at..line_end(at);
            if matches!(text[line.clone()], [b'\n'] | [b'\r', b'\n']) {
                return Self { end: within.start + at, body: within.start + line.end, malformed };
            }
            let mut end = line.end;
            while is_continuation(&text[end..]) {
                end = line_end(end);
            }
            let field = HeaderField::in_lines(text, at..end);
            if malformed == Malformed::None && !is_well_formed(&text[line.clone()], field.as_ref()) {
                if begins_body(&text[at..], line.len()) {
                    let start = within.start + at;
                    return Self { end: start, body: start, malformed: Malformed::StartsBody };
                }
                malformed = Malformed::Doubtful;
            }
            field.iter().for_each(&mut *add);
            at = end;
        }
        Self { end: within.end, body: within.end, malformed }
    }
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
