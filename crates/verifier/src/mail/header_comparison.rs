//! Compares headers: which fields may change, and which have to.

use std::iter;

use absolve_framing::{Measure, digested_forms, referring_field, unescaped, with_digest};
use absolve_links::DocumentType;
use md5::{Digest, Md5};

use super::entity::{Entity, Field, TRANSFER_ENCODING};
use super::transfer_encoding::{TOO_LONG, has_longer_lines, text_of};
use crate::base::Surroundings;
use crate::document::verify_document;
use crate::settings::{HeaderFields, Settings};
use crate::verdict::{Difference, Rule};

/// Returns the differences between two headers that are not allowed. `references` says what becomes of their references.
pub(super) fn compare_headers(
    old: &Entity<'_>,
    new: &Entity<'_>,
    references: HeaderFields,
    surroundings: &Surroundings,
    settings: &Settings,
) -> Vec<Difference> {
    let mut differences = Vec::new();
    if old.blank != new.blank {
        let message = "the empty line behind the header differs";
        differences.push(Difference::new(Rule::Header, message).at(old.header.len()));
    }
    let is_requoted = old.encoding != new.encoding;
    let encodings = |entity: &Entity<'_>| entity.named(TRANSFER_ENCODING).count();
    // A part that became quoted-printable may get a field for that.
    let may_be_added = is_requoted && encodings(old) == 0 && encodings(new) == 1;
    let mut new_fields = new.fields.iter().filter(|field| !(may_be_added && names_quoted_printable(field)));
    let measured = (old.body != new.body).then(|| (Measured::of(old), Measured::of(new)));
    for field in &old.fields {
        let Some(counterpart) = new_fields.next() else {
            let message = format!("the field {:?} is missing", String::from_utf8_lossy(field.name));
            differences.push(Difference::new(Rule::Header, message).at(field.start));
            return differences;
        };
        let corrected = measured.as_ref().and_then(|(old, new)| corrected(field, old, new));
        let is_allowed = is_requoted && field.head() == counterpart.head() && names_quoted_printable(counterpart);
        let may_refer = references == HeaderFields::Absolute && referring_field(&field.parsed(), field.value).is_some();
        differences.extend(match may_refer && field.head() == counterpart.head() && !holds_words(field, counterpart) {
            true => compare_references(field, counterpart, surroundings, settings),
            false if is_allowed => None,
            false => compare_values(field, counterpart, corrected),
        });
    }
    differences.extend(new_fields.next().map(|field| {
        Difference::new(Rule::Header, format!("the field {:?} was added", String::from_utf8_lossy(field.name)))
    }));
    differences
}

/// Verifies the references in a field, which is not its own base.
fn compare_references(
    old: &Field<'_>,
    new: &Field<'_>,
    surroundings: &Surroundings,
    settings: &Settings,
) -> Option<Difference> {
    let mut around = surroundings.clone();
    around.headers.iter_mut().take(1).for_each(|own| own.retain(|(name, _)| !old.is(name)));
    let verdict = verify_document(old.value, new.value, DocumentType::Field, None, &around, settings);
    if has_longer_lines(old.written, new.written) {
        return Some(Difference::new(Rule::Header, TOO_LONG).at(old.start));
    }
    let has_room = || !has_longer_lines(old.written, &with_expected(old, &verdict.differences));
    let differs = old.written != new.written || has_room();
    verdict.differences.into_iter().next().filter(|_| differs).map(|difference| difference.at(old.start))
}

/// Returns an unchanged field as if its links were as long as they should be.
fn with_expected(field: &Field<'_>, differences: &[Difference]) -> Vec<u8> {
    let mut written = field.written.to_vec();
    for (byte, difference) in differences.iter().rev().filter_map(|difference| Some((difference.byte?, difference))) {
        let added = difference.expected.len().saturating_sub(difference.original.len());
        let at = field.head().len() + byte;
        written.splice(at..at, iter::repeat_n(b'x', added));
    }
    written
}

/// Compares fields; `corrected` is the value with the length or digest of the body as it is now, if it had the right one.
fn compare_values(old: &Field<'_>, new: &Field<'_>, corrected: Option<Vec<u8>>) -> Option<Difference> {
    if old.head() == new.head() && new.value == corrected.as_deref().unwrap_or(old.value) {
        return None;
    }
    let rule = if corrected.is_some() { Rule::Digest } else { Rule::Header };
    let names = [old, new].map(|field| String::from_utf8_lossy(field.name).to_ascii_lowercase());
    let [original, rewritten, expected] = [old.value, new.value, corrected.as_deref().unwrap_or_default()]
        .map(|value| String::from_utf8_lossy(value).trim().to_owned());
    let message = match old.written == new.written {
        true => format!("the field {:?} no longer matches the body", names[0]),
        false => format!("the field {:?} has become {:?}: {rewritten:?}", names[0], names[1]),
    };
    Some(Difference { original, rewritten, expected, ..Difference::new(rule, message) }.at(old.start))
}

/// Reports whether an unchanged field holds encoded words, which may begin and end within a reference.
fn holds_words(old: &Field<'_>, new: &Field<'_>) -> bool {
    old.written == new.written && memchr::memmem::find(old.value, b"=?").is_some()
}

/// Reports whether a field names the encoding of a part whose lines became too long, and nothing else.
fn names_quoted_printable(field: &Field<'_>) -> bool {
    field.is(TRANSFER_ENCODING) && field.value.trim_ascii() == b"quoted-printable"
}

/// The lengths and digests of a body.
struct Measured {
    length: usize,
    lines: usize,
    /// Without the transfer encoding, like the digests.
    decoded_length: Option<usize>,
    /// Of each form of the body; empty if no field of the header has one.
    digests: Vec<String>,
}

impl Measured {
    fn of(entity: &Entity<'_>) -> Self {
        let text = text_of(entity);
        let has_digest = entity.named("content-md5").next().is_some();
        let digested = text.as_deref().filter(|_| has_digest).map(digested_forms);
        let digests = digested.iter().flatten().map(|form| data_encoding::BASE64.encode(&Md5::digest(form)));
        Self {
            length: entity.body.len(),
            lines: memchr::memchr_iter(b'\n', entity.body).count(),
            decoded_length: text.as_ref().map(|text| text.len()),
            digests: digests.collect(),
        }
    }
}

/// Returns the value of a field with the length or digest of the body as it is now, if it had that of before.
fn corrected(field: &Field<'_>, old: &Measured, new: &Measured) -> Option<Vec<u8>> {
    let (measure, place) = field.measure()?;
    let (before, [stated, after]) =
        (&field.value[..place.start], [&field.value[place.clone()], &field.value[place.end..]]);
    let (old, new) = match measure {
        Measure::Length => (old.length, new.length),
        Measure::Lines => (old.lines, new.lines),
        Measure::DecodedSize => (old.decoded_length?, new.decoded_length?),
        Measure::Digest => {
            let form = old
                .digests
                .iter()
                .position(|digest| with_digest(stated, digest.as_bytes()).as_deref() == Some(stated))?;
            return Some([before, &with_digest(stated, new.digests.get(form)?.as_bytes())?, after].concat());
        }
    };
    let is_right = String::from_utf8(unescaped(stated)).ok()?.parse() == Ok(old);
    is_right.then(|| [before, new.to_string().as_bytes(), after].concat())
}
