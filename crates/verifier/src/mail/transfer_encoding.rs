//! Transfer encodings: what they hide, and where they may change.

use std::borrow::Cow;

use super::header::Header;
use crate::verdict::{Difference, Rule};

/// How a body is written (RFC 2045, section 6).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Encoding {
    /// As it reads, in lines of limited length.
    Lines,
    /// As it reads.
    Binary,
    QuotedPrintable,
    Base64,
    /// In a way that is not known here.
    Unknown,
}

impl Encoding {
    /// The encoding that a header names; several that differ are none.
    pub(crate) fn of(header: &Header) -> Self {
        let mut named = header.fields.iter().filter(|field| field.name == "content-transfer-encoding").map(|field| {
            let value = field.named().1;
            // Comments and parameters are none of the name.
            let name = value.split(['(', ';']).next().unwrap_or_default().trim().to_ascii_lowercase();
            match name.trim_matches('"') {
                "" | "7bit" | "8bit" | "7bits" | "8bits" => Self::Lines,
                "binary" => Self::Binary,
                "quoted-printable" => Self::QuotedPrintable,
                "base64" => Self::Base64,
                _ => Self::Unknown,
            }
        });
        let first = named.next().unwrap_or(Self::Lines);
        if named.all(|other| other == first) { first } else { Self::Unknown }
    }
}

/// A body without its encoding, if that can be taken off.
pub(crate) fn decode(body: &[u8], encoding: Encoding) -> Option<Cow<'_, [u8]>> {
    match encoding {
        Encoding::Lines | Encoding::Binary => Some(Cow::Borrowed(body)),
        Encoding::QuotedPrintable => Some(Cow::Owned(lines(body).flat_map(|line| decoded_line(line).0).collect())),
        Encoding::Base64 => base64_text(body).map(Cow::Owned),
        Encoding::Unknown => None,
    }
}

/// What changed in the encoding of a body though no link in it did.
pub(crate) fn encoding_difference(
    (old, new): (&[u8], &[u8]),
    (old_text, new_text): (&[u8], &[u8]),
    encodings: (Encoding, Encoding),
) -> Option<Difference> {
    let differ = |message: &str| Some(Difference::new(Rule::Encoding, message));
    match encodings {
        _ if old == new && encodings.0 == encodings.1 => None,
        (Encoding::Lines, Encoding::Lines) | (Encoding::Binary, Encoding::Binary) => None,
        (Encoding::QuotedPrintable, Encoding::QuotedPrintable) => quoted_printable(old, new),
        (Encoding::Base64, Encoding::Base64) => base64(old, new, old_text, new_text),
        (Encoding::Lines, Encoding::QuotedPrintable) => match has_more_long_lines(old_text, new_text) {
            true if lines(new).all(|line| without_end(line).len() <= 76) => None,
            true => differ("a line of quoted-printable is longer than 76 characters"),
            false => differ("the body became quoted-printable though no line became too long"),
        },
        _ => differ("the transfer encoding is another one"),
    }
}

/// That a body in lines has one that no message may have, and the original had not.
pub(crate) fn line_difference(old: &[u8], new: &[u8], encodings: (Encoding, Encoding)) -> Option<Difference> {
    let is_in_lines = encodings == (Encoding::Lines, Encoding::Lines);
    let message = "a line has become longer than the 998 bytes that lines of a message may have";
    (is_in_lines && has_more_long_lines(old, new)).then(|| Difference::new(Rule::Encoding, message))
}

/// Whether there are more lines than before that are longer than those of messages may be (RFC 5322, section 2.1.1).
fn has_more_long_lines(old: &[u8], new: &[u8]) -> bool {
    const LONGEST: usize = 998;
    let count = |text: &[u8]| lines(text).filter(|line| without_end(line).len() > LONGEST).count();
    count(new) > count(old)
}

fn lines(body: &[u8]) -> impl Iterator<Item = &[u8]> {
    body.split_inclusive(|byte| *byte == b'\n')
}

fn without_end(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

/// What a line of quoted-printable reads, and whether it goes on in the next one.
fn decoded_line(line: &[u8]) -> (Vec<u8>, bool) {
    let content = without_end(line);
    let end = &line[content.len()..];
    // White space at the end of a line was put there on the way.
    let content = content.trim_ascii_end();
    let (content, is_soft) = match content.strip_suffix(b"=") {
        Some(content) => (content, true),
        None => (content, false),
    };
    let mut text = Vec::with_capacity(line.len());
    let mut at = 0;
    while at < content.len() {
        let digits = content.get(at + 1..at + 3).and_then(|digits| str::from_utf8(digits).ok());
        let byte = digits.filter(|_| content[at] == b'=').and_then(|digits| u8::from_str_radix(digits, 16).ok());
        text.push(byte.unwrap_or(content[at]));
        at += if byte.is_some() { 3 } else { 1 };
    }
    if !is_soft {
        text.extend_from_slice(end);
    }
    (text, is_soft)
}

/// Lines that read the same up to the first changed link, or from the last one on, are written the same.
fn quoted_printable(old: &[u8], new: &[u8]) -> Option<Difference> {
    let (old_lines, new_lines) = (hard_lines(old), hard_lines(new));
    if old_lines.len() != new_lines.len() {
        // A link was broken over lines, or what changed is a message in an encoding of its own.
        let message = of_hard_line(&old_lines.concat(), &new_lines.concat());
        return message.map(|message| Difference::new(Rule::Encoding, message));
    }
    let mut at = 0;
    for (old_line, new_line) in old_lines.iter().zip(&new_lines) {
        if let Some(message) = of_hard_line(old_line, new_line) {
            return Some(Difference::new(Rule::Encoding, message).at(at));
        }
        at += old_line.iter().map(|line| line.len()).sum::<usize>();
    }
    None
}

fn of_hard_line(old: &[&[u8]], new: &[&[u8]]) -> Option<&'static str> {
    if old == new {
        return None;
    }
    let texts = |lines: &[&[u8]]| lines.iter().map(|line| decoded_line(line).0).collect::<Vec<_>>();
    let (old_texts, new_texts) = (texts(old), texts(new));
    let (old_all, new_all) = (old_texts.concat(), new_texts.concat());
    if old_all == new_all {
        return Some("a line of quoted-printable that reads the same is written otherwise");
    }
    let same_before = old_all.iter().zip(&new_all).take_while(|(old, new)| old == new).count();
    let most = old_all.len().min(new_all.len()) - same_before;
    let same_behind =
        old_all.iter().rev().zip(new_all.iter().rev()).take(most).take_while(|(old, new)| old == new).count();
    let mut read = 0;
    for (index, (line, text)) in old.iter().zip(&old_texts).enumerate() {
        read += text.len();
        if read < same_before && new.get(index) != Some(line) {
            return Some("a line of quoted-printable before the first changed link is written otherwise");
        }
    }
    let mut left = 0;
    for (index, (line, text)) in old.iter().zip(&old_texts).rev().enumerate() {
        left += text.len();
        if left < same_behind && new.iter().rev().nth(index) != Some(line) {
            return Some("a line of quoted-printable behind the last changed link is written otherwise");
        }
    }
    let is_long = |line: &&[u8]| without_end(line).len() > 76;
    (new.iter().any(is_long) && !old.iter().any(is_long))
        .then_some("a line of quoted-printable is longer than 76 characters")
}

/// The lines as they read, each in the lines in which it is written.
fn hard_lines(body: &[u8]) -> Vec<Vec<&[u8]>> {
    let mut found: Vec<Vec<&[u8]>> = vec![Vec::new()];
    for line in lines(body) {
        if let Some(last) = found.last_mut() {
            last.push(line);
        }
        if !decoded_line(line).1 {
            found.push(Vec::new());
        }
    }
    found
}

/// What base64 in lines of one length reads. The padding may be missing, and white space may stand at the ends of lines.
fn base64_text(body: &[u8]) -> Option<Vec<u8>> {
    let lines: Vec<&[u8]> = body.trim_ascii_end().split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii_end).collect();
    let (last, others) = lines.split_last()?;
    let width = lines[0].len();
    if last.len() > width || others.iter().any(|line| line.len() != width) {
        return None;
    }
    let digits = lines.concat();
    let padding = digits.iter().rev().take_while(|byte| **byte == b'=').count();
    if padding > 2 || (padding > 0 && digits.len() % 4 > 0) {
        return None;
    }
    let mut lenient = data_encoding::BASE64_NOPAD.specification();
    lenient.check_trailing_bits = false;
    lenient.encoding().ok()?.decode(&digits[..digits.len() - padding]).ok()
}

/// Up to the first change the body is as it was; from there on it is what encoding its text in lines of the same length
/// makes of it. One short line does not tell how long lines are.
fn base64(old: &[u8], new: &[u8], old_text: &[u8], new_text: &[u8]) -> Option<Difference> {
    let differ = |message: &str| Some(Difference::new(Rule::Encoding, message));
    if old_text == new_text {
        return differ("the same bytes are encoded otherwise");
    }
    let (content, behind) = old.split_at(old.trim_ascii_end().len());
    let is_one_line = !content.contains(&b'\n');
    let first = content.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let width = if is_one_line { first.len().max(76) } else { first.trim_ascii_end().len() };
    let crlf = if is_one_line { behind.starts_with(b"\r") } else { first.ends_with(b"\r") };
    let same = old_text.iter().zip(new_text).take_while(|(old, new)| old == new).count() / 3 * 4;
    let encoded = |end: &[u8]| {
        let digits = data_encoding::BASE64.encode(new_text).into_bytes();
        let lines: Vec<&[u8]> = digits.chunks(width.max(4)).collect();
        let lines = lines.join(end);
        [&content[..bytes_of_digits(content, same)], &lines[bytes_of_digits(&lines, same)..], behind].concat()
    };
    let is_same = new == encoded(if crlf { b"\r\n" } else { b"\n" })
        || (is_one_line && (new == encoded(b"\r\n") || new == encoded(b"\n")));
    if is_same { None } else { differ("base64 is not written as before: its lines, their ends, or the padding") }
}

/// How many bytes so many digits take, with what stands between them.
fn bytes_of_digits(text: &[u8], mut digits: usize) -> usize {
    let of_digits = text.iter().take_while(|byte| {
        let is_before_end = digits > 0;
        digits -= usize::from(is_before_end && !byte.is_ascii_whitespace());
        is_before_end
    });
    of_digits.count()
}
