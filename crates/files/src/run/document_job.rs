//! One file of a run: read, rewritten, and written where it goes.

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use absolve_containers::{ArchiveCounts, Container, EditedChunk, caught};
use absolve_rewriter::{Code, Finding, Options, Report, edits_of, note_digests};

use crate::discover::copies::InputFiles;
use crate::error::{Action, FileError};
use crate::input::entry::Entry;
use crate::input::kind::EntryKind;
use crate::input::maildir;
use crate::journal::entry::JournalEntry;
use crate::open::{Holding, entity_of, read, unknown_type};
use crate::output::in_place::Written;
use crate::output::settings::{Output, Unchanged};
use crate::run::symlink_check;

/// What came of one file.
#[derive(Debug, Default)]
pub(crate) struct FileReport {
    pub(crate) report: Report,
    pub(crate) records: u64,
    pub(crate) changed: bool,
    pub(crate) resumed: bool,
    /// It changed, and no diff shows how.
    pub(crate) not_shown: bool,
    /// It is such a container, to be done by [`rewrite_container`](crate::run::container_job::rewrite_container).
    pub(crate) container: Option<Container>,
    /// What was written of it, if it is a web archive.
    pub(crate) archive: ArchiveCounts,
    pub(crate) bytes_in: u64,
    pub(crate) bytes_out: u64,
    pub(crate) errors: Vec<FileError>,
}

/// Buffers that a thread uses again and again.
#[derive(Debug, Default)]
pub(crate) struct Buffers {
    original: Vec<u8>,
    rewritten: Vec<u8>,
}

/// Rewrites a file, or copies it when it is no document.
pub(crate) fn rewrite_file(
    entry: &Entry,
    mirror: &InputFiles<'_>,
    options: &Options,
    sink: Output<'_>,
    buffers: &mut Buffers,
) -> FileReport {
    let mut file = FileReport::default();
    if sink.destination.is_done(entry) {
        file.resumed = true;
        return file;
    }
    if entry.kind == EntryKind::Symlink {
        file.report.findings.extend(symlink_check::finding(entry, mirror, options));
        if sink.unchanged == Unchanged::Copy {
            file.errors.extend(sink.link(entry));
        }
        return file;
    }
    match read(entry, &mut buffers.original) {
        Err(error) => file.errors.push(error),
        Ok(Holding::Container(container)) => file.container = Some(container),
        Ok(holding @ (Holding::LongDocument | Holding::LongMessage)) => {
            file.report.findings.extend(holding.too_long());
            file.errors.extend(sink.copy(entry));
        }
        Ok(Holding::Nothing) => {
            if entry.kind == EntryKind::Explicit {
                file.report.findings.push(unknown_type(&buffers.original));
            }
            file.errors.extend(sink.copy(entry));
        }
        Ok(holding) => rewrite_bytes(entry, holding, mirror, options, sink, buffers, &mut file),
    }
    file
}

fn rewrite_bytes(
    entry: &Entry,
    holding: Holding,
    mirror: &InputFiles<'_>,
    options: &Options,
    sink: Output<'_>,
    Buffers { original, rewritten }: &mut Buffers,
    file: &mut FileReport,
) {
    rewritten.clear();
    let edits = caught(|| {
        let entity = entity_of(entry, original, holding, mirror);
        let edits = entity.map(|entity| edits_of(&entity, options, &mut file.report)).unwrap_or_default();
        note_digests(&mut file.report, options, original, &edits);
        if !edits.is_empty() {
            edits.splice_into(original, rewritten);
        }
        edits
    });
    let Some(edits) = edits else {
        file.report = Report::default();
        file.errors.push(FileError::bug(&entry.source, ""));
        file.errors.extend(sink.copy_after(entry, &file.errors));
        return;
    };
    file.changed = !edits.is_empty();
    let bytes = if file.changed { &*rewritten } else { &*original };
    file.records = 1;
    let mut documents = std::mem::take(&mut file.report.documents);
    documents.iter_mut().for_each(|document| document.record.clone_from(&entry.record));
    sink.tell(entry, &documents);
    if let Some(diff) = sink.diff(entry).filter(|_| file.changed) {
        let stretch = EditedChunk { start: 0, bytes: original, edits: &edits };
        let mut diff = diff;
        let shown = diff.add(stretch).and_then(|()| diff.finish());
        file.errors.extend(shown.err().map(|error| FileError::new(&entry.source, Action::Read, error)));
    }
    (file.bytes_in, file.bytes_out) = (original.len() as u64, bytes.len() as u64);
    if file.changed || sink.copies() {
        let entry = if file.changed { with_sizes(entry, bytes, &mut file.report) } else { entry.clone() };
        let told = file.changed.then(|| sink.other_names(&entry)).flatten();
        let error = sink.write(&entry, |output| {
            let note = sink.notes().then(|| JournalEntry::of(original, &edits)).transpose()?;
            output.write_all(bytes).map(|()| Written::Whole(note.map(Box::new)))
        });
        match error {
            None => file.report.findings.extend(told),
            error => {
                file.errors.extend(error);
                file.changed = false;
                file.report.counts.keep_rewritten();
            }
        }
    }
}

/// An entry that becomes `bytes`: in a Maildir its name tells their size, unless another message has that name.
fn with_sizes(entry: &Entry, bytes: &[u8], report: &mut Report) -> Entry {
    if entry.record.is_empty() {
        return entry.clone();
    }
    let path = maildir::path_with_sizes(&entry.path, bytes);
    let place = path.file_name().map(|name| entry.source.with_file_name(name));
    // A killed run may have left it there.
    let holds_it = |place: &PathBuf| fs::metadata(place).is_ok_and(|found| found.len() == bytes.len() as u64);
    let is_taken =
        |place: PathBuf| place.exists() && !(holds_it(&place) && fs::read(place).is_ok_and(|found| found == bytes));
    if path == entry.path || !place.is_some_and(is_taken) {
        return Entry { path, ..entry.clone() };
    }
    let message = "another message has the name that tells its new size; it keeps the old one";
    report.findings.push(Finding::new(Code::NameClash, message));
    entry.clone()
}
