//! Passes the tags that most documents consist of, in one short loop.

use super::special::SHAPES;
use crate::gather::{Gatherer, Hit, Tag};
use crate::markup::attributes::{TagEnd, attributes};
use crate::markup::find::find;
use crate::markup::name::Name;
use crate::markup::tag::{ends_tag_name, plain_end_tag};

/// Gathers the links of the tags from byte `at`, where text begins, up to the first `<` that needs the tokenizer: that of
/// a special element, a long name, a comment, an unusual end tag, or of a tag that the document ends in. Returns its byte,
/// or the end of the document.
///
/// The document is in HTML there, not in foreign content: then the tokenizer finds the same links. A law holds both equal.
pub(super) fn pass(gatherer: &mut Gatherer<'_, '_>, hits: &mut Vec<Hit>, mut at: usize) -> usize {
    let document = gatherer.document.bytes();
    let index = gatherer.index;
    while let Some(offset) = find(b'<', &document[at..]) {
        let open = at + offset;
        let Some(byte) = document.get(open + 1) else { return open };
        if *byte == b'/' {
            match plain_end_tag(document, open) {
                Some(end) => at = end,
                None => return open,
            }
            continue;
        }
        if !byte.is_ascii_alphabetic() {
            return open;
        }
        let Some((element, name_end)) = Name::read(document, open + 1, ends_tag_name) else { return open };
        if element == Name::LONG || SHAPES.may_contain(document, open + 1..name_end) {
            return open;
        }
        if document[name_end] == b'>' {
            at = name_end + 1;
            continue;
        }
        let mut is_common = true;
        hits.clear();
        let end = attributes(document, name_end, |attribute| {
            if !index.shapes.may_contain(document, attribute.name_range) {
                return;
            }
            is_common &= attribute.name != Name::LONG;
            if let Some(row) = index.row_of(element, attribute.name)
                && hits.iter().all(|hit| hit.row != row)
            {
                hits.push(Hit { row, value: attribute.value, quote: attribute.quote });
            }
        });
        let Some(TagEnd { end, .. }) = end.filter(|_| is_common) else { return open };
        if !hits.is_empty() {
            gatherer.tag(&Tag { range: open..end, element, attributes: name_end }, hits);
        }
        at = end;
    }
    document.len()
}
