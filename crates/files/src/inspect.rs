//! Inspects documents in parallel, without changing them, and returns the results in order.

use std::io;
use std::path::PathBuf;

use absolve_containers::{
    ArchiveOptions, Container, Format, Inspected, StreamError, caught, inspect_archive, inspect_mbox, inspect_wacz,
};
use absolve_rewriter::{Entity, Finding};
use rayon::prelude::*;

use crate::discover::copies::InputFiles;
use crate::error::{Action, FileError};
use crate::input::entry::Entry;
use crate::open::{Opened, entity_of, open, url_not_used};

/// Calls `inspect` in parallel for each document and message of `entries`, and `output` with its results in the order
/// of the entries. The arguments of `inspect` are the entry, the name of the record or `""`, and the document.
///
/// # Errors
///
/// The first error of `output`, which ends the inspection. Files that cannot be read, or have an unknown type, are in the
/// returned [`Inspection`].
///
/// ```
/// use absolve_containers::ArchiveOptions;
/// use absolve_files::{Selection, collect, inspect_all};
/// let folder = tempfile::tempdir()?;
/// std::fs::write(folder.path().join("a.html"), "<a href=b>")?;
/// let entries = collect(folder.path(), &Selection::default()).entries;
/// let mut sizes = Vec::new();
/// inspect_all(&entries, &ArchiveOptions::default(), &|_, _, entity| entity.bytes.len(), &mut |size| Ok(sizes.push(size)))?;
/// assert_eq!(sizes, [10]);
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn inspect_all<T: Send>(
    entries: &[Entry],
    options: &ArchiveOptions,
    inspect: &(dyn Fn(&Entry, &str, &Entity<'_>) -> T + Sync),
    output: &mut dyn FnMut(T) -> io::Result<()>,
) -> io::Result<Inspection> {
    let mut inspection = Inspection::default();
    let files = InputFiles::new(entries);
    let mut rest = entries;
    while !rest.is_empty() {
        let (batch, after) = rest.split_at(batch_length(rest));
        rest = after;
        let found: Vec<_> = batch
            .par_iter()
            .map_init(Vec::new, |bytes, entry| {
                inspect_in(entry, bytes, &files, &|entity| inspect(entry, &entry.record, entity))
            })
            .collect();
        for (entry, found) in batch.iter().zip(found) {
            let is_document =
                matches!(&found, Ok((opened, _)) if !matches!(opened, Opened::Other | Opened::UnknownType(_)));
            inspection.documents += u64::from(is_document);
            match found {
                Ok((_, Some(found))) => output(found)?,
                Ok((Opened::UnknownType(finding), None)) => inspection.findings.push((entry.source.clone(), finding)),
                Ok((Opened::Container(container), None)) => {
                    inspect_container(entry, container, inspect, options, output, &mut inspection)?;
                }
                Ok(_) => {}
                Err(error) => inspection.errors.push(error),
            }
        }
    }
    Ok(inspection)
}

/// Calls `inspect` for the document or message of `entry`. Returns its result; `None` if the entry is neither.
///
/// `entries` are all entries of the input: they give the URLs of links to local copies.
///
/// # Errors
///
/// If the file cannot be read.
///
/// ```
/// use absolve_files::{Selection, collect, inspect_one};
/// let folder = tempfile::tempdir()?;
/// std::fs::write(folder.path().join("a.html"), "<a href=b>")?;
/// let entries = collect(folder.path(), &Selection::default()).entries;
/// let size = inspect_one(&entries[0], &entries, &|entity| entity.bytes.len());
/// assert_eq!(size.ok().flatten(), Some(10));
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn inspect_one<T>(
    entry: &Entry,
    entries: &[Entry],
    inspect: &dyn Fn(&Entity<'_>) -> T,
) -> Result<Option<T>, FileError> {
    inspect_in(entry, &mut Vec::new(), &InputFiles::new(entries), inspect).map(|(_, result)| result)
}

/// Opens an entry. Returns the result of `inspect`, too, if it is a document or a message.
fn inspect_in<T>(
    entry: &Entry,
    bytes: &mut Vec<u8>,
    files: &InputFiles<'_>,
    inspect: &dyn Fn(&Entity<'_>) -> T,
) -> Result<(Opened, Option<T>), FileError> {
    let opened = open(entry, bytes)?;
    let inspect_entity = || entity_of(entry, bytes, &opened, files).map(|entity| inspect(&entity));
    let result = caught(inspect_entity).ok_or_else(|| FileError::bug(&entry.source, None))?;
    Ok((opened, result))
}

fn inspect_container<T: Send>(
    entry: &Entry,
    container: Container,
    inspect: &(dyn Fn(&Entry, &str, &Entity<'_>) -> T + Sync),
    options: &ArchiveOptions,
    output: &mut dyn FnMut(T) -> io::Result<()>,
    inspection: &mut Inspection,
) -> io::Result<()> {
    inspection.findings.extend(url_not_used(entry, container).map(|finding| (entry.source.clone(), finding)));
    let opened = entry.open().map_err(StreamError::Read);
    let inspect_record = |record: &str, entity: &Entity<'_>| inspect(entry, record, entity);
    let inspected = opened.and_then(|file| match container {
        Container::Stream(Format::Mbox) => inspect_mbox(file, &inspect_record, &options.documents, output)
            .map(|failed| Inspected { failed, ..Inspected::default() }),
        Container::Stream(format) => inspect_archive(file, format, &inspect_record, options, output),
        Container::Wacz => inspect_wacz(file, &inspect_record, options, output),
    });
    match inspected {
        Err(StreamError::Read(error)) => {
            inspection.errors.push(FileError::new(&entry.source, Action::Read, error));
            Ok(())
        }
        Err(StreamError::Write(error)) => Err(error),
        Ok(Inspected { failed, broken }) => {
            inspection.errors.extend(FileError::of_records(&entry.source, &failed, broken, None));
            Ok(())
        }
    }
}

/// Findings and errors of [`inspect_all`].
#[derive(Debug, Default)]
pub struct Inspection {
    /// Findings about whole files, each with the name of its file: explicitly named files of unknown type, unused URLs.
    pub findings: Vec<(PathBuf, Finding)>,
    /// Errors of files that could not be read.
    pub errors: Vec<FileError>,
    /// Files that are documents, messages, or hold some.
    pub documents: u64,
}

/// Returns how many entries are read together: as many as fit into 64 MiB, and at least one.
fn batch_length(entries: &[Entry]) -> usize {
    const BYTES_A_BATCH: u64 = 64 << 20;
    let mut bytes = 0;
    let fits = |entry: &&Entry| {
        bytes += entry.size;
        bytes <= BYTES_A_BATCH
    };
    entries.iter().take_while(fits).count().max(1)
}
