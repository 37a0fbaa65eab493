//! Content transfer encodings: what they encode, and where they may change.

use std::borrow::Cow;

use super::header::Header;
use super::lines::{lines, without_end};
use super::parameters::without_comments;
use crate::verdict::{Difference, Rule};

/// The content transfer encoding of a body (RFC 2045, section 6).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Encoding {
    /// `7bit` or `8bit`: plain bytes in lines of limited length.
    Lines,
    /// Plain bytes.
    Binary,
    QuotedPrintable,
    Base64,
    /// An encoding that is not known here.
    Unknown,
}

/// Returns the name in a value of `Content-Transfer-Encoding`, without comments and parameters.
pub(crate) fn encoding_name(value: &str) -> String {
    let words = without_comments(value);
    let name = words.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    name.trim_matches('"').to_owned()
}

impl Encoding {
    /// Returns the encoding that a header names; several different ones are unknown.
    pub(crate) fn of(header: &Header) -> Self {
        let mut named = header.fields.iter().filter(|field| field.name == "content-transfer-encoding").map(|field| {
            match &*encoding_name(&field.named().1) {
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

/// Decodes a body; `None` if it cannot be decoded.
pub(crate) fn decode(body: &[u8], encoding: Encoding) -> Option<Cow<'_, [u8]>> {
    match encoding {
        Encoding::Lines | Encoding::Binary => Some(Cow::Borrowed(body)),
        Encoding::QuotedPrintable => Some(Cow::Owned(lines(body).flat_map(|line| decoded_line(line).0).collect())),
        Encoding::Base64 => base64_text(body).map(Cow::Owned),
        Encoding::Unknown => None,
    }
}

/// Returns what changed in the encoding of a body although no link there did.
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
        _ => differ("the transfer encoding has changed"),
    }
}

/// Reports a line that is too long for a message, if the original has none.
pub(crate) fn line_difference(old: &[u8], new: &[u8], encodings: (Encoding, Encoding)) -> Option<Difference> {
    let is_in_lines = encodings == (Encoding::Lines, Encoding::Lines);
    let message = "a line has become longer than the 998 bytes that a line of a message may have";
    (is_in_lines && has_more_long_lines(old, new)).then(|| Difference::new(Rule::Encoding, message))
}

/// Reports whether more lines than before exceed the limit of messages (RFC 5322, section 2.1.1).
fn has_more_long_lines(old: &[u8], new: &[u8]) -> bool {
    const LONGEST: usize = 998;
    let count = |text: &[u8]| lines(text).filter(|line| without_end(line).len() > LONGEST).count();
    count(new) > count(old)
}

/// Returns a line without the spaces and tabs at its end, which were added in transport (RFC 2045, section 6.7).
fn without_blanks(line: &[u8]) -> &[u8] {
    let blanks = line.iter().rev().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    &line[..line.len() - blanks]
}

/// Decodes a line of quoted-printable; returns the text, and whether a soft line break ends it.
fn decoded_line(line: &[u8]) -> (Vec<u8>, bool) {
    let content = without_end(line);
    let end = &line[content.len()..];
    let content = without_blanks(content);
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

/// Verifies that lines in front of the first changed link, and behind the last one, are encoded as before.
fn quoted_printable(old: &[u8], new: &[u8]) -> Option<Difference> {
    let (old_lines, new_lines) = (hard_lines(old), hard_lines(new));
    if old_lines.len() != new_lines.len() {
        // A link was broken over lines, or a changed message has an encoding of its own.
        let message = hard_line_difference(&old_lines.concat(), &new_lines.concat());
        return message.map(|message| Difference::new(Rule::Encoding, message));
    }
    let mut at = 0;
    for (old_line, new_line) in old_lines.iter().zip(&new_lines) {
        if let Some(message) = hard_line_difference(old_line, new_line) {
            return Some(Difference::new(Rule::Encoding, message).at(at));
        }
        at += old_line.iter().map(|line| line.len()).sum::<usize>();
    }
    None
}

fn hard_line_difference(old: &[&[u8]], new: &[&[u8]]) -> Option<&'static str> {
    if old == new {
        return None;
    }
    let texts = |lines: &[&[u8]]| lines.iter().map(|line| decoded_line(line).0).collect::<Vec<_>>();
    let (old_texts, new_texts) = (texts(old), texts(new));
    let (old_all, new_all) = (old_texts.concat(), new_texts.concat());
    if old_all == new_all {
        return Some("an unchanged line of quoted-printable is encoded differently");
    }
    let same_before = old_all.iter().zip(&new_all).take_while(|(old, new)| old == new).count();
    let most = old_all.len().min(new_all.len()) - same_before;
    let same_behind =
        old_all.iter().rev().zip(new_all.iter().rev()).take(most).take_while(|(old, new)| old == new).count();
    let mut read = 0;
    for (index, (line, text)) in old.iter().zip(&old_texts).enumerate() {
        read += text.len();
        if read < same_before && new.get(index) != Some(line) {
            return Some("a line of quoted-printable in front of the first changed link is encoded differently");
        }
    }
    let mut left = 0;
    for (index, (line, text)) in old.iter().zip(&old_texts).rev().enumerate() {
        left += text.len();
        if left < same_behind && new.iter().rev().nth(index) != Some(line) {
            return Some("a line of quoted-printable behind the last changed link is encoded differently");
        }
    }
    let is_long = |line: &&[u8]| without_blanks(without_end(line)).len() > 76;
    (new.iter().any(is_long) && !old.iter().any(is_long))
        .then_some("a line of quoted-printable is longer than 76 characters")
}

/// Groups encoded lines by the lines of the text.
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

/// Decodes base64 in lines of one length. The padding may be missing, and white space may end a line.
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

/// Verifies that base64 is as before up to the first change, and from there on encodes the text in lines of the same
/// length. A single short line does not show the length of lines.
fn base64(old: &[u8], new: &[u8], old_text: &[u8], new_text: &[u8]) -> Option<Difference> {
    let differ = |message: &str| Some(Difference::new(Rule::Encoding, message));
    if old_text == new_text {
        return differ("the same bytes are encoded differently");
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
    if is_same { None } else { differ("base64 has other line lengths, line ends or padding than before") }
}

/// Returns the number of bytes of so many digits, white space between them included.
fn bytes_of_digits(text: &[u8], mut digits: usize) -> usize {
    let of_digits = text.iter().take_while(|byte| {
        let is_before_end = digits > 0;
        digits -= usize::from(is_before_end && !byte.is_ascii_whitespace());
        is_before_end
    });
    of_digits.count()
}
