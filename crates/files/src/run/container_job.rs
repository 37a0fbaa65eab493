//! Rewrites one container of a run record by record, and writes it.

use std::cell::RefCell;
use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use absolve_containers::{
    ArchiveCounts, ArchiveOptions, ChunkObserver, Compression, Container, EditedChunk, FileType, Originals, Rewriting,
    START, StreamReport, Temporary, WarcOutput, output_of,
};
use absolve_rewriter::internal::{Event, Report};

use crate::error::{Action, FileError};
use crate::input::entry::Entry;
use crate::journal::entry::JournalEntry;
use crate::open::url_not_used;
use crate::output::destination::Destination;
use crate::output::file::{JobError, OutputFile, Sink, Written};
use crate::output::slot::Slot;
use crate::output::table::{Column, Content, Way};
use crate::run::document_job::FileReport;
use crate::run::stoppable::{Input, Stoppable, reader_of};

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
    container: Container,
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
    url_not_used(entry, container).into_iter().for_each(|finding| events(finding.into()));
    let (compression, input) = match opened(entry, container) {
        Ok(opened) => opened,
        Err(error) => return failed(FileError::new(&entry.source, Action::Read, error)),
    };
    let by_name = output.destination.compression(&entry.source).filter(|_| container != Container::Wacz);
    let other_compression = by_name.filter(|by_name| *by_name != compression);
    let task = ContainerTask { entry, container, compression, other_compression, shared, stop: output.settings.stop };
    let is_arc_name = |path: &Path| FileType::of_name(path) == Some(FileType::ARC);
    let column = entry.member().map_or(output.destination.column(), |_| Column::Member);
    match (task.content().to(column), output.destination) {
        (Err(why), _) => refused(entry, why, output),
        (Ok(Way::Beside), _) => beside_arc(task, input, output, events),
        (Ok(Way::Conversions), Destination::File(path)) if task.content() == Content::Arc && is_arc_name(path) => {
            unwritable(entry, "an ARC holds no conversions; give the output a name that ends in .warc or .warc.gz")
        }
        _ if task.keeps_compression() => {
            let why = "the output begins with the bytes of the archive, and those are not compressed as this name says; give \
                       it the extension of the input, or choose --warc sidecar or --warc resource";
            let name = output.destination.path_of(entry).unwrap_or_default();
            failed(FileError::refusal(&name, why))
        }
        _ => write(task, input, output, events),
    }
}

impl ContainerTask<'_, '_> {
    const fn content(self) -> Content {
        Content::of_container(self.container, self.compression, self.shared.options.output)
    }

    /// Returns the output for a web archive; `None` for an mbox. An ARC can contain neither conversions nor resources.
    fn output(self) -> Option<WarcOutput> {
        match self.container {
            Container::Mailbox => None,
            Container::Archive(format) => Some(output_of(format, self.shared.options)),
            Container::Wacz => Some(WarcOutput::Resource),
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
        let ContainerTask { entry, container, shared: Containers { options, originals, progress }, stop, .. } = self;
        let reader = reader_of(input, container, progress, stop).map_err(JobError::Read)?;
        let name = entry.source.file_name().unwrap_or_default().to_string_lossy();
        let rewriting = Rewriting {
            name: &name,
            compression: self.other_compression,
            originals: Some(&mut originals.borrow_mut()),
            observe: observe.map(|observe| observe as &mut ChunkObserver<'_>),
        };
        let report =
            absolve_containers::rewrite_container(reader, rewriting, &mut Stoppable { output, stop }, options, events);
        if container == Container::Wacz {
            progress(entry.size);
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

/// Opens a container. Returns its compression as well, which its first bytes say.
fn opened(entry: &Entry, container: Container) -> io::Result<(Compression, Input)> {
    let (mut start, mut contents) = (Vec::new(), entry.open()?);
    (&mut contents).take(START).read_to_end(&mut start)?;
    let compression = match container {
        Container::Archive(_) => Compression::of_archive(&start),
        Container::Mailbox => Compression::of(&start),
        Container::Wacz => Compression::None,
    };
    Ok((compression, io::Cursor::new(start).chain(contents)))
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
        true => unwritable(entry, &format!("the input contains a file {}, too", sidecar.path.display())),
        false => write(ContainerTask { entry: &sidecar, ..task }, input, output, events),
    };
    // The ARC is copied last: its copy shows a resumed run that both files are complete.
    file.errors.extend(output.copy_after(entry, &file.errors));
    file
}

fn failed(error: FileError) -> FileReport {
    FileReport { errors: vec![error], ..FileReport::default() }
}

fn unwritable(entry: &Entry, why: &str) -> FileReport {
    failed(FileError::refusal(&entry.source, why))
}

/// Copies a container that cannot be rewritten, and reports why.
fn refused(entry: &Entry, why: &str, output: Slot<'_>) -> FileReport {
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
        Destination::Nowhere => output.failure(entry, preview(task, input, output, events, &mut done)),
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
    shared: Containers<'_, '_>,
    output: Slot<'_>,
    events: &mut dyn FnMut(Event),
    sink: &mut dyn Write,
) -> FileReport {
    let container = Container::Mailbox;
    let (compression, input) = match opened(entry, container) {
        Ok(opened) => opened,
        Err(error) => return failed(FileError::new(&entry.source, Action::Read, error)),
    };
    let task =
        ContainerTask { entry, container, compression, other_compression: None, shared, stop: output.settings.stop };
    url_not_used(entry, container).into_iter().for_each(|finding| events(finding.into()));
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
        return Ok(());
    };
    *done = task.rewrite(input, &mut io::sink(), events, Some(&mut |chunk: EditedChunk<'_>| diff.add(chunk)))?;
    Ok(diff.finish()?)
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
    if let (Some(changes), Sink::File(file)) = (changes, sink) {
        complete_journal(task, file, changes)?;
    }
    Ok(if done.is_whole() { Written::Whole } else { Written::Partly })
}

/// Completes the journal entry of a changed container; that of a plain mbox is complete.
fn complete_journal(task: ContainerTask<'_, '_>, file: &mut File, changes: &mut JournalEntry) -> io::Result<()> {
    match task.content().to(Column::Journal) {
        Err(why) => Err(io::Error::new(io::ErrorKind::Unsupported, why)),
        Ok(_) if task.container == Container::Mailbox => Ok(()),
        _ => changes.add_appended(file, task.entry.size),
    }
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
