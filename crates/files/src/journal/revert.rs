//! Restores the originals of runs in place from their journal.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use data_encoding::HEXLOWER;
use rayon::prelude::*;
use sha2::{Digest, Sha256};

use crate::disk::atomic_file::{Rename, keep_attributes, set_time, write_in};
use crate::disk::open_folder::OpenFolder;
use crate::error::{Action, FileError};
use crate::journal::moved::follow;
use crate::journal::read::{ChangedFile, FileEdit, recorded};
use crate::journal::write::{JournalError, locked};

/// Whether [`revert`] writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reverting {
    /// Originals are restored.
    Write,
    /// Nothing is written; the report counts what could be restored.
    DryRun,
}

/// The result of [`revert`].
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct RevertReport {
    /// How many files were restored, or would be without a dry run.
    pub reverted: u64,
    /// How many files were the originals already.
    pub original: u64,
    /// Errors of the files that were left unchanged, in the order of the journal, and of the journal itself.
    pub errors: Vec<FileError>,
    /// Whether the last run in the journal has ended. If not, it was killed, or the end of the journal is lost: files
    /// that are not in it stay as they are.
    pub is_ended: bool,
}

/// Restores the bytes, names and modification times of all files in a journal, of all its runs.
///
/// Each file is replaced atomically. A file that is neither the original nor the rewritten one is left unchanged, and is
/// in [`RevertReport::errors`].
///
/// # Errors
///
/// [`JournalError`] if the journal cannot be used; then no file was changed.
///
/// ```
/// use absolve_containers::ArchiveOptions;
/// use absolve_files::{Destination, InPlace, Journal, Output, Reverting, Selection, collect, revert, rewrite_all};
/// let folder = tempfile::tempdir()?;
/// let (page, journal) = (folder.path().join("a.html"), folder.path().join("journal"));
/// std::fs::write(&page, "<base href=http://h/><a href=b>")?;
/// let mut in_place = InPlace::default();
/// in_place.journal = Some(Journal::open(&journal, &[])?);
/// let mut output = Output::to(&Destination::InPlace);
/// output.in_place = &in_place;
/// rewrite_all(collect(&page, &Selection::default()), &ArchiveOptions::default(), output, &|_| {});
/// assert_eq!(std::fs::read_to_string(&page)?, "<base href=http://h/><a href=http://h/b>");
/// drop(in_place);
/// assert_eq!(revert(&journal, Reverting::Write)?.reverted, 1);
/// assert_eq!(std::fs::read_to_string(&page)?, "<base href=http://h/><a href=b>");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn revert(journal: &Path, reverting: Reverting) -> Result<RevertReport, JournalError> {
    let file = File::open(journal).map_err(|error| JournalError::Io(journal.to_owned(), error))?;
    let file = locked(file, journal)?;
    let mut recorded = recorded(&file, journal)?;
    follow(recorded.files.iter_mut().chain(&mut recorded.incomplete));
    let outcomes: Vec<_> = histories(&recorded.files)
        .par_iter()
        .map(|history| {
            let path = &history[history.len() - 1].new_path;
            revert_history(history, journal, reverting).map_err(|error| FileError::new(path, Action::Revert, error))
        })
        .collect();
    let mut report = RevertReport { is_ended: recorded.is_ended, ..RevertReport::default() };
    for outcome in outcomes {
        match outcome {
            Ok(Version::Rewritten) => report.reverted += 1,
            Ok(Version::Original) => report.original += 1,
            Err(error) => report.errors.push(error),
        }
    }
    let errors = recorded.incomplete.iter().filter_map(|change| {
        let error = left_rewritten(change, &recorded.files)?;
        Some(FileError::new(&change.new_path, Action::Revert, error))
    });
    report.errors.extend(errors);
    if recorded.missing > 0 {
        let why = format!("it lacks {} of the files that its runs have changed; they stay rewritten", recorded.missing);
        report.errors.push(FileError::new(journal, Action::Revert, io::Error::other(why)));
    }
    Ok(report)
}

/// Returns an error for a file with an incomplete entry if it was changed, and no other entry is about that.
fn left_rewritten(change: &ChangedFile, files: &[ChangedFile]) -> Option<io::Error> {
    if files.iter().any(|file| file.new_path == change.new_path && file.after == change.after) {
        return None;
    }
    match version_of(change) {
        Ok(Some(Version::Rewritten)) => {
            Some(io::Error::other("some of its edits are not in the journal; it stays rewritten"))
        }
        Ok(_) => None,
        Err(error) => Some(error),
    }
}

/// Returns the changes of each file in order. A file may be renamed by each change.
fn histories(changes: &[ChangedFile]) -> Vec<Vec<&ChangedFile>> {
    let mut histories: Vec<Vec<&ChangedFile>> = Vec::new();
    let mut by_name: HashMap<&Path, usize> = HashMap::new();
    for change in changes {
        // A killed run may have recorded the change without the rename.
        let found = by_name.get(&*change.path).or_else(|| by_name.get(&*change.new_path));
        let index = found.copied().unwrap_or(histories.len());
        match histories.get_mut(index) {
            Some(history) => history.push(change),
            None => histories.push(vec![change]),
        }
        by_name.insert(&change.path, index);
        by_name.insert(&change.new_path, index);
    }
    histories
}

/// Which version of a file exists, before or after one of its changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Version {
    Original,
    Rewritten,
}

/// Reverts the changes of a file, the last one first. Returns the version that it had.
fn revert_history(history: &[&ChangedFile], journal: &Path, reverting: Reverting) -> io::Result<Version> {
    let mut found = Version::Original;
    let continues = |index: usize| {
        let before = &history[index].before;
        history[..index].iter().any(|change| *before == change.before || *before == change.after)
    };
    if !(1..history.len()).all(continues) {
        return Err(io::Error::other("another program changed it between two runs; it is left unchanged"));
    }
    for (index, change) in history.iter().enumerate().rev() {
        match version_of(change)? {
            Some(Version::Rewritten) if reverting == Reverting::DryRun => return Ok(Version::Rewritten),
            Some(Version::Rewritten) => {
                restore(change, journal)?;
                found = Version::Rewritten;
            }
            Some(Version::Original) => {}
            None if index > 0 => {}
            None if !change.new_path.exists() => return Err(io::Error::other("it no longer exists")),
            None => return Err(io::Error::other("it is neither the rewritten file nor the original; left unchanged")),
        }
    }
    Ok(found)
}

/// Returns the version of a file; `None` if it is neither.
fn version_of(change: &ChangedFile) -> io::Result<Option<Version>> {
    let (new, is_renamed) = (digest_of(&change.new_path)?, change.path != change.new_path);
    let original = if is_renamed { digest_of(&change.path)? } else { new.clone() };
    Ok(match (new, original) {
        (Some(digest), _) if digest == change.after => Some(Version::Rewritten),
        (_, Some(digest)) if digest == change.before => Some(Version::Original),
        _ => None,
    })
}

/// Replaces a rewritten file by its original, atomically.
fn restore(change: &ChangedFile, journal: &Path) -> io::Result<()> {
    let ChangedFile { path, new_path, .. } = change;
    let [name, new_name] = [path, new_path].map(|path| path.file_name().unwrap_or_default());
    let folder = OpenFolder::around_path(path)?;
    if path != new_path && digest_of(path)?.is_some_and(|digest| digest == change.before) {
        // A revert was interrupted between writing the original and removing the rewritten file.
        return folder.remove(Path::new(new_name));
    }
    let restored = write_in(&folder, name, |file| {
        let edits = change.edits(File::open(journal)?)?;
        let rewritten = folder.open(Path::new(new_name))?;
        let digest = write_original(edits, BufReader::new(&rewritten), file)?;
        if digest != change.before {
            let why = "another program is changing it, or the journal is damaged; it is left unchanged";
            return Err(io::Error::other(why));
        }
        keep_attributes(file, &rewritten)?;
        set_time(file, change.modified)?;
        file.sync_all().map(|()| Rename::ReplaceOriginal(new_name))
    });
    restored.map(drop)
}

/// Writes `input` without the edits to `output`. Returns the SHA-256 of what was written, in hexadecimal.
fn write_original(
    edits: impl Iterator<Item = io::Result<FileEdit>>,
    mut input: impl Read,
    output: &mut File,
) -> io::Result<String> {
    let mut output = Hashing { output: BufWriter::new(output), hash: Sha256::new() };
    let mut at = 0;
    for edit in edits {
        let FileEdit { start, old, new } = edit?;
        let between = start.checked_sub(at).ok_or_else(edits_mismatch)?;
        let copied = io::copy(&mut (&mut input).take(between), &mut output)?;
        let mut found = Vec::new();
        (&mut input).take(new.len() as u64).read_to_end(&mut found)?;
        if copied < between || found != new {
            return Err(edits_mismatch());
        }
        output.write_all(&old)?;
        at = start + old.len() as u64;
    }
    io::copy(&mut input, &mut output)?;
    output.flush()?;
    Ok(HEXLOWER.encode(&output.hash.finalize()))
}

fn edits_mismatch() -> io::Error {
    io::Error::other("the edits in the journal do not match the file; it is left unchanged")
}

/// Returns the SHA-256 of a file in hexadecimal; `None` if it does not exist. A run records no symbolic links.
fn digest_of(path: &PathBuf) -> io::Result<Option<String>> {
    let mut hashing = Hashing { output: io::sink(), hash: Sha256::new() };
    let name = Path::new(path.file_name().unwrap_or_default());
    match OpenFolder::around_path(path).and_then(|folder| folder.open(name)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(_) if path.is_symlink() || path.canonicalize().is_ok_and(|canonical| canonical != *path) => {
            let why = "it, or a folder around it, has been replaced by a symbolic link; it is left unchanged";
            Err(io::Error::other(why))
        }
        opened => {
            io::copy(&mut opened?, &mut hashing)?;
            Ok(Some(HEXLOWER.encode(&hashing.hash.finalize())))
        }
    }
}

/// A writer that hashes the bytes it writes.
struct Hashing<W> {
    output: W,
    hash: Sha256,
}

impl<W: Write> Write for Hashing<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.output.write(bytes)?;
        self.hash.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}
