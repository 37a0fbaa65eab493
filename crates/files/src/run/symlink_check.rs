//! Links of pages reached through symbolic links.

use absolve_containers::caught;
use absolve_links::Edits;
use absolve_rewriter::{Code, Finding, Known, Options, Report, Retrieval, edits_of, url_below};

use crate::discover::copies::InputFiles;
use crate::input::entry::Entry;
use crate::input::kind::EntryKind;
use crate::open::{Opened, entity_of, open};

/// Returns the finding about a link that is kept, if a document that it leads to means something else at the URL of the
/// link.
pub(crate) fn finding(link: &Entry, mirror: &InputFiles<'_>, options: &Options) -> Option<Finding> {
    let target = mirror.entry_at(link.leads_to.as_deref()?)?;
    let (what, differs) = match target.kind {
        EntryKind::Folder => {
            let url = &link.retrieval()?.url;
            let differs = mirror.entries_below(target).any(|entry| {
                let below = entry.source.strip_prefix(&target.source).unwrap_or(&entry.source);
                means_something_else(entry, Some(url_below(url, below)), mirror, options)
            });
            ("the folder ", differs)
        }
        _ => {
            let url = link.retrieval().map(|retrieval| retrieval.url.clone());
            ("", means_something_else(target, url, mirror, options))
        }
    };
    let message = format!(
        "a symbolic link to {what}{}: links of documents are made absolute there, for that place, and mean something else \
         than at the URL of this one; --symlinks copy writes files of their own",
        target.name.display()
    );
    differs.then(|| Finding::new(Code::SymlinkKept, message))
}

/// Returns whether the links of a document become others when it was retrieved from this URL.
fn means_something_else(entry: &Entry, url: Option<String>, mirror: &InputFiles<'_>, options: &Options) -> bool {
    if url.as_deref() == entry.retrieval().map(|retrieval| &*retrieval.url) {
        return false;
    }
    let source = entry.retrieval().map_or(absolve_rewriter::UrlSource::Url, |retrieval| retrieval.source);
    let retrievals = url.map(|url| Retrieval { source, url }).into_iter().collect();
    let elsewhere = Entry { known: Known { retrievals, links: entry.known.links }, ..entry.clone() };
    let mut bytes = Vec::new();
    let Ok(opened @ (Opened::Document(_) | Opened::Message)) = open(entry, &mut bytes) else { return false };
    let edits = |entry: &Entry| -> Option<Edits> {
        let entity = entity_of(entry, &bytes, &opened, mirror)?;
        Some(edits_of(&entity, options, &mut Report::default()))
    };
    caught(|| edits(entry) != edits(&elsewhere)).unwrap_or(false)
}
