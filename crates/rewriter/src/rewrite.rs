//! The middle of the program: from an entity to the edits that make its links absolute.

use std::collections::BTreeMap;

use absolve_base::{Base, Rules, establish};
use absolve_links::{Document, Edit, Refusal, Scan};

use crate::judge::{Cause, Status, judge_all, may_be_path};
use crate::options::{BaseElement, Options};
use crate::{Code, Entity, Finding, Part, bases, splice};

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

/// What came of an entity, besides its bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// The links.
    pub counts: Counts,
    /// What is worth telling, in the order of the parts.
    pub findings: Vec<Finding>,
}

/// The edits that make the links of an entity absolute, in the order of their bytes.
///
/// ```
/// use absolve_links::DocumentType;
/// use absolve_rewriter::{Entity, Options, Report, edits_of};
/// let entity = Entity::bare_file(b"<a href=x>", DocumentType::Html).retrieved_from("http://h/d/", "--url");
/// let mut report = Report::default();
/// let edits = edits_of(&entity, &Options::default(), &mut report);
/// assert_eq!(edits[0].text, b"http://h/d/");
/// assert_eq!(report.counts.rewritten, 1);
/// ```
pub fn edits_of(entity: &Entity<'_>, options: &Options, report: &mut Report) -> Vec<Edit> {
    let mut edits = Vec::new();
    for part in &entity.parts {
        let document = entity.document(part);
        let first_finding = report.findings.len();
        match document.scan(&options.table) {
            Ok(scan) => {
                let bases = bases::of_scopes(&document, &scan, &part.declarations, options.rules);
                let edits_of_part = edits_of_document(&document, &scan, &bases, options, report);
                edits.extend(lift(part, edits_of_part));
            }
            Err(refusal) => report.findings.push(refused(refusal)),
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
    splice(entity.bytes, &edits, out);
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
) -> Vec<Edit> {
    let mut edits = Vec::new();
    let mut unresolved: BTreeMap<Cause, (u64, usize)> = BTreeMap::new();
    let mut paths = (0_u64, 0);
    let counts = &mut report.counts;
    counts.documents += 1;
    counts.links += scan.links.len() as u64;
    judge_all(document, scan, bases, options, |index, reference, status, target| {
        let link = &scan.links[index];
        match status {
            Status::Relative => {
                counts.rewritten += 1;
                edits.push(reference.edit_to(target));
            }
            Status::Absolute => {
                counts.absolute += 1;
                if may_be_path(reference.text()) {
                    paths = (paths.0 + 1, if paths.0 == 0 { link.range.start } else { paths.1 });
                }
            }
            Status::SameDocument => counts.same_document += 1,
            Status::Kept => counts.kept += 1,
            Status::Unresolved(cause) => {
                counts.unresolved += 1;
                unresolved.entry(cause).or_insert((0, link.range.start)).0 += 1;
            }
        }
    });
    report.findings.extend(bases.iter().flatten().take(1).flat_map(bases::findings));
    report.findings.extend(unresolved.into_iter().map(|(cause, (count, byte))| unresolved_finding(cause, count, byte)));
    if paths.0 > 0 {
        let message = format!("{} read as absolute though perhaps meant as paths", references(paths.0));
        report.findings.push(Finding::new(Code::SchemeOrPath, message).at(paths.1));
    }
    if options.base_element != BaseElement::Keep {
        report.findings.extend(fragment_finding(scan, bases, report.counts.same_document));
        edit_base_elements(document, scan, options.base_element, &mut edits);
    }
    edits
}

/// Takes the BASE elements out of force. All of them, or the second would become the first.
fn edit_base_elements(document: &Document<'_>, scan: &Scan, base_element: BaseElement, edits: &mut Vec<Edit>) {
    let is_base = |link: &&absolve_links::Link| scan.scopes[link.scope] == absolve_links::Scope::Outside;
    for link in scan.links.iter().filter(is_base) {
        let Some((tag, attribute)) = document.tag_and_attribute(link) else { continue };
        edits.retain(|edit| edit.range.end < tag.start || edit.range.start >= tag.end);
        let text = &document.bytes()[tag.clone()];
        let ends_comment = |mark: &[u8]| text.windows(mark.len()).any(|window| window == mark);
        if base_element == BaseElement::Comment && !ends_comment(b"--") {
            edits.push(Edit { range: tag.start..tag.start, text: b"<!--".to_vec() });
            edits.push(Edit { range: tag.end..tag.end, text: b"-->".to_vec() });
        } else {
            edits.push(Edit { range: attribute, text: Vec::new() });
        }
    }
    edits.sort_by_key(|edit| (edit.range.start, edit.range.end));
}

/// Without its BASE, a document is itself what `#s` refers to.
fn fragment_finding(scan: &Scan, bases: &[Option<Base>], same_document: u64) -> Option<Finding> {
    let url = |index: usize| bases.get(index).and_then(|base| base.as_ref()).and_then(|base| base.url.as_ref());
    let moves = scan.base.is_some() && same_document > 0 && url(0).map(|url| url.as_str()) != url(1).map(|url| url.as_str());
    moves.then(|| {
        let message = format!("{} went to the base and stay in the document without it", references(same_document));
        Finding::new(Code::FragmentMoves, message)
    })
}

/// Edits of a part's document as edits of the entity.
fn lift(part: &Part, edits: Vec<Edit>) -> impl Iterator<Item = Edit> {
    let start = part.body.start;
    edits.into_iter().map(move |edit| Edit { range: start + edit.range.start..start + edit.range.end, ..edit })
}

fn refused(refusal: Refusal) -> Finding {
    let code = match refusal {
        Refusal::Charset(_) => Code::Charset,
        Refusal::TreeTooLarge => Code::TreeTooLarge,
        Refusal::NestingTooDeep => Code::NestingTooDeep,
        _ => Code::NotItsType,
    };
    Finding::new(code, format!("{refusal}; left as it is"))
}

fn unresolved_finding(cause: Cause, count: u64, byte: usize) -> Finding {
    let (code, why) = match cause {
        Cause::NoBase => (Code::NoBase, "no base is known"),
        Cause::OpaqueBase => (Code::OpaqueBase, "the base has no hierarchy"),
        Cause::BaseNotPortable => (Code::BaseNotPortable, "the base means nothing elsewhere"),
        Cause::NoTarget => (Code::NoTarget, "the standard gives no target"),
        Cause::UnreadableTarget => (Code::UnreadableTarget, "the target would be no URL"),
    };
    Finding::new(code, format!("{} left relative: {why}", references(count))).at(byte)
}

fn references(count: u64) -> String {
    format!("{count} reference{}", if count == 1 { "" } else { "s" })
}
