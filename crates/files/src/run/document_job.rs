//! Rewrites one document or message of a run, and writes it.

use std::borrow::Cow;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use absolve_containers::{ArchiveCounts, Compression, EditedChunk, caught};
use absolve_links::Edits;
use absolve_rewriter::{Code, DocumentReport, Finding, Options, Report, edits_of, note_digests};

use crate::discover::copies::InputFiles;
use crate::error::{Action, FileError};
use crate::input::entry::Entry;
use crate::input::maildir;
use crate::open::{Opened, entity_of};
use crate::output::file::{OutputFile, Written};
use crate::output::settings::Output;
use crate::output::table::{Column, Content, Way};

/// The result of one file.
#[derive(Debug, Default)]
pub(crate) struct FileReport {
    pub(crate) report: Report,
    pub(crate) records: u64,
    pub(crate) changed: bool,
    /// Its new path, if it was written under one.
    pub(crate) renamed: Option<PathBuf>,
    pub(crate) resumed: bool,
    /// Whether it changed without a diff, although diffs are collected.
    pub(crate) not_shown: bool,
    /// Whether it is text of unknown type, which was not read.
    pub(crate) is_unread: bool,
    /// The numbers of records written, if it is a web archive.
    pub(crate) archive: ArchiveCounts,
    pub(crate) bytes_in: u64,
    pub(crate) bytes_out: u64,
    pub(crate) errors: Vec<FileError>,
}

/// Rewrites a document or message in a file with the bytes `original`, and writes it. `rewritten` is a buffer.
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
        let entity = entity_of(entry, original, opened, files, options);
        let edits = entity.map(|entity| edits_of(&entity, options, &mut file.report)).unwrap_or_default();
        note_digests(&mut file.report, options, opened.content(original), &edits);
        let of_file = edits_of_file(&entry.source, opened, original, &edits, output)
            .map_err(|error| FileError::new(&entry.source, Action::Write, error))?;
        let edits_of_file = of_file.as_ref().unwrap_or(&edits);
        if !edits_of_file.is_empty() {
            edits_of_file.splice_into(original, rewritten);
        }
        Ok((edits, of_file))
    });
    let (edits, of_file) = match edits.unwrap_or_else(|| Err(FileError::bug(&entry.source, None))) {
        Ok(edits) => edits,
        Err(error) => {
            let mut errors = vec![error];
            errors.extend(output.copy_after(entry, &errors));
            return FileReport { errors, ..FileReport::default() };
        }
    };
    file.changed = !edits.is_empty();
    let edits_of_file = of_file.as_ref().unwrap_or(&edits);
    let bytes = if edits_of_file.is_empty() { original } else { &**rewritten };
    file.records = 1;
    file.report.documents.iter_mut().for_each(|document| document.record.clone_from(&entry.record));
    (file.bytes_in, file.bytes_out) = (original.len() as u64, bytes.len() as u64);
    let whole = EditedChunk { start: 0, bytes: original, edits: edits_of_file };
    file.not_shown = output.diffs.is_some() && file.changed && content_of(opened).to(Column::Diff) != Ok(Way::Edited);
    if let Some(mut diff) = output.diff(entry).filter(|_| file.changed && !file.not_shown) {
        let shown = diff.add(whole).and_then(|()| diff.finish());
        file.errors.extend(shown.err().map(|error| FileError::new(&entry.source, Action::Read, error)));
    }
    if !file.changed && !output.copies() {
        return file;
    }
    let target = match (file.changed && !entry.record.is_empty(), of_file.is_some()) {
        (true, false) => with_sizes(entry, bytes, bytes, files, &mut file.report),
        (true, true) => with_sizes(entry, &edits.splice(opened.content(original)), bytes, files, &mut file.report),
        (false, _) => Cow::Borrowed(entry),
    };
    let hard_link_finding = file.changed.then(|| output.hard_link_finding(&target)).flatten();
    let failed = output.write(&target, |OutputFile { mut sink, changes }| {
        changes.map_or(Ok(()), |changes| changes.add(whole))?;
        sink.write_all(bytes)?;
        Ok(Written::Whole)
    });
    match failed {
        None => {
            file.report.findings.extend(hard_link_finding);
            file.renamed = (target.path != entry.path).then(|| target.path.clone());
        }
        failed => {
            file.errors.extend(failed);
            file.changed = false;
            file.report.counts.keep_rewritten();
            file.report.documents.iter_mut().for_each(DocumentReport::keep_rewritten);
        }
    }
    file
}

/// Returns the edits of a file for those of its document or message, unless they are the same. The name of the output may ask for
/// a compression of a message.
fn edits_of_file(
    source: &Path,
    opened: &Opened,
    original: &[u8],
    edits: &Edits,
    output: Output<'_>,
) -> io::Result<Option<Edits>> {
    let Opened::Message(file) = opened else { return Ok(None) };
    let asked = output.destination.compression(source);
    file.edits(original, edits, asked.unwrap_or(file.compression()))
}

fn content_of(opened: &Opened) -> Content {
    match opened {
        Opened::Message(file) if file.compression() != Compression::None => Content::CompressedMessage,
        Opened::Message(_) => Content::Message,
        _ => Content::Document,
    }
}

/// Returns the entry of a Maildir message with the size of `message` in its name, which does not depend on the compression of its
/// file, unless another message has that name or needs the old one. The file becomes `bytes`.
fn with_sizes<'e>(
    entry: &'e Entry,
    message: &[u8],
    bytes: &[u8],
    files: &InputFiles<'_>,
    report: &mut Report,
) -> Cow<'e, Entry> {
    let path = maildir::path_with_sizes(&entry.path, message);
    let renamed = match path.file_name() {
        Some(name) if path != entry.path => entry.source.with_file_name(name),
        _ => return Cow::Borrowed(entry),
    };
    // The same bytes are left from a killed run.
    let has_size = |file: &Path| fs::metadata(file).is_ok_and(|found| found.len() == bytes.len() as u64);
    let is_taken = |file: &Path| file.exists() && !(has_size(file) && fs::read(file).is_ok_and(|found| found == bytes));
    let taken = || is_taken(&renamed).then_some("another message has the name with its new size");
    let Some(why) = files.names().reason_to_keep(entry, &renamed).or_else(taken) else {
        return Cow::Owned(Entry { path, ..entry.clone() });
    };
    report.findings.push(name_clash(why));
    Cow::Borrowed(entry)
}

/// Returns the finding about a message that keeps its name.
pub(crate) fn name_clash(why: &str) -> Finding {
    Finding::new(Code::NameClash, format!("{why}; it keeps the name with its old size"))
}
