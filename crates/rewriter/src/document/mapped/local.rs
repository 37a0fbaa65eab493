//! Links to local files: documents that are unpacked beside those that they link to.

use std::ops::Range;

use absolve_links::{Edits, Link};
use absolve_resolver::strip;
use memchr::memmem;

use crate::document::ascii::ascii;
use crate::document::base_element::in_order;
use crate::document::context::{DocumentContext, LocalLinks, declares_base};
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
    if url.is_ascii() {
        paths.reference(url)
    } else {
        paths.reference(&ascii(url, document.encoding(), options.purpose))
    }
}

/// Returns the edits with those that set aside what keeps local files from being loaded: browsers compare no hash of a file, take each file
/// for another server, and a policy that names servers forbids them. `tags` begin where links to local files are.
pub(crate) fn without_obstacles(context: &DocumentContext<'_, '_>, mut tags: Vec<usize>, edits: Edits) -> Edits {
    const PREFIX: &[u8] = b"data-";
    let document = context.document;
    let named = |tag: usize, wanted: &[&str]| {
        let is_wanted = |name: &Range<usize>| {
            wanted.iter().any(|one| document.bytes()[name.clone()].eq_ignore_ascii_case(one.as_bytes()))
        };
        document.attribute_names(tag).into_iter().filter(is_wanted).map(|name| name.start).collect::<Vec<_>>()
    };
    tags.dedup();
    if !may_have_obstacle(document.bytes()) {
        tags.clear();
    }
    let of_tags = tags.into_iter().flat_map(|tag| named(tag, &["integrity", "crossorigin"]));
    let of_policies = context.scan.policies.iter().flat_map(|tag| named(*tag, &["http-equiv"]));
    let obstacles: Vec<usize> = of_tags.chain(of_policies).collect();
    if obstacles.is_empty() {
        return edits;
    }
    in_order(edits.iter().chain(obstacles.iter().map(|at| (*at..*at, PREFIX))).collect())
}

/// Returns whether a document may have an attribute that keeps local files from being loaded.
fn may_have_obstacle(document: &[u8]) -> bool {
    ["ntegrity", "NTEGRITY", "rossorigin", "rossOrigin", "ROSSORIGIN"]
        .iter()
        .any(|word| memmem::find(document, word.as_bytes()).is_some())
}
