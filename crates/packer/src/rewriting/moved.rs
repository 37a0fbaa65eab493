//! Links of a style that stay relative, as they are written in the page: no base is known, and its folder is another.

use std::collections::HashMap;
use std::path::Path;

use absolve_rewriter::internal::{Entity, Retrieval, links_of, url_below};
use absolve_rewriter::{Options, Status};
use url::Url;

use crate::gather::FOLDER;

/// Returns the references by which the page at `page` reaches what the links of a style at `path` lead to, by their first
/// bytes.
pub(crate) fn moved(style: &Entity<'_>, path: &Path, page: &Path, options: &Options) -> HashMap<usize, String> {
    let here = url_below(FOLDER, path);
    if path.parent() == page.parent() {
        return HashMap::new();
    }
    let urls = Url::parse(&url_below(FOLDER, page)).ok().zip(Url::parse(&here).ok());
    let Some(from_page) = urls.and_then(|(page, here)| page.make_relative(&here)) else { return HashMap::new() };
    let folder = &from_page[..from_page.rfind('/').map_or(0, |slash| slash + 1)];
    // What resolves in the page anyway has no target in the style.
    let in_folder =
        Entity::bare_file(style.bytes, style.parts[0].document_type).retrieved_from(Retrieval::given(&here));
    let in_folder = links_of(&in_folder, &in_folder.parts[0], options).links;
    let links = links_of(style, &style.parts[0], options).links.into_iter().zip(in_folder);
    let is_moved = |link: &str| !link.starts_with(['/', '\\', '#']);
    links
        .filter(|(link, in_folder)| matches!(link.status, Status::Unresolved(_)) && in_folder.target.is_some())
        .map(|(link, _)| (link.start, link.reference.trim().to_owned()))
        .filter(|(_, reference)| is_moved(reference))
        .map(|(start, reference)| match reference.starts_with('?') || reference.is_empty() {
            true => (start, format!("{from_page}{reference}")),
            false => (start, format!("{folder}{reference}")),
        })
        .collect()
}
