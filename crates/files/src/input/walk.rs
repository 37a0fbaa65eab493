//! Finds the entries of a folder.

use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};

use absolve_rewriter::{Code, Finding, url_below};
use walkdir::{DirEntry, WalkDir};

use crate::disk::atomic_file::is_temporary;
use crate::error::{Action, FileError};
use crate::input::entry::{Collection, Entry, entry};
use crate::input::kind::{EntryKind, is_page_extension, kind_of_file};
use crate::input::maildir;
use crate::input::maildir::Role;
use crate::input::selection::Selection;
use crate::input::symlinks::{Symlinks, points_outside, target_below};
use crate::limits::COPIES_BY_LINKS;

/// Adds the entries of the folder `root` to `collection`, in the order of their paths.
pub(crate) fn walk(root: &Path, selection: &Selection, collection: &mut Collection) {
    let follows = selection.symlinks == Symlinks::Copy;
    let url = selection.url.as_deref().map(folder_url);
    let canonical_root = root.canonicalize().unwrap_or_else(|_| root.to_owned());
    let mut walk =
        WalkDir::new(root).follow_root_links(true).follow_links(follows).sort_by_file_name().min_depth(1).into_iter();
    // The current folder behind a symbolic link, and the number of entries found in such folders.
    let (mut followed, mut copies) = (None::<PathBuf>, 0);
    while let Some(found) = walk.next() {
        let (source, metadata) = match path_and_metadata(found, root) {
            Ok(found) => found,
            Err(error) => {
                collection.errors.push(error);
                continue;
            }
        };
        if is_temporary(&source) {
            continue;
        }
        let path = source.strip_prefix(root).unwrap_or(&source).to_owned();
        followed = followed.filter(|folder| source.starts_with(folder));
        copies += usize::from(followed.is_some());
        if copies > COPIES_BY_LINKS {
            let message = format!("its symbolic links lead to more than {COPIES_BY_LINKS} files; use --symlinks keep");
            // A part of the input would look complete.
            collection.entries.clear();
            return collection.errors.push(FileError::new(root, Action::Read, io::Error::other(message)));
        }
        let role = maildir::role_of(&source);
        let is_link = metadata.is_symlink() || (follows && is_symlink(&source));
        let mut target = if is_link { target_below(root, &canonical_root, &source) } else { None };
        let kind = if is_link && (metadata.is_symlink() || target.is_none()) {
            if metadata.is_dir() {
                walk.skip_current_dir();
            }
            let finding = symlink_finding(&source, &path, target.as_deref(), selection);
            if let Some(finding) = finding {
                // One finding about it is enough.
                target = None;
                collection.findings.push((source.clone(), finding));
            }
            EntryKind::Symlink
        } else if metadata.is_dir() {
            if is_link && followed.is_none() {
                followed = Some(source.clone());
            }
            EntryKind::Folder
        } else if metadata.is_file() {
            match role {
                Role::Index => {
                    collection.findings.push((source, maildir::index_finding()));
                    continue;
                }
                Role::Temporary => continue,
                Role::Message | Role::None => match kind_of_file(role, &path, selection) {
                    EntryKind::Other if is_link && followed.is_none() => EntryKind::Symlink,
                    kind => kind,
                },
            }
        } else {
            let message = "neither a file, a folder nor a symbolic link; left out";
            collection.findings.push((source, Finding::new(Code::NotAFile, message)));
            continue;
        };
        let url = url.map(|root| url_below(root, &path));
        let record = maildir::record_of(&source, role);
        let entry = entry(source, path, kind, record, url, &metadata);
        collection.entries.push(Entry { discovery: selection.discovery, charset: selection.charset, target, ..entry });
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
        let message = "the symbolic link points outside the input; it is copied as a link and not followed";
        return Some(Finding::new(Code::SymlinkOutside, message));
    }
    let contains_link = selection.symlinks == Symlinks::Copy && target.is_some_and(Path::is_dir);
    let message = "the symbolic link points to a folder that contains it; it is copied as a link and not followed";
    contains_link.then(|| Finding::new(Code::SymlinkKept, message))
}
