//! One container of a run: read record by record, and what comes of it written where it goes.

use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, Write};
use std::path::{Path, PathBuf};

use crate::archive::{WarcOutput, output_of, rewrite_archive};
use crate::destination::Written;
use crate::failure::{Action, FileError};
use crate::file::url_not_used;
use crate::framing::{Container, Format};
use crate::one_file::{FileReport, Sink, unwritten};
use crate::options::Options;
use crate::rewrite::Report;
use crate::stream::{StreamError, StreamReport, rewrite_mbox};
use crate::wacz::rewrite_wacz;
use crate::{ArchiveCounts, Destination, Entry, Finding};

/// Rewrites a container; `progress` hears of the bytes that were read.
pub(crate) fn rewrite_container(
    entry: &Entry,
    container: Container,
    options: &Options,
    sink: Sink<'_>,
    progress: &(dyn Fn(u64) + Sync),
    tell: &mut dyn FnMut(Finding),
) -> FileReport {
    url_not_used(entry, container).into_iter().for_each(&mut *tell);
    let output = written_of(container, options);
    let is_in_place = *sink.destination == Destination::InPlace;
    let is_derived = output == Some(WarcOutput::Resource);
    match container {
        Container::Stream(Format::Arc) if is_in_place => {
            unwritable(entry, "an ARC holds no conversions; name an output for those")
        }
        Container::Stream(Format::Arc) if sink.destination.root().is_some() => {
            beside_arc(entry, options, sink, progress, tell)
        }
        Container::Wacz if options.warc_output != WarcOutput::Resource => {
            let mut file = unwritable(entry, "a WACZ holds no conversions; --warc resource makes a derived one");
            file.errors.extend(sink.copy(entry));
            file
        }
        _ if is_derived && is_in_place => {
            unwritable(entry, "a derived archive is no substitute for this one; name an output for it")
        }
        _ => write(entry, container, options, sink, progress, tell),
    }
}

/// What is written of a container, if it is one of web archives. An ARC holds neither conversions nor resources.
fn written_of(container: Container, options: &Options) -> Option<WarcOutput> {
    match container {
        Container::Stream(Format::Mbox) => None,
        Container::Stream(format) => Some(output_of(format, options)),
        Container::Wacz => Some(WarcOutput::Resource),
    }
}

/// Writes the conversions of an ARC beside it: those of `a.arc.gz` are in `a.arc.warc.gz`.
fn beside_arc(
    entry: &Entry,
    options: &Options,
    sink: Sink<'_>,
    progress: &(dyn Fn(u64) + Sync),
    tell: &mut dyn FnMut(Finding),
) -> FileReport {
    let sidecar = Entry { path: path_beside_arc(&entry.path), ..entry.clone() };
    let is_taken = sidecar.path.file_name().is_some_and(|name| entry.source.with_file_name(name).exists());
    let mut file = match is_taken {
        true => unwritable(entry, &format!("the input holds a file {}, too", sidecar.path.display())),
        false => write(&sidecar, Container::Stream(Format::Arc), options, sink, progress, tell),
    };
    // The ARC itself comes last: where it is, all is done.
    file.errors.extend(sink.copy(entry));
    file
}

fn unwritable(entry: &Entry, why: &str) -> FileReport {
    let error = FileError::new(&entry.source, Action::Write, io::Error::other(why));
    FileReport { errors: vec![error], ..FileReport::default() }
}

/// Writes what comes of a container to where `entry` goes.
fn write(
    entry: &Entry,
    container: Container,
    options: &Options,
    sink: Sink<'_>,
    progress: &(dyn Fn(u64) + Sync),
    tell: &mut dyn FnMut(Finding),
) -> FileReport {
    let mut errors = Vec::new();
    let output_of_archive = written_of(container, options);
    // Whether what is written holds what is read, changed or not.
    let is_copy = matches!(output_of_archive, None | Some(WarcOutput::Append));
    let is_derived = output_of_archive == Some(WarcOutput::Resource);
    let mut unread = None;
    let mut done = StreamReport::default();
    let mut run = |output: &mut dyn Write| {
        let opened = entry.open().map_err(StreamError::Read);
        let rewritten = opened.and_then(|input| rewritten(container, entry, input, output, options, progress, tell));
        done = rewritten.map_err(|error| match error {
            StreamError::Write(error) => error,
            StreamError::Read(error) => {
                unread = Some(error);
                io::Error::other("it could not be read")
            }
        })?;
        Ok(done.clone())
    };
    let written = match sink.destination {
        Destination::Nowhere => run(&mut io::sink()).map(drop),
        Destination::StandardOutput if is_derived => derived_to_standard_output(entry, &mut run),
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
    // Where nothing is replaced, the archive itself is what would be derived.
    if is_derived && done.changed == 0 && *sink.destination != Destination::StandardOutput {
        errors.extend(sink.copy(entry));
    }
    errors.extend(done.failed.iter().map(|record| FileError::bug(&entry.source, &record.to_string())));
    errors.extend(done.cut_off.map(|record| FileError::cut_off(&entry.source, record)));
    FileReport {
        report: Report { counts: done.counts, ..Report::default() },
        records: done.records,
        changed: done.changed > 0,
        archive: output_of_archive.map(|output| ArchiveCounts::of(output, &done)).unwrap_or_default(),
        bytes_in: done.bytes_in,
        bytes_out: done.bytes_out,
        errors,
        ..FileReport::default()
    }
}

/// A derived archive is not known to differ from its original before its end.
fn derived_to_standard_output(
    entry: &Entry,
    run: &mut dyn FnMut(&mut dyn Write) -> io::Result<StreamReport>,
) -> io::Result<()> {
    let mut derived = BufWriter::new(tempfile::tempfile()?);
    let is_changed = run(&mut derived)?.changed > 0;
    let mut output = if is_changed { derived.into_inner()? } else { entry.open()? };
    output.rewind()?;
    io::copy(&mut output, &mut io::stdout().lock()).map(drop)
}

/// The WARC beside an ARC.
fn path_beside_arc(path: &Path) -> PathBuf {
    let is_compressed = path.extension().is_some_and(|extension| extension == "gz");
    let stem = if is_compressed { path.with_extension("") } else { path.to_owned() };
    let mut name = stem.into_os_string();
    name.push(if is_compressed { ".warc.gz" } else { ".warc" });
    name.into()
}

fn rewritten(
    container: Container,
    entry: &Entry,
    input: File,
    output: &mut dyn Write,
    options: &Options,
    progress: &(dyn Fn(u64) + Sync),
    tell: &mut dyn FnMut(Finding),
) -> Result<StreamReport, StreamError> {
    match container {
        Container::Stream(Format::Mbox) => rewrite_mbox(Counted { input, progress }, output, options, tell),
        Container::Stream(format) => {
            let name = entry.source.file_name().unwrap_or_default().to_string_lossy();
            rewrite_archive(Counted { input, progress }, format, &name, output, options, tell)
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
