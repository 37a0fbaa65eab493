//! The middle of the program: from an entity to the edits that make its links absolute.

use std::collections::BTreeMap;
use std::ops::{AddAssign, Range};

use absolve_base::{Base, Rules, establish};
use absolve_links::{Document, Edits, Link, Scan, Scope};

use crate::findings::{self, Tally};
use crate::judge::{Cause, Judged, Status, judge_all, judge_fully, may_be_path};
use crate::options::{BaseElement, Options};
use crate::{Code, Entity, Finding, Part, bases};

/// How many links were met, by what became of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Documents read.
    pub documents: u64,
    /// Links found.
    pub links: u64,
    /// Made absolute.
    pub rewritten: u64,
    /// Absolute before.
    pub absolute: u64,
    /// References to the document itself, which stayed.
    pub same_document: u64,
    /// Left on purpose.
    pub kept: u64,
    /// Left because they have no target.
    pub unresolved: u64,
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.documents += other.documents;
        self.links += other.links;
        self.rewritten += other.rewritten;
        self.absolute += other.absolute;
        self.same_document += other.same_document;
        self.kept += other.kept;
        self.unresolved += other.unresolved;
    }
}

/// What came of an entity, besides its bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// The links.
    pub counts: Counts,
    /// What is worth telling, in the order of the parts.
    pub findings: Vec<Finding>,
    /// What the documents say of the bytes of others.
    pub pins: Vec<Pin>,
}

/// A link that tells the digest of what it leads to (`integrity`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pin {
    /// Its first byte in its part.
    pub byte: usize,
    /// The URL it leads to, without a fragment.
    pub url: String,
}

/// The edits that make the links of an entity absolute, in the order of their bytes.
///
/// ```
/// use absolve_links::{DocumentType, Edits};
/// use absolve_rewriter::{Entity, Options, Report, edits_of};
/// let entity = Entity::bare_file(b"<a href=x>", DocumentType::Html).retrieved_from("http://h/d/", "--url");
/// let mut report = Report::default();
/// let edits = edits_of(&entity, &Options::default(), &mut report);
/// assert_eq!(edits, Edits::from([(8..8, "http://h/d/")]));
/// assert_eq!(report.counts.rewritten, 1);
/// ```
pub fn edits_of(entity: &Entity<'_>, options: &Options, report: &mut Report) -> Edits {
    let mut edits = Edits::default();
    for part in &entity.parts {
        let document = entity.document(part);
        let first_finding = report.findings.len();
        match document.scan(&options.table) {
            // Without links, no base is needed.
            Ok(scan) if scan.links.is_empty() && scan.remarks.is_empty() => report.counts.documents += 1,
            Ok(scan) => {
                let bases = bases::of_scopes(&document, &scan, &part.declarations, options.rules);
                let edits_of_part = edits_of_document(&document, &scan, &bases, options, report);
                edits.append(edits_of_part.shifted(part.body.start));
            }
            Err(refusal) => report.findings.push(findings::refused(refusal)),
        }
        for finding in &mut report.findings[first_finding..] {
            finding.part.clone_from(&part.path);
        }
    }
    edits
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
    let outside = |rules: Rules| establish(part.declarations.clone(), rules);
    let Ok(scan) = document.scan(&options.table) else { return outside(options.rules) };
    let scopes = bases::of_scopes(&document, &scan, &part.declarations, options.rules);
    scopes.into_iter().next().flatten().unwrap_or_else(|| outside(options.rules))
}

fn edits_of_document(
    document: &Document<'_>,
    scan: &Scan,
    bases: &[Option<Base>],
    options: &Options,
    report: &mut Report,
) -> Edits {
    let mut edits = Edits::with_capacity(scan.links.len(), scan.links.len() * 64);
    let mut unresolved: BTreeMap<Cause, Tally> = BTreeMap::new();
    let mut perhaps_paths = Tally::default();
    let mut stays_relative = false;
    let same_document_before = report.counts.same_document;
    let counts = &mut report.counts;
    counts.documents += 1;
    counts.links += scan.links.len() as u64;
    judge_all(document, scan, bases, options, |link, judged| match judged {
        Judged::Plain { range, prefix } => {
            counts.rewritten += 1;
            edits.push(range, prefix.as_bytes());
        }
        Judged::Fully { reference, status, target } => match status {
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
                stays_relative |= !is_of_base(scan, link);
            }
            Status::Unresolved(cause) => {
                counts.unresolved += 1;
                stays_relative |= !is_of_base(scan, link);
                unresolved.entry(cause).or_default().add(link.range.start);
            }
        },
    });
    report.findings.extend(bases.iter().flatten().take(1).flat_map(bases::findings));
    report.findings.extend(unresolved.into_iter().map(|(cause, tally)| findings::unresolved(cause, tally)));
    if perhaps_paths.count > 0 {
        report.findings.push(findings::perhaps_paths(perhaps_paths));
    }
    report.findings.extend(scan.remarks.iter().map(findings::remark));
    report.findings.extend(findings::style_policy(scan, &edits));
    report.pins.extend(pins(document, scan, bases, options));
    if options.base_element == BaseElement::Keep || !scan.links.iter().any(|link| is_of_base(scan, link)) {
        return edits;
    }
    if stays_relative {
        let message = "the BASE stays, made absolute, because links that stay as they are need it";
        report.findings.push(Finding::new(Code::BaseNeeded, message));
        return edits;
    }
    let same_document = report.counts.same_document - same_document_before;
    report.findings.extend(findings::fragments_move(scan, bases, same_document as usize));
    with_base_elements_out_of_force(document, scan, options.base_element, &edits)
}

/// The same edits, but for those of the BASE elements, which are taken out of force: all of them, or the second
/// would become the first.
fn with_base_elements_out_of_force(
    document: &Document<'_>,
    scan: &Scan,
    base_element: BaseElement,
    edits: &Edits,
) -> Edits {
    let bases = scan.links.iter().filter(|link| is_of_base(scan, link));
    let bases: Vec<_> = bases.filter_map(|link| document.tag_and_attributes(link)).collect();
    let is_elsewhere = |range: &Range<usize>| {
        let next = bases.partition_point(|(tag, _)| tag.end <= range.start);
        bases.get(next).is_none_or(|(tag, _)| range.end <= tag.start)
    };
    let mut all: Vec<(Range<usize>, &[u8])> = edits.iter().filter(|(range, _)| is_elsewhere(range)).collect();
    for (tag, attributes) in &bases {
        let holds_dashes = document.bytes()[tag.clone()].windows(2).any(|pair| pair == b"--");
        if base_element == BaseElement::Comment && !holds_dashes {
            all.push((tag.start..tag.start, b"<!--"));
            all.push((tag.end..tag.end, b"-->"));
        } else {
            let is_followed = |end: usize| document.bytes()[end].is_ascii_alphanumeric();
            all.extend(attributes.iter().map(|attribute| -> (Range<usize>, &[u8]) {
                (attribute.clone(), if is_followed(attribute.end) { b" " } else { b"" })
            }));
        }
    }
    all.sort_by_key(|(range, _)| (range.start, range.end));
    let mut edits = Edits::default();
    all.into_iter().for_each(|(range, text)| edits.push(range, text));
    edits
}

fn is_of_base(scan: &Scan, link: &Link) -> bool {
    scan.scopes[link.scope] == Scope::Outside
}

/// What the pinned links lead to.
fn pins(document: &Document<'_>, scan: &Scan, bases: &[Option<Base>], options: &Options) -> Vec<Pin> {
    let mut pins = Vec::new();
    let mut target = String::new();
    for index in &scan.pinned {
        judge_fully(document, scan, *index, bases, options, &mut target, &mut |link, judged| {
            let Judged::Fully { reference, status, target } = judged else { return };
            let url = if status == Status::Absolute { reference.text() } else { target };
            let end = url.find('#').unwrap_or(url.len());
            pins.push(Pin { byte: link.range.start, url: url[..end].to_owned() });
        });
    }
    pins
}
