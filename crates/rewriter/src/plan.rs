//! The middle of the crate: from an entity to what becomes of its links.

use std::mem;

use absolve_base::{Base, establish};
use absolve_links::{Document, DocumentType, Edits, Scan};
use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};

use crate::document::plan::DocumentPlan;
use crate::document::{bases, given};
use crate::entity::Entity;
use crate::entity::lift::Lift;
use crate::entity::part::Part;
use crate::finding::Finding;
use crate::findings;
use crate::list::{Listing, links_of_scanned};
use crate::options::{BaseElement, Detail, HeaderFields, Options};
use crate::report::{Counts, DocumentReport, Report};

/// Decides what becomes of each link of an entity.
///
/// ```
/// use absolve_rewriter::internal::{Entity, Retrieval, plan};
/// use absolve_rewriter::results::Edits;
/// use absolve_rewriter::{DocumentType, Options};
/// let entity = Entity::bare_file(b"<a href=x>", DocumentType::Html).retrieved_from(Retrieval::given("http://h/d/"));
/// let plan = plan(&entity, &Options::default());
/// assert_eq!(plan.edits(), &Edits::from([(8..8, "http://h/d/")]));
/// assert_eq!(plan.counts().rewritten, 1);
/// ```
pub fn plan(entity: &Entity<'_>, options: &Options) -> Plan {
    plan_and_list(entity, options, None)
}

/// Decides what becomes of each link of an entity, and adds the links of each part to `listings`. Each part is scanned once.
pub fn plan_and_list(entity: &Entity<'_>, options: &Options, mut listings: Option<&mut Vec<Listing>>) -> Plan {
    let mut plan = Plan::of(entity, options);
    let (mut lift, mut positions) = (Lift::new(entity), entity.positions());
    let is_listed = listings.is_some();
    for part in entity.parts.iter().filter(|part| is_listed || is_planned(part, options)) {
        let document = entity.document(part);
        let document = match options.base_element {
            BaseElement::Keep => document,
            _ => document.with_scripts_at_base(),
        };
        let scanned = part.scan(&document, &options.table);
        if let Some(listings) = &mut listings {
            listings.push(links_of_scanned(&document, &scanned, part, options));
        }
        if !is_planned(part, options) {
            continue;
        }
        let mut planned = match &scanned {
            Ok(scan) => DocumentPlan::of(&document, scan, part, options),
            Err(refusal) => DocumentPlan::unread(findings::refused(*refusal)),
        };
        match lift.add(part, mem::take(&mut planned.edits)) {
            Ok(finding) => planned.findings.extend(finding),
            Err(why) => planned.veto(why),
        }
        planned.locate(part, |byte| positions.at(entity.byte_of(part, byte)));
        plan.add(part, planned, || scanned.as_ref().map(|scan| base_of_scan(&document, scan, part, options)).ok());
    }
    plan.edits = lift.finish();
    plan.note_left_alone();
    plan
}

/// Returns whether something may become of the links of a part: header fields are only listed by default.
fn is_planned(part: &Part, options: &Options) -> bool {
    part.document_type != DocumentType::Field || options.header_fields == HeaderFields::Absolute
}

/// What becomes of the links of an entity.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    edits: Edits,
    /// The report if the edits are made.
    report: Report,
    detail: Detail,
    is_vetoed: bool,
    /// The number of findings that are in rows.
    in_rows: usize,
}

impl Plan {
    fn of(entity: &Entity<'_>, options: &Options) -> Self {
        let mut plan = Self { detail: options.detail, ..Self::default() };
        plan.report.findings.clone_from(&entity.findings);
        if options.detail != Detail::Counts {
            // Rows of many records wait together.
            plan.report.documents.reserve_exact(entity.parts.len());
        }
        plan
    }

    fn add(&mut self, part: &Part, mut planned: DocumentPlan, base_unless_known: impl FnOnce() -> Option<Base>) {
        let counts = planned.counts();
        self.report.counts += counts;
        self.report.findings.append(&mut planned.findings);
        self.report.pins.append(&mut planned.pins);
        if self.detail == Detail::Counts {
            return;
        }
        // The first document reports what concerns the whole entity.
        let findings = &self.report.findings[self.in_rows..];
        let mut row = DocumentReport::new(part.document_type.media_type(), &part.path, findings);
        self.in_rows = self.report.findings.len();
        row.counts = counts;
        let mut shown = (self.detail == Detail::Shown).then(|| Box::new(planned.shown()));
        if let Some(mut base) = planned.base.or_else(base_unless_known) {
            shown.iter_mut().for_each(|shown| shown.declare(mem::take(&mut base.declared)));
            (row.base, row.layer) = (base.url.map(|url| url.as_str().to_owned()), base.layer);
        }
        row.shown = shown;
        self.report.documents.push(row);
    }

    /// Adds a row for an entity with findings but without documents.
    fn note_left_alone(&mut self) {
        let Report { documents, findings, .. } = &mut self.report;
        if self.detail != Detail::Counts && documents.is_empty() && !findings.is_empty() {
            documents.push(DocumentReport::new("", "", findings));
        }
    }

    /// Leaves the entity unchanged, for this reason.
    ///
    /// ```
    /// use absolve_rewriter::internal::{Entity, plan};
    /// use absolve_rewriter::{Code, Finding, Options};
    /// let message = b"Content-Base: http://h/\nContent-Type: text/html\n\n<a href=x>";
    /// let mut plan = plan(&Entity::message(message), &Options::default());
    /// plan.veto(Finding::new(Code::MessageSeparator, "left unchanged"));
    /// assert!(plan.edits().is_empty());
    /// assert_eq!((plan.counts().rewritten, plan.counts().kept), (0, 1));
    /// ```
    pub fn veto(&mut self, why: Finding) {
        (self.is_vetoed, self.edits) = (true, Edits::default());
        self.report.documents.first_mut().into_iter().for_each(|first| first.findings.push(why.code));
        self.report.findings.push(why);
    }

    /// Adds a finding of what contains the entity.
    pub fn add_finding(&mut self, finding: Finding) {
        self.report.findings.push(finding);
    }

    /// Returns the edits that make the links of the entity absolute, in the order of their bytes.
    pub const fn edits(&self) -> &Edits {
        &self.edits
    }

    /// Returns how many links there are, by what becomes of them.
    pub const fn counts(&self) -> Counts {
        if self.is_vetoed { self.report.counts.unwritten() } else { self.report.counts }
    }

    /// Adds the digests to the rows, before and after the edits: of the bytes of the entity from `start` on.
    pub fn digest(&mut self, entity: &[u8], start: usize) {
        if self.detail != Detail::Documents || self.report.documents.is_empty() {
            return;
        }
        let (mut after, mut at) = (Sha256::new(), start);
        for (range, text) in self.edits.iter().filter(|(range, _)| range.start >= start) {
            after.update(&entity[at..range.start]);
            after.update(text);
            at = range.end;
        }
        after.update(&entity[at..]);
        let (before, after) = (HEXLOWER.encode(&Sha256::digest(&entity[start..])), HEXLOWER.encode(&after.finalize()));
        for document in &mut self.report.documents {
            (document.sha256_in, document.sha256_out) = (before.clone(), after.clone());
        }
    }

    /// Returns the edits and the report.
    pub fn finish(self) -> (Edits, Report) {
        let Self { edits, report, is_vetoed, .. } = self;
        (edits, if is_vetoed { report.unwritten() } else { report })
    }
}

/// Returns the edits of [`plan`], and sets the report.
///
/// ```
/// use absolve_rewriter::internal::{Entity, Report, Retrieval, edits_of};
/// use absolve_rewriter::results::Edits;
/// use absolve_rewriter::{DocumentType, Options};
/// let entity = Entity::bare_file(b"<a href=x>", DocumentType::Html).retrieved_from(Retrieval::given("http://h/d/"));
/// let mut report = Report::default();
/// let edits = edits_of(&entity, &Options::default(), &mut report);
/// assert_eq!(edits, Edits::from([(8..8, "http://h/d/")]));
/// assert_eq!(report.counts.rewritten, 1);
/// ```
pub fn edits_of(entity: &Entity<'_>, options: &Options, report: &mut Report) -> Edits {
    let edits;
    (edits, *report) = plan(entity, options).finish();
    edits
}

/// Appends the entity with absolute links to `out`; returns whether anything changed.
///
/// ```
/// use absolve_rewriter::internal::{Entity, Report, Retrieval, rewrite};
/// use absolve_rewriter::{DocumentType, Options};
/// let entity = Entity::bare_file(b"<a href=x>", DocumentType::Html).retrieved_from(Retrieval::given("http://h/d/"));
/// let mut out = Vec::new();
/// assert!(rewrite(&entity, &Options::default(), &mut Report::default(), &mut out));
/// assert_eq!(out, b"<a href=http://h/d/x>");
/// ```
pub fn rewrite(entity: &Entity<'_>, options: &Options, report: &mut Report, out: &mut Vec<u8>) -> bool {
    let edits = edits_of(entity, options, report);
    edits.splice_into(entity.bytes, out);
    !edits.is_empty()
}

/// Returns the base of a part's document, with the reasons for it.
///
/// ```
/// use absolve_rewriter::internal::{Entity, Retrieval, base_of};
/// use absolve_rewriter::{DocumentType, Options};
/// let html = b"<base href='../'>";
/// let entity = Entity::bare_file(html, DocumentType::Html).retrieved_from(Retrieval::given("http://h/d/e/"));
/// let base = base_of(&entity, &entity.parts[0], &Options::default());
/// assert_eq!(base.url.unwrap().as_str(), "http://h/d/");
/// ```
pub fn base_of(entity: &Entity<'_>, part: &Part, options: &Options) -> Base {
    let document = entity.document(part);
    let mut base = match part.scan(&document, &options.table) {
        Ok(scan) => base_of_scan(&document, &scan, part, options),
        Err(_) => establish(bases::declared_outside(part, part.base_use, options), options.rules),
    };
    given::declare(&mut base, part, options);
    base
}

fn base_of_scan(document: &Document<'_>, scan: &Scan, part: &Part, options: &Options) -> Base {
    let declared = bases::declared_outside(part, part.base_use, options);
    let bases = bases::of_scopes(document, scan, part, &declared, options, options.feed_base);
    let outside = || establish(declared, options.rules);
    match bases {
        None => outside(),
        Some(bases) => {
            bases.into_iter().next().flatten().unwrap_or_else(|| bases::unknown(document, scan, &part.lent, outside()))
        }
    }
}
