//! Many files at once, in an order that does not depend on the number of threads.

use std::collections::{BTreeMap, HashSet};
use std::fs::File;
use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use absolve_links::DocumentType;
use rayon::prelude::*;

use crate::failure::{Action, FileError};
use crate::file::{entity_of, read, unknown_type};
use crate::options::Options;
use crate::rewrite::{Counts, Pin, Report, rewrite};
use crate::{Code, Destination, Entry, EntryKind, FileType, Finding};

/// What becomes of files that a run does not change, where it writes elsewhere.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Unchanged {
    /// They are copied, so that the output is whole.
    #[default]
    Copy,
    /// They are left out.
    LeaveOut,
}

/// What came of a run.
#[derive(Debug, Default)]
pub struct RunReport {
    /// All links of all documents.
    pub counts: Counts,
    /// Files written because they changed, or to be written but for a dry run.
    pub files_changed: u64,
    /// Files that an earlier, interrupted run had done.
    pub files_resumed: u64,
    /// Bytes of the documents that were read.
    pub bytes_in: u64,
    /// Bytes of the same documents rewritten.
    pub bytes_out: u64,
    /// Findings with the path they concern, in the order of the paths.
    pub findings: Vec<(PathBuf, Finding)>,
    /// Files that could not be done, in the order of the paths.
    pub errors: Vec<FileError>,
}

impl RunReport {
    /// How many findings there are of each code.
    ///
    /// ```
    /// assert!(absolve_rewriter::RunReport::default().findings_by_code().is_empty());
    /// ```
    pub fn findings_by_code(&self) -> BTreeMap<&'static str, u64> {
        let mut codes = BTreeMap::new();
        for (_, finding) in &self.findings {
            *codes.entry(finding.code.name()).or_default() += 1;
        }
        codes
    }

    /// The error that ended the run before its time.
    ///
    /// ```
    /// assert!(absolve_rewriter::RunReport::default().fatal().is_none());
    /// ```
    pub fn fatal(&self) -> Option<&FileError> {
        self.errors.iter().find(|error| error.is_fatal())
    }
}

/// What came of one file.
#[derive(Debug, Default)]
struct FileReport {
    report: Report,
    changed: bool,
    resumed: bool,
    bytes_in: u64,
    bytes_out: u64,
    error: Option<FileError>,
}

/// Buffers that a thread uses again and again.
#[derive(Debug, Default)]
struct Buffers {
    original: Vec<u8>,
    rewritten: Vec<u8>,
}

/// Rewrites all documents of `entries`, and copies everything else to where `destination` takes it.
///
/// Runs on the threads of the current rayon pool, large files first; memory holds the documents in flight and
/// what is to be told. `done` hears of each finished entry. A file that fails is told, and the rest goes on,
/// unless there is no space left.
///
/// ```
/// use absolve_rewriter::{Destination, Options, Selection, Unchanged, collect, rewrite_all};
/// let folder = tempfile::tempdir()?;
/// std::fs::write(folder.path().join("a.html"), "<a href=b>")?;
/// let mut selection = Selection::default();
/// selection.url = Some("http://h/".into());
/// let entries = collect(folder.path(), &selection).entries;
/// let report = rewrite_all(&entries, &Options::default(), &Destination::InPlace, Unchanged::Copy, &|_| {});
/// assert_eq!(report.counts.rewritten, 1);
/// assert_eq!(std::fs::read_to_string(folder.path().join("a.html"))?, "<a href=http://h/b>");
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn rewrite_all(
    entries: &[Entry],
    options: &Options,
    destination: &Destination,
    unchanged: Unchanged,
    done: &(dyn Fn(&Entry) + Sync),
) -> RunReport {
    let mut run = RunReport::default();
    let (mut folders, files): (Vec<_>, Vec<_>) = entries.iter().partition(|entry| entry.kind == EntryKind::Folder);
    if unchanged == Unchanged::LeaveOut {
        // They are made when something is put into them.
        folders.clear();
    }
    for folder in &folders {
        run.errors.extend(unwritten(folder, destination, destination.make_folder(folder)));
    }
    let mut order: Vec<usize> = (0..files.len()).collect();
    order.sort_by_key(|index| std::cmp::Reverse(files[*index].size));
    let stopped = AtomicBool::new(false);
    let mut reports: Vec<(usize, FileReport)> = order
        .into_par_iter()
        .map_init(Buffers::default, |buffers, index| {
            let mut report = FileReport::default();
            if !stopped.load(Ordering::Relaxed) {
                do_file(files[index], options, destination, unchanged, buffers, &mut report);
                if report.error.as_ref().is_some_and(FileError::is_fatal) {
                    stopped.store(true, Ordering::Relaxed);
                }
                done(files[index]);
            }
            (index, report)
        })
        .collect();
    reports.sort_by_key(|(index, _)| *index);
    let changed: HashSet<&str> = reports
        .iter()
        .filter(|(index, report)| {
            report.changed && files[*index].kind == EntryKind::Document(FileType::Document(DocumentType::Css))
        })
        .filter_map(|(index, _)| files[*index].url.as_deref())
        .collect();
    for (_, report) in &mut reports {
        let pins = std::mem::take(&mut report.report.pins);
        report.report.findings.extend(pins.iter().filter(|pin| changed.contains(&*pin.url)).map(broken_pin));
    }
    for (index, report) in reports {
        run.add(files[index], report);
    }
    // Only when everything is in it may a folder lose its write permission.
    for folder in folders.iter().rev() {
        run.errors.extend(unwritten(folder, destination, destination.finish_folder(folder)));
    }
    run
}

impl RunReport {
    fn add(&mut self, entry: &Entry, file: FileReport) {
        self.counts += file.report.counts;
        self.files_changed += u64::from(file.changed);
        self.files_resumed += u64::from(file.resumed);
        self.bytes_in += file.bytes_in;
        self.bytes_out += file.bytes_out;
        self.findings.extend(file.report.findings.into_iter().map(|finding| (entry.name.clone(), finding)));
        self.errors.extend(file.error);
    }
}

fn broken_pin(pin: &Pin) -> Finding {
    let message = format!("the link pins the bytes of {}, which change in this run", pin.url);
    Finding::new(Code::Integrity, message).at(pin.byte)
}

fn do_file(
    entry: &Entry,
    options: &Options,
    destination: &Destination,
    unchanged: Unchanged,
    buffers: &mut Buffers,
    file: &mut FileReport,
) {
    if destination.is_done(entry) {
        file.resumed = true;
        return;
    }
    if entry.kind == EntryKind::Symlink {
        if unchanged == Unchanged::Copy {
            file.error = unwritten(entry, destination, destination.link(entry));
        }
        return;
    }
    let file_type = match read(entry, &mut buffers.original) {
        Ok(Some(file_type)) => file_type,
        Ok(None) => {
            if entry.kind == EntryKind::Asked {
                file.report.findings.push(unknown_type());
            }
            if unchanged == Unchanged::Copy {
                file.error = copy(entry, destination);
            }
            return;
        }
        Err(error) => {
            file.error = Some(error);
            return;
        }
    };
    buffers.rewritten.clear();
    let entity = entity_of(entry, &buffers.original, file_type);
    let outcome =
        catch_unwind(AssertUnwindSafe(|| rewrite(&entity, options, &mut file.report, &mut buffers.rewritten)));
    let bytes = match outcome {
        Ok(changed) => {
            file.changed = changed;
            &buffers.rewritten
        }
        Err(_) => {
            file.report = Report::default();
            let bug = io::Error::other("it is left as it is");
            file.error = Some(FileError::new(&entry.source, Action::Rewrite, bug));
            &buffers.original
        }
    };
    (file.bytes_in, file.bytes_out) = (buffers.original.len() as u64, bytes.len() as u64);
    if file.changed || (unchanged == Unchanged::Copy && *destination != Destination::InPlace) {
        let written = unwritten(entry, destination, destination.write_with(entry, |file| file.write_all(bytes)));
        file.error = written.or(file.error.take());
    }
}

/// Copies an entry that is no document, where copies are made.
fn copy(entry: &Entry, destination: &Destination) -> Option<FileError> {
    if matches!(destination, Destination::InPlace | Destination::Nowhere) {
        return None;
    }
    match File::open(&entry.source) {
        Ok(mut source) => {
            let copied = destination.write_with(entry, |file| io::copy(&mut source, file).map(drop));
            unwritten(entry, destination, copied)
        }
        Err(error) => Some(FileError::new(&entry.source, Action::Read, error)),
    }
}

/// The error of writing an entry, with the file that was to be written.
fn unwritten(entry: &Entry, destination: &Destination, outcome: io::Result<()>) -> Option<FileError> {
    let error = outcome.err()?;
    let path = destination.path_of(entry).unwrap_or_else(|| entry.source.clone());
    Some(FileError::new(&path, Action::Write, error))
}
