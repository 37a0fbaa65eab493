//! Removing the BASE once nothing needs it.

use std::ops::Range;

use absolve_links::{Document, Edits, Link, Scan, Scope, commentable};

use crate::options::BaseElement;

/// Returns whether a link is the href of a BASE.
pub(crate) fn is_of_base(scan: &Scan, link: &Link) -> bool {
    scan.scopes[link.scope] == Scope::Outside
}

/// Returns the edits with all BASE elements removed or commented out: of several, the second would become the first.
/// Those in conditional comments stay.
///
/// # Errors
///
/// The reason why they stay.
pub(crate) fn out_of_force(
    document: &Document<'_>,
    scan: &Scan,
    base_element: BaseElement,
    edits: &Edits,
) -> Result<Edits, &'static str> {
    let located = scan.bases.iter().map(|base| document.tag_and_attributes(&scan.links[*base]));
    let Some(bases) = located.collect::<Option<Vec<(Range<usize>, Vec<Range<usize>>)>>>() else {
        return Err("it is not removed in this encoding");
    };
    // What is removed, and what replaces it.
    let mut gone: Vec<(Range<usize>, &[u8], &[u8])> = Vec::new();
    let tags: Vec<Range<usize>> = bases.iter().map(|(tag, _)| tag.clone()).collect();
    let fit = commentable(document.bytes(), document.document_type(), &tags);
    for ((tag, attributes), fits_comment) in bases.iter().zip(fit) {
        if base_element == BaseElement::Comment && fits_comment {
            gone.push((tag.clone(), b"<!--", b"-->"));
        } else {
            let closes =
                |end: usize| matches!(document.bytes()[end], b' ' | b'\t' | b'\n' | b'\r' | b'\x0c' | b'/' | b'>');
            gone.extend(attributes.iter().map(|attribute| -> (Range<usize>, &[u8], &[u8]) {
                (attribute.clone(), if closes(attribute.end) { b"" } else { b" " }, b"")
            }));
        }
    }
    let is_elsewhere = |range: &Range<usize>| {
        let next =
            gone.partition_point(|(gone, ..)| gone.end < range.start || gone.end == range.start && !range.is_empty());
        gone.get(next).is_none_or(|(gone, ..)| range.end <= gone.start)
    };
    let mut all: Vec<(Range<usize>, &[u8])> = edits.iter().filter(|(range, _)| is_elsewhere(range)).collect();
    for (range, before, behind) in &gone {
        if behind.is_empty() {
            all.push((range.clone(), before));
        } else {
            all.push((range.start..range.start, before));
            all.push((range.end..range.end, behind));
        }
    }
    Ok(in_order(all))
}

/// Returns edits that do not overlap, in the order of their bytes.
pub(crate) fn in_order(mut all: Vec<(Range<usize>, &[u8])>) -> Edits {
    all.sort_by_key(|(range, _)| (range.start, range.end));
    let mut edits = Edits::default();
    all.into_iter().for_each(|(range, text)| edits.push(range, text));
    edits
}
