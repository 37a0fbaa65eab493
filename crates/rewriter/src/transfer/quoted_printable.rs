//! Quoted-printable (RFC 2045, section 6.7).

use std::ops::Range;

use absolve_links::Edits;

use super::difference;

/// A body without its encoding.
#[derive(Clone, Debug)]
pub(crate) struct Decoded {
    pub(super) bytes: Vec<u8>,
    /// In order, without gaps in the raw bytes.
    runs: Vec<Run>,
}

/// A stretch that is written as it reads, an escaped byte, or a soft line break.
#[derive(Clone, Debug)]
struct Run {
    text: Range<usize>,
    raw: Range<usize>,
}

const LONGEST_LINE: usize = 76;

/// Takes the encoding off. An `=` that begins nothing stands for itself.
pub(super) fn decode(raw: &[u8]) -> Decoded {
    let mut decoded = Decoded { bytes: Vec::with_capacity(raw.len()), runs: Vec::new() };
    let mut at = 0;
    while at < raw.len() {
        let plain = memchr::memchr(b'=', &raw[at..]).map_or(raw.len(), |offset| at + offset);
        decoded.push(at..plain, &raw[at..plain]);
        at = plain;
        match raw.get(at..) {
            Some([b'=', first, second, ..]) if let Some(byte) = hexadecimal(*first, *second) => {
                decoded.push(at..at + 3, &[byte]);
                at += 3;
            }
            Some([b'=', rest @ ..]) => {
                let length = soft_break(rest);
                decoded.push(at..at + 1 + length, if length > 0 || rest.is_empty() { b"" } else { b"=" });
                at += 1 + length;
            }
            _ => {}
        }
    }
    decoded
}

impl Decoded {
    fn push(&mut self, raw: Range<usize>, text: &[u8]) {
        if !raw.is_empty() {
            let start = self.bytes.len();
            self.bytes.extend_from_slice(text);
            self.runs.push(Run { text: start..self.bytes.len(), raw });
        }
    }

    /// Edits of the text as edits of what is written. Only the lines that they touch are broken anew.
    pub(super) fn lift(&self, raw: &[u8], edits: &Edits, end: &[u8]) -> Edits {
        let written: Vec<(Range<usize>, Vec<u8>)> =
            edits.iter().map(|(range, text)| (self.raw_range(range), encode(text))).collect();
        let mut lifted = Edits::default();
        let mut rest = &written[..];
        while let Some((first, _)) = rest.first() {
            let start = memchr::memrchr(b'\n', &raw[..first.start]).map_or(0, |at| at + 1);
            let mut stop = line_stop(raw, first.end);
            let count = rest.iter().take_while(|(range, _)| {
                let is_of_line = range.start <= stop;
                if is_of_line {
                    stop = stop.max(line_stop(raw, range.end));
                }
                is_of_line
            });
            let (of_line, after) = rest.split_at(count.count());
            rest = after;
            let mut line = Vec::with_capacity(stop - start + 100);
            let mut at = start;
            for (range, text) in of_line {
                line.extend_from_slice(&raw[at..range.start]);
                line.extend_from_slice(text);
                at = range.end;
            }
            line.extend_from_slice(&raw[at..stop]);
            lifted.append(difference(raw, start, stop, &wrapped(&line, end)));
        }
        lifted
    }

    /// What is written for a range of the text, without soft line breaks at its ends.
    fn raw_range(&self, range: Range<usize>) -> Range<usize> {
        let run_at = |position: usize| {
            let index = self.runs.partition_point(|run| run.text.end <= position);
            self.runs.get(index).filter(|run| run.text.start <= position)
        };
        let byte = |position: usize| match run_at(position) {
            Some(run) if run.raw.len() == run.text.len() => {
                let raw = run.raw.start + (position - run.text.start);
                raw..raw + 1
            }
            Some(run) => run.raw.clone(),
            None => {
                let end = self.runs.last().map_or(0, |run| run.raw.end);
                end..end
            }
        };
        let start = byte(range.start).start;
        let end = if range.is_empty() { start } else { byte(range.end - 1).end };
        start..end
    }
}

/// The end of the line that `at` stands in, without its line end.
fn line_stop(raw: &[u8], at: usize) -> usize {
    let end = memchr::memchr(b'\n', &raw[at..]).map_or(raw.len(), |offset| at + offset);
    if end > at && raw.get(end - 1) == Some(&b'\r') && end < raw.len() { end - 1 } else { end }
}

/// The same lines, broken where they are too long, between escapes, and so that none begins like the next message of an
/// mbox.
fn wrapped(lines: &[u8], end: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(lines.len() + 16);
    for (index, line) in lines.split(|byte| *byte == b'\n').enumerate() {
        if index > 0 {
            out.push(b'\n');
        }
        let (mut rest, tail) = match line.strip_suffix(b"\r") {
            Some(line) => (line, &b"\r"[..]),
            None => (line, &b""[..]),
        };
        while rest.len() > LONGEST_LINE {
            let mut cut = LONGEST_LINE - 1;
            while cut > 1 && (rest[cut - 1] == b'=' || rest[cut - 2] == b'=' || rest[cut..].starts_with(b"From ")) {
                cut -= 1;
            }
            out.extend_from_slice(&rest[..cut]);
            out.push(b'=');
            out.extend_from_slice(end);
            rest = &rest[cut..];
        }
        out.extend_from_slice(rest);
        out.extend_from_slice(tail);
    }
    out
}

/// Text in lines, put into the encoding with its line ends as they are.
pub(super) fn encode_lines(text: &[u8], end: &[u8]) -> Vec<u8> {
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

fn hexadecimal(first: u8, second: u8) -> Option<u8> {
    let digit = |byte: u8| char::from(byte).to_digit(16);
    Some((digit(first)? * 16 + digit(second)?) as u8)
}

/// The length of what follows the `=` of a soft line break; 0 if it is none.
fn soft_break(rest: &[u8]) -> usize {
    let padding = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    match &rest[padding..] {
        [b'\r', b'\n', ..] => padding + 2,
        [b'\n', ..] => padding + 1,
        _ => 0,
    }
}
