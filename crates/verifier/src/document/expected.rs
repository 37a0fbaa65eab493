//! What a rewritten document has to be, but for its links.

use std::borrow::Cow;
use std::ops::Range;

use absolve_links::{DocumentType, commentable};
use encoding_rs::Encoding;

use crate::references::attributes::{Attribute, attributes, name_length};
use crate::references::found::{Found, Reference};
use crate::settings::BaseElement;
use crate::values::is_space;

/// The bytes that a rewritten document has to have, with the links of the original in them.
pub(super) struct Expected<'d> {
    pub(super) bytes: Cow<'d, [u8]>,
    pub(super) links: Vec<(Range<usize>, &'d Reference)>,
    /// The links that are gone, with their BASE.
    pub(super) gone: Vec<&'d Reference>,
    /// Where the first BASE was in the original, if it is gone.
    pub(super) gone_base: Option<usize>,
}

impl<'d> Expected<'d> {
    /// Returns the original.
    pub(super) fn as_written(original: &'d [u8], found: &'d Found) -> Self {
        let links = found.references.iter().map(|reference| (reference.range.clone(), reference)).collect();
        Self { bytes: original.into(), links, gone: Vec::new(), gone_base: None }
    }

    /// Returns the original with all BASEs commented out or without their `href`, if there are any.
    pub(super) fn without_bases(
        original: &'d [u8],
        found: &'d Found,
        document_type: DocumentType,
        base_element: BaseElement,
        encoding: &'static Encoding,
    ) -> Option<Self> {
        let first = found.base_tags.first().filter(|_| base_element != BaseElement::Keep)?;
        if !encoding.is_ascii_compatible() {
            return None;
        }
        let mut cuts: Vec<Cut> = Vec::new();
        let fit = commentable(original, document_type, &found.base_tags);
        for (tag, fits_comment) in found.base_tags.iter().zip(fit) {
            let written = &original[tag.clone()];
            match base_element == BaseElement::Comment && fits_comment {
                true => cuts.push(Cut { range: tag.clone(), left: [b"<!--", written, b"-->"].concat() }),
                false => {
                    cuts.extend(hrefs(written).into_iter().map(|cut| Cut { range: moved(cut.range, tag.start), ..cut }))
                }
            }
        }
        let (mut bytes, mut links) = (Vec::with_capacity(original.len()), Vec::with_capacity(found.references.len()));
        let mut references = found.references.iter().peekable();
        let (mut at, mut gone) = (0, Vec::new());
        let end = Cut { range: original.len()..original.len(), left: Vec::new() };
        for Cut { range, left } in cuts.into_iter().chain([end]) {
            let is_last = range.start == original.len();
            while let Some(one) = references.next_if(|one| is_last || one.range.end <= range.start) {
                links.push((one.range.start + bytes.len() - at..one.range.end + bytes.len() - at, one));
            }
            gone.extend(std::iter::from_fn(|| references.next_if(|one| one.range.end <= range.end)));
            bytes.extend_from_slice(&original[at..range.start]);
            bytes.extend(left);
            at = range.end;
        }
        Some(Self { bytes: bytes.into(), links, gone, gone_base: Some(first.start) })
    }

    /// Returns the byte of the original that a byte behind the same link is, or one near it.
    pub(super) fn in_original(&self, byte: usize) -> usize {
        let next = self.links.partition_point(|(range, _)| range.end <= byte);
        let last = next.checked_sub(1).and_then(|last| self.links.get(last));
        last.map_or(byte, |(range, old)| byte - range.end + old.range.end)
    }
}

/// A range of the original, and what is left of it.
struct Cut {
    range: Range<usize>,
    left: Vec<u8>,
}

/// Returns the attributes `href` of a tag with the white space in front of them.
fn hrefs(tag: &[u8]) -> Vec<Cut> {
    // All that counts here is ASCII.
    let text: String = tag.iter().map(|byte| if byte.is_ascii() { char::from(*byte) } else { 'x' }).collect();
    let cut = |attribute: Attribute<'_>| {
        let start = text[..attribute.range.start].trim_end_matches(is_space).len();
        let is_apart = text[attribute.range.end..].starts_with(|next| is_space(next) || matches!(next, '/' | '>'));
        Cut { range: start..attribute.range.end, left: if is_apart { Vec::new() } else { b" ".to_vec() } }
    };
    let all = attributes(&text, 1 + name_length(&text[1..])).all;
    all.into_iter().filter(|one| one.name == "href").map(cut).collect()
}

fn moved(range: Range<usize>, by: usize) -> Range<usize> {
    range.start + by..range.end + by
}
