//! One file of a run: read, rewritten, and written where it goes.

use std::fs::File;
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use crate::archive::{appends, rewrite_archive};
use crate::destination::Written;
use crate::failure::{Action, FileError, caught};
use crate::file::{Holding, entity_of, read, unknown_type, url_not_used};
use crate::findings::message_too_long;
use crate::framing::Format;
use crate::limits::MESSAGE_FILE_BYTES;
use crate::options::Options;
use crate::rewrite::{Report, rewrite};
use crate::stream::{StreamError, StreamReport, rewrite_mbox};
use crate::{Code, Destination, Entry, EntryKind, Finding, Unchanged, maildir};

/// What came of one file.
#[derive(Debug, Default)]
pub(crate) struct FileReport {
    pub(crate) report: Report,
    pub(crate) records: u64,
    pub(crate) changed: bool,
    pub(crate) resumed: bool,
    /// It is a stream of this format, to be done by [`rewrite_stream`].
    pub(crate) stream: Option<Format>,
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
pub(crate) fn rewrite_file(entry: &Entry, options: &Options, sink: Sink<'_>, buffers: &mut Buffers) -> FileReport {
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
        Ok(Holding::Stream(format)) => file.stream = Some(format),
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
        Ok(holding) => rewrite_bytes(entry, holding, options, sink, buffers, &mut file),
    }
    file
}

fn rewrite_bytes(
    entry: &Entry,
    holding: Holding,
    options: &Options,
    sink: Sink<'_>,
    Buffers { original, rewritten }: &mut Buffers,
    file: &mut FileReport,
) {
    rewritten.clear();
    let outcome = caught(|| match entity_of(entry, original, holding, options) {
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

/// Rewrites a stream; `progress` hears of the bytes that were read.
pub(crate) fn rewrite_stream(
    entry: &Entry,
    format: Format,
    options: &Options,
    sink: Sink<'_>,
    progress: &(dyn Fn(u64) + Sync),
    tell: &mut dyn FnMut(Finding),
) -> FileReport {
    url_not_used(entry, format).into_iter().for_each(&mut *tell);
    if format == Format::Arc && *sink.destination == Destination::InPlace {
        return unwritable(entry, "an ARC holds no conversions; name an output for those");
    }
    if format != Format::Arc || sink.destination.root().is_none() {
        return write_stream(entry, format, options, sink, progress, tell);
    }
    let sidecar = Entry { path: beside_arc(&entry.path), ..entry.clone() };
    let is_taken = sidecar.path.file_name().is_some_and(|name| entry.source.with_file_name(name).exists());
    let mut file = match is_taken {
        true => unwritable(entry, &format!("the input holds a file {}, too", sidecar.path.display())),
        false => write_stream(&sidecar, format, options, sink, progress, tell),
    };
    // The ARC itself comes last: where it is, all is done.
    file.errors.extend(sink.copy(entry));
    file
}

fn unwritable(entry: &Entry, why: &str) -> FileReport {
    let error = FileError::new(&entry.source, Action::Write, io::Error::other(why));
    FileReport { errors: vec![error], ..FileReport::default() }
}

/// Rewrites a stream to where `entry` goes.
fn write_stream(
    entry: &Entry,
    format: Format,
    options: &Options,
    sink: Sink<'_>,
    progress: &(dyn Fn(u64) + Sync),
    tell: &mut dyn FnMut(Finding),
) -> FileReport {
    let mut errors = Vec::new();
    let is_copy = format == Format::Mbox || appends(format, options);
    let mut unread = None;
    let mut done = StreamReport::default();
    let mut run = |output: &mut dyn Write| {
        let opened = entry.open().map_err(StreamError::Read);
        let input = opened.map(|input| Counted { input, progress });
        done =
            input.and_then(|input| rewrite_format(format, entry, input, output, options, tell)).map_err(|error| {
                match error {
                    StreamError::Write(error) => error,
                    StreamError::Read(error) => {
                        unread = Some(error);
                        io::Error::other("it could not be read")
                    }
                }
            })?;
        Ok(done.clone())
    };
    let written = match sink.destination {
        Destination::Nowhere => run(&mut io::sink()).map(drop),
        destination => destination.write_with(entry, |file| {
            let mut output = BufWriter::with_capacity(1 << 20, &mut *file);
            let done = run(&mut output)?;
            output.flush()?;
            let is_wanted = done.changed > 0 || (sink.copies() && is_copy);
            Ok(if is_wanted { Written::Whole } else { Written::Discarded })
        }),
    };
    match unread {
        Some(error) => {
            errors.push(FileError::new(&entry.source, Action::Read, error));
            // What went to standard output cannot be taken back.
            if is_copy && *sink.destination != Destination::StandardOutput {
                errors.extend(sink.copy(entry));
            }
        }
        None => errors.extend(unwritten(entry, sink.destination, written)),
    }
    errors.extend(done.failed.iter().map(|record| FileError::bug(&entry.source, &record.to_string())));
    errors.extend(done.cut_off.map(|record| FileError::cut_off(&entry.source, record)));
    FileReport {
        report: Report { counts: done.counts, ..Report::default() },
        records: done.records,
        changed: done.changed > 0,
        bytes_in: done.bytes_in,
        bytes_out: done.bytes_out,
        errors,
        ..FileReport::default()
    }
}

/// The WARC beside an ARC: `a.arc.gz` has the conversions in `a.arc.warc.gz`.
fn beside_arc(path: &Path) -> PathBuf {
    let is_compressed = path.extension().is_some_and(|extension| extension == "gz");
    let stem = if is_compressed { path.with_extension("") } else { path.to_owned() };
    let mut name = stem.into_os_string();
    name.push(if is_compressed { ".warc.gz" } else { ".warc" });
    name.into()
}

fn rewrite_format(
    format: Format,
    entry: &Entry,
    input: impl Read,
    output: &mut dyn Write,
    options: &Options,
    tell: &mut dyn FnMut(Finding),
) -> Result<StreamReport, StreamError> {
    match format {
        Format::Mbox => rewrite_mbox(input, output, options, tell),
        Format::Warc | Format::Arc => {
            let name = entry.source.file_name().unwrap_or_default().to_string_lossy();
            rewrite_archive(input, format, &name, output, options, tell)
        }
    }
}

impl Sink<'_> {
    /// Whether files that do not change are written as well.
    fn copies(self) -> bool {
        let is_elsewhere = !matches!(self.destination, Destination::InPlace | Destination::Nowhere);
        self.unchanged == Unchanged::Copy && is_elsewhere
    }

    /// Copies an entry as it is, where copies are made.
    fn copy(self, entry: &Entry) -> Option<FileError> {
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
