//! Aligns a rewritten document with the original by their bytes.

use std::borrow::Cow;
use std::ops::Range;

use encoding_rs::Encoding;

use super::expected::Expected;
use crate::references::found::{Place, Reference};

/// What stands in the rewritten document where the original has a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Counterpart<'p> {
    pub(super) range: Range<usize>,
    pub(super) text: Cow<'p, str>,
    /// Its place, if a reader has found it.
    pub(super) place: Option<&'p Place>,
}

/// Returns the counterparts of all links, if the bytes alone prove them: all others are equal, and of each link only the
/// beginning has changed, to characters that no wrapping decodes and no grammar ends at. So a reader would find the same.
pub(super) fn aligned<'p>(
    expected: &Expected<'p>,
    rewritten: &[u8],
    encoding: &'static Encoding,
) -> Option<Vec<Counterpart<'p>>> {
    let links = &expected.links;
    let start_of = |index: usize| links.get(index).map_or(expected.bytes.len(), |(range, _)| range.start);
    let mut at = start_of(0);
    if !rewritten.starts_with(&expected.bytes[..at]) {
        return None;
    }
    let mut counterparts = Vec::with_capacity(links.len());
    for (index, (range, reference)) in links.iter().enumerate() {
        let old = &expected.bytes[range.clone()];
        let behind = expected.bytes.get(range.end..start_of(index + 1))?;
        let rest = &rewritten[at..];
        let is_last = index + 1 == links.len();
        let length = match rest.strip_prefix(old) {
            Some(rest) if if is_last { rest == behind } else { rest.starts_with(behind) } => old.len(),
            _ if is_last => rest.strip_suffix(behind)?.len(),
            _ if behind.is_empty() => return None,
            _ => length_up_to(behind, rest)?,
        };
        let new = &rest[..length];
        let text = match old == new {
            true => (&*reference.text).into(),
            false if !encoding.is_ascii_compatible() => return None,
            false => read(reference, (old, new), &expected.bytes[..range.start])?.into(),
        };
        counterparts.push(Counterpart { range: at..at + length, text, place: None });
        at += length + behind.len();
    }
    (at == rewritten.len()).then_some(counterparts)
}

/// Returns the length of what stands in front of a text: mostly a link, in which its first byte is rare.
fn length_up_to(behind: &[u8], rest: &[u8]) -> Option<usize> {
    let first = memchr::memchr(*behind.first()?, rest)?;
    if rest[first..].starts_with(behind) { Some(first) } else { memchr::memmem::find(rest, behind) }
}

/// Returns the text of the new bytes of a link, if its end is that of the old ones, and its beginning is inert.
fn read(reference: &Reference, (old, new): (&[u8], &[u8]), before: &[u8]) -> Option<String> {
    let same = old.iter().rev().zip(new.iter().rev()).take_while(|(old, new)| old == new).count();
    let (start, tail) = tail(reference, reference.range.end - same)?;
    let kept = reference.range.end - start;
    let beginning = new.get(..new.len().checked_sub(kept)?)?;
    (is_inert(beginning) && !ends_in_reference(before)).then_some(())?;
    Some([str::from_utf8(beginning).ok()?, tail].concat())
}

/// Returns the first unit of a link that begins at a byte or behind it, and the text from there on.
fn tail(reference: &Reference, byte: usize) -> Option<(usize, &str)> {
    let end = (reference.range.end, reference.text.len());
    let (start, at) = reference.places.unit_from(byte, &reference.text).unwrap_or(end);
    Some((start, reference.text.get(at..)?))
}

/// Reports whether bytes mean themselves, wherever a link may stand, and end nothing.
pub(super) fn is_inert(bytes: &[u8]) -> bool {
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b":/.-_~?=%+@".contains(byte);
    bytes.iter().all(is_plain) && !bytes.ends_with(b"-") && !bytes.windows(2).any(|pair| pair == b"--")
}

/// Reports whether a text ends in a character reference without a semicolon, which what follows may continue.
pub(super) fn ends_in_reference(text: &[u8]) -> bool {
    let near = &text[text.len().saturating_sub(LONGEST_REFERENCE)..];
    let has_escape = memchr::memchr(b'\\', near).is_some();
    let near: Cow<'_, [u8]> = if has_escape { without_escapes(near).into() } else { near.into() };
    let is_of_name = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'#' | b';' | 0);
    let length = near.iter().rev().take_while(is_of_name).count();
    let (before, name) = near.split_at(near.len() - length);
    before.ends_with(b"&") && name.iter().rev().find(|byte| **byte != 0) != Some(&b';')
}

/// Decodes `\u0026` and the like: in JSON, any character of a character reference may be an escape.
fn without_escapes(text: &[u8]) -> Vec<u8> {
    let text = String::from_utf8_lossy(text);
    let mut pieces = text.split("\\u");
    let mut decoded = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let code = piece.get(..4).and_then(|digits| u32::from_str_radix(digits, 16).ok());
        let character = code.and_then(char::from_u32);
        decoded.extend(character);
        decoded.push_str(&piece[if character.is_some() { 4 } else { 0 }..]);
    }
    decoded.into_bytes()
}

/// Bytes in which a character reference begins, even one in a nested document in UTF-16 or in JSON.
const LONGEST_REFERENCE: usize = 256;
