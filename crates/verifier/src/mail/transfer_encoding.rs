//! Content transfer encodings: what they encode, and where they may change.

use std::borrow::Cow;

use absolve_framing::Transfer;

use super::entity::Entity;
use super::lines::{lines, without_end};
use super::sides::Sides;
use crate::verdict::{Difference, Rule, Verdict};

/// Verifies bodies without their transfer encoding, and then the encoding itself.
pub(super) fn verify_decoded(old: &Entity<'_>, new: &Entity<'_>, verify: impl FnOnce(Sides<'_>) -> Verdict) -> Verdict {
    let raw = Sides { old: old.body, new: new.body };
    let (Some(old_text), Some(new_text)) = (text_of(old), text_of(new)) else {
        return raw.require_same(Rule::Encoding);
    };
    let text = Sides { old: &old_text, new: &new_text };
    let mut verdict = verify(text);
    verdict.differences.extend(difference(raw, text, (old.encoding, new.encoding)));
    verdict
}

/// Returns the body of an entity without its transfer encoding; `None` if it cannot be decoded.
pub(super) fn text_of<'m>(entity: &Entity<'m>) -> Option<Cow<'m, [u8]>> {
    match entity.encoding? {
        Transfer::Lines | Transfer::Binary => Some(Cow::Borrowed(entity.body)),
        Transfer::QuotedPrintable => Some(Cow::Owned(Quoted::of(entity.body).text)),
        Transfer::Base64 => base64_text(entity.body).map(Cow::Owned),
    }
}

/// Returns what is wrong with how a changed text is encoded.
fn difference(raw: Sides<'_>, text: Sides<'_>, encodings: (Option<Transfer>, Option<Transfer>)) -> Option<Difference> {
    let has_longer_lines = || has_longer_lines(text.old, text.new);
    let message = match encodings {
        (Some(Transfer::Lines), Some(Transfer::Lines)) if has_longer_lines() => Some(TOO_LONG),
        (old, new) if old == new => match old {
            _ if raw.old == raw.new => None,
            Some(Transfer::QuotedPrintable) => return quoted_difference(raw),
            Some(Transfer::Base64) => base64_difference(raw, text),
            _ => None,
        },
        (Some(Transfer::Lines), Some(Transfer::QuotedPrintable)) if !has_longer_lines() => {
            Some("the body became quoted-printable though no line became too long")
        }
        (Some(Transfer::Lines), Some(Transfer::QuotedPrintable)) => {
            (long_lines(raw.new, QUOTED_LONGEST) > 0).then_some(QUOTED_TOO_LONG)
        }
        _ => Some("the transfer encoding has changed"),
    };
    message.map(|message| Difference::new(Rule::Encoding, message))
}

/// The longest line of a message (RFC 5322, section 2.1.1).
const LONGEST: usize = 998;

/// The longest line of quoted-printable (RFC 2045, section 6.7).
const QUOTED_LONGEST: usize = 76;

const QUOTED_TOO_LONG: &str = "a line of quoted-printable is longer than 76 characters";

/// A line became too long for a message.
pub(super) const TOO_LONG: &str = "a line has become longer than the 998 bytes that a line of a message may have";

/// Reports whether a text has more lines than before that are too long for a message.
pub(super) fn has_longer_lines(old: &[u8], new: &[u8]) -> bool {
    long_lines(new, LONGEST) > long_lines(old, LONGEST)
}

/// Returns the number of lines that are longer than so many bytes. Blanks that were added in transport do not count in quoted-printable.
fn long_lines(text: &[u8], longest: usize) -> usize {
    let content = |line| if longest == QUOTED_LONGEST { without_blanks(line) } else { without_end(line) };
    lines(text).filter(|line| content(line).len() > longest).count()
}

/// Returns a line without its end, and the spaces and tabs before it, which were added in transport (RFC 2045, section 6.7).
fn without_blanks(line: &[u8]) -> &[u8] {
    let content = without_end(line);
    let end = content.iter().rposition(|byte| !matches!(byte, b' ' | b'\t'));
    &content[..end.map_or(0, |last| last + 1)]
}

/// Quoted-printable and its text.
#[derive(Default)]
struct Quoted {
    text: Vec<u8>,
    /// The first byte of each line, and that of its text.
    lines: Vec<(usize, usize)>,
    /// The ends of the lines without a soft line break.
    hard_ends: Vec<usize>,
}

impl Quoted {
    fn of(body: &[u8]) -> Self {
        let (mut quoted, mut at) = (Self::default(), 0);
        for line in lines(body) {
            quoted.lines.push((at, quoted.text.len()));
            at += line.len();
            let content = without_blanks(line);
            let soft = content.strip_suffix(b"=");
            let mut rest = soft.unwrap_or(content);
            while let [first, behind @ ..] = rest {
                let digits = behind.get(..2).filter(|_| *first == b'=');
                let byte = digits.and_then(|digits| data_encoding::HEXUPPER_PERMISSIVE.decode(digits).ok());
                quoted.text.push(byte.as_ref().map_or(*first, |byte| byte[0]));
                rest = &behind[if byte.is_some() { 2 } else { 0 }..];
            }
            if soft.is_none() {
                quoted.text.extend_from_slice(&line[without_end(line).len()..]);
                quoted.hard_ends.push(at);
            }
        }
        quoted
    }
}

/// Verifies that lines which no changed link touches are encoded as before. A link that was broken over lines may join them; then the body
/// is compared as one line.
fn quoted_difference(raw: Sides<'_>) -> Option<Difference> {
    let [old, new] = [raw.old, raw.new].map(|body| {
        let mut ends = Quoted::of(body).hard_ends;
        ends.push(body.len());
        ends
    });
    let lines =
        if old.len() == new.len() { old.into_iter().zip(new).collect() } else { vec![(raw.old.len(), raw.new.len())] };
    let mut start = (0, 0);
    for end in lines {
        let line = Sides { old: &raw.old[start.0..end.0], new: &raw.new[start.1..end.1] };
        if let Some(message) = quoted_line_difference(line) {
            return Some(Difference::new(Rule::Encoding, message).at(start.0));
        }
        start = end;
    }
    None
}

fn quoted_line_difference(raw: Sides<'_>) -> Option<&'static str> {
    if raw.old == raw.new {
        return None;
    }
    let (old, new) = (Quoted::of(raw.old), Quoted::of(raw.new));
    if old.text == new.text {
        return Some("an unchanged line of quoted-printable is encoded differently");
    }
    let text = Sides { old: &old.text, new: &new.text };
    let (same, same_end) = (text.common(), text.common_end());
    // What a link and its base have in common belongs to the link.
    let delimits = |byte: &u8| b"\"'<>()= \t\r\n".contains(byte);
    let before = old.text[..same].iter().rposition(delimits).map_or(0, |at| at + 1);
    let behind = old.text.len() - same_end;
    let behind = old.text[behind..].iter().position(delimits).map_or(old.text.len(), |at| behind + at);
    let first = old.lines.partition_point(|(_, text)| *text <= before).saturating_sub(1);
    // A link that ends where a line begins may have joined it to the one before.
    let next = old.lines.partition_point(|(_, text)| *text <= behind);
    let head = &raw.old[..old.lines.get(first).map_or(0, |(start, _)| *start)];
    let tail = &raw.old[old.lines.get(next).map_or(raw.old.len(), |(start, _)| *start)..];
    if !raw.new.starts_with(head) || !raw.new.ends_with(tail) {
        return Some("a line of quoted-printable beside the changed links is encoded differently");
    }
    (long_lines(raw.new, QUOTED_LONGEST) > 0 && long_lines(raw.old, QUOTED_LONGEST) == 0).then_some(QUOTED_TOO_LONG)
}

/// Decodes base64. The padding may be missing, wholly or the last of two signs: the first one is the end (RFC 2045,
/// section 6.8).
fn base64_text(body: &[u8]) -> Option<Vec<u8>> {
    let digits: Vec<u8> = body.iter().copied().filter(|byte| !byte.is_ascii_whitespace()).collect();
    let padding = digits.iter().rev().take_while(|byte| **byte == b'=').count();
    if padding > 2 || (padding > 0 && !matches!((padding, digits.len() % 4), (_, 0) | (1, 3))) {
        return None;
    }
    let mut lenient = data_encoding::BASE64_NOPAD.specification();
    lenient.check_trailing_bits = false;
    lenient.encoding().ok()?.decode(&digits[..digits.len() - padding]).ok()
}

/// Verifies that base64 is as before up to the first change, and from there on encodes the text in lines of the same
/// length. A single short line does not show the length of lines.
fn base64_difference(raw: Sides<'_>, text: Sides<'_>) -> Option<&'static str> {
    if text.old == text.new {
        return Some("the same bytes are encoded differently");
    }
    let (content, behind) = raw.old.split_at(raw.old.trim_ascii_end().len());
    let first = lines(content).next().unwrap_or_default();
    let is_one_line = first.len() == content.len();
    let width = if is_one_line { first.len().max(76) } else { first.trim_ascii_end().len() };
    let digits = text.common() / 3 * 4;
    let encoded = data_encoding::BASE64.encode(text.new).into_bytes();
    let is_in_lines = |end: &[u8]| {
        let lines = encoded.chunks(width.max(4)).collect::<Vec<_>>().join(end);
        raw.new
            == [&content[..behind_digits(content, digits)], &lines[behind_digits(&lines, digits)..], behind].concat()
    };
    let is_same = (!first.ends_with(b"\r\n") && is_in_lines(b"\n"))
        || ((is_one_line || first.ends_with(b"\r\n")) && is_in_lines(b"\r\n"));
    (!is_same).then_some("base64 has other line lengths, line ends or padding than before")
}

/// Returns where so many digits end, white space between them included.
fn behind_digits(text: &[u8], digits: usize) -> usize {
    let mut places = text.iter().enumerate().filter(|(_, byte)| !byte.is_ascii_whitespace());
    digits.checked_sub(1).and_then(|last| places.nth(last)).map_or(0, |(at, _)| at + 1)
}
