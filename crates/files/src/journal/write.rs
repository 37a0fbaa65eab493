//! What a run in place has changed, edit by edit, so that it can be taken back.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufRead, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};
use std::{error, fmt};

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Map, Value, json};

use crate::disk::atomic_file::sync_folder;
use crate::disk::permissions::owners_only;
use crate::journal::entry::JournalEntry;

/// A journal that is being written: JSON Lines, one for the run, one for each file that changes, and behind it one for
/// each of its edits.
///
/// The lines of a file are on the disk before the file gets its name. `docs/reliability.md` describes them.
#[derive(Debug)]
pub struct Journal {
    file: Mutex<File>,
}

/// Why a journal cannot be used.
#[derive(Debug)]
#[non_exhaustive]
pub enum JournalError {
    /// The file system refuses.
    Io(PathBuf, io::Error),
    /// The file is something else.
    NotAJournal(PathBuf),
    /// Another run writes it, or takes it back.
    InUse(PathBuf),
    /// A line of it, counted from 1, does not fit.
    Damaged(PathBuf, u64),
}

impl Journal {
    /// Begins a journal, or goes on with one: what it tells of earlier runs stays. `arguments` say what the run was
    /// asked for.
    ///
    /// # Errors
    ///
    /// [`JournalError`], if the file is none, or is in use.
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
        let mut options = OpenOptions::new();
        // It holds bytes of files that perhaps only their owner may read.
        let opened = owners_only(options.read(true).write(true).create(true).truncate(false)).open(path);
        let mut file = locked(opened.map_err(fail)?, path)?;
        let end = end_of_lines(&mut file, path)?;
        // A line that breaks off belongs to a file that was not changed.
        file.set_len(end).map_err(fail)?;
        file.seek(SeekFrom::End(0)).map_err(fail)?;
        let run = json!({ "kind": "run", "version": env!("CARGO_PKG_VERSION"), "options": arguments });
        let begun = writeln!(file, "{run}").and_then(|()| file.sync_all());
        begun.and_then(|()| if is_new { sync_folder(path) } else { Ok(()) }).map_err(fail)?;
        Ok(Self { file: Mutex::new(file) })
    }

    /// Adds what changes in a file before it gets its name; then it is on the disk.
    pub(crate) fn add(
        &self,
        path: &Path,
        new_path: &Path,
        modified: Option<SystemTime>,
        note: JournalEntry,
    ) -> io::Result<()> {
        let (change, mut lines) = note.finish()?;
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
        if written.is_err() {
            // The next file must not stand behind half a line.
            file.set_len(end).and_then(|()| file.seek(SeekFrom::Start(end)))?;
        }
        written
    }
}

fn write_lines(file: &File, of_file: &Value, of_edits: &mut impl Read) -> io::Result<()> {
    let mut output = BufWriter::new(file);
    writeln!(output, "{of_file}")?;
    io::copy(of_edits, &mut output)?;
    output.flush()?;
    file.sync_data()
}

/// Locks a journal, so that two runs do not write it, and none while it is taken back.
pub(crate) fn locked(file: File, path: &Path) -> Result<File, JournalError> {
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Err(JournalError::InUse(path.to_owned())),
        // Not every file system has locks.
        Ok(()) | Err(TryLockError::Error(_)) => Ok(file),
    }
}

/// How every journal begins.
pub(crate) const BEGINS: &[u8] = br#"{"kind":"run","#;

/// Where the last whole line ends.
fn end_of_lines(file: &mut File, path: &Path) -> Result<u64, JournalError> {
    let fail = |error| JournalError::Io(path.to_owned(), error);
    let mut first = Vec::new();
    let mut reader = BufReader::new(&mut *file);
    (&mut reader).take(1 << 20).read_until(b'\n', &mut first).map_err(fail)?;
    // Its first line is on the disk before anything changes, so what breaks off in it is something else.
    if !first.is_empty() && !first.starts_with(BEGINS) {
        return Err(JournalError::NotAJournal(path.to_owned()));
    }
    let mut end = file.seek(SeekFrom::End(0)).map_err(fail)?;
    let mut stretch = Vec::new();
    while end > 0 {
        let start = end.saturating_sub(1 << 16);
        file.seek(SeekFrom::Start(start)).map_err(fail)?;
        stretch.clear();
        file.take(end - start).read_to_end(&mut stretch).map_err(fail)?;
        if let Some(at) = memchr::memrchr(b'\n', &stretch) {
            return Ok(start + at as u64 + 1);
        }
        end = start;
    }
    Ok(0)
}

/// A path, and one that is not UTF-8 in base64 as well.
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

impl fmt::Display for JournalError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(path, error) => write!(formatter, "cannot use the journal {}: {error}", path.display()),
            Self::NotAJournal(path) => {
                write!(formatter, "{} exists and is no journal; name another file", path.display())
            }
            Self::InUse(path) => {
                write!(formatter, "another run uses the journal {}; wait for its end, or name another", path.display())
            }
            Self::Damaged(path, line) => {
                write!(formatter, "line {line} of the journal {} is damaged; nothing was changed", path.display())
            }
        }
    }
}

impl error::Error for JournalError {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        match self {
            Self::Io(_, error) => Some(error),
            _ => None,
        }
    }
}
