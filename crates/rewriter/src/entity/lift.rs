//! From edits of documents to edits of the entity around them.

use std::ops::Range;

use absolve_links::{DocumentType, Edits};

use crate::entity::Entity;
use crate::entity::body::Lifted;
use crate::entity::body_fields::BodyField;
use crate::entity::part::{EncodingField, Part, Protection, Text};
use crate::finding::{Code, Finding};
use crate::options::Signatures;

/// Collects the edits of documents as edits of the entity.
#[derive(Debug)]
pub(crate) struct Lift<'l, 'e> {
    entity: &'l Entity<'e>,
    /// Of each text of the entity, as soon as there is any edit.
    texts: Vec<TextEdits>,
    has_reported_dkim: bool,
}

/// The edits of a text.
#[derive(Clone, Debug, Default)]
struct TextEdits {
    /// Of the bodies in it, in order.
    bodies: Edits,
    /// Of its headers, and of the texts in it.
    others: Vec<(Range<usize>, Vec<u8>)>,
}

impl<'l, 'e> Lift<'l, 'e> {
    pub(crate) fn new(entity: &'l Entity<'e>) -> Self {
        Self { entity, texts: Vec::new(), has_reported_dkim: false }
    }

    /// Adds the edits of the document of a part; parts come in order. Returns a finding to report.
    ///
    /// # Errors
    ///
    /// The reason why the part is left unchanged.
    pub(crate) fn add(&mut self, part: &Part, edits: Edits) -> Result<Option<Finding>, Finding> {
        if edits.is_empty() {
            return Ok(None);
        }
        let (text, raw) = (self.entity.text(part.text), self.entity.raw_body(part));
        let content = part.content.bytes(raw);
        let mut header = corrections(&part.body_fields, text, content, &edits);
        // The name of a field counts in the length of its line.
        let start = match part.document_type {
            DocumentType::Field => memchr::memrchr(b'\n', &text[..part.body.start]).map_or(0, |at| at + 1),
            _ => part.body.start,
        };
        let lines = &text[start..part.body.end];
        let body = match part.content.lift(lines, text, edits.shifted(part.body.start - start)) {
            Lifted::Edits(edits) => edits,
            Lifted::InQuotedPrintable(edits) => {
                header.extend(in_quoted_printable(&part.encoding_field, text).ok_or_else(line_too_long)?);
                edits
            }
        };
        self.texts.resize_with(self.entity.texts.len(), TextEdits::default);
        let of_text = &mut self.texts[part.text];
        of_text.others.extend(header);
        of_text.bodies.append(body.shifted(start));
        let is_new = part.protection.is_dkim_signed && !self.has_reported_dkim;
        self.has_reported_dkim |= is_new;
        Ok(is_new.then(broken_dkim))
    }

    /// Returns the edits of the entity.
    pub(crate) fn finish(mut self) -> Edits {
        if self.texts.is_empty() {
            return Edits::default();
        }
        // Inner texts come after those around them.
        for index in (1..self.texts.len()).rev() {
            let edits = self.edits_of_text(index);
            if edits.is_empty() {
                continue;
            }
            let Text { within, body, content, content_fields, .. } = &self.entity.texts[index];
            let around = self.entity.text(*within);
            let raw = &around[body.clone()];
            let others = &mut self.texts[*within].others;
            others.extend(corrections(content_fields, around, content.bytes(raw), &edits));
            if let Lifted::Edits(lifted) = content.lift(raw, around, edits) {
                others.extend(lifted.shifted(body.start).iter().map(|(range, text)| (range, text.to_vec())));
            }
        }
        self.edits_of_text(0)
    }

    /// Returns all edits of a text, including those of fields that depend on encoded bodies.
    fn edits_of_text(&mut self, index: usize) -> Edits {
        let TextEdits { bodies, others } = std::mem::take(&mut self.texts[index]);
        let edits = with(bodies, others);
        let text = self.entity.text(index);
        let mut corrections: Vec<(Range<usize>, Vec<u8>)> = Vec::new();
        // Inner headers come after outer ones, and their corrections count for those.
        for (field, body) in self.entity.texts[index].body_fields.iter().rev().filter(|_| !edits.is_empty()) {
            let of_body = edits.within(body.clone());
            if of_body.is_empty() {
                continue;
            }
            let behind_header = corrections.iter().rev().skip_while(|(range, _)| range.start < body.start);
            let inner = behind_header.take_while(|(range, _)| range.start < body.end);
            let moved = |range: &Range<usize>| range.start - body.start..range.end - body.start;
            let all = with(of_body, inner.map(|(range, value)| (moved(range), value.clone())).collect());
            if let Some(value) = field.corrected(text, &text[body.clone()], &all) {
                corrections.push((field.value.clone(), value));
            }
        }
        with(edits, corrections)
    }
}

/// Returns the new values of fields that depend on a body.
fn corrections(body_fields: &[BodyField], text: &[u8], content: &[u8], edits: &Edits) -> Vec<(Range<usize>, Vec<u8>)> {
    body_fields.iter().filter_map(|field| Some((field.value.clone(), field.corrected(text, content, edits)?))).collect()
}

/// Returns the edits merged with others.
fn with(edits: Edits, mut others: Vec<(Range<usize>, Vec<u8>)>) -> Edits {
    if others.is_empty() {
        return edits;
    }
    others.sort_by_key(|(range, _)| range.start);
    let mut ordered = Edits::default();
    others.iter().for_each(|(range, text)| ordered.push(range.clone(), text));
    edits.merged(&ordered)
}

/// Returns the edits of a header that declare quoted-printable.
fn in_quoted_printable(field: &EncodingField, text: &[u8]) -> Option<Vec<(Range<usize>, Vec<u8>)>> {
    const NAME: &[u8] = b"quoted-printable";
    match field {
        EncodingField::Values(values) => {
            let named = |value: &Range<usize>| match value.is_empty() {
                true => (value.clone(), [b" ", NAME].concat()),
                false => (value.clone(), NAME.to_vec()),
            };
            Some(values.iter().map(named).collect())
        }
        EncodingField::Missing(at) => {
            let line_end = if text[*at..].starts_with(b"\r\n") { "\r\n" } else { "\n" };
            let field = format!("Content-Transfer-Encoding: quoted-printable{line_end}");
            Some(vec![(*at..*at, field.into_bytes())])
        }
        EncodingField::NoHeader => None,
    }
}

impl Protection {
    /// Returns the reason why the part is left unchanged, if there is one.
    pub(crate) fn veto(self, signatures: Signatures) -> Option<Finding> {
        match signatures {
            Signatures::Keep | Signatures::KeepAll if self.is_signed => {
                Some(Finding::left_unchanged(Code::Signed, "it is signed or encrypted"))
            }
            Signatures::KeepAll if self.is_dkim_signed => {
                let message = "a change would break its server signature (DKIM, ARC)";
                Some(Finding::left_unchanged(Code::Dkim, message))
            }
            _ => None,
        }
    }
}

fn broken_dkim() -> Finding {
    Finding::new(Code::Dkim, "the change breaks the server signature (DKIM, ARC)")
}

fn line_too_long() -> Finding {
    Finding::left_unchanged(Code::LineTooLong, "a line would exceed the length limit of messages")
}
