//! Passes the tags that most documents consist of, in one short loop.

use super::special::SHAPES;
use crate::gather::{Gatherer, Hit, Tag};
use crate::markup::attributes::{TagEnd, attributes};
use crate::markup::find::{PLACES, places};
use crate::markup::name::Name;
use crate::markup::tag::{ends_tag_name, plain_end_tag};

/// Gathers the links of the tags from byte `at`, where text begins, up to the first `<` that needs the tokenizer: that of
/// a special element, a long name, a comment, an unusual end tag, or of a tag that the document ends in. Returns its byte,
/// or the end of the document.
///
/// The document is in HTML there, not in foreign content: then the tokenizer finds the same links. A law holds both equal.
///
/// Where the next `<` is does not depend on where the tag before it ends, so that processors work on several tags at once.
pub(super) fn pass(gatherer: &mut Gatherer<'_, '_>, hits: &mut Vec<Hit>, mut at: usize) -> usize {
    let document = gatherer.document.bytes();
    let mut start = at;
    while start < document.len() {
        let mut places = places(b'<', &document[start..]);
        while places != 0 {
            let open = start + places.trailing_zeros() as usize;
            places &= places - 1;
            // Within the value of an attribute there may be others.
            if open < at {
                continue;
            }
            match tag(gatherer, hits, open) {
                Some(end) => at = end,
                None => return open,
            }
        }
        start += PLACES;
    }
    document.len()
}

/// Gathers the links of the common tag at byte `open`. Returns its end, or `None` for all else.
#[inline(always)]
fn tag(gatherer: &mut Gatherer<'_, '_>, hits: &mut Vec<Hit>, open: usize) -> Option<usize> {
    let document = gatherer.document.bytes();
    let first = *document.get(open + 1)?;
    if first == b'/' {
        return plain_end_tag(document, open);
    }
    if !first.is_ascii_alphabetic() {
        return None;
    }
    let (element, name_end) = Name::read(document, open + 1, ends_tag_name)?;
    if element == Name::LONG || SHAPES.may_contain(document, open + 1..name_end) {
        return None;
    }
    if document[name_end] == b'>' {
        return Some(name_end + 1);
    }
    let index = gatherer.index;
    let mut is_common = true;
    hits.clear();
    let TagEnd { end, .. } = attributes(document, name_end, |attribute| {
        if !index.shapes.may_contain(document, attribute.name_range.clone()) {
            return;
        }
        is_common &= attribute.name != Name::LONG;
        if let Some(row) = index.row_of(element, attribute.name) {
            Hit::add_to(hits, row, &attribute);
        }
    })?;
    if !is_common {
        return None;
    }
    if !hits.is_empty() {
        gatherer.tag(&Tag { range: open..end, element, attributes: name_end }, hits);
    }
    Some(end)
}
