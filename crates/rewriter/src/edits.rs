//! The middle of the program: from an entity to the edits that make its links absolute.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use absolve_base::{Base, establish};
use absolve_links::{Document, DocumentType, Edits, Scan};

use crate::document::classify::{Classified, classify_all, classify_fully, may_be_path};
use crate::document::context::{DocumentContext, Kept};
use crate::document::local_only::is_link_out_of_reach;
use crate::document::placeholder::is_kept;
use crate::document::saved_links::leads_to_no_copy;
use crate::document::{base_element, bases};
use crate::entity::Entity;
use crate::entity::lift::Lift;
use crate::entity::part::Part;
use crate::finding::{Code, Finding};
use crate::findings;
use crate::findings::Tally;
use crate::limits::inserted_bytes;
use crate::options::{BaseElement, Detail, HeaderFields, Options, Purpose};
use crate::position::Positions;
use crate::report::{Cause, Counts, DocumentReport, PinnedLink, Report, Status, note_left_alone};

/// The edits that make the links of an entity absolute, in the order of their bytes.
///
/// ```
/// use absolve_links::{Document, DocumentType, Edits, Scan};
/// use absolve_rewriter::{Entity, Options, Report, edits_of};
/// let entity = Entity::bare_file(b"<a href=x>", DocumentType::Html).retrieved_from("http://h/d/", "--url");
/// let mut report = Report::default();
/// let edits = edits_of(&entity, &Options::default(), &mut report);
/// assert_eq!(edits, Edits::from([(8..8, "http://h/d/")]));
/// assert_eq!(report.counts.rewritten, 1);
/// ```
pub fn edits_of(entity: &Entity<'_>, options: &Options, report: &mut Report) -> Edits {
    // What concerns the whole entity is told with its first document.
    let mut untold = report.findings.len();
    report.findings.extend(entity.findings.iter().cloned());
    let mut positions = Positions::of(entity.bytes);
    let mut lift = Lift::new(entity);
    let is_left_out =
        |part: &&Part| part.document_type == DocumentType::Field && options.header_fields == HeaderFields::Keep;
    for part in entity.parts.iter().filter(|part| !is_left_out(part)) {
        let document = entity.document(part);
        let (first_finding, first_pin) = (report.findings.len(), report.pins.len());
        let before = std::mem::take(&mut report.counts);
        let scanned = document.scan(&options.table);
        match &scanned {
            // Without links, no base is needed.
            Ok(scan) if scan.links.is_empty() && scan.remarks.is_empty() => report.counts.documents += 1,
            Ok(scan) => {
                let reading = DocumentContext::new(&document, scan, part, options);
                let edits = match reading.and_then(|mut reading| edits_in_encoding(&mut reading, report)) {
                    Some(edits) => edits,
                    None => {
                        report.counts.documents += 1;
                        report.findings.push(findings::output_too_large());
                        Edits::default()
                    }
                };
                match lift.add(part, edits, options) {
                    Ok(told) => report.findings.extend(told),
                    Err(why) => {
                        report.counts.keep_rewritten();
                        report.findings.push(why);
                    }
                }
            }
            Err(refusal) => report.findings.push(findings::refused(*refusal)),
        }
        if options.detail == Detail::Documents {
            let told = &report.findings[untold..];
            let mut row = DocumentReport::new(part.document_type.media_type(), &part.path, told);
            row.counts = report.counts;
            if let Ok(scan) = &scanned {
                let base = base_of_scan(&document, scan, part, options);
                (row.base, row.layer) = (base.url.map(|url| url.to_string()), base.layer);
            }
            report.documents.push(row);
            untold = report.findings.len();
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

/// Appends the entity with its links made absolute to `out`; answers whether anything changed.
///
/// ```
/// use absolve_links::DocumentType;
/// use absolve_rewriter::{Entity, Options, Report, rewrite};
/// let entity = Entity::bare_file(b"<a href=x>", DocumentType::Html).retrieved_from("http://h/d/", "--url");
/// let mut out = Vec::new();
/// assert!(rewrite(&entity, &Options::default(), &mut Report::default(), &mut out));
/// assert_eq!(out, b"<a href=http://h/d/x>");
/// ```
pub fn rewrite(entity: &Entity<'_>, options: &Options, report: &mut Report, out: &mut Vec<u8>) -> bool {
    let edits = edits_of(entity, options, report);
    edits.splice_into(entity.bytes, out);
    !edits.is_empty()
}

/// The base of a part's document, with the reasons for it.
///
/// ```
/// use absolve_links::DocumentType;
/// use absolve_rewriter::{Entity, Options, base_of};
/// let html = b"<base href='../'>";
/// let entity = Entity::bare_file(html, DocumentType::Html).retrieved_from("http://h/d/e/", "--url");
/// let base = base_of(&entity, &entity.parts[0], &Options::default());
/// assert_eq!(base.url.unwrap().as_str(), "http://h/d/");
/// ```
pub fn base_of(entity: &Entity<'_>, part: &Part, options: &Options) -> Base {
    let document = entity.document(part);
    match document.scan(&options.table) {
        Ok(scan) => base_of_scan(&document, &scan, part, options),
        Err(_) => establish(part.declarations(), options.rules),
    }
}

fn base_of_scan(document: &Document<'_>, scan: &Scan, part: &Part, options: &Options) -> Base {
    let outside = || establish(part.declarations(), options.rules);
    match bases::of_scopes(document, scan, part, options) {
        None => outside(),
        Some(bases) => bases.into_iter().next().flatten().unwrap_or_else(|| bases::unknown(document, scan, outside())),
    }
}

/// The edits of a document without those by which it would be read in another encoding: afterwards, `reading` says which
/// references stay for that. `None` when they would make the document many times its size.
pub(crate) fn edits_in_encoding(reading: &mut DocumentContext<'_, '_>, report: &mut Report) -> Option<Edits> {
    // Whoever gives links their targets names the encoding as well.
    let is_named = !reading.targets.is_empty();
    let mut own = Report::default();
    let mut edits = edits_of_document(reading, &mut own)?;
    let rewritten = own.counts.rewritten;
    let mut more = [Kept::OfBytes, Kept::All].into_iter();
    while !is_named && reading.document.changes_encoding(&edits) {
        match more.next() {
            Some(kept) => {
                reading.kept = kept;
                own = Report::default();
                edits = edits_of_document(reading, &mut own)?;
            }
            // A BASE that was to go.
            None => {
                own.counts.keep_rewritten();
                edits = Edits::default();
            }
        }
    }
    if more.len() < 2 {
        own.findings.push(findings::charset_needed(reading.document, rewritten - own.counts.rewritten));
    }
    report.counts += own.counts;
    report.findings.append(&mut own.findings);
    report.pins.append(&mut own.pins);
    Some(edits)
}

/// `None` when making links absolute would make the document many times its size.
fn edits_of_document(reading: &DocumentContext<'_, '_>, report: &mut Report) -> Option<Edits> {
    let DocumentContext { document, scan, bases, options, .. } = reading;
    let mut edits = Edits::with_capacity(scan.links.len(), scan.links.len() * 64);
    let mut unresolved: BTreeMap<Cause, Tally> = BTreeMap::new();
    let [mut perhaps_paths, mut out_of_reach, mut no_copies] = [Tally::default(); 3];
    let mut stays_relative = scan.remarks.iter().any(|remark| remark.kind.leaves_unread());
    let room = inserted_bytes(document);
    let mut counts = Counts { documents: 1, links: scan.links.len() as u64, ..Counts::default() };
    let end = classify_all(reading, |link, judged| {
        match judged {
            Classified::Fast { range, prefix } => {
                counts.rewritten += 1;
                edits.push(range, prefix.as_bytes());
            }
            Classified::Full { reference, status, target } => {
                if is_link_out_of_reach(reading, link, status, reference.text(), target) {
                    out_of_reach.add(link.range.start);
                }
                if leads_to_no_copy(reading, status, reference.text()) {
                    no_copies.add(link.range.start);
                }
                match status {
                    Status::Relative => {
                        counts.rewritten += 1;
                        reference.edit_to(target, &mut edits);
                    }
                    Status::Absolute => {
                        counts.absolute += 1;
                        if may_be_path(reference.text()) {
                            perhaps_paths.add(link.range.start);
                        }
                    }
                    Status::SameDocument => counts.same_document += 1,
                    Status::Kept => {
                        counts.kept += 1;
                        stays_relative |=
                            !base_element::is_of_base(scan, link) && !stands_in(reference.text(), options);
                    }
                    Status::Unresolved(cause) => {
                        counts.unresolved += 1;
                        stays_relative |= !base_element::is_of_base(scan, link);
                        unresolved.entry(cause).or_default().add(link.range.start);
                    }
                }
            }
        }
        if edits.inserted_bytes() <= room { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    if end.is_break() {
        return None;
    }
    report.counts += counts;
    report.findings.extend(bases.iter().flatten().take(1).flat_map(bases::findings));
    report.findings.extend(bases::inner_findings(scan, bases));
    report.findings.extend(unresolved.into_iter().map(|(cause, tally)| findings::unresolved(cause, tally)));
    if out_of_reach.count > 0 {
        report.findings.push(findings::out_of_reach(out_of_reach));
    }
    if no_copies.count > 0 {
        report.findings.push(findings::no_copies(no_copies));
    }
    if perhaps_paths.count > 0 {
        report.findings.push(findings::perhaps_paths(perhaps_paths));
    }
    report.findings.extend(scan.remarks.iter().map(findings::remark));
    report.findings.extend(findings::style_policy(scan, &edits));
    report.pins.extend(pins(reading));
    if options.base_element == BaseElement::Keep || scan.bases.is_empty() {
        return Some(edits);
    }
    let outcome = match stays_relative {
        true => Err("links that stay as they are need it"),
        false if bases[0].is_none() => Err("what it will be is not known here"),
        false => base_element::out_of_force(document, scan, options.base_element, &edits),
    };
    Some(match outcome {
        Ok(edits) => {
            report.findings.extend(findings::fragments_move(scan, bases, counts.same_document as usize));
            edits
        }
        Err(why) => {
            let message = format!("the BASE stays, made absolute: {why}");
            report.findings.push(Finding::new(Code::BaseNeeded, message));
            edits
        }
    })
}

/// Whether what was kept stands in for something absolute: nothing else can be put into a mail.
fn stands_in(reference: &str, options: &Options) -> bool {
    options.purpose == Purpose::Mail && is_kept(reference, options)
}

/// What the pinned links lead to.
fn pins(reading: &DocumentContext<'_, '_>) -> Vec<PinnedLink> {
    let mut pins = Vec::new();
    let mut target = String::new();
    for index in &reading.scan.with_integrity {
        let _ = classify_fully(reading, *index, &mut target, &mut |link, judged| {
            if let Classified::Full { reference, status, target } = judged {
                let url = if status == Status::Absolute { reference.text() } else { target };
                let end = url.find('#').unwrap_or(url.len());
                pins.push(PinnedLink { byte: link.range.start, position: None, url: url[..end].to_owned() });
            }
            ControlFlow::Continue(())
        });
    }
    pins
}
