//! The middle of the crate: from an entity to the edits that make its links absolute.

use absolve_base::{Base, establish};
use absolve_links::{Document, DocumentType, Edits, Scan};

use crate::document::{bases, edits_of_document};
use crate::entity::Entity;
use crate::entity::lift::Lift;
use crate::entity::part::Part;
use crate::findings;
use crate::options::{Detail, HeaderFields, Options};
use crate::report::shown::Shown;
use crate::report::{DocumentReport, Report, note_left_alone};

/// Returns the edits that make the links of an entity absolute, in the order of their bytes, and adds to the report.
///
/// ```
/// use absolve_rewriter::{DocumentType, Edits, Entity, Options, Report, Retrieval, edits_of};
/// let entity = Entity::bare_file(b"<a href=x>", DocumentType::Html).retrieved_from(Retrieval::given("http://h/d/"));
/// let mut report = Report::default();
/// let edits = edits_of(&entity, &Options::default(), &mut report);
/// assert_eq!(edits, Edits::from([(8..8, "http://h/d/")]));
/// assert_eq!(report.counts.rewritten, 1);
/// ```
pub fn edits_of(entity: &Entity<'_>, options: &Options, report: &mut Report) -> Edits {
    // The first document reports what concerns the whole entity.
    let mut first_of_row = report.findings.len();
    report.findings.extend(entity.findings.iter().cloned());
    let mut positions = entity.positions();
    let mut lift = Lift::new(entity);
    if options.detail != Detail::Counts {
        // Rows of many records wait together.
        report.documents.reserve_exact(entity.parts.len());
    }
    let is_left_out =
        |part: &&Part| part.document_type == DocumentType::Field && options.header_fields == HeaderFields::Keep;
    for part in entity.parts.iter().filter(|part| !is_left_out(part)) {
        let document = entity.document(part);
        let (first_finding, first_pin) = (report.findings.len(), report.pins.len());
        let before = std::mem::take(&mut report.counts);
        let scanned = document.scan(&options.table);
        let mut shown = (options.detail == Detail::Shown).then(Box::<Shown>::default);
        let mut known_base = None;
        match &scanned {
            Ok(scan) => {
                let (edits, base) = edits_of_document(&document, scan, part, options, report, shown.as_deref_mut());
                known_base = base;
                match lift.add(part, edits, options) {
                    Ok(finding) => report.findings.extend(finding),
                    Err(why) => {
                        report.counts.keep_rewritten();
                        shown.iter_mut().for_each(|shown| shown.keep_rewritten());
                        report.findings.push(why);
                    }
                }
            }
            Err(refusal) => report.findings.push(findings::refused(*refusal)),
        }
        if options.detail != Detail::Counts {
            let mut row =
                DocumentReport::new(part.document_type.media_type(), &part.path, &report.findings[first_of_row..]);
            row.counts = report.counts;
            if let Ok(scan) = &scanned {
                let mut base = known_base.unwrap_or_else(|| base_of_scan(&document, scan, part, options));
                shown.iter_mut().for_each(|shown| shown.declare(std::mem::take(&mut base.declared)));
                (row.base, row.layer) = (base.url.map(|url| url.to_string()), base.layer);
            }
            row.shown = shown;
            report.documents.push(row);
            first_of_row = report.findings.len();
        }
        report.counts += before;
        for finding in &mut report.findings[first_finding..] {
            finding.part.clone_from(&part.path);
            finding.position = finding.byte.map(|byte| positions.at(entity.byte_of(part, byte)));
        }
        for pin in &mut report.pins[first_pin..] {
            pin.position = Some(positions.at(entity.byte_of(part, pin.byte)));
        }
    }
    note_left_alone(report, options);
    lift.finish()
}

/// Appends the entity with absolute links to `out`; returns whether anything changed.
///
/// ```
/// use absolve_rewriter::{DocumentType, Entity, Options, Report, Retrieval, rewrite};
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
/// use absolve_rewriter::{DocumentType, Entity, Options, Retrieval, base_of};
/// let html = b"<base href='../'>";
/// let entity = Entity::bare_file(html, DocumentType::Html).retrieved_from(Retrieval::given("http://h/d/e/"));
/// let base = base_of(&entity, &entity.parts[0], &Options::default());
/// assert_eq!(base.url.unwrap().as_str(), "http://h/d/");
/// ```
pub fn base_of(entity: &Entity<'_>, part: &Part, options: &Options) -> Base {
    let document = entity.document(part);
    match document.scan(&options.table) {
        Ok(scan) => base_of_scan(&document, &scan, part, options),
        Err(_) => establish(bases::declared_outside(part, part.base_use, options), options.rules),
    }
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
