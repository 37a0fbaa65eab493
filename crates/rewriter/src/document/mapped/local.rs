//! Links to local files: documents that are unpacked beside those that they link to.

use std::borrow::Cow;

use absolve_links::{Document, Edits, Link, Obstacle, Scan};
use absolve_resolver::strip;
use encoding_rs::Encoding;

use crate::document::ascii::{ascii, encoding_of};
use crate::document::base_element::in_order;
use crate::document::context::{DocumentContext, LocalLinks, declares_base};
use crate::provenance::local_copies::LocalPaths;
use crate::report::Status;

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
    let keeps_bases = context.local_links == LocalLinks::Nowhere;
    if declares_base(link, context.options) {
        return Some(if keeps_bases { reference.to_owned() } else { String::new() });
    }
    if keeps_bases {
        return None;
    }
    let url = match status {
        Status::Relative | Status::Mapped => target,
        Status::Absolute => &strip(reference),
        _ => return None,
    };
    // A query is encoded in the charset of the document.
    let DocumentContext { document, options, .. } = context;
    let url = match url.is_ascii() {
        true => Cow::Borrowed(url),
        false => Cow::Owned(ascii(url, encoding_of(document, link, options), options.purpose)),
    };
    path_of(document, link, &**paths, &url)
}

/// Returns the reference to the file of a URL that a link leads to; where a page applies a stylesheet of any type, to the copy that is one.
pub(crate) fn path_of(document: &Document<'_>, link: &Link, paths: &dyn LocalPaths, url: &str) -> Option<String> {
    let sheet = document.applies_any_style_sheet(link).then(|| paths.style_sheet(url)).flatten();
    sheet.or_else(|| paths.reference(url))
}

/// Returns the edits with those that set aside what keeps local files from being loaded: browsers compare no hash of a file, take each file
/// for another server, and a policy that names servers forbids them. `tags` begin where links to local files are, in order.
pub(crate) fn without_obstacles(document: &Document<'_>, scan: &Scan, tags: &[usize], edits: Edits) -> Edits {
    let prefix: &[u8] = match document.utf_16().map(Encoding::name) {
        Some("UTF-16LE") => b"d\0a\0t\0a\0-\0",
        Some(_) => b"\0d\0a\0t\0a\0-",
        None => b"data-",
    };
    let is_of_files = |obstacle: &&Obstacle| obstacle.tag.is_none_or(|tag| tags.binary_search(&tag).is_ok());
    let mut obstacles = scan.obstacles.iter().filter(is_of_files).peekable();
    if obstacles.peek().is_none() {
        return edits;
    }
    in_order(edits.iter().chain(obstacles.map(|obstacle| (obstacle.name.start..obstacle.name.start, prefix))).collect())
}
