//! Looking at many documents in parallel, in order, without changing them.

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

/// Reads the documents of `entries` batch by batch, lets `inspect` look at them in parallel, and hands what it
/// found to `tell`, in the order of the entries. `inspect` gets the record as well, `""` where a file is all there is.
/// `tell` may end it all with an error.
///
/// # Errors
///
/// The error of `tell`. Files that cannot be read, or are of no known type, are told in what is returned.
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
    tell: &mut dyn FnMut(T) -> io::Result<()>,
) -> io::Result<Inspection> {
    let mut inspection = Inspection::default();
    let mirror = InputFiles::new(entries);
    let mut rest = entries;
    while !rest.is_empty() {
        let (batch, after) = rest.split_at(batch_length(rest));
        rest = after;
        let found: Vec<_> = batch
            .par_iter()
            .map_init(Vec::new, |bytes, entry| {
                inspect_in(entry, bytes, &mirror, &|entity| inspect(entry, &entry.record, entity))
            })
            .collect();
        for (entry, found) in batch.iter().zip(found) {
            let is_document =
                matches!(&found, Ok((opened, _)) if !matches!(opened, Opened::Other | Opened::UnknownType(_)));
            inspection.documents += u64::from(is_document);
            match found {
                Ok((_, Some(found))) => tell(found)?,
                Ok((Opened::UnknownType(finding), None)) => inspection.findings.push((entry.name.clone(), finding)),
                Ok((Opened::Container(container), None)) => {
                    inspect_container(entry, container, inspect, options, tell, &mut inspection)?;
                }
                Ok(_) => {}
                Err(error) => inspection.errors.push(error),
            }
        }
    }
    Ok(inspection)
}

/// Lets `inspect` look at the document or message that one of `entries` is; `None` if it is neither. The others tell what
/// links to copies of them mean.
///
/// # Errors
///
/// When it cannot be read.
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
    inspect_in(entry, &mut Vec::new(), &InputFiles::new(entries), inspect).map(|(_, seen)| seen)
}

/// Returns what an entry is, and what was seen in it if it was read.
fn inspect_in<T>(
    entry: &Entry,
    bytes: &mut Vec<u8>,
    mirror: &InputFiles<'_>,
    inspect: &dyn Fn(&Entity<'_>) -> T,
) -> Result<(Opened, Option<T>), FileError> {
    let opened = open(entry, bytes)?;
    let look = || entity_of(entry, bytes, &opened, mirror).map(|entity| inspect(&entity));
    let seen = caught(look).ok_or_else(|| FileError::bug(&entry.source, ""))?;
    Ok((opened, seen))
}

fn inspect_container<T: Send>(
    entry: &Entry,
    container: Container,
    inspect: &(dyn Fn(&Entry, &str, &Entity<'_>) -> T + Sync),
    options: &ArchiveOptions,
    tell: &mut dyn FnMut(T) -> io::Result<()>,
    inspection: &mut Inspection,
) -> io::Result<()> {
    inspection.findings.extend(url_not_used(entry, container).map(|finding| (entry.name.clone(), finding)));
    let opened = entry.open().map_err(StreamError::Read);
    let look = |record: &str, entity: &Entity<'_>| inspect(entry, record, entity);
    let inspected = opened.and_then(|file| match container {
        Container::Stream(Format::Mbox) => inspect_mbox(file, &look, &options.documents, tell)
            .map(|failed| Inspected { failed, ..Inspected::default() }),
        Container::Stream(format) => inspect_archive(file, format, &look, options, tell),
        Container::Wacz => inspect_wacz(file, &look, options, tell),
    });
    match inspected {
        Err(StreamError::Read(error)) => {
            inspection.errors.push(FileError::new(&entry.source, Action::Read, error));
            Ok(())
        }
        Err(StreamError::Write(error)) => Err(error),
        Ok(Inspected { failed, broken }) => {
            inspection.errors.extend(FileError::of_broken(&entry.source, broken, None));
            inspection.errors.extend(failed.iter().map(|record| FileError::bug(&entry.source, &record.to_string())));
            Ok(())
        }
    }
}

/// What could not be looked at.
#[derive(Debug, Default)]
pub struct Inspection {
    /// Files that were asked for by name and are of no known type, and what else is told of whole files.
    pub findings: Vec<(PathBuf, Finding)>,
    /// Files that could not be read.
    pub errors: Vec<FileError>,
    /// Files that are documents, messages, or hold some.
    pub documents: u64,
}

/// How many entries are read together: as many as fill some memory, and at least one.
fn batch_length(entries: &[Entry]) -> usize {
    const BYTES_A_BATCH: u64 = 64 << 20;
    let mut bytes = 0;
    let fits = |entry: &&Entry| {
        bytes += entry.size;
        bytes <= BYTES_A_BATCH
    };
    entries.iter().take_while(fits).count().max(1)
}
