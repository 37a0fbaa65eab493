//! Rewrites one container of a run record by record, and writes it.

use std::cell::RefCell;
use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use absolve_containers::{
    ArchiveCounts, ArchiveInput, ArchiveOptions, ChunkObserver, Compression, Container, EditedChunk, FileType, Format,
    Originals, START, StreamReport, Temporary, WarcOutput, output_of, rewrite_archive_of_run, rewrite_observed_mbox,
    rewrite_wacz,
};
use absolve_rewriter::{Event, Report};

use crate::bundle::contents::Contents;
use crate::error::{Action, FileError};
use crate::input::entry::Entry;
use crate::journal::entry::JournalEntry;
use crate::open::url_not_used;
use crate::output::destination::Destination;
use crate::output::file::{JobError, OutputFile, Sink, Written};
use crate::output::settings::Output;
use crate::run::document_job::FileReport;
use crate::run::stoppable::{Counted, Stoppable};

/// A container and how to rewrite it.
#[derive(Clone, Copy)]
struct Task<'t, 'o> {
    entry: &'t Entry,
    container: Container,
    /// The compression of the input.
    compression: Compression,
    /// The compression by the name of the output, if it differs.
    other_compression: Option<Compression>,
    options: &'t ArchiveOptions,
    /// The records of the archives of the run that revisits can refer to.
    originals: &'t RefCell<Originals<'o>>,
    /// Receives the number of bytes read.
    progress: &'t (dyn Fn(u64) + Sync),
    /// Ends reading and writing when it is set.
    stop: &'t AtomicBool,
}

/// Rewrites a container, and writes it.
pub(crate) fn rewrite_container(
    entry: &Entry,
    container: Container,
    options: &ArchiveOptions,
    originals: &RefCell<Originals<'_>>,
    output: Output<'_>,
    progress: &(dyn Fn(u64) + Sync),
    events: &mut dyn FnMut(Event),
) -> FileReport {
    url_not_used(entry, container).into_iter().for_each(|finding| events(finding.into()));
    let (compression, input) = match opened(entry, container) {
        Ok(opened) => opened,
        Err(error) => return failed(FileError::new(&entry.source, Action::Read, error)),
    };
    let by_name = output.destination.compression(&entry.source).filter(|_| container != Container::Wacz);
    let other_compression = by_name.filter(|by_name| *by_name != compression);
    let stop = output.stop;
    let task = Task { entry, container, compression, other_compression, options, originals, progress, stop };
    let is_in_place = *output.destination == Destination::InPlace;
    match container {
        Container::Stream(Format::Arc) if is_in_place => {
            unwritable(entry, "an ARC holds no conversions; name an output for those")
        }
        Container::Stream(Format::Arc) if options.output == WarcOutput::Resource => {
            let why = "an ARC holds no resources; --warc sidecar writes its conversions, or convert it to a \
                       WARC first (warcio recompress)";
            refused(entry, why, output)
        }
        Container::Stream(Format::Arc) if matches!(output.destination, Destination::File(path) if FileType::of_name(path) == Some(FileType::ARC)) => {
            unwritable(entry, "an ARC holds no conversions; give the output a name that ends in .warc or .warc.gz")
        }
        Container::Stream(Format::Arc) if output.destination.root().is_some() => {
            beside_arc(task, input, output, events)
        }
        Container::Wacz if options.output != WarcOutput::Resource => {
            refused(entry, "a WACZ cannot hold conversions; --warc resource writes a derived WACZ", output)
        }
        _ if task.is_derived() && is_in_place => {
            unwritable(entry, "--warc resource cannot replace the archive in place; give -o FILE")
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

impl Task<'_, '_> {
    /// Returns the output for a web archive; `None` for an mbox. An ARC can contain neither conversions nor resources.
    fn output(self) -> Option<WarcOutput> {
        match self.container {
            Container::Stream(Format::Mbox) => None,
            Container::Stream(format) => Some(output_of(format, self.options)),
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
        self.container == Container::Stream(Format::Mbox) && self.compression == Compression::None
    }

    /// Rewrites the container from `input` to `output`; `observe` receives the chunks of a plain mbox.
    fn rewrite(
        self,
        input: Input,
        output: &mut dyn Write,
        events: &mut dyn FnMut(Event),
        observe: Option<&mut ChunkObserver<'_>>,
    ) -> Result<StreamReport, JobError> {
        let Task { entry, container, options, progress, stop, .. } = self;
        let output = &mut Stoppable { output, stop };
        let report = match container {
            Container::Stream(Format::Mbox) => {
                let input = Counted { input, progress, stop };
                rewrite_observed_mbox(input, output, self.other_compression, &options.documents, events, observe)
            }
            Container::Stream(format) => {
                let name = entry.source.file_name().unwrap_or_default().to_string_lossy();
                let (input, output_compression) = (Counted { input, progress, stop }, self.other_compression);
                let archive = ArchiveInput { input, format, name: &name, output_compression };
                rewrite_archive_of_run(archive, &mut self.originals.borrow_mut(), output, options, events)
            }
            Container::Wacz => {
                let (start, contents) = input.into_inner();
                let input = contents.seekable(start.get_ref()).map_err(JobError::Read)?;
                let input = Counted { input, progress: &|_| {}, stop };
                let written = rewrite_wacz(input, output, options, events);
                progress(entry.size);
                written
            }
        };
        Ok(report?)
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

/// A container: the bytes that were read, and those after them.
type Input = io::Chain<io::Cursor<Vec<u8>>, Contents>;

/// Opens a container. Returns its compression as well, which its first bytes say.
fn opened(entry: &Entry, container: Container) -> io::Result<(Compression, Input)> {
    let (mut start, mut contents) = (Vec::new(), entry.open()?);
    (&mut contents).take(START).read_to_end(&mut start)?;
    let compression = match container {
        Container::Stream(format) => Compression::of_records(&start, format),
        Container::Wacz => Compression::None,
    };
    Ok((compression, io::Cursor::new(start).chain(contents)))
}

/// Copies an ARC, and writes its conversions to a separate WARC: those of `a.arc.gz` to `a.arc.warc.gz`.
fn beside_arc(task: Task<'_, '_>, input: Input, output: Output<'_>, events: &mut dyn FnMut(Event)) -> FileReport {
    let entry = task.entry;
    let sidecar = Entry { path: path_beside_arc(&entry.path), ..entry.clone() };
    let is_taken = sidecar.path.file_name().is_some_and(|name| entry.source.with_file_name(name).exists());
    let mut file = match is_taken {
        true => unwritable(entry, &format!("the input contains a file {}, too", sidecar.path.display())),
        false => write(Task { entry: &sidecar, ..task }, input, output, events),
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
fn refused(entry: &Entry, why: &str, output: Output<'_>) -> FileReport {
    let mut file = unwritable(entry, why);
    file.errors.extend(output.copy_after(entry, &file.errors));
    file
}

/// Rewrites a container to the destination of its entry.
fn write(task: Task<'_, '_>, input: Input, output: Output<'_>, events: &mut dyn FnMut(Event)) -> FileReport {
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

/// Rewrites an mbox to `sink`, which a failure leaves incomplete.
pub(crate) fn rewrite_into(
    entry: &Entry,
    options: &ArchiveOptions,
    output: Output<'_>,
    progress: &(dyn Fn(u64) + Sync),
    events: &mut dyn FnMut(Event),
    sink: &mut dyn Write,
) -> FileReport {
    let container = Container::Stream(Format::Mbox);
    let (compression, input) = match opened(entry, container) {
        Ok(opened) => opened,
        Err(error) => return failed(FileError::new(&entry.source, Action::Read, error)),
    };
    let (originals, stop) = (&RefCell::default(), output.stop);
    let task = Task { entry, container, compression, other_compression: None, options, originals, progress, stop };
    url_not_used(entry, container).into_iter().for_each(|finding| events(finding.into()));
    let mut done = StreamReport::default();
    let failed = task.rewrite(input, sink, events, None).map(|report| done = report);
    finished(task, output, output.failure(entry, failed), done)
}

/// Returns the report of a container. Copies it if its output could not be written.
fn finished(task: Task<'_, '_>, output: Output<'_>, failed: Option<FileError>, mut done: StreamReport) -> FileReport {
    let entry = task.entry;
    let is_written = failed.is_none();
    if !is_written {
        (done.changed, done.bytes_out) = (0, done.bytes_in);
        done.counts.keep_rewritten();
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
        not_shown: output.diffs.is_some() && done.changed > 0 && !task.is_shown(),
        archive: task.output().map(|output| ArchiveCounts::of(output, &done)).unwrap_or_default(),
        bytes_in: done.bytes_in,
        bytes_out: done.bytes_out,
        errors,
        ..FileReport::default()
    }
}

/// Writes only the diff, if diffs are collected and can show the container.
fn preview(
    task: Task<'_, '_>,
    input: Input,
    output: Output<'_>,
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
    task: Task<'_, '_>,
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
    (task, input): (Task<'_, '_>, Input),
    output: Output<'_>,
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
fn complete_journal(task: Task<'_, '_>, file: &mut File, changes: &mut JournalEntry) -> io::Result<()> {
    match task.container {
        _ if task.container == Container::Wacz || task.compression != Compression::None => Err(io::Error::new(
            io::ErrorKind::Unsupported,
            "it is compressed, which a journal cannot undo; give --backup instead of --journal, or name an output",
        )),
        Container::Stream(Format::Mbox) => Ok(()),
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
