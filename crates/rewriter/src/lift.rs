//! From edits of documents to edits of the entity around them.

use std::ops::Range;

use absolve_links::Edits;

use crate::entity::{EncodingField, Part, Text};
use crate::message::claims::Claim;
use crate::transfer::Lifted;
use crate::{Code, Entity, Finding, Options};

/// What becomes of the signatures that edits would break.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Signatures {
    /// What is signed or encrypted stays; signatures of servers (DKIM, ARC) are broken and told.
    #[default]
    Keep,
    /// All are broken.
    Break,
    /// All are kept, those of servers too.
    KeepAll,
}

/// Edits on their way from the documents of an entity to its bytes.
#[derive(Debug)]
pub(crate) struct Lift<'l, 'e> {
    entity: &'l Entity<'e>,
    /// Of each text.
    edits: Vec<Edits>,
    has_told_of_dkim: bool,
}

impl<'l, 'e> Lift<'l, 'e> {
    pub(crate) fn new(entity: &'l Entity<'e>) -> Self {
        Self { entity, edits: vec![Edits::default(); entity.texts.len()], has_told_of_dkim: false }
    }

    /// Adds the edits of the document of a part; parts come in order. Answers what is to be told of it.
    ///
    /// # Errors
    ///
    /// Why the part stays as it is.
    pub(crate) fn add(&mut self, part: &Part, edits: Edits, options: &Options) -> Result<Option<Finding>, Finding> {
        if edits.is_empty() {
            return Ok(None);
        }
        let protection = part.protection;
        let told = match options.signatures {
            Signatures::Keep | Signatures::KeepAll if protection.is_signed => return Err(signed()),
            Signatures::KeepAll if protection.is_dkim_signed => return Err(kept_dkim()),
            _ => (protection.is_dkim_signed && !self.has_told_of_dkim).then(broken_dkim),
        };
        let text = self.entity.text(part.text);
        let raw = self.entity.raw_body(part);
        let content = part.content.bytes(raw);
        let corrected = |claim: &Claim| Some((claim.value.clone(), claim.corrected(text, content, &edits)?));
        let mut heading: Vec<(Range<usize>, Vec<u8>)> = part.claims.iter().filter_map(corrected).collect();
        let body = match part.content.lift(raw, text, edits) {
            Lifted::Edits(edits) => edits,
            Lifted::InQuotedPrintable(edits) => {
                heading.push(in_quoted_printable(&part.encoding_field, text).ok_or_else(line_too_long)?);
                edits
            }
        };
        heading.sort_by_key(|(range, _)| range.start);
        let of_text = &mut self.edits[part.text];
        heading.iter().for_each(|(range, value)| of_text.push(range.clone(), value));
        of_text.append(body.shifted(part.body.start));
        self.has_told_of_dkim |= told.is_some();
        Ok(told)
    }

    /// The edits of the entity.
    pub(crate) fn finish(mut self) -> Edits {
        // Inner texts stand behind those around them.
        for index in (1..self.edits.len()).rev() {
            let Text { within, body, content, .. } = &self.entity.texts[index];
            let around = self.entity.text(*within);
            let edits = self.with_right_lengths(index);
            if let Lifted::Edits(lifted) = content.lift(&around[body.clone()], around, edits) {
                self.edits[*within] = self.edits[*within].merged(&lifted.shifted(body.start));
            }
        }
        self.with_right_lengths(0)
    }

    /// The edits of a text, and those that keep right what its headings say of the length of bodies.
    fn with_right_lengths(&mut self, index: usize) -> Edits {
        let edits = std::mem::take(&mut self.edits[index]);
        let text = self.entity.text(index);
        let mut corrections: Vec<(Range<usize>, Vec<u8>)> = Vec::new();
        // Inner headings stand behind outer ones, and their own corrections count for those.
        for (claim, body) in self.entity.texts[index].claims.iter().rev().filter(|_| !edits.is_empty()) {
            let of_body = edits.within(body.clone());
            if of_body.is_empty() {
                continue;
            }
            let behind_heading = corrections.iter().rev().skip_while(|(range, _)| range.start < body.start);
            let inner = behind_heading.take_while(|(range, _)| range.start < body.end);
            let mut inner_edits = Edits::default();
            inner.for_each(|(range, value)| {
                inner_edits.push(range.start - body.start..range.end - body.start, value);
            });
            let all = if inner_edits.is_empty() { of_body } else { of_body.merged(&inner_edits) };
            if let Some(value) = claim.corrected(text, &text[body.clone()], &all) {
                corrections.push((claim.value.clone(), value));
            }
        }
        if corrections.is_empty() {
            return edits;
        }
        let mut of_headings = Edits::default();
        corrections.iter().rev().for_each(|(range, value)| of_headings.push(range.clone(), value));
        edits.merged(&of_headings)
    }
}

/// The edit of a heading that says how its body is written now.
fn in_quoted_printable(field: &EncodingField, text: &[u8]) -> Option<(Range<usize>, Vec<u8>)> {
    match field {
        EncodingField::Value(value) => Some((value.clone(), b"quoted-printable".to_vec())),
        EncodingField::Missing(at) => {
            let line_end = if text[*at..].starts_with(b"\r\n") { "\r\n" } else { "\n" };
            Some((*at..*at, format!("Content-Transfer-Encoding: quoted-printable{line_end}").into_bytes()))
        }
        EncodingField::NoHeading => None,
    }
}

fn signed() -> Finding {
    Finding::new(Code::Signed, "what is signed or encrypted would not be so any more; left as it is")
}

fn kept_dkim() -> Finding {
    Finding::new(Code::Dkim, "its links would break the signature of a server; left as it is")
}

fn broken_dkim() -> Finding {
    Finding::new(Code::Dkim, "the signature of a server (DKIM, ARC) does not fit the message any more")
}

fn line_too_long() -> Finding {
    Finding::new(Code::LineTooLong, "a line would become longer than lines of a message may be; left as it is")
}
