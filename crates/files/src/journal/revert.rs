//! Taking a run in place back, by its journal.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use data_encoding::HEXLOWER;
use rayon::prelude::*;
use sha2::{Digest, Sha256};

use crate::disk::atomic_file::{keep_attributes, put, set_time, temporary_beside};
use crate::error::{Action, FileError};
use crate::journal::read::{ChangedFile, FileEdit, changed_files};
use crate::journal::write::{JournalError, locked};

/// Whether files are given back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reverting {
    /// They are.
    Write,
    /// It is only found out which ones could be.
    DryRun,
}

/// What came of taking runs back.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct RevertReport {
    /// Files that have their original bytes again, or would have but for a dry run.
    pub reverted: u64,
    /// Files that had them already.
    pub original: u64,
    /// Files that were left as they are, in the order in which the journal tells of them.
    pub errors: Vec<FileError>,
}

/// Gives the files that a journal tells of their original bytes, names and times, for all runs that it tells of.
///
/// Each file is the old or the new one at any moment; what was given back already stays. A file that neither the run
/// nor the journal knows in its present form is left as it is and told.
///
/// # Errors
///
/// [`JournalError`], when nothing was done.
///
/// ```
/// use absolve_files::{Destination, InPlace, Journal, Reverting, Selection, Output, collect, revert, rewrite_all_to};
/// use absolve_rewriter::Options;
/// let folder = tempfile::tempdir()?;
/// let (page, journal) = (folder.path().join("a.html"), folder.path().join("journal"));
/// std::fs::write(&page, "<base href=http://h/><a href=b>")?;
/// let mut in_place = InPlace::default();
/// in_place.journal = Some(Journal::open(&journal, &[])?);
/// let mut sink = Output::to(&Destination::InPlace);
/// sink.in_place = &in_place;
/// rewrite_all_to(&collect(&page, &Selection::default()).entries, &Options::default(), sink, &|_| {}, &mut |_, _| {});
/// assert_eq!(std::fs::read_to_string(&page)?, "<base href=http://h/><a href=http://h/b>");
/// drop(in_place);
/// assert_eq!(revert(&journal, Reverting::Write)?.reverted, 1);
/// assert_eq!(std::fs::read_to_string(&page)?, "<base href=http://h/><a href=b>");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn revert(journal: &Path, reverting: Reverting) -> Result<RevertReport, JournalError> {
    let file = File::open(journal).map_err(|error| JournalError::Io(journal.to_owned(), error))?;
    let file = locked(file, journal)?;
    let changes = changed_files(&file, journal)?;
    let done: Vec<_> = histories(&changes)
        .par_iter()
        .map(|history| {
            let path = &history[history.len() - 1].new_path;
            revert_history(history, journal, reverting).map_err(|error| FileError::new(path, Action::Revert, error))
        })
        .collect();
    let mut report = RevertReport::default();
    for outcome in done {
        match outcome {
            Ok(Form::New) => report.reverted += 1,
            Ok(Form::Original) => report.original += 1,
            Err(error) => report.errors.push(error),
        }
    }
    Ok(report)
}

/// The changes of each file, one behind the other, through all its names.
fn histories(changes: &[ChangedFile]) -> Vec<Vec<&ChangedFile>> {
    let mut histories: Vec<Vec<&ChangedFile>> = Vec::new();
    let mut by_name: HashMap<&Path, usize> = HashMap::new();
    for change in changes {
        // A run that was killed has told of it under the same name, or has got as far as the new one.
        let known = by_name.get(&*change.path).or_else(|| by_name.get(&*change.new_path));
        let index = known.copied().unwrap_or(histories.len());
        match histories.get_mut(index) {
            Some(history) => history.push(change),
            None => histories.push(vec![change]),
        }
        by_name.insert(&change.path, index);
        by_name.insert(&change.new_path, index);
    }
    histories
}

/// The form of a file, as one of its changes knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// What stood there before.
    Original,
    /// What the run has made of it.
    New,
}

/// Takes the changes of a file back, the last one first. Answers in which form the file was found.
fn revert_history(history: &[&ChangedFile], journal: &Path, reverting: Reverting) -> io::Result<Form> {
    let mut found = Form::Original;
    let is_of = |form: &String, change: &&ChangedFile| *form == change.before || *form == change.after;
    let is_known = |index: usize| history[..index].iter().any(|change| is_of(&history[index].before, change));
    if !(1..history.len()).all(is_known) {
        return Err(io::Error::other("another program has changed it between two runs; it is left as it is"));
    }
    for (index, change) in history.iter().enumerate().rev() {
        match form_of(change)? {
            Some(Form::New) if reverting == Reverting::DryRun => return Ok(Form::New),
            Some(Form::New) => {
                give_back(change, journal)?;
                found = Form::New;
            }
            Some(Form::Original) => {}
            None if index > 0 => {}
            None if !change.new_path.exists() => return Err(io::Error::other("it is not there any more")),
            None => {
                return Err(io::Error::other(
                    "it is neither what the run has left nor what it was before; it is left as it is",
                ));
            }
        }
    }
    Ok(found)
}

/// `None` if it is something else.
fn form_of(change: &ChangedFile) -> io::Result<Option<Form>> {
    let (new, is_renamed) = (digest_of(&change.new_path)?, change.path != change.new_path);
    let original = if is_renamed { digest_of(&change.path)? } else { new.clone() };
    Ok(match (new, original) {
        (Some(digest), _) if digest == change.after => Some(Form::New),
        (_, Some(digest)) if digest == change.before => Some(Form::Original),
        _ => None,
    })
}

/// Writes the original beside its place and renames it.
fn give_back(change: &ChangedFile, journal: &Path) -> io::Result<()> {
    let ChangedFile { path, new_path, .. } = change;
    if path != new_path && digest_of(path)?.is_some_and(|digest| digest == change.before) {
        // Somebody was interrupted between the two names.
        return fs::remove_file(new_path);
    }
    let mut file = temporary_beside(path)?;
    let edits = change.edits(File::open(journal)?)?;
    let digest = write_original(edits, BufReader::new(File::open(new_path)?), file.as_file_mut())?;
    if digest != change.before {
        return Err(io::Error::other("another program changes it, or the journal is damaged; it is left as it is"));
    }
    keep_attributes(&file, new_path)?;
    set_time(file.as_file(), change.modified)?;
    file.as_file().sync_all()?;
    put(file, new_path, path)
}

/// Takes edits out of `input`; answers the sha256 of what is left.
fn write_original(
    edits: impl Iterator<Item = io::Result<FileEdit>>,
    mut input: impl Read,
    output: &mut File,
) -> io::Result<String> {
    let mut output = Hashing { output: BufWriter::new(output), hash: Sha256::new() };
    let mut at = 0;
    for edit in edits {
        let FileEdit { start, old, new } = edit?;
        let between = start.checked_sub(at).ok_or_else(unlike)?;
        let copied = io::copy(&mut (&mut input).take(between), &mut output)?;
        let mut found = Vec::new();
        (&mut input).take(new.len() as u64).read_to_end(&mut found)?;
        if copied < between || found != new {
            return Err(unlike());
        }
        output.write_all(&old)?;
        at = start + old.len() as u64;
    }
    io::copy(&mut input, &mut output)?;
    output.flush()?;
    Ok(HEXLOWER.encode(&output.hash.finalize()))
}

fn unlike() -> io::Error {
    io::Error::other("the edits of the journal are not those of the file; it is left as it is")
}

/// The sha256 of a file; `None` if it is not there.
fn digest_of(path: &PathBuf) -> io::Result<Option<String>> {
    let mut hashing = Hashing { output: io::sink(), hash: Sha256::new() };
    match File::open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        opened => {
            io::copy(&mut opened?, &mut hashing)?;
            Ok(Some(HEXLOWER.encode(&hashing.hash.finalize())))
        }
    }
}

/// A writer that hashes what is written.
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
