//! The links of an MJML navbar, which MJML puts behind the `base-url` of the navbar.

use memchr::memmem;

use super::{Gatherer, Tag};
use crate::gather::values::value_of;
use crate::markup::attributes::attributes;

impl Gatherer<'_, '_> {
    /// Returns whether the last navbar before a tag has a `base-url`.
    #[cold]
    pub(super) fn is_behind_base_url(&self, tag: &Tag) -> bool {
        const NAVBAR: &[u8] = b"<mj-navbar";
        let (end, known) = self.navbar.get();
        let document = self.document.bytes();
        let between = &document[end.min(tag.range.start)..tag.range.start];
        let opens = |at: &usize| between.get(at + NAVBAR.len()).is_none_or(|byte| *byte != b'-');
        let has_base_url = match memmem::rfind_iter(between, NAVBAR).find(opens) {
            Some(at) => {
                let mut all = Vec::new();
                let name_end = tag.range.start - between.len() + at + NAVBAR.len();
                attributes(document, name_end, |attribute| all.push(attribute));
                value_of(document, &all, "base-url").is_some_and(|value| !value.is_empty())
            }
            None => known,
        };
        self.navbar.set((tag.range.start, has_base_url));
        has_base_url
    }
}
