//! A document with everything that affects its links.

use std::collections::HashMap;

use absolve_base::{Base, Charset, Declaration};
use absolve_links::{Document, DocumentType, Scan};

use crate::document::bases;
use crate::entity::part::Part;
use crate::entity::siblings::{BaseUse, Siblings};
use crate::options::{HeaderFields, Options};
use crate::provenance::saved_page::SavedPage;

/// A scanned document, with its bases and the options.
#[derive(Debug)]
pub(crate) struct DocumentContext<'r, 'd> {
    pub(crate) document: &'r Document<'d>,
    pub(crate) part: &'r Part,
    pub(crate) scan: &'r Scan,
    /// The base of each scope, see [`bases::of_scopes`].
    pub(crate) bases: Vec<Option<Base>>,
    /// The bases by which parts of the same message are found, if those are others.
    pub(crate) finding: Option<Vec<Option<Base>>>,
    pub(crate) siblings: Option<&'r Siblings>,
    /// The retrieval URLs of the entity.
    pub(crate) retrievals: &'r [Declaration],
    pub(crate) saved: Option<&'r SavedPage>,
    /// Given targets of some links, by their first bytes.
    pub(crate) targets: &'r HashMap<usize, String>,
    /// Whether the document has a BASE that changes the base.
    pub(crate) has_base: bool,
    pub(crate) kept: Kept,
    pub(crate) options: &'r Options,
}

/// Which relative references are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kept {
    None,
    /// Those that would lose non-ASCII bytes.
    OfBytes,
    All,
}

impl<'r, 'd> DocumentContext<'r, 'd> {
    /// Establishes the bases; `None` if they are many times as long as the document.
    pub(crate) fn new(
        document: &'r Document<'d>,
        scan: &'r Scan,
        part: &'r Part,
        options: &'r Options,
    ) -> Option<Self> {
        let declared = bases::declared_outside(part, part.base_use, options);
        let bases = bases::of_scopes(document, scan, part, &declared, options)?;
        let saved = part.saved.as_deref();
        let has_base = bases::own(document, scan).is_some_and(|base| !bases::is_idle(&base));
        let keeps_fields = options.header_fields == HeaderFields::Keep;
        let siblings = part.siblings.as_deref().filter(|_| keeps_fields);
        let is_unsure = |declaration: &Declaration| declaration.charset == Charset::Unknown;
        let are_written = || bases.iter().flatten().all(|base| base.portable().is_some());
        let finding = match siblings.is_none() || (are_written() && !declared.iter().any(is_unsure)) {
            true => None,
            false => {
                let declared = bases::declared_outside(part, BaseUse::Parts, options);
                Some(bases::of_scopes(document, scan, part, &declared, options)?)
            }
        };
        let siblings = siblings.filter(|siblings| finding.is_some() || siblings.are_found_only_as_written);
        let kept = if keeps_fields && part.document_type == DocumentType::Field { Kept::All } else { Kept::None };
        let (retrievals, targets) = (&*part.retrievals, &part.targets);
        Some(Self {
            document,
            part,
            scan,
            bases,
            finding,
            siblings,
            retrievals,
            saved,
            targets,
            has_base,
            kept,
            options,
        })
    }
}
