//! The origin found in a page is written in the page.

use crate::provenance::marks::SavedBase;
use crate::provenance::origin::origin;
use crate::provenance::retrieval::{Discovery, Known};
use crate::provenance::urls::is_page_url;

/// Checks the law on any bytes. Returns the number of URLs found.
pub fn marks_stand_in_the_page(page: &[u8]) -> usize {
    let origin = origin(&Known::default(), Some(page), Vec::new(), &Discovery::default());
    for retrieval in &origin.retrievals {
        assert!(is_page_url(&retrieval.url), "{retrieval:?}");
    }
    if let Some(SavedBase::Commented(base)) = &origin.base {
        let starts = ["\"", "&"].iter().all(|odd| !base.value.contains(odd));
        let is_there = page.get(base.byte..).is_some_and(|rest| rest.starts_with(base.value.as_bytes()));
        let is_wide = page.starts_with(b"\xff\xfe") || page.starts_with(b"\xfe\xff");
        assert!(is_there || is_wide || !starts, "{base:?}");
    }
    origin.retrievals.len()
}
