//! Reads a journal: the changed files and their edits.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use absolve_framing::bundle::os_path;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde_json::Value;

use crate::journal::write::{FIRST_BYTES, JournalError};

/// A file that a run has changed, or was about to change when it was killed.
#[derive(Clone, Debug)]
pub(crate) struct ChangedFile {
    pub(crate) path: PathBuf,
    /// Its path after the change.
    pub(crate) new_path: PathBuf,
    /// The SHA-256 of its bytes before the change, in hexadecimal.
    pub(crate) before: String,
    /// The same after the change.
    pub(crate) after: String,
    /// Its modification time before the change.
    pub(crate) modified: Option<SystemTime>,
    pub(crate) edits: u64,
    /// The offset of the lines of its edits in the journal.
    at: u64,
}

/// An edit: bytes of the original and their replacement.
#[derive(Clone, Debug)]
pub(crate) struct FileEdit {
    pub(crate) start: u64,
    pub(crate) old: Vec<u8>,
    pub(crate) new: Vec<u8>,
}

/// What a journal records.
#[derive(Debug, Default)]
pub(crate) struct Recorded {
    /// The changed files in the order of the journal.
    pub(crate) files: Vec<ChangedFile>,
    /// Files with fewer edits than their lines say. A killed run has not changed them; else lines of the journal are lost.
    pub(crate) incomplete: Vec<ChangedFile>,
    /// How many changed files have no line.
    pub(crate) missing: u64,
    /// Whether the last run has ended.
    pub(crate) is_ended: bool,
}

/// Returns what a journal records.
pub(crate) fn recorded(journal: &File, path: &Path) -> Result<Recorded, JournalError> {
    let fail = |error| JournalError::Io(path.to_owned(), error);
    let mut input = BufReader::with_capacity(1 << 20, journal);
    // A file that is not a journal may be a single line of any length.
    let first = input.fill_buf().map_err(fail)?;
    if !first.starts_with(&FIRST_BYTES[..FIRST_BYTES.len().min(first.len())]) {
        return Err(JournalError::NotAJournal(path.to_owned()));
    }
    let (mut recorded, mut files_of_run, mut open) = (Recorded::default(), 0, None::<(ChangedFile, u64)>);
    let (mut line, mut at, mut number) = (Vec::new(), 0, 0);
    loop {
        line.clear();
        at += input.read_until(b'\n', &mut line).map_err(fail)? as u64;
        number += 1;
        // A killed run may have left half a line.
        if !line.ends_with(b"\n") {
            let is_begun = number > 1 || FIRST_BYTES.starts_with(&line[..line.len().min(FIRST_BYTES.len())]);
            recorded.incomplete.extend(open.map(|(file, _)| file));
            return if is_begun { Ok(recorded) } else { Err(JournalError::NotAJournal(path.to_owned())) };
        }
        let read = JournalLine::of(&line, at);
        if let Some(JournalLine::Run | JournalLine::File(_) | JournalLine::End(_)) = read {
            recorded.incomplete.extend(open.take().map(|(file, _)| file));
            recorded.is_ended = matches!(read, Some(JournalLine::End(_)));
        }
        match read {
            Some(JournalLine::Run) => files_of_run = 0,
            None | Some(JournalLine::File(_) | JournalLine::Edit | JournalLine::End(_) | JournalLine::Other)
                if number == 1 =>
            {
                return Err(JournalError::NotAJournal(path.to_owned()));
            }
            Some(JournalLine::File(file)) => {
                files_of_run += 1;
                open = Some((*file, 0));
            }
            Some(JournalLine::End(files)) => recorded.missing += files.saturating_sub(files_of_run),
            Some(JournalLine::Edit) => match open.take() {
                Some((file, seen)) if seen + 1 == file.edits => recorded.files.push(file),
                Some((file, seen)) => open = Some((file, seen + 1)),
                None => return Err(JournalError::Damaged(path.to_owned(), number)),
            },
            Some(JournalLine::Other) => {}
            None => return Err(JournalError::Damaged(path.to_owned(), number)),
        }
    }
}

impl ChangedFile {
    /// Returns an iterator over its edits in order.
    pub(crate) fn edits(&self, mut journal: File) -> io::Result<impl Iterator<Item = io::Result<FileEdit>>> {
        journal.seek(SeekFrom::Start(self.at))?;
        let mut input = BufReader::with_capacity(1 << 16, journal);
        let edits = usize::try_from(self.edits).unwrap_or(usize::MAX);
        Ok((0..edits).map(move |_| {
            let mut line = Vec::new();
            input.read_until(b'\n', &mut line)?;
            edit(&line).ok_or_else(|| io::Error::other("its edits in the journal are damaged"))
        }))
    }
}

/// A line of a journal.
enum JournalLine {
    Run,
    File(Box<ChangedFile>),
    Edit,
    /// The end of a run, with the number of its files.
    End(u64),
    /// A kind that a later version may add.
    Other,
}

impl JournalLine {
    /// Parses a line; `end` is the offset of the next one. Returns `None` if it is malformed.
    fn of(line: &[u8], end: u64) -> Option<Self> {
        // Most lines are edits: no need to parse them here.
        if line.starts_with(br#"{"kind":"edit","#) {
            return Some(Self::Edit);
        }
        let object: Value = serde_json::from_slice(line).ok()?;
        Some(match object["kind"].as_str()? {
            "run" => Self::Run,
            "file" => Self::File(Box::new(changed_file(&object, end)?)),
            "edit" => Self::Edit,
            "end" => Self::End(object["files"].as_u64()?),
            _ => Self::Other,
        })
    }
}

fn changed_file(object: &Value, at: u64) -> Option<ChangedFile> {
    let digest = |name: &str| Some(object[name].as_str()?.to_owned());
    Some(ChangedFile {
        path: path_of(object, "path")?,
        new_path: path_of(object, "new_path")?,
        before: digest("sha256_before")?,
        after: digest("sha256_after")?,
        modified: object["modified_nanoseconds"].as_i64().and_then(time),
        edits: object["edits"].as_u64().filter(|edits| *edits > 0)?,
        at,
    })
}

fn edit(line: &[u8]) -> Option<FileEdit> {
    let object: Value = serde_json::from_slice(line).ok()?;
    let bytes = |name: &str| BASE64_STANDARD.decode(object[name].as_str()?).ok();
    let edit = FileEdit { start: object["start"].as_u64()?, old: bytes("old_base64")?, new: bytes("new_base64")? };
    (object["end"].as_u64()? == edit.start + edit.old.len() as u64).then_some(edit)
}

fn path_of(object: &Value, name: &str) -> Option<PathBuf> {
    match object[format!("{name}_base64")].as_str() {
        Some(bytes) => Some(os_path(&BASE64_STANDARD.decode(bytes).ok()?)),
        None => Some(object[name].as_str()?.into()),
    }
}

fn time(nanoseconds: i64) -> Option<SystemTime> {
    let since = Duration::from_nanos(nanoseconds.unsigned_abs());
    match nanoseconds < 0 {
        true => SystemTime::UNIX_EPOCH.checked_sub(since),
        false => SystemTime::UNIX_EPOCH.checked_add(since),
    }
}
