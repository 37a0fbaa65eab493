//! Rewrites one document or message of a run, and writes it.

use std::borrow::Cow;
use std::fs;
use std::io::Write;
use std::path::PathBuf;

use absolve_containers::{ArchiveCounts, EditedChunk, caught};
use absolve_rewriter::{Code, DocumentReport, Finding, Options, Report, edits_of, note_digests};

use crate::discover::copies::InputFiles;
use crate::error::{Action, FileError};
use crate::input::entry::Entry;
use crate::input::maildir;
use crate::open::{Opened, entity_of};
use crate::output::file::{OutputFile, Written};
use crate::output::settings::Output;

/// The result of one file.
#[derive(Debug, Default)]
pub(crate) struct FileReport {
    pub(crate) report: Report,
    pub(crate) records: u64,
    pub(crate) changed: bool,
    pub(crate) resumed: bool,
    /// Whether it changed without a diff, although diffs are collected.
    pub(crate) not_shown: bool,
    /// The numbers of records written, if it is a web archive.
    pub(crate) archive: ArchiveCounts,
    pub(crate) bytes_in: u64,
    pub(crate) bytes_out: u64,
    pub(crate) errors: Vec<FileError>,
}

/// Rewrites a document or message with the bytes `original`, and writes it. `rewritten` is a buffer.
pub(crate) fn rewrite_document(
    entry: &Entry,
    original: &[u8],
    opened: &Opened,
    files: &InputFiles<'_>,
    options: &Options,
    output: Output<'_>,
    rewritten: &mut Vec<u8>,
) -> FileReport {
    let mut file = FileReport::default();
    rewritten.clear();
    let edits = caught(|| {
        let entity = entity_of(entry, original, opened, files);
        let edits = entity.map(|entity| edits_of(&entity, options, &mut file.report)).unwrap_or_default();
        note_digests(&mut file.report, options, original, &edits);
        if !edits.is_empty() {
            edits.splice_into(original, rewritten);
        }
        edits
    });
    let Some(edits) = edits else {
        let mut errors = vec![FileError::bug(&entry.source, None)];
        errors.extend(output.copy_after(entry, &errors));
        return FileReport { errors, ..FileReport::default() };
    };
    file.changed = !edits.is_empty();
    let bytes = if file.changed { &**rewritten } else { original };
    file.records = 1;
    file.report.documents.iter_mut().for_each(|document| document.record.clone_from(&entry.record));
    (file.bytes_in, file.bytes_out) = (original.len() as u64, bytes.len() as u64);
    let whole = EditedChunk { start: 0, bytes: original, edits: &edits };
    if let Some(mut diff) = output.diff(entry).filter(|_| file.changed) {
        let shown = diff.add(whole).and_then(|()| diff.finish());
        file.errors.extend(shown.err().map(|error| FileError::new(&entry.source, Action::Read, error)));
    }
    if !file.changed && !output.copies() {
        return file;
    }
    let entry = if file.changed { with_sizes(entry, bytes, &mut file.report) } else { Cow::Borrowed(entry) };
    let hard_link_finding = file.changed.then(|| output.hard_link_finding(&entry)).flatten();
    let failed = output.write(&entry, |OutputFile { mut sink, changes }| {
        changes.map_or(Ok(()), |changes| changes.add(whole))?;
        sink.write_all(bytes)?;
        Ok(Written::Whole)
    });
    match failed {
        None => file.report.findings.extend(hard_link_finding),
        failed => {
            file.errors.extend(failed);
            file.changed = false;
            file.report.counts.keep_rewritten();
            file.report.documents.iter_mut().for_each(DocumentReport::keep_rewritten);
        }
    }
    file
}

/// Returns the entry of a Maildir message with the size of `bytes` in its name, unless another message has that name.
fn with_sizes<'e>(entry: &'e Entry, bytes: &[u8], report: &mut Report) -> Cow<'e, Entry> {
    if entry.record.is_empty() {
        return Cow::Borrowed(entry);
    }
    let path = maildir::path_with_sizes(&entry.path, bytes);
    let renamed = path.file_name().map(|name| entry.source.with_file_name(name));
    // The same bytes are left from a killed run.
    let has_size = |file: &PathBuf| fs::metadata(file).is_ok_and(|found| found.len() == bytes.len() as u64);
    let is_taken =
        |file: PathBuf| file.exists() && !(has_size(&file) && fs::read(file).is_ok_and(|found| found == bytes));
    if path == entry.path || !renamed.is_some_and(is_taken) {
        return Cow::Owned(Entry { path, ..entry.clone() });
    }
    let message = "another message has the name with its new size; it keeps the name with its old size";
    report.findings.push(Finding::new(Code::NameClash, message));
    Cow::Borrowed(entry)
}
