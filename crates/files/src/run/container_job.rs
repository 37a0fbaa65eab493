//! One container of a run: read record by record, and what comes of it written where it goes.

use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, Write};
use std::path::{Path, PathBuf};

use absolve_containers::{
    ArchiveCounts, ArchiveOptions, ChunkObserver, Compression, Container, EditedChunk, Format, START, StreamError,
    StreamReport, Temporary, WarcOutput, output_of, rewrite_archive, rewrite_wacz, rewrite_watched_mbox,
};
use absolve_rewriter::{Event, Report};

use crate::error::{Action, FileError};
use crate::input::entry::Entry;
use crate::journal::entry::JournalEntry;
use crate::open::url_not_used;
use crate::output::destination::Destination;
use crate::output::diff::Diff;
use crate::output::in_place::Written;
use crate::output::settings::{Output, unwritten};
use crate::run::document_job::FileReport;

/// A container that is to be rewritten.
#[derive(Clone, Copy)]
pub(crate) struct Task<'t> {
    pub(crate) entry: &'t Entry,
    pub(crate) container: Container,
    pub(crate) options: &'t ArchiveOptions,
    /// Hears of the bytes that were read.
    pub(crate) progress: &'t (dyn Fn(u64) + Sync),
}

/// Rewrites a container.
pub(crate) fn rewrite_container(task: Task<'_>, sink: Output<'_>, tell: &mut dyn FnMut(Event)) -> FileReport {
    let Task { entry, container, options, .. } = task;
    url_not_used(entry, container).into_iter().for_each(|finding| tell(finding.into()));
    let is_in_place = *sink.destination == Destination::InPlace;
    let is_derived = task.output() == Some(WarcOutput::Resource);
    match container {
        Container::Stream(Format::Arc) if is_in_place => {
            unwritable(entry, "an ARC holds no conversions; name an output for those")
        }
        Container::Stream(Format::Arc) if options.output == WarcOutput::Resource => {
            let why = "an ARC holds no resources; --warc sidecar writes conversions of it, and other programs make a WARC \
                       of it (warcio recompress), of which --warc resource makes a derived one";
            refused(entry, why, sink)
        }
        Container::Stream(Format::Arc) if sink.destination.root().is_some() => beside_arc(task, sink, tell),
        Container::Wacz if options.output != WarcOutput::Resource => {
            refused(entry, "a WACZ holds no conversions; --warc resource makes a derived one", sink)
        }
        _ if is_derived && is_in_place => {
            unwritable(entry, "a derived archive is no substitute for this one; name an output for it")
        }
        _ if task.is_copy() && task.other_compression(sink.destination).is_some() => {
            let why =
                "its bytes stay, and are not compressed as this name says; give the output the extension of the input";
            let more =
                if container == Container::Stream(Format::Mbox) { "" } else { ", or --warc sidecar or resource" };
            let name = sink.destination.path_of(entry).unwrap_or_default();
            let error = FileError::new(&name, Action::Write, io::Error::other(format!("{why}{more}")));
            FileReport { errors: vec![error], ..FileReport::default() }
        }
        _ => write(task, sink, tell),
    }
}

impl Task<'_> {
    /// What is written of it, if it is one of web archives. An ARC holds neither conversions nor resources.
    fn output(self) -> Option<WarcOutput> {
        match self.container {
            Container::Stream(Format::Mbox) => None,
            Container::Stream(format) => Some(output_of(format, self.options)),
            Container::Wacz => Some(WarcOutput::Resource),
        }
    }

    /// Whether what is written holds what is read, changed or not.
    fn is_copy(self) -> bool {
        matches!(self.output(), None | Some(WarcOutput::Append))
    }

    /// How what is written is compressed, if the name of the output says that it is in another way than the input.
    fn other_compression(self, destination: &Destination) -> Option<Compression> {
        let Destination::File(path) = destination else { return None };
        let asked = Compression::of_name(path).filter(|_| self.container != Container::Wacz)?;
        (self.compression().ok()? != asked).then_some(asked)
    }

    /// Whether a diff can show what changes in it.
    fn is_shown(self) -> bool {
        self.container == Container::Stream(Format::Mbox)
            && self.is_compressed().is_ok_and(|is_compressed| !is_compressed)
    }

    fn is_compressed(self) -> io::Result<bool> {
        Ok(self.container == Container::Wacz || self.compression()? != Compression::None)
    }

    fn compression(self) -> io::Result<Compression> {
        let mut start = Vec::new();
        self.entry.open()?.take(START).read_to_end(&mut start)?;
        Ok(match self.container {
            Container::Stream(Format::Warc | Format::Arc) => Compression::of_archive(&start),
            _ => Compression::of(&start),
        })
    }
}

/// Writes the conversions of an ARC beside it: those of `a.arc.gz` are in `a.arc.warc.gz`.
fn beside_arc(task: Task<'_>, sink: Output<'_>, tell: &mut dyn FnMut(Event)) -> FileReport {
    let entry = task.entry;
    let sidecar = Entry { path: path_beside_arc(&entry.path), ..entry.clone() };
    let is_taken = sidecar.path.file_name().is_some_and(|name| entry.source.with_file_name(name).exists());
    let mut file = match is_taken {
        true => unwritable(entry, &format!("the input holds a file {}, too", sidecar.path.display())),
        false => write(Task { entry: &sidecar, ..task }, sink, tell),
    };
    // The ARC itself comes last: where it is, all is done.
    file.errors.extend(sink.copy_after(entry, &file.errors));
    file
}

fn unwritable(entry: &Entry, why: &str) -> FileReport {
    let error = FileError::new(&entry.source, Action::Write, io::Error::other(why));
    FileReport { errors: vec![error], ..FileReport::default() }
}

/// Copies a container of which nothing else can be written.
fn refused(entry: &Entry, why: &str, sink: Output<'_>) -> FileReport {
    let mut file = unwritable(entry, why);
    file.errors.extend(sink.copy_after(entry, &file.errors));
    file
}

/// Writes what comes of a container to where its entry goes.
fn write(task: Task<'_>, sink: Output<'_>, tell: &mut dyn FnMut(Event)) -> FileReport {
    let entry = task.entry;
    let mut errors = Vec::new();
    let output_of_archive = task.output();
    let is_copy = task.is_copy();
    let other_compression = task.other_compression(sink.destination);
    let is_derived = output_of_archive == Some(WarcOutput::Resource);
    // Where nothing is replaced, the archive itself is what would be derived, but for how it is compressed.
    let is_whole = is_copy || (is_derived && other_compression.is_some());
    let other_names = sink.other_names(entry);
    let mut unread = None;
    let mut done = StreamReport::default();
    let mut run = |output: &mut dyn Write, watch: Option<&mut ChunkObserver<'_>>| {
        let opened = entry.open().map_err(StreamError::Read);
        done = opened.and_then(|input| rewritten(task, input, output, other_compression, tell, watch)).map_err(
            |error| match error {
                StreamError::Write(error) => error,
                StreamError::Read(error) => {
                    unread = Some(error);
                    io::Error::other("it could not be read")
                }
            },
        )?;
        Ok(done.clone())
    };
    let written = match sink.destination {
        Destination::Nowhere if task.is_shown() => {
            let mut diff = sink.diff(entry);
            let mut watch = diff.as_mut().map(|diff| |stretch: EditedChunk<'_>| diff.add(stretch));
            let read = run(&mut io::sink(), watch.as_mut().map(|watch| watch as &mut ChunkObserver<'_>));
            let shown = read.and_then(|_| diff.map_or(Ok(()), Diff::finish));
            unwritten(entry, sink.destination, shown)
        }
        Destination::Nowhere => unwritten(entry, sink.destination, run(&mut io::sink(), None).map(drop)),
        Destination::StandardOutput if is_derived => {
            unwritten(entry, sink.destination, derived_to_standard_output(entry, &mut run))
        }
        _ => sink.write(entry, |file| {
            let mut note = sink.notes().then(|| Box::new(JournalEntry::new()));
            let mut watch = note.as_mut().map(|note| |stretch: EditedChunk<'_>| note.add(stretch));
            let mut output = BufWriter::with_capacity(1 << 20, &mut *file);
            let done = run(&mut output, watch.as_mut().map(|watch| watch as &mut ChunkObserver<'_>))?;
            output.flush()?;
            drop(output);
            if done.changed == 0 && !(sink.copies() && is_whole) {
                return Ok(Written::Discarded);
            }
            let note = note.map(|note| note_of(task, file, note)).transpose()?;
            Ok(if done.is_whole() { Written::Whole(note) } else { Written::Partly(note) })
        }),
    };
    let failed = unread.map(|error| FileError::new(&entry.source, Action::Read, error)).or(written);
    let is_written = failed.is_none();
    if !is_written {
        (done.changed, done.bytes_out) = (0, done.bytes_in);
        done.counts.keep_rewritten();
    }
    if done.changed > 0 {
        other_names.into_iter().for_each(|finding| tell(finding.into()));
    }
    errors.extend(failed);
    errors.extend(done.failed.iter().map(|record| FileError::bug(&entry.source, &record.to_string())));
    errors.extend(FileError::of_broken(&entry.source, done.broken, output_of_archive));
    let is_underived = is_derived && !is_whole && done.changed == 0 && *sink.destination != Destination::StandardOutput;
    if is_underived || (is_copy && !is_written) {
        errors.extend(sink.copy_after(entry, &errors));
    }
    FileReport {
        report: Report { counts: done.counts, ..Report::default() },
        records: done.records,
        changed: done.changed > 0,
        not_shown: sink.diffs.is_some() && done.changed > 0 && !task.is_shown(),
        archive: output_of_archive.map(|output| ArchiveCounts::of(output, &done)).unwrap_or_default(),
        bytes_in: done.bytes_in,
        bytes_out: done.bytes_out,
        errors,
        ..FileReport::default()
    }
}

/// The note of a changed container; `note` is that of an mbox.
fn note_of(task: Task<'_>, file: &mut File, note: Box<JournalEntry>) -> io::Result<Box<JournalEntry>> {
    match task.container {
        _ if task.is_compressed()? => Err(io::Error::other(
            "it is compressed, and no journal can tell how that is undone; give --backup instead of --journal, or name \
             an output",
        )),
        Container::Stream(Format::Mbox) => Ok(note),
        _ => JournalEntry::of_appended(file, task.entry.size).map(Box::new),
    }
}

/// Writes what comes of a container, while somebody may watch.
type Run<'r> = dyn FnMut(&mut dyn Write, Option<&mut ChunkObserver<'_>>) -> io::Result<StreamReport> + 'r;

/// A derived archive is not known to differ from its original before its end.
fn derived_to_standard_output(entry: &Entry, run: &mut Run<'_>) -> io::Result<()> {
    let mut derived = BufWriter::new(Temporary::new()?);
    let is_changed = run(&mut derived, None)?.changed > 0;
    let derived = derived.into_inner()?;
    let mut output: Box<dyn Read> = if is_changed { Box::new(&derived) } else { Box::new(entry.open()?) };
    (&derived).rewind()?;
    io::copy(&mut output, &mut io::stdout().lock()).map(drop)
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

fn rewritten(
    task: Task<'_>,
    input: File,
    output: &mut dyn Write,
    asked: Option<Compression>,
    tell: &mut dyn FnMut(Event),
    watch: Option<&mut ChunkObserver<'_>>,
) -> Result<StreamReport, StreamError> {
    let Task { entry, container, options, progress } = task;
    match container {
        Container::Stream(Format::Mbox) => {
            rewrite_watched_mbox(Counted { input, progress }, output, &options.documents, tell, watch)
        }
        Container::Stream(format) => {
            let name = entry.source.file_name().unwrap_or_default().to_string_lossy();
            rewrite_archive(Counted { input, progress }, format, &name, output, asked, options, tell)
        }
        Container::Wacz => {
            let written = rewrite_wacz(input, output, options, tell);
            progress(entry.size);
            written
        }
    }
}

/// A reader that tells how much was read.
struct Counted<'c> {
    input: File,
    progress: &'c (dyn Fn(u64) + Sync),
}

impl Read for Counted<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.input.read(buffer)?;
        (self.progress)(read as u64);
        Ok(read)
    }
}
