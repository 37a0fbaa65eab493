//! Finds the entries of a folder.

use std::collections::HashMap;
use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use absolve_rewriter::internal::url_below;
use absolve_rewriter::{Code, Finding};
use rayon::prelude::*;
use walkdir::{DirEntry, WalkDir};

use crate::disk::atomic_file::is_temporary;
use crate::error::refusal::Refusal;
use crate::error::{Action, FileError};
use crate::input::entry::{Collection, Entry, Root, Storage};
use crate::input::kind::{EntryKind, is_page_extension};
use crate::input::maildir;
use crate::input::maildir::Role;
use crate::input::selection::Selection;
use crate::input::symlinks::{Symlinks, points_outside, target_below};
use crate::limits::COPIES_BY_LINKS;

/// Adds the entries of the folder `root` to `collection`, in the order of their paths.
pub(crate) fn walk(root: &Path, selection: &Selection, collection: &mut Collection) {
    let follows = selection.symlinks == Symlinks::Copy;
    let opened = match Root::at(root, selection.symlinks) {
        Ok(opened) => Arc::new(opened),
        Err(error) => return collection.errors.push(FileError::new(root, Action::Read, error)),
    };
    let url = selection.url.as_deref().map(folder_url);
    let folder = Folder { root, opened, url, selection, maildirs: Mutex::default() };
    // Paths in one folder are in the order of their names, and comparing them whole does not split them.
    let by_path = |one: &DirEntry, other: &DirEntry| one.path().as_os_str().cmp(other.path().as_os_str());
    let walk = WalkDir::new(root).follow_root_links(true).follow_links(follows).sort_by(by_path).min_depth(1);
    if follows { folder.follow(walk.into_iter(), collection) } else { folder.list(walk.into_iter(), collection) }
}

/// A folder of the input.
struct Folder<'f> {
    root: &'f Path,
    opened: Arc<Root>,
    url: Option<&'f str>,
    selection: &'f Selection,
    /// Whether a Maildir holds messages, for each Maildir that was looked at.
    maildirs: Mutex<HashMap<PathBuf, bool>>,
}

/// What there is to know of a path.
#[derive(Default)]
struct Found {
    entry: Option<Entry>,
    finding: Option<(PathBuf, Finding)>,
    error: Option<FileError>,
    is_delivery: bool,
}

impl Folder<'_> {
    /// Adds what the walk finds. It goes on while other threads ask for the metadata of what it has found.
    fn list(&self, mut walk: walkdir::IntoIter, collection: &mut Collection) {
        const BATCH: usize = 1024;
        let mut next = || walk.by_ref().take(BATCH).collect::<Vec<_>>();
        let mut batch = next();
        while !batch.is_empty() {
            let examine = || batch.into_par_iter().map(|found| self.examine(found, None)).collect::<Vec<_>>();
            let (following, examined) = rayon::join(&mut next, examine);
            examined.into_iter().for_each(|found| found.add_to(collection));
            batch = following;
        }
    }

    /// Adds what the walk finds, also behind symbolic links to folders: what comes before decides whether one is followed.
    fn follow(&self, mut walk: walkdir::IntoIter, collection: &mut Collection) {
        // The current folder behind a symbolic link, and the number of entries found in such folders.
        let (mut followed, mut copies) = (None::<PathBuf>, 0);
        while let Some(next) = walk.next() {
            let path = next.as_ref().ok().map(DirEntry::path);
            followed = followed.filter(|folder| path.is_none_or(|path| path.starts_with(folder)));
            copies += usize::from(followed.is_some());
            if copies > COPIES_BY_LINKS {
                // A part of the input would look complete.
                collection.entries.clear();
                return collection.errors.push(FileError::new(self.root, Action::Read, Refusal::TooManyCopies.into()));
            }
            let is_folder = next.as_ref().is_ok_and(|next| next.file_type().is_dir());
            let found = self.examine(next, followed.as_deref());
            match found.entry.as_ref().map(|entry| (&entry.kind, &entry.source)) {
                Some((EntryKind::Symlink(_), _)) if is_folder => walk.skip_current_dir(),
                Some((EntryKind::Folder, source)) if followed.is_none() && is_symlink(source) => {
                    followed = Some(source.clone());
                }
                _ => {}
            }
            found.add_to(collection);
        }
    }

    /// Returns what is found at a path; `followed` is the folder behind a symbolic link that it is in.
    fn examine(&self, found: walkdir::Result<DirEntry>, followed: Option<&Path>) -> Found {
        let Self { root, selection, .. } = self;
        let (source, metadata) = match path_and_metadata(found, root) {
            Ok(found) => found,
            Err(error) => return Found { error: Some(error), ..Found::default() },
        };
        if is_temporary(&source) {
            return Found::default();
        }
        let path = source.strip_prefix(root).unwrap_or(&source).to_owned();
        let role = maildir::role_of(&source);
        let is_link = metadata.is_symlink() || (selection.symlinks == Symlinks::Copy && is_symlink(&source));
        let mut target = if is_link { target_below(root, &self.opened.canonical, &source) } else { None };
        let mut finding = None;
        let kind = if is_link && (metadata.is_symlink() || target.is_none()) {
            finding = symlink_finding(&source, &path, target.as_deref(), selection);
            // One finding about a folder around the link is enough.
            target = target.filter(|_| finding.as_ref().is_none_or(|finding| finding.code != Code::SymlinkKept));
            EntryKind::Symlink(target)
        } else if metadata.is_dir() {
            EntryKind::Folder
        } else if metadata.is_file() {
            match role {
                Role::Index => return Found::left_out(source, maildir::index_finding()),
                Role::Temporary if self.is_delivery(&source) => {
                    return Found { is_delivery: true, ..Found::default() };
                }
                Role::Temporary | Role::Message | Role::None => match EntryKind::of_file(role, &path, selection) {
                    EntryKind::Copied if is_link && followed.is_none() => EntryKind::Symlink(target),
                    kind => kind,
                },
            }
        } else {
            let message = "neither a file, a folder nor a symbolic link; left out";
            return Found::left_out(source, Finding::new(Code::NotAFile, message));
        };
        let finding = finding.map(|finding| (source.clone(), finding));
        let url = self.url.map(|root| url_below(root, &path));
        let record = maildir::record_of(&source, role);
        let storage = Storage::Below(self.opened.clone());
        let entry = Entry { record, storage, ..Entry::new(source, path, kind, &metadata) };
        Found { entry: Some(entry.given(selection, url)), finding, ..Found::default() }
    }

    /// Returns whether a file in the `tmp` of a Maildir is a message that is being delivered.
    fn is_delivery(&self, source: &Path) -> bool {
        let Some(maildir) = maildir::maildir_of(source) else { return false };
        let mut known = self.maildirs.lock().unwrap_or_else(PoisonError::into_inner);
        *known.entry(maildir).or_insert_with_key(|maildir| maildir::holds_message(maildir))
    }
}

impl Found {
    fn left_out(source: PathBuf, finding: Finding) -> Self {
        Self { finding: Some((source, finding)), ..Self::default() }
    }

    fn add_to(self, collection: &mut Collection) {
        collection.entries.extend(self.entry);
        collection.findings.extend(self.finding);
        collection.errors.extend(self.error);
        collection.deliveries += u64::from(self.is_delivery);
    }
}

/// Returns the URL of a folder that a user named by the URL of a page in it: `https://h/d/index.html` is in `https://h/d/`. The
/// last segment is a page if it ends in the extension of one; any other URL is that of the folder itself.
///
/// ```
/// use absolve_files::folder_url;
/// assert_eq!(folder_url("https://h/d/index.html?x"), "https://h/d/");
/// assert_eq!(folder_url("https://h/d"), "https://h/d");
/// ```
pub fn folder_url(url: &str) -> &str {
    let end = url.find(['?', '#']).unwrap_or(url.len());
    let path = url[..end].find("://").and_then(|at| Some(at + 3 + url[at + 3..end].find('/')?));
    let Some(slash) = path.and_then(|_| url[..end].rfind('/')) else { return url };
    let extension = url[slash..end].rsplit_once('.').map(|(_, extension)| extension);
    if extension.is_some_and(is_page_extension) { &url[..=slash] } else { url }
}

/// Returns the path and the metadata of an entry. For a dangling symbolic link, the metadata is that of the link.
fn path_and_metadata(found: walkdir::Result<DirEntry>, root: &Path) -> Result<(PathBuf, Metadata), FileError> {
    let error = match found {
        Ok(found) => match found.metadata() {
            Ok(metadata) => return Ok((found.into_path(), metadata)),
            Err(error) => error,
        },
        Err(error) => error,
    };
    let path = error.path().unwrap_or(root).to_owned();
    match fs::symlink_metadata(&path) {
        Ok(metadata) if metadata.is_symlink() => Ok((path, metadata)),
        _ => Err(FileError::new(&path, Action::Read, error.into())),
    }
}

fn is_symlink(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_symlink())
}

/// Returns the finding about a symbolic link that is not followed because of its target.
fn symlink_finding(source: &Path, path: &Path, target: Option<&Path>, selection: &Selection) -> Option<Finding> {
    if points_outside(source, path) || (target.is_none() && source.exists()) {
        let what = match target {
            Some(_) => "into the input by a path outside it, and so does its copy",
            None => "outside the input",
        };
        let message = format!("the symbolic link points {what}; it is copied as a link and not followed");
        return Some(Finding::new(Code::SymlinkOutside, message));
    }
    let contains_link = selection.symlinks == Symlinks::Copy && target.is_some_and(Path::is_dir);
    let message = "the symbolic link points to a folder that contains it; it is copied as a link and not followed";
    contains_link.then(|| Finding::new(Code::SymlinkKept, message))
}

#[cfg(test)]
mod tests {
    use std::{fs, io};

    use super::walk;
    use crate::input::entry::Collection;
    use crate::input::selection::Selection;
    use crate::input::symlinks::Symlinks;

    #[test]
    fn batches_of_the_walk_keep_the_order_of_the_paths() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        for number in 0..2500 {
            let below = folder.path().join(format!("d{}", number % 7));
            fs::create_dir_all(&below)?;
            fs::write(below.join(format!("{number}.html")), "")?;
        }
        let paths = |symlinks| {
            let mut collection = Collection::default();
            walk(folder.path(), &Selection { symlinks, ..Selection::default() }, &mut collection);
            collection.entries.into_iter().map(|entry| entry.path).collect::<Vec<_>>()
        };
        let found = paths(Symlinks::Keep);
        assert!(found.is_sorted() && found.len() == 2507);
        assert_eq!(found, paths(Symlinks::Copy));
        Ok(())
    }
}
