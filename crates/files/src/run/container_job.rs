//! Rewrites one container of a run record by record, and writes it.

use std::cell::RefCell;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use absolve_containers::{
    ArchiveCounts, ArchiveOptions, ChunkObserver, EditedChunk, FileType, Originals, Rewriting, StreamReport, Temporary,
    WarcOutput, output_of,
};
use absolve_framing::Compression;
use absolve_rewriter::internal::{Event, Report};

use crate::error::refusal::Refusal;
use crate::error::{Action, FileError};
use crate::input::entry::Entry;
use crate::open::{Container, Input, url_not_used};
use crate::output::destination::Destination;
use crate::output::file::{JobError, OutputFile, Sink, Written};
use crate::output::slot::Slot;
use crate::output::table::{Column, Content, Way};
use crate::run::document_job::FileReport;
use crate::run::stoppable::{Stoppable, reader_of};

/// What the containers of a run share.
#[derive(Clone, Copy)]
pub(crate) struct Containers<'t, 'o> {
    pub(crate) options: &'t ArchiveOptions,
    /// The records of the archives of the run that revisits can refer to.
    pub(crate) originals: &'t RefCell<Originals<'o>>,
    /// Receives the number of bytes read.
    pub(crate) progress: &'t (dyn Fn(u64) + Sync),
}

/// A container and how to rewrite it.
#[derive(Clone, Copy)]
struct ContainerTask<'t, 'o> {
    entry: &'t Entry,
    file_type: FileType,
    /// The compression of the input.
    compression: Compression,
    /// The compression by the name of the output, if it differs.
    other_compression: Option<Compression>,
    shared: Containers<'t, 'o>,
    /// Ends reading and writing when it is set.
    stop: &'t AtomicBool,
}

/// Rewrites a container, and writes it.
pub(crate) fn rewrite_container(
    entry: &Entry,
    container: Container,
    shared: Containers<'_, '_>,
    output: Slot<'_>,
    events: &mut dyn FnMut(Event),
) -> FileReport {
    let (task, input) = match opened(entry, container, shared, output, events) {
        Ok(opened) => opened,
        Err(error) => return failed(error),
    };
    let is_arc_name = |path: &Path| FileType::of_name(path) == Some(FileType::ARC);
    match (output.cell(entry, task.content()), output.destination) {
        (Err(why), _) => refused(entry, why, output),
        (Ok(Way::Beside), _) => beside_arc(task, input, output, events),
        (_, Destination::File(path)) if matches!(task.file_type, FileType::Archive(_)) && is_arc_name(path) => {
            failed(FileError::refusal(path, entry.member(), Refusal::ArcName))
        }
        _ if task.keeps_compression() => {
            let path = output.destination.path_of(entry).unwrap_or_default();
            failed(FileError::refusal(&path, entry.member(), Refusal::OtherCompression))
        }
        _ => write(task, input, output, events),
    }
}

/// Opens a container. A URL that was given for it is a finding.
fn opened<'t, 'o>(
    entry: &'t Entry,
    container: Container,
    shared: Containers<'t, 'o>,
    output: Slot<'t>,
    events: &mut dyn FnMut(Event),
) -> Result<(ContainerTask<'t, 'o>, Input), FileError> {
    let file_type = container.file_type;
    url_not_used(entry, file_type).into_iter().for_each(|finding| events(finding.into()));
    let opened = container.open(entry).map_err(|error| FileError::new(&entry.source, Action::Read, error));
    let (compression, input) = opened?;
    let by_name = output.destination.compression(&entry.source).filter(|_| file_type != FileType::Wacz);
    let other_compression = by_name.filter(|by_name| *by_name != compression);
    Ok((ContainerTask { entry, file_type, compression, other_compression, shared, stop: output.settings.stop }, input))
}

impl ContainerTask<'_, '_> {
    const fn content(self) -> Content {
        Content::of_type(self.file_type, self.compression, self.shared.options.output)
    }

    /// Returns the output for a web archive; `None` for an mbox. An ARC can contain neither conversions nor resources.
    fn output(self) -> Option<WarcOutput> {
        match self.file_type {
            FileType::Archive(format) => Some(output_of(format, self.shared.options)),
            FileType::Wacz => Some(WarcOutput::Resource),
            _ => None,
        }
    }

    /// Returns whether the output contains all of the input, changed or not.
    fn is_copy(self) -> bool {
        matches!(self.output(), None | Some(WarcOutput::Append))
    }

    fn is_derived(self) -> bool {
        self.output() == Some(WarcOutput::Resource)
    }

    /// Returns whether the output is written even if nothing changes. Without changes, a derived archive is the original
    /// unless its compression differs, and so is what holds no record.
    fn is_whole(self, done: &StreamReport) -> bool {
        self.is_copy() || (self.is_derived() && self.other_compression.is_some() && done.records > 0)
    }

    /// Returns whether the output cannot be compressed as its name says.
    fn keeps_compression(self) -> bool {
        self.other_compression.is_some_and(|by_name| Compression::of_name(&self.entry.source) != Some(by_name))
            && self.output() == Some(WarcOutput::Append)
    }

    /// Returns whether a diff can show its changes.
    fn is_shown(self) -> bool {
        self.content().to(Column::Diff) == Ok(Way::Edited)
    }

    /// Rewrites the container from `input` to `output`; `observe` receives the chunks of a plain mbox.
    fn rewrite(
        self,
        input: Input,
        output: &mut dyn Write,
        events: &mut dyn FnMut(Event),
        observe: Option<&mut ChunkObserver<'_>>,
    ) -> Result<StreamReport, JobError> {
        let ContainerTask { entry, file_type, shared: Containers { options, originals, progress }, stop, .. } = self;
        let reader = reader_of(input, file_type, progress, stop).map_err(JobError::Read)?;
        let name = entry.source.file_name().unwrap_or_default().to_string_lossy();
        let rewriting = Rewriting {
            name: &name,
            compression: self.other_compression,
            originals: Some(&mut originals.borrow_mut()),
            observe: observe.map(|observe| observe as &mut ChunkObserver<'_>),
        };
        let report =
            absolve_containers::rewrite_container(reader, rewriting, &mut Stoppable { output, stop }, options, events);
        if file_type == FileType::Wacz {
            progress(entry.attributes.size);
        }
        report
    }
}

/// Returns a range of the bytes of an entry.
pub(crate) fn read_range(entry: &Entry, range: Range<u64>) -> io::Result<Vec<u8>> {
    let mut input = entry.open()?.seekable(&[])?;
    input.seek(SeekFrom::Start(range.start))?;
    let mut bytes = Vec::new();
    input.take(range.end - range.start).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Copies an ARC, and writes its conversions to a separate WARC: those of `a.arc.gz` to `a.arc.warc.gz`.
fn beside_arc(
    task: ContainerTask<'_, '_>,
    input: Input,
    output: Slot<'_>,
    events: &mut dyn FnMut(Event),
) -> FileReport {
    let entry = task.entry;
    let sidecar = Entry { path: path_beside_arc(&entry.path), ..entry.clone() };
    let is_taken = sidecar.path.file_name().is_some_and(|name| entry.source.with_file_name(name).exists());
    let mut file = match is_taken {
        true => unwritable(entry, Refusal::NameTaken(sidecar.path.display().to_string())),
        false => write(ContainerTask { entry: &sidecar, ..task }, input, output, events),
    };
    // The ARC is copied last: its copy shows a resumed run that both files are complete.
    file.errors.extend(output.copy_after(entry, &file.errors));
    file
}

fn failed(error: FileError) -> FileReport {
    FileReport { errors: vec![error], ..FileReport::default() }
}

fn unwritable(entry: &Entry, why: Refusal) -> FileReport {
    failed(FileError::refusal(&entry.source, entry.member(), why))
}

/// Copies a container that cannot be rewritten, and reports why.
fn refused(entry: &Entry, why: Refusal, output: Slot<'_>) -> FileReport {
    let mut file = unwritable(entry, why);
    file.errors.extend(output.copy_after(entry, &file.errors));
    file
}

/// Rewrites a container to the destination of its entry.
fn write(task: ContainerTask<'_, '_>, input: Input, output: Slot<'_>, events: &mut dyn FnMut(Event)) -> FileReport {
    let entry = task.entry;
    let hard_link_finding = output.hard_link_finding(entry);
    let mut done = StreamReport::default();
    let failed = match output.destination {
        Destination::Nowhere(_) => output.failure(entry, preview(task, input, output, events, &mut done)),
        Destination::StandardOutput if task.is_derived() => {
            output.failure(entry, derive_to_standard_output(task, input, events, &mut done))
        }
        _ => output.write(entry, |file| write_file((task, input), output, file, events, &mut done)),
    };
    let file = finished(task, output, failed, done);
    if file.changed {
        hard_link_finding.into_iter().for_each(|finding| events(finding.into()));
    }
    file
}

/// Rewrites a mailbox to `sink`, which a failure leaves incomplete.
pub(crate) fn rewrite_into(
    entry: &Entry,
    container: Container,
    shared: Containers<'_, '_>,
    output: Slot<'_>,
    events: &mut dyn FnMut(Event),
    sink: &mut dyn Write,
) -> FileReport {
    let (task, input) = match opened(entry, container, shared, output, events) {
        Ok(opened) => opened,
        Err(error) => return failed(error),
    };
    let mut done = StreamReport::default();
    let failed = task.rewrite(input, sink, events, None).map(|report| done = report);
    finished(task, output, output.failure(entry, failed), done)
}

/// Returns the report of a container. Copies it if its output could not be written.
fn finished(
    task: ContainerTask<'_, '_>,
    output: Slot<'_>,
    failed: Option<FileError>,
    mut done: StreamReport,
) -> FileReport {
    let entry = task.entry;
    let is_written = failed.is_none();
    if !is_written {
        (done.changed, done.bytes_out) = (0, done.bytes_in);
        done.counts = done.counts.unwritten();
    }
    let mut errors = Vec::from_iter(failed);
    errors.extend(FileError::of_records(&entry.source, &done.failed, done.broken, task.output()));
    let is_underived = task.is_derived() && !task.is_whole(&done) && done.changed == 0;
    let is_copied = is_underived && *output.destination != Destination::StandardOutput;
    if is_copied || (task.is_copy() && !is_written) {
        errors.extend(output.copy_after(entry, &errors));
    }
    FileReport {
        report: Report { counts: done.counts, ..Report::default() },
        records: done.records,
        changed: done.changed > 0,
        not_shown: output.settings.diffs.is_some() && done.changed > 0 && !task.is_shown(),
        archive: task.output().map(|output| ArchiveCounts::of(output, &done)).unwrap_or_default(),
        bytes_in: done.bytes_in,
        bytes_out: done.bytes_out,
        errors,
        ..FileReport::default()
    }
}

/// Writes only the diff, if diffs are collected and can show the container.
fn preview(
    task: ContainerTask<'_, '_>,
    input: Input,
    output: Slot<'_>,
    events: &mut dyn FnMut(Event),
    done: &mut StreamReport,
) -> Result<(), JobError> {
    let Some(mut diff) = output.diff(task.entry).filter(|_| task.is_shown()) else {
        *done = task.rewrite(input, &mut io::sink(), events, None)?;
        return allow_journal(task, output, done);
    };
    *done = task.rewrite(input, &mut io::sink(), events, Some(&mut |chunk: EditedChunk<'_>| diff.add(chunk)))?;
    diff.finish()?;
    allow_journal(task, output, done)
}

/// Writes a derived archive to standard output; the original if nothing changed, which only the end shows.
fn derive_to_standard_output(
    task: ContainerTask<'_, '_>,
    input: Input,
    events: &mut dyn FnMut(Event),
    done: &mut StreamReport,
) -> Result<(), JobError> {
    let mut derived = BufWriter::new(Temporary::new()?);
    *done = task.rewrite(input, &mut derived, events, None)?;
    let derived = derived.into_inner().map_err(io::Error::from)?;
    let mut output: Box<dyn Read> = if done.changed > 0 { Box::new(&derived) } else { Box::new(task.entry.open()?) };
    (&derived).rewind()?;
    io::copy(&mut output, &mut io::stdout().lock())?;
    Ok(())
}

fn write_file(
    (task, input): (ContainerTask<'_, '_>, Input),
    output: Slot<'_>,
    OutputFile { mut sink, mut changes }: OutputFile<'_>,
    events: &mut dyn FnMut(Event),
    done: &mut StreamReport,
) -> Result<Written, JobError> {
    let mut buffered = BufWriter::with_capacity(1 << 16, &mut sink);
    let mut observe = changes.as_mut().map(|changes| |chunk: EditedChunk<'_>| changes.add(chunk));
    *done =
        task.rewrite(input, &mut buffered, events, observe.as_mut().map(|observe| observe as &mut ChunkObserver<'_>))?;
    buffered.flush()?;
    drop(buffered);
    if done.changed == 0 && !(output.copies() && task.is_whole(done)) {
        return Ok(Written::Discarded);
    }
    allow_journal(task, output, done)?;
    if let (Some(changes), Sink::File(file), false) = (changes, sink, task.file_type == FileType::Mailbox) {
        // That of a plain mbox is complete.
        changes.add_appended(file, task.entry.attributes.size)?;
    }
    Ok(if done.is_whole() { Written::Whole } else { Written::Partly })
}

/// Refuses a changed container that a journal cannot undo, if one is kept.
fn allow_journal(task: ContainerTask<'_, '_>, output: Slot<'_>, done: &StreamReport) -> Result<(), JobError> {
    let allowed = output.settings.allow(task.content(), Column::Journal);
    allowed.or_else(|why| if done.changed > 0 { Err(io::Error::from(why).into()) } else { Ok(()) })
}

/// Returns the path of the WARC that holds the conversions of the ARC at `path`.
///
/// ```
/// use absolve_files::path_beside_arc;
/// assert_eq!(path_beside_arc("d/a.arc.gz".as_ref()), std::path::Path::new("d/a.arc.warc.gz"));
/// assert_eq!(path_beside_arc("UPPER.ARC".as_ref()), std::path::Path::new("UPPER.ARC.warc"));
/// ```
pub fn path_beside_arc(path: &Path) -> PathBuf {
    let is_compressed = path.extension().is_some_and(|extension| extension == "gz");
    let stem = if is_compressed { path.with_extension("") } else { path.to_owned() };
    let mut name = stem.into_os_string();
    name.push(if is_compressed { ".warc.gz" } else { ".warc" });
    name.into()
}
