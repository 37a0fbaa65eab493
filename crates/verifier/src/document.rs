//! Verifies one document against the original.

mod align;
mod comparison;
mod expected;
pub(crate) mod packed;
mod pair;
mod pattern;
mod sheet;
pub(crate) mod unpacked;

use absolve_links::{Document, DocumentType};

use crate::base::Surroundings;
use crate::references::found::Found;
use crate::references::references;
use crate::settings::Settings;
use crate::text::Text;
use crate::verdict::{Difference, Rule, Verdict};
use align::{Counterpart, aligned};
use comparison::{Comparison, too_large};
use expected::Expected;

/// Verifies a rewritten document against the original.
///
/// The references of the original are found by html5ever's tokenizer, cssparser or a parser of XML. All bytes between them have
/// to be the same, and each changed reference has to resolve to the same target as before. The rewritten document is read
/// only where its bytes do not prove that.
///
/// ```
/// use absolve_links::DocumentType;
/// use absolve_verifier::{Rule, Settings, Surroundings, verify_document};
/// let (original, around) = (b"<a href=x>", Surroundings { retrieval: Some("http://h/d/".into()), ..Default::default() });
/// let verify = |rewritten: &[u8]| {
///     verify_document(original, rewritten, DocumentType::Html, None, &around, &Settings::default())
/// };
/// assert!(verify(b"<a href=http://h/d/x>").holds());
/// assert_eq!(verify(b"<a href=http://h/x>").differences[0].rule, Rule::Target);
/// assert_eq!(verify(b"<a href='http://h/d/x'>").differences[0].rule, Rule::Bytes);
/// assert_eq!(verify(original).differences[0].rule, Rule::Relative);
/// ```
pub fn verify_document(
    original: &[u8],
    rewritten: &[u8],
    document_type: DocumentType,
    label: Option<&str>,
    surroundings: &Surroundings,
    settings: &Settings,
) -> Verdict {
    let mut verdict = Verdict::default();
    verdict.counts.bytes = original.len() as u64;
    let document = labelled(original, document_type, label);
    let encoding = document.encoding();
    let read = |bytes: &[u8]| references(&Text::of_document(bytes, encoding), document_type, &settings.table);
    let is_changed = original != rewritten;
    let unread = || Difference::new(Rule::Unread, "its tree takes too much work to build");
    // An unchanged document that was not read makes no claim.
    let refused =
        |verdict, why: Difference| Verdict { differences: is_changed.then_some(why).into_iter().collect(), ..verdict };
    let Ok(found) = read(original) else { return refused(verdict, unread()) };
    let found = in_surroundings(found, surroundings);
    let output_encoding = encoding.output_encoding();
    let Some(comparison) = Comparison::new(rewritten, &found, surroundings, settings, output_encoding) else {
        return refused(verdict, too_large());
    };
    if let (true, Err(refusal)) = (is_changed, document.scan(&settings.table)) {
        verdict.differences.push(Difference::new(Rule::Kept, format!("it has changed, but it had to stay: {refusal}")));
        return verdict;
    }
    let mut candidates = vec![Expected::as_written(original, &found)];
    if is_changed {
        let base_element = settings.base_element;
        candidates.extend(Expected::without_bases(original, &found, document_type, base_element, encoding));
    }
    // Only what bytes do not prove needs a reader. Which links stay is the same for both.
    let aligned = candidates.iter().find_map(|one| Some(comparison.compare(one, &aligned(one, rewritten, encoding)?)));
    let is_proven = |verdict: &Verdict| verdict.differences.iter().all(|one| one.rule == Rule::Relative);
    let is_of_bytes = |one: &Difference| matches!(one.rule, Rule::Bytes | Rule::Links);
    let is_by_bytes = |compared: &Verdict| is_proven(compared) || surroundings.has_moved_links;
    // What the bytes prove has brought no entity and no tag; any other link may have, where there was none.
    let may_be_malformed = is_changed && !aligned.as_ref().is_some_and(is_by_bytes);
    let compared = match aligned {
        Some(compared) if is_by_bytes(&compared) => compared,
        aligned => {
            let read = read(rewritten).ok().and_then(|new| {
                let new = counterparts(&new);
                let compared = candidates.iter().map(|one| comparison.compare(one, &new));
                compared.min_by_key(|one| (one.differences.iter().any(is_of_bytes), one.differences.len()))
            });
            read.or(aligned).unwrap_or_else(|| Verdict::of([unread()]))
        }
    };
    if let Some(why) = compared.differences.iter().find(|one| one.rule == Rule::Unread) {
        return refused(verdict, why.clone());
    }
    verdict.counts.documents = 1;
    verdict.counts.links = found.references.len() as u64;
    verdict.add(compared, "");
    if may_be_malformed
        && document_type == DocumentType::Xml
        && let Err(refusal) = labelled(rewritten, document_type, label).scan(&settings.table)
    {
        verdict.differences.push(Difference::new(Rule::Bytes, format!("it is read no more: {refusal}")));
    }
    verdict.differences.extend(encoding_difference(&document, original, rewritten, (document_type, label)));
    verdict
}

/// Returns the references of the original as what surrounds it makes them.
fn in_surroundings(found: Found, surroundings: &Surroundings) -> Found {
    let second = if surroundings.has_added_base { found.second_base() } else { None };
    let needs_line_ends = found.needs_line_ends || surroundings.needs_line_ends;
    Found { needs_line_ends, base: second.or(found.base), ..found }
}

/// Returns the links that a reader has found in the rewritten document.
fn counterparts(found: &Found) -> Vec<Counterpart<'_>> {
    let links = found.references.iter();
    links
        .map(|one| Counterpart { range: one.range.clone(), text: (&*one.text).into(), place: Some(&one.place) })
        .collect()
}

/// Reports that readers detect another encoding in the rewritten document, in which it reads differently.
///
/// A declaration that has moved behind the bytes that are sniffed is found by browsers later.
fn encoding_difference(
    document: &Document<'_>,
    original: &[u8],
    rewritten: &[u8],
    (document_type, label): (DocumentType, Option<&str>),
) -> Option<Difference> {
    if original == rewritten || rewritten.is_ascii() {
        return None;
    }
    let (old, new) = (document.encoding(), labelled(rewritten, document_type, label).encoding());
    let is_declared = || memchr::memmem::find(&rewritten.to_ascii_lowercase(), b"charset").is_some();
    let message = format!("it was read as {}, and is read as {} now", old.name(), new.name());
    (old != new && !is_declared()).then(|| Difference::new(Rule::Bytes, message))
}

fn labelled<'d>(bytes: &'d [u8], document_type: DocumentType, label: Option<&'d str>) -> Document<'d> {
    let document = Document::new(bytes, document_type);
    match label {
        Some(label) => document.with_label(label),
        None => document,
    }
}
