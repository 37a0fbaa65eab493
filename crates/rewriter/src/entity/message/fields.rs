//! What the fields of a header say of parts: ids, lengths and references.

use std::ops::Range;

use absolve_base::{Declaration, Field, Layer};
use absolve_framing::{Malformed, MediaType};
use absolve_links::DocumentType;

use super::{Reader, View};
use crate::entity::body::Body;
use crate::entity::header::Header;
use crate::entity::message::reasons::TOO_MANY_BASES;
use crate::entity::part::Part;
use crate::entity::siblings::content_ids::cid_url;
use crate::finding::Code;

impl Reader {
    /// Reports what is malformed in a header that is read.
    pub(super) fn repair_header(&mut self, header: &Header, path: &str) {
        if header.extent.is_first_line_skipped {
            self.repair(path, header.start, "its first line is not a header field, and is skipped");
        }
        if header.extent.malformed == Malformed::StartsBody {
            self.protection.needs_line_ends = true;
            let what = "no empty line ends its header; its body begins at the first malformed header line";
            self.repair(path, header.extent.body, what);
        }
        let is_multipart = |declared: &MediaType| declared.is_malformed && declared.name.starts_with("multipart/");
        if header.media_type.as_ref().is_some_and(is_multipart) {
            self.repair(path, header.start, "its Content-Type has no semicolon before a parameter");
        }
    }

    /// Adds the ids that lead to the part of a header: its `Content-ID`, and a `cid:` URL as its location.
    pub(super) fn add_ids(&mut self, view: View<'_>, header: &Header, own: &[Declaration]) {
        let id = header.content_id(view.bytes);
        let located =
            own.iter().filter_map(|declaration| Some(cid_url(&declaration.value)?["cid:".len()..].to_owned()));
        id.into_iter().chain(located).for_each(|id| self.parts.ids.add(&id));
    }

    /// Records the fields that depend on the encoded body.
    pub(super) fn note_lengths(&mut self, view: View<'_>, header: &Header, body: &Range<usize>) {
        let lengths = header.body_fields.iter().filter(|field| field.depends_on_encoding());
        self.parts.texts[view.index].body_fields.extend(lengths.map(|field| (field.clone(), body.clone())));
    }

    /// Adds the header fields with references as documents of their own.
    pub(super) fn fields(&mut self, view: View<'_>, header: &Header, name: &str) {
        for (field, body) in &header.references {
            let path = format!("{name}.{field}");
            if !self.spend_declarations() {
                return self.leave(&path, body.start, Code::OutputTooLarge, TOO_MANY_BASES);
            }
            // A location is not its own base.
            let own = Layer::Header { depth: 0, field: Field::ContentLocation };
            self.parts.documents.push(Part {
                path,
                headers: self.around.clone(),
                not_its_base: (*field == Field::ContentLocation.name()).then_some(own),
                text: view.index,
                content: Body::Lines,
                protection: self.protection,
                ..Part::bare(DocumentType::Field, body.clone())
            });
        }
    }
}
