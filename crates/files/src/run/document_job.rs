//! Rewrites one document or message of a run, and writes it.

use std::borrow::Cow;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use absolve_containers::{ArchiveCounts, EditedChunk, caught};
use absolve_framing::Compression;
use absolve_links::Edits;
use absolve_rewriter::internal::{Report, plan};
use absolve_rewriter::{Code, Finding, Options};

use crate::discover::copies::InputFiles;
use crate::error::{Action, FileError};
use crate::input::entry::Entry;
use crate::input::maildir;
use crate::open::{Opened, entity_of, is_mail};
use crate::output::file::{OutputFile, Written};
use crate::output::slot::Slot;
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
    /// Whether it is a message without a base, to which a URL of the input does not apply.
    pub(crate) is_mail: bool,
    /// Whether it is text of unknown type, which was not read.
    pub(crate) is_unread: bool,
    /// The numbers of records written, if it is a web archive.
    pub(crate) archive: ArchiveCounts,
    pub(crate) bytes_in: u64,
    pub(crate) bytes_out: u64,
    pub(crate) errors: Vec<FileError>,
}

/// A document or a message that was read.
#[derive(Clone, Copy)]
pub(crate) struct Source<'s> {
    pub(crate) entry: &'s Entry,
    pub(crate) bytes: &'s [u8],
    pub(crate) opened: &'s Opened,
}

/// Rewrites a document or message, and writes its file. `rewritten` is a buffer.
pub(crate) fn rewrite_document(
    source: Source<'_>,
    files: &InputFiles<'_>,
    options: &Options,
    output: Slot<'_>,
    rewritten: &mut Vec<u8>,
) -> FileReport {
    let Source { entry, bytes: original, opened } = source;
    let mut file = FileReport::default();
    let (edits, of_file) = match edited(source, files, options, output, (&mut file.report, rewritten)) {
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
    let lacks_base = file.report.findings.iter().any(|finding| finding.code == Code::NoBase);
    file.is_mail =
        lacks_base && matches!(opened, Opened::Message(message) if is_mail(entry, message.message(original)));
    file.report.documents.iter_mut().for_each(|document| document.record.clone_from(&entry.record));
    (file.bytes_in, file.bytes_out) = (original.len() as u64, bytes.len() as u64);
    let whole = EditedChunk { start: 0, bytes: original, edits: edits_of_file };
    if file.changed {
        show(source, whole, output, &mut file);
    } else if !output.copies() {
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
            file.report = file.report.unwritten();
        }
    }
    file
}

/// Returns the edits of a document or message, and those of its file unless they are the same, which are made in `rewritten`.
fn edited(
    Source { entry, bytes, opened }: Source<'_>,
    files: &InputFiles<'_>,
    options: &Options,
    output: Slot<'_>,
    (report, rewritten): (&mut Report, &mut Vec<u8>),
) -> Result<(Edits, Option<Edits>), FileError> {
    rewritten.clear();
    let edits = caught(|| {
        let entity = entity_of(entry, bytes, opened, files, options);
        let mut plan = entity.map(|entity| plan(&entity, options)).unwrap_or_default();
        plan.digest(opened.content(bytes), 0);
        let edits;
        (edits, *report) = plan.finish();
        let of_file = edits_of_file(&entry.source, opened, bytes, &edits, output)
            .map_err(|error| FileError::new(&entry.source, Action::Write, error))?;
        let edits_of_file = of_file.as_ref().unwrap_or(&edits);
        if !edits_of_file.is_empty() {
            edits_of_file.splice_into(bytes, rewritten);
        }
        Ok((edits, of_file))
    });
    edits.unwrap_or_else(|| Err(FileError::bug(&entry.source, None)))
}

/// Adds the diff of a changed file, if diffs are collected and can show it.
fn show(source: Source<'_>, whole: EditedChunk<'_>, output: Slot<'_>, file: &mut FileReport) {
    let Some(mut diff) = output.diff(source.entry) else { return };
    file.not_shown = content_of(source.opened).to(Column::Diff) != Ok(Way::Edited);
    if !file.not_shown {
        let shown = diff.add(whole).and_then(|()| diff.finish());
        file.errors.extend(shown.err().map(|error| FileError::new(&source.entry.source, Action::Read, error)));
    }
}

/// Returns the edits of a file for those of its document or message, unless they are the same. The name of the output may ask for
/// a compression of a message.
fn edits_of_file(
    source: &Path,
    opened: &Opened,
    original: &[u8],
    edits: &Edits,
    output: Slot<'_>,
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
