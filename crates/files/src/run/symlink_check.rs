//! Checks the links of documents that symbolic links point to.

use absolve_containers::caught;
use absolve_framing::bundle::MemberKind;
use absolve_links::Edits;
use absolve_rewriter::internal::{Report, Retrieval, UrlSource, edits_of, url_below};
use absolve_rewriter::results::Remedy;
use absolve_rewriter::{Code, Finding, Options};

use crate::discover::copies::InputFiles;
use crate::input::entry::Entry;
use crate::input::kind::{EntryKind, type_of_name};
use crate::open::{Opened, entity_of, open};

/// Returns the finding about a symbolic link that is copied as a link, if the links of its target resolve differently
/// at the URL of the link, or if only the name of the link is that of a document.
pub(crate) fn finding(link: &Entry, files: &InputFiles<'_>, options: &Options) -> Option<Finding> {
    let EntryKind::Symlink(Some(path)) = &link.kind else { return None };
    let target = files.entry_at(path);
    // The path of the root ends with a slash.
    let path = target.map_or(path, |target| &target.source);
    let is_folder = |target: &Entry| matches!(target.kind, EntryKind::Folder | EntryKind::Bundle(_));
    let (what, differs) = match target.filter(|target| !is_folder(target)) {
        None => {
            let url = &link.retrieval()?.url;
            let differs = files.entries_below(path).any(|entry| {
                let below = entry.source.strip_prefix(path).unwrap_or(&entry.source);
                resolves_differently(entry, Some(url_below(url, below)), files, options)
            });
            ("the folder ", differs)
        }
        Some(target) => {
            let url = link.retrieval().map(|retrieval| retrieval.url.clone());
            ("", resolves_differently(target, url, files, options))
        }
    };
    let (code, name) = match link.member_kind() {
        Some(MemberKind::HardLink) => (Code::HardLink, "hard link"),
        _ => (Code::SymlinkKept, "symbolic link"),
    };
    let with_remedy = |message: String| match link.member_kind() {
        Some(MemberKind::HardLink) => {
            Finding::new(code, format!("{message}; unpacked, each name becomes a file of its own"))
        }
        Some(_) => Finding::new(code, message).with_remedy(Remedy::UnpackAndCopySymlinks),
        None => Finding::new(code, message).with_remedy(Remedy::CopySymlinks),
    };
    // A hard link is reported with the members.
    let is_named = code == Code::SymlinkKept && type_of_name(&link.path, options.purpose).is_some();
    let is_unread = |target: &Entry| {
        matches!(target.kind, EntryKind::Copied | EntryKind::Undecided(_)) && matches!(target.file_type(), Ok(None))
    };
    if is_named && target.is_some_and(is_unread) {
        let what = path.display();
        return Some(with_remedy(format!(
            "a {name} to {what}, which is not read, as its name is not that of a document"
        )));
    }
    let message = format!(
        "a {name} to {what}{}: relative links there are resolved for its URL, and would resolve differently at the URL of the \
         {name}",
        path.display()
    );
    differs.then(|| with_remedy(message))
}

/// Returns whether the links of a document would resolve differently if it was retrieved from this URL.
fn resolves_differently(entry: &Entry, url: Option<String>, files: &InputFiles<'_>, options: &Options) -> bool {
    if url.as_deref() == entry.retrieval().map(|retrieval| &*retrieval.url) {
        return false;
    }
    let source = entry.retrieval().map_or(UrlSource::Url, |retrieval| retrieval.source);
    let mut elsewhere = entry.clone();
    elsewhere.provenance.known.retrievals = url.map(|url| Retrieval { source, url }).into_iter().collect();
    let mut bytes = Vec::new();
    let Ok(opened @ (Opened::Document(_) | Opened::Message(_))) = open(entry, files, &mut bytes) else { return false };
    let edits = |entry: &Entry| -> Option<Edits> {
        let entity = entity_of(entry, &bytes, &opened, files, options)?;
        Some(edits_of(&entity, options, &mut Report::default()))
    };
    caught(|| edits(entry) != edits(&elsewhere)).unwrap_or(false)
}
