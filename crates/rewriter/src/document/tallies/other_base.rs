//! Whether the parts of a message prove another base for one of its documents.
//!
//! Chromium and WebKitGTK resolve a relative BASE twice when they save a page, and WebKitGTK locates a style that another one imports in the
//! folder of the page. What they leave relative then leads to no part, although the message has it.

use absolve_links::{DocumentType, Link};

use crate::document::classify::is_of_placeholder;
use crate::document::context::DocumentContext;
use crate::finding::{Code, Finding};
use crate::findings::Tally;
use crate::options::HeaderFields;

/// So many references of a document are looked for among the parts.
const REFERENCES: usize = 100;

/// Returns a finding if references of a document lead to no part of its message, and the end of a target is that of a part.
pub(crate) fn other_base(context: &DocumentContext<'_, '_>) -> Option<Finding> {
    let DocumentContext { document, scan, part, options, .. } = context;
    let siblings = part.siblings.as_ref()?;
    if matches!(part.document_type, DocumentType::Field | DocumentType::Text)
        || options.header_fields == HeaderFields::Absolute
    {
        return None;
    }
    let (mut tally, mut located) = (Tally::default(), None);
    for link in scan.links.iter().filter(|link| may_be_resource(context, link)).take(REFERENCES) {
        let reference = document.reference(link);
        let path = path_of(reference.text());
        let base = context.base_of(link, reference.text()).and_then(|base| base.portable());
        let Some(target) = base.and_then(|base| base.resolve(reference.text()).ok()) else { continue };
        if siblings.contains(&target, &part.retrievals, options.rules) {
            return None;
        }
        if let Some(location) = siblings.ending_with(path, &target, &part.retrievals, options.rules) {
            tally.add(link.range.start);
            located.get_or_insert((location, target));
        }
    }
    let (location, target) = located?;
    let message = format!(
        "{tally} to no part of the message, as to {target}, although it has {location}; the program that saved the page wrote a wrong BASE \
         or Content-Location, and the references resolve at that"
    );
    Some(Finding::new(Code::OtherBase, message).at(tally.first))
}

/// Returns whether a reference is relative to a folder, and names a file there.
fn may_be_resource(context: &DocumentContext<'_, '_>, link: &Link) -> bool {
    let reference = context.document.reference(link);
    let (text, path) = (reference.text(), path_of(reference.text()));
    let is_path = !text.contains(':') && !text.starts_with(['/', '\\', '?', '#']);
    is_path
        && !path.is_empty()
        && !path.ends_with('/')
        && !is_of_placeholder(context.document, link, &reference, context.options)
}

/// Returns the path of a reference without the dot segments that it begins with.
fn path_of(reference: &str) -> &str {
    let mut path = reference.split(['?', '#']).next().unwrap_or_default();
    while let Some(rest) = ["./", "../"].iter().find_map(|dots| path.strip_prefix(dots)) {
        path = rest;
    }
    path
}
