//! Quoted-printable (RFC 2045, section 6.7).

use std::ops::Range;

use absolve_links::Edits;

use crate::entity::encoded::Encoded;
use crate::entity::lines::{difference, edited_lines};

/// A body without its encoding.
#[derive(Clone, Debug)]
pub(crate) struct QuotedPrintableBody {
    pub(crate) bytes: Vec<u8>,
    /// In order; each ends where the next begins.
    runs: Vec<Run>,
    raw_length: usize,
    /// Signs `=` that begin neither an escape nor a soft line break.
    pub(crate) bare_signs: usize,
}

/// The start of a run: of literal bytes, of one escape, or of what is not text (a soft line break, trailing white
/// space). Messages are shorter than 4 GiB.
#[derive(Clone, Copy, Debug)]
struct Run {
    text: u32,
    raw: u32,
}

const LONGEST_LINE: usize = 76;

const ESCAPED_DASH: &[u8] = b"=2D";

/// Decodes a body. An `=` that begins no escape is literal.
pub(crate) fn decode(raw: &[u8]) -> QuotedPrintableBody {
    let bytes = Vec::with_capacity(raw.len());
    let mut decoded = QuotedPrintableBody { bytes, runs: Vec::new(), raw_length: raw.len(), bare_signs: 0 };
    let mut start = 0;
    for place in memchr::memchr2_iter(b'=', b'\n', raw).chain([raw.len()]) {
        let (from, byte, to) = match &raw[place..] {
            // The line end of a soft line break.
            _ if place < start => continue,
            [b'='] => (place, None, place + 1),
            [b'=', rest @ ..] => match (rest.first_chunk().and_then(|digits| hexadecimal(*digits)), soft_break(rest)) {
                (Some(byte), _) => (place, Some(byte), place + 3),
                (None, 0) => {
                    decoded.bare_signs += 1;
                    continue;
                }
                (None, length) => (place, None, place + 1 + length),
            },
            _ => {
                let line = raw[start..place].strip_suffix(b"\r").unwrap_or(&raw[start..place]);
                match (start + without_blanks(line), start + line.len()) {
                    (text, end) if text < end => (text, None, end),
                    _ => continue,
                }
            }
        };
        decoded.push_literal(raw, start..from);
        decoded.push(from, byte.as_slice());
        start = to;
    }
    decoded.push_literal(raw, start..raw.len());
    decoded
}

impl QuotedPrintableBody {
    fn push(&mut self, raw: usize, text: &[u8]) {
        self.runs.push(Run { text: self.bytes.len() as u32, raw: raw as u32 });
        self.bytes.extend_from_slice(text);
    }

    fn push_literal(&mut self, raw: &[u8], stretch: Range<usize>) {
        if !stretch.is_empty() {
            self.push(stretch.start, &raw[stretch]);
        }
    }

    /// Returns the encoded bytes of a range of the text, without soft line breaks at its ends.
    fn raw_range(&self, range: Range<usize>) -> Range<usize> {
        let byte = |position: usize| {
            let next = self.runs.partition_point(|run| run.text as usize <= position);
            let Some(run) = next.checked_sub(1).map(|index| self.runs[index]).filter(|_| position < self.bytes.len())
            else {
                // Soft line breaks and white space after the last text are not part of it.
                let end = self.runs.partition_point(|run| (run.text as usize) < self.bytes.len());
                let end = self.runs.get(end).map_or(self.raw_length, |run| run.raw as usize);
                return end..end;
            };
            let (raw_end, text_end) = match self.runs.get(next) {
                Some(next) => (next.raw as usize, next.text as usize),
                None => (self.raw_length, self.bytes.len()),
            };
            let (raw, text) = (run.raw as usize, run.text as usize);
            match raw_end - raw == text_end - text {
                true => raw + (position - text)..raw + (position - text) + 1,
                false => raw..raw_end,
            }
        };
        let start = byte(range.start).start;
        let end = if range.is_empty() { start } else { byte(range.end - 1).end };
        start..end
    }
}

impl Encoded for QuotedPrintableBody {
    fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    fn raw_byte(&self, byte: usize) -> usize {
        self.raw_range(byte..byte + 1).start
    }

    /// Only the lines that are edited are wrapped again.
    fn lift(&self, raw: &[u8], edits: &Edits, end: &[u8]) -> Edits {
        let mut written = Edits::with_capacity(edits.len(), edits.inserted_bytes());
        let mut end_of_last = 0;
        for (range, text) in edits.iter() {
            let Range { start, end } = self.raw_range(range);
            // A bare sign would begin an escape with what is written behind it.
            let bare = match &raw[end_of_last..start] {
                [.., b'='] => start - 1,
                [.., b'=', digit] if digit.is_ascii_hexdigit() => start - 2,
                _ => start,
            };
            written.push(bare..end, &[encode(&raw[bare..start]), encode(text)].concat());
            end_of_last = end;
        }
        let mut lifted = Edits::default();
        for (lines, new) in edited_lines(raw, &written) {
            lifted.append(difference(raw, lines.start, lines.end, &wrapped(&new, end)));
        }
        lifted
    }
}

/// Returns the lines wrapped between escapes, so that none begins like the next message of an mbox or the delimiter of a part.
fn wrapped(lines: &[u8], end: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(lines.len() + 16);
    for (index, line) in lines.split(|byte| *byte == b'\n').enumerate() {
        if index > 0 {
            out.push(b'\n');
        }
        // White space at the end of a line is not text, but would be in front of a soft line break.
        let (mut rest, tail) = line.split_at(without_blanks(line.strip_suffix(b"\r").unwrap_or(line)));
        let mut written = 0;
        while written + rest.len() > LONGEST_LINE {
            let mut cut = LONGEST_LINE - 1 - written;
            while cut > 1 && (rest[cut - 1] == b'=' || rest[cut - 2] == b'=' || rest[cut..].starts_with(b"From ")) {
                cut -= 1;
            }
            out.extend_from_slice(&rest[..cut]);
            out.push(b'=');
            out.extend_from_slice(end);
            rest = &rest[cut..];
            written = 0;
            if rest.starts_with(b"--") {
                (rest, written) = (&rest[1..], ESCAPED_DASH.len());
                out.extend_from_slice(ESCAPED_DASH);
            }
        }
        out.extend_from_slice(rest);
        out.extend_from_slice(tail);
    }
    out
}

/// Encodes a text, and keeps its line ends.
pub(crate) fn encode_lines(text: &[u8], end: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len() + text.len() / 8);
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        let (content, line_end) = match line {
            [content @ .., b'\r', b'\n'] => (content, &b"\r\n"[..]),
            [content @ .., b'\n'] => (content, &b"\n"[..]),
            content => (content, &b""[..]),
        };
        let start = out.len();
        for (index, byte) in content.iter().enumerate() {
            match byte {
                b' ' | b'\t' if index + 1 < content.len() => out.push(*byte),
                _ => push_encoded(*byte, &mut out),
            }
        }
        if out[start..].starts_with(b"From ") {
            out.splice(start..=start, *b"=46");
        }
        out.extend_from_slice(line_end);
    }
    wrapped(&out, end)
}

fn encode(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len() + 8);
    text.iter().for_each(|byte| push_encoded(*byte, &mut out));
    out
}

fn push_encoded(byte: u8, out: &mut Vec<u8>) {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    match byte {
        b'!'..=b'<' | b'>'..=b'~' => out.push(byte),
        _ => out.extend([b'=', DIGITS[usize::from(byte >> 4)], DIGITS[usize::from(byte & 15)]]),
    }
}

fn hexadecimal([first, second]: [u8; 2]) -> Option<u8> {
    let digit = |byte: u8| char::from(byte).to_digit(16);
    Some((digit(first)? * 16 + digit(second)?) as u8)
}

/// Returns the length of a line without trailing blanks.
fn without_blanks(line: &[u8]) -> usize {
    line.iter().rposition(|byte| !matches!(byte, b' ' | b'\t')).map_or(0, |last| last + 1)
}

/// Returns the length of what follows the `=` of a soft line break; 0 if it is none.
fn soft_break(rest: &[u8]) -> usize {
    let padding = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    match &rest[padding..] {
        [b'\r', b'\n', ..] => padding + 2,
        [b'\n', ..] => padding + 1,
        _ => 0,
    }
}
