//! Links to local files: documents that are unpacked beside those that they link to.

use std::fmt::Debug;

use absolve_links::{Link, Row};
use absolve_resolver::strip;

use crate::document::base_element::is_of_base;
use crate::document::context::{DocumentContext, row_of};
use crate::report::Status;

/// The files that are unpacked together, as one of them refers to them. The crate that writes files implements it.
pub trait LocalPaths: Debug + Send + Sync {
    /// Returns the relative reference to the file of a URL, with the fragment of that; `None` if no file is of that URL.
    fn reference(&self, url: &str) -> Option<String>;
}

/// Returns the reference to a local file that takes the place of a link, which is `status` with `target` by itself. A base that the
/// document declares becomes empty: local files would be looked for there.
pub(crate) fn local(
    context: &DocumentContext<'_, '_>,
    link: &Link,
    reference: &str,
    status: Status,
    target: &str,
) -> Option<String> {
    let paths = context.part.local_paths.as_ref()?;
    let is_base = |row: &Row| ["codebase", "xml:base"].contains(&&*row.attribute);
    if is_of_base(context.scan, link) || row_of(link, context.options).is_some_and(is_base) {
        return Some(String::new());
    }
    match status {
        Status::Relative | Status::Mapped => paths.reference(target),
        Status::Absolute => paths.reference(&strip(reference)),
        _ => None,
    }
}

/// Returns whether references to the document itself lead to its BASE, which becomes empty.
pub(crate) fn loses_base(context: &DocumentContext<'_, '_>) -> bool {
    context.part.local_paths.is_some() && context.has_base
}
