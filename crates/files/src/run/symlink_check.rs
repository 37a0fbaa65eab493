//! Checks the links of documents that symbolic links point to.

use absolve_containers::caught;
use absolve_links::Edits;
use absolve_rewriter::{Code, Finding, Known, Options, Report, Retrieval, UrlSource, edits_of, url_below};

use crate::discover::copies::InputFiles;
use crate::input::entry::Entry;
use crate::input::kind::EntryKind;
use crate::open::{Opened, entity_of, open};

/// Returns the finding about a symbolic link that is copied as a link, if the links of its target resolve differently
/// at the URL of the link.
pub(crate) fn finding(link: &Entry, files: &InputFiles<'_>, options: &Options) -> Option<Finding> {
    let target = files.entry_at(link.target.as_deref()?)?;
    let (what, differs) = match target.kind {
        EntryKind::Folder => {
            let url = &link.retrieval()?.url;
            let differs = files.entries_below(target).any(|entry| {
                let below = entry.source.strip_prefix(&target.source).unwrap_or(&entry.source);
                resolves_differently(entry, Some(url_below(url, below)), files, options)
            });
            ("the folder ", differs)
        }
        _ => {
            let url = link.retrieval().map(|retrieval| retrieval.url.clone());
            ("", resolves_differently(target, url, files, options))
        }
    };
    let message = format!(
        "a symbolic link to {what}{}: relative links there are resolved for its URL, and would resolve differently at the URL \
         of the symbolic link; --symlinks copy writes separate files",
        target.source.display()
    );
    differs.then(|| Finding::new(Code::SymlinkKept, message))
}

/// Returns whether the links of a document would resolve differently if it was retrieved from this URL.
fn resolves_differently(entry: &Entry, url: Option<String>, files: &InputFiles<'_>, options: &Options) -> bool {
    if url.as_deref() == entry.retrieval().map(|retrieval| &*retrieval.url) {
        return false;
    }
    let source = entry.retrieval().map_or(UrlSource::Url, |retrieval| retrieval.source);
    let retrievals = url.map(|url| Retrieval { source, url }).into_iter().collect();
    let elsewhere = Entry { known: Known { retrievals, links: entry.known.links }, ..entry.clone() };
    let mut bytes = Vec::new();
    let Ok(opened @ (Opened::Document(_) | Opened::Message(_))) = open(entry, &mut bytes) else { return false };
    let edits = |entry: &Entry| -> Option<Edits> {
        let entity = entity_of(entry, &bytes, &opened, files)?;
        Some(edits_of(&entity, options, &mut Report::default()))
    };
    caught(|| edits(entry) != edits(&elsewhere)).unwrap_or(false)
}
