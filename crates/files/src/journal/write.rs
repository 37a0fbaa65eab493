//! Writes a journal: every edit of a run in place, so that the run can be reverted.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Map, Value, json};
use thiserror::Error;

use crate::disk::atomic_file::folder_of;
use crate::disk::lock::lock;
use crate::disk::open_folder::OpenFolder;
use crate::disk::permissions::open_private;
use crate::journal::entry::JournalEntry;

/// A journal that is being written: JSON Lines, one for the run, one for each changed file, followed by one for each of
/// its edits, and one for the end of the run, when it is dropped.
///
/// The lines of a file are flushed to the disk before the file is replaced. `docs/reliability.md` describes them.
#[derive(Debug)]
pub struct Journal {
    file: Mutex<File>,
    /// How many files it records of this run.
    files: AtomicU64,
    path: PathBuf,
    /// Where the run begins; `None` in a new file.
    start: Option<u64>,
    is_withdrawn: bool,
}

/// Why a journal cannot be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum JournalError {
    /// It cannot be read or written.
    #[error("cannot use the journal {0}: {1}")]
    Io(PathBuf, #[source] io::Error),
    /// The file is not a journal.
    #[error("{0} exists and is not a journal; name another file")]
    NotAJournal(PathBuf),
    /// Another process has locked it.
    #[error("another run uses the journal {0}; wait for it, or name another")]
    InUse(PathBuf),
    /// The line with this number, from 1, is malformed.
    #[error("line {1} of the journal {0} is damaged; nothing was changed")]
    Damaged(PathBuf, u64),
}

impl Journal {
    /// Opens a journal for a new run: creates the file, or appends to the runs in it. `arguments` are recorded as the
    /// options of the run. The journal is locked until it is dropped.
    ///
    /// # Errors
    ///
    /// [`JournalError`] if the file cannot be written, is not a journal, or is locked.
    ///
    /// ```
    /// use absolve_files::Journal;
    /// let folder = tempfile::tempdir()?;
    /// let path = folder.path().join("site.journal");
    /// drop(Journal::open(&path, &["--in-place".into()])?);
    /// assert!(std::fs::read_to_string(&path)?.starts_with(r#"{"kind":"run","#));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn open(path: &Path, arguments: &[String]) -> Result<Self, JournalError> {
        let fail = |error| JournalError::Io(path.to_owned(), error);
        let is_new = !path.exists();
        let mut file = locked(open_private(path).map_err(fail)?, path)?;
        let end = end_of_lines(&mut file, path)?;
        // An incomplete line belongs to a file that was not changed.
        file.set_len(end).map_err(fail)?;
        file.seek(SeekFrom::End(0)).map_err(fail)?;
        let run = json!({ "kind": "run", "version": env!("CARGO_PKG_VERSION"), "options": arguments });
        // At once: a run that is killed here leaves no part of the line, which would not be known as a journal.
        let begun = file.write_all(format!("{run}\n").as_bytes()).and_then(|()| file.sync_all());
        begun.and_then(|()| if is_new { OpenFolder::at(folder_of(path))?.sync() } else { Ok(()) }).map_err(fail)?;
        let start = (!is_new).then_some(end);
        let (file, files) = (Mutex::new(file), AtomicU64::new(0));
        Ok(Self { file, files, path: path.to_owned(), start, is_withdrawn: false })
    }

    /// Removes the run from the journal again, unless it records a file of it: nothing was done.
    ///
    /// ```
    /// use absolve_files::Journal;
    /// let folder = tempfile::tempdir()?;
    /// let path = folder.path().join("site.journal");
    /// Journal::open(&path, &["--in-place".into()])?.withdraw();
    /// assert!(!path.exists());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn withdraw(mut self) {
        self.is_withdrawn = *self.files.get_mut() == 0;
    }

    fn remove(&self) -> io::Result<()> {
        OpenFolder::at(folder_of(&self.path))?.remove(Path::new(self.path.file_name().unwrap_or_default()))
    }

    /// Appends the entry of a file and flushes it to the disk. Called before the file is replaced.
    pub(crate) fn add(
        &self,
        path: &Path,
        new_path: &Path,
        modified: Option<SystemTime>,
        entry: JournalEntry,
    ) -> io::Result<()> {
        let (change, mut lines) = entry.finish()?;
        let mut object = Map::new();
        object.insert("kind".into(), "file".into());
        add_path(&mut object, "path", &std::path::absolute(path)?);
        add_path(&mut object, "new_path", &std::path::absolute(new_path)?);
        object.insert("sha256_before".into(), change.before.into());
        object.insert("sha256_after".into(), change.after.into());
        object.insert("modified_nanoseconds".into(), modified.and_then(nanoseconds).into());
        object.insert("edits".into(), change.edits.into());
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let end = file.stream_position()?;
        let written = write_lines(&file, &object.into(), &mut lines);
        match written {
            Ok(()) => drop(self.files.fetch_add(1, Ordering::Relaxed)),
            // The next entry must not follow an incomplete line.
            Err(_) => drop(file.set_len(end).and_then(|()| file.seek(SeekFrom::Start(end)))?),
        }
        written
    }
}

impl Drop for Journal {
    fn drop(&mut self) {
        if self.is_withdrawn {
            // What is left says that it records nothing.
            let file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
            let _ = self.start.map_or_else(|| self.remove(), |start| file.set_len(start));
            return;
        }
        let file = self.file.get_mut().unwrap_or_else(PoisonError::into_inner);
        let end = json!({ "kind": "end", "files": self.files.get_mut() });
        // Without this line, a revert says that the journal may be cut off.
        let _ = writeln!(file, "{end}").and_then(|()| file.sync_data());
    }
}

fn write_lines(file: &File, of_file: &Value, of_edits: &mut impl Read) -> io::Result<()> {
    let mut output = BufWriter::new(file);
    writeln!(output, "{of_file}")?;
    io::copy(of_edits, &mut output)?;
    output.flush()?;
    file.sync_data()
}

/// Locks a journal against other runs and reverts.
pub(crate) fn locked(file: File, path: &Path) -> Result<File, JournalError> {
    if lock(&file) { Ok(file) } else { Err(JournalError::InUse(path.to_owned())) }
}

/// The first bytes of every journal.
pub(crate) const FIRST_BYTES: &[u8] = br#"{"kind":"run","#;

/// Returns the offset of the end of the last complete line.
fn end_of_lines(file: &mut File, path: &Path) -> Result<u64, JournalError> {
    let fail = |error| JournalError::Io(path.to_owned(), error);
    let mut first = Vec::new();
    let mut reader = BufReader::new(&mut *file);
    (&mut reader).take(1 << 20).read_until(b'\n', &mut first).map_err(fail)?;
    // The first line is flushed before any file changes, so an incomplete one is not of a journal.
    if !first.is_empty() && !first.starts_with(FIRST_BYTES) {
        return Err(JournalError::NotAJournal(path.to_owned()));
    }
    let mut end = file.seek(SeekFrom::End(0)).map_err(fail)?;
    let mut chunk = Vec::new();
    while end > 0 {
        let start = end.saturating_sub(1 << 16);
        file.seek(SeekFrom::Start(start)).map_err(fail)?;
        chunk.clear();
        file.take(end - start).read_to_end(&mut chunk).map_err(fail)?;
        if let Some(at) = memchr::memrchr(b'\n', &chunk) {
            return Ok(start + at as u64 + 1);
        }
        end = start;
    }
    Ok(0)
}

/// Adds a path; in base64 as well if it is not UTF-8.
fn add_path(object: &mut Map<String, Value>, name: &str, path: &Path) {
    object.insert(name.into(), path.to_string_lossy().into());
    if path.to_str().is_none() {
        let bytes = path.as_os_str().as_encoded_bytes();
        object.insert(format!("{name}_base64"), BASE64_STANDARD.encode(bytes).into());
    }
}

fn nanoseconds(time: SystemTime) -> Option<i64> {
    match time.duration_since(UNIX_EPOCH) {
        Ok(since) => since.as_nanos().try_into().ok(),
        Err(before) => i64::try_from(before.duration().as_nanos()).ok().map(|nanoseconds| -nanoseconds),
    }
}
