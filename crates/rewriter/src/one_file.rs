//! One file of a run: read, rewritten, and written where it goes.

use std::fs::File;
use std::io::{self, Write};

use crate::destination::Written;
use crate::failure::{Action, FileError, caught};
use crate::file::{Holding, entity_of, read, unknown_type};
use crate::findings::message_too_long;
use crate::framing::Container;
use crate::limits::MESSAGE_FILE_BYTES;
use crate::mirror::Mirror;
use crate::options::Options;
use crate::rewrite::{Report, rewrite};
use crate::{ArchiveCounts, Code, Destination, Entry, EntryKind, Finding, Unchanged, maildir};

/// What came of one file.
#[derive(Debug, Default)]
pub(crate) struct FileReport {
    pub(crate) report: Report,
    pub(crate) records: u64,
    pub(crate) changed: bool,
    pub(crate) resumed: bool,
    /// It is such a container, to be done by [`rewrite_container`](crate::one_container::rewrite_container).
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

/// Where files go, changed ones and others.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sink<'s> {
    pub(crate) destination: &'s Destination,
    pub(crate) unchanged: Unchanged,
}

/// Rewrites a file, or copies it when it is no document.
pub(crate) fn rewrite_file(
    entry: &Entry,
    mirror: &Mirror<'_>,
    options: &Options,
    sink: Sink<'_>,
    buffers: &mut Buffers,
) -> FileReport {
    let mut file = FileReport::default();
    if sink.destination.is_done(entry) {
        file.resumed = true;
        return file;
    }
    if entry.kind == EntryKind::Symlink {
        if sink.unchanged == Unchanged::Copy {
            file.errors.extend(unwritten(entry, sink.destination, sink.destination.link(entry)));
        }
        return file;
    }
    match read(entry, &mut buffers.original) {
        Err(error) => file.errors.push(error),
        Ok(Holding::Container(container)) => file.container = Some(container),
        Ok(Holding::LongMessage) => {
            file.report.findings.push(message_too_long(MESSAGE_FILE_BYTES));
            file.errors.extend(sink.copy(entry));
        }
        Ok(Holding::Nothing) => {
            if entry.kind == EntryKind::Asked {
                file.report.findings.push(unknown_type());
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
    mirror: &Mirror<'_>,
    options: &Options,
    sink: Sink<'_>,
    Buffers { original, rewritten }: &mut Buffers,
    file: &mut FileReport,
) {
    rewritten.clear();
    let outcome = caught(|| match entity_of(entry, original, holding, mirror) {
        Some(entity) => rewrite(&entity, options, &mut file.report, rewritten),
        None => false,
    });
    if outcome.is_none() {
        file.report = Report::default();
        file.errors.push(FileError::bug(&entry.source, ""));
    }
    file.changed = outcome == Some(true);
    let bytes = if file.changed { &*rewritten } else { &*original };
    file.records = 1;
    (file.bytes_in, file.bytes_out) = (original.len() as u64, bytes.len() as u64);
    if file.changed || sink.copies() {
        let entry = if file.changed { with_sizes(entry, bytes, &mut file.report) } else { entry.clone() };
        let written = sink.destination.write_with(&entry, |file| file.write_all(bytes).map(|()| Written::Whole));
        file.errors.extend(unwritten(&entry, sink.destination, written));
    }
}

/// An entry that becomes `bytes`: in a Maildir its name tells their size, unless another message has that name.
fn with_sizes(entry: &Entry, bytes: &[u8], report: &mut Report) -> Entry {
    if entry.record.is_empty() {
        return entry.clone();
    }
    let path = maildir::path_with_sizes(&entry.path, bytes);
    let is_taken = || path.file_name().is_some_and(|name| entry.source.with_file_name(name).exists());
    if path == entry.path || !is_taken() {
        return Entry { path, ..entry.clone() };
    }
    let message = "another message has the name that tells its new size; it keeps the old one";
    report.findings.push(Finding::new(Code::NameClash, message));
    entry.clone()
}

impl Sink<'_> {
    /// Whether files that do not change are written as well.
    pub(crate) fn copies(self) -> bool {
        let is_elsewhere = !matches!(self.destination, Destination::InPlace | Destination::Nowhere);
        self.unchanged == Unchanged::Copy && is_elsewhere
    }

    /// Copies an entry as it is, where copies are made.
    pub(crate) fn copy(self, entry: &Entry) -> Option<FileError> {
        if !self.copies() {
            return None;
        }
        match entry.open() {
            Ok(mut source) => {
                let copied = |file: &mut File| io::copy(&mut source, file).map(|_| Written::Whole);
                unwritten(entry, self.destination, self.destination.write_with(entry, copied))
            }
            Err(error) => Some(FileError::new(&entry.source, Action::Read, error)),
        }
    }
}

/// The error of writing an entry, with the file that was to be written.
pub(crate) fn unwritten(entry: &Entry, destination: &Destination, outcome: io::Result<()>) -> Option<FileError> {
    let error = outcome.err()?;
    let path = destination.path_of(entry).unwrap_or_else(|| entry.source.clone());
    Some(FileError::new(&path, Action::Write, error))
}
