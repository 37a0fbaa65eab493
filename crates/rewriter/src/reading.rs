//! A document with everything that decides about its links.

use absolve_base::Base;
use absolve_links::{Document, DocumentType, Scan};

use crate::siblings::Siblings;
use crate::{HeaderFields, Options, Part, bases};

/// A document that was scanned, at its place and under the options.
#[derive(Debug)]
pub(crate) struct Reading<'r, 'd> {
    pub(crate) document: &'r Document<'d>,
    pub(crate) scan: &'r Scan,
    /// In the order of the scopes, see [`bases::of_scopes`].
    pub(crate) bases: Vec<Option<Base>>,
    pub(crate) siblings: Option<&'r Siblings>,
    /// Whether relative references stay.
    pub(crate) is_kept: bool,
    pub(crate) options: &'r Options,
}

impl<'r, 'd> Reading<'r, 'd> {
    /// `None` when its bases are many times as long as the document.
    pub(crate) fn new(
        document: &'r Document<'d>,
        scan: &'r Scan,
        part: &'r Part,
        options: &'r Options,
    ) -> Option<Self> {
        let bases = bases::of_scopes(document, scan, &part.declarations(), options)?;
        let keeps_fields = options.header_fields == HeaderFields::Keep;
        let siblings = part.siblings.as_deref().filter(|_| keeps_fields);
        let is_kept = keeps_fields && part.document_type == DocumentType::Field;
        Some(Self { document, scan, bases, siblings, is_kept, options })
    }
}
