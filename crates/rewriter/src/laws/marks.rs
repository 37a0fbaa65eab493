//! What is found of the origin of a page stands in the page.

use crate::provenance::origin::origin;
use crate::provenance::retrieval::{Discovery, Known};
use crate::provenance::urls::is_page_url;

/// The law on any bytes. Answers how many URLs the page tells.
pub fn marks_stand_in_the_page(page: &[u8]) -> usize {
    let origin = origin(&Known::default(), Some(page), Vec::new(), Discovery::default());
    for retrieval in &origin.retrievals {
        assert!(is_page_url(&retrieval.url), "{retrieval:?}");
    }
    if let Some(base) = &origin.base {
        let starts = ["\"", "&"].iter().all(|odd| !base.value.contains(odd));
        let is_there = page.get(base.byte..).is_some_and(|rest| rest.starts_with(base.value.as_bytes()));
        let is_wide = page.starts_with(b"\xff\xfe") || page.starts_with(b"\xfe\xff");
        assert!(is_there || is_wide || !starts, "{base:?}");
    }
    origin.retrievals.len()
}
