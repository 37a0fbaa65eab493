//! Inspects documents in parallel, without changing them, and returns the results in order.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::{fs, io};

use absolve_containers::{
    ArchiveOptions, ContainerReader, FileType, Reading, Snapshot, StreamError, StreamReport, caught, inspect_container,
    visit_snapshots,
};
use absolve_framing::StartPage;
use absolve_rewriter::internal::Entity;
use absolve_rewriter::{Finding, Options};
use rayon::prelude::*;

use crate::discover::copies::InputFiles;
use crate::error::{Action, FileError};
use crate::input::entry::Entry;
use crate::input::kind::{EntryKind, Why};
use crate::open::{Container, Opened, entity_of, open, url_not_used};
use crate::output::settings::NEVER;
use crate::run::stoppable::reader_of;
use crate::run::{Listener, RunEvent};

/// Calls `inspect` in parallel for each document and message of `entries`, and `output` with its results in the order
/// of the entries. The arguments of `inspect` are the entry, the name of the record or `""`, and the document. `listener` receives
/// the progress.
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
/// inspect_all(&entries, &ArchiveOptions::default(), &|_, _, entity| entity.bytes.len(), &mut |size| Ok(sizes.push(size)), &|_| {})?;
/// assert_eq!(sizes, [10]);
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn inspect_all<T: Send>(
    entries: &[Entry],
    options: &ArchiveOptions,
    inspect: &(dyn Fn(&Entry, &str, &Entity<'_>) -> T + Sync),
    output: &mut dyn FnMut(T) -> io::Result<()>,
    listener: &Listener<'_>,
) -> io::Result<Inspection> {
    let mut inspection = Inspection::default();
    let files = InputFiles::new(entries);
    let mut rest = entries;
    while !rest.is_empty() {
        let first = entries.len() - rest.len();
        let (batch, after) = rest.split_at(batch_length(rest));
        rest = after;
        let found: Vec<_> = batch
            .par_iter()
            .map_init(Vec::new, |bytes, entry| {
                let look = |entity: &Entity<'_>| inspect(entry, &entry.record, entity);
                let found = inspect_in(entry, bytes, &files, &options.documents, &look);
                if !matches!(found, Ok((Opened::Container(_), _))) && entry.kind != EntryKind::Folder {
                    listener(RunEvent::Progress(entry.attributes.size));
                    listener(RunEvent::FileDone);
                }
                found
            })
            .collect();
        for (index, (entry, found)) in (first..).zip(batch.iter().zip(found)) {
            let is_document = matches!(&found, Ok((opened, _)) if opened.is_document());
            inspection.documents.extend(is_document.then_some(index));
            inspection.unread += u64::from(matches!(&found, Ok((Opened::Copied(Why::Text), _))));
            match found {
                Ok((_, Some(found))) => output(found)?,
                Ok((Opened::Copied(Why::UnknownType(finding)), None)) => {
                    inspection.findings.push((entry.source.clone(), finding))
                }
                Ok((Opened::Container(container), None)) => {
                    if !inspect_records(entry, container, inspect, options, output, (&mut inspection, listener))? {
                        inspection.documents.pop();
                    }
                    listener(RunEvent::FileDone);
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
    let (files, options) = (InputFiles::new(entries), Options::default());
    inspect_in(entry, &mut Vec::new(), &files, &options, inspect).map(|(_, result)| result)
}

/// Opens an entry. Returns the result of `inspect`, too, if it is a document or a message.
fn inspect_in<T>(
    entry: &Entry,
    bytes: &mut Vec<u8>,
    files: &InputFiles<'_>,
    options: &Options,
    inspect: &dyn Fn(&Entity<'_>) -> T,
) -> Result<(Opened, Option<T>), FileError> {
    let opened = open(entry, files, bytes)?;
    let inspect_entity = || entity_of(entry, bytes, &opened, files, options).map(|entity| inspect(&entity));
    let result = caught(inspect_entity).ok_or_else(|| FileError::bug(&entry.source, None))?;
    Ok((opened, result))
}

/// Inspects the records of a container. Returns whether it is one: not bytes without a record.
fn inspect_records<T: Send>(
    entry: &Entry,
    container: Container,
    inspect: &(dyn Fn(&Entry, &str, &Entity<'_>) -> T + Sync),
    options: &ArchiveOptions,
    output: &mut dyn FnMut(T) -> io::Result<()>,
    (inspection, listener): (&mut Inspection, &Listener<'_>),
) -> io::Result<bool> {
    let holds_bytes = AtomicBool::new(false);
    let inspect_record = |record: &str, entity: &Entity<'_>| {
        holds_bytes.store(true, Ordering::Relaxed);
        inspect(entry, record, entity)
    };
    let read = |reader: ContainerReader<'_>| inspect_container(reader, &inspect_record, options, output);
    let records = read_container(entry, container, read, (inspection, listener))?;
    Ok(records > 0 || !holds_bytes.into_inner())
}

/// Opens a container and reads it by `read`. Returns the number of its records.
fn read_container(
    entry: &Entry,
    container: Container,
    read: impl FnOnce(ContainerReader<'_>) -> Result<StreamReport, StreamError>,
    (inspection, listener): (&mut Inspection, &Listener<'_>),
) -> io::Result<u64> {
    let file_type = container.file_type;
    inspection.findings.extend(url_not_used(entry, file_type).map(|finding| (entry.source.clone(), finding)));
    let progress = |bytes| listener(RunEvent::Progress(bytes));
    let opened = container.open(entry).and_then(|(_, input)| reader_of(input, file_type, &progress, &NEVER));
    let inspected = opened.map_err(StreamError::Read).and_then(read);
    if file_type == FileType::Wacz {
        progress(entry.attributes.size);
    }
    match inspected {
        Err(StreamError::Read(error)) => {
            inspection.errors.push(FileError::new(&entry.source, Action::Read, error));
            Ok(0)
        }
        Err(StreamError::Write(error)) => Err(error),
        Ok(StreamReport { failed, broken, records, .. }) => {
            inspection.errors.extend(FileError::of_records(&entry.source, &failed, broken, None));
            Ok(records)
        }
    }
}

/// Looks at what a record of the archive of an index has of a URL, or why it cannot be read.
type Look<'l, T> = dyn Fn(usize, Result<Snapshot<'_>, Finding>) -> Option<T> + Sync + 'l;

/// Passes what the records of web archives have of URLs to `look`, in parallel, with the index of the archive, and what it returns to
/// `found`, in order. Other files have none. An archive that another program changed since it was collected is an error in the returned
/// [`Inspection`], like one that cannot be read.
///
/// # Errors
///
/// The first error of `found`, which ends the reading.
///
/// ```
/// use absolve_containers::{Reading, Snapshot};
/// use absolve_files::{Selection, collect, visit_archives};
/// let folder = tempfile::tempdir()?;
/// let arc = "http://h/x 1.2.3.4 20240101000000 text/html 33\nHTTP/1.1 302 Found\nLocation: y\n\n\n";
/// std::fs::write(folder.path().join("a.arc"), arc)?;
/// let entries = collect(folder.path(), &Selection::default()).entries;
/// let mut urls = Vec::new();
/// let look = |_, seen: Result<Snapshot<'_>, _>| seen.ok().map(|it| it.url);
/// visit_archives(&entries, Reading::Whole, &look, &mut |url| Ok(urls.push(url)), &|_| {})?;
/// assert_eq!(urls, ["http://h/x"]);
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn visit_archives<T: Send>(
    entries: &[Entry],
    reading: Reading,
    look: &Look<'_, T>,
    found: &mut dyn FnMut(T) -> io::Result<()>,
    listener: &Listener<'_>,
) -> io::Result<Inspection> {
    let (mut inspection, files) = (Inspection::default(), InputFiles::new(&[]));
    for (index, entry) in entries.iter().enumerate() {
        let container = match open(entry, &files, &mut Vec::new()) {
            Ok(Opened::Container(container)) => container,
            Ok(_) => continue,
            Err(error) => {
                inspection.errors.push(error);
                continue;
            }
        };
        let look = |seen: Result<Snapshot<'_>, Finding>| look(index, seen);
        let read = |container: ContainerReader<'_>| visit_snapshots(container, reading, &look, found);
        read_container(entry, container, read, (&mut inspection, listener))?;
        let has_changed = fs::metadata(&entry.source).is_ok_and(|now| entry.has_changed(&now));
        inspection.errors.extend(has_changed.then(|| FileError::changed(&entry.source)));
        listener(RunEvent::FileDone);
    }
    Ok(inspection)
}

/// Passes the pages that WACZ files name to begin with to `found`, with the index of the file, and what is damaged of their lists. A file that
/// cannot be read names none.
pub fn start_pages(entries: &[Entry], found: &mut dyn FnMut(usize, Result<StartPage, Finding>)) {
    let files = InputFiles::new(&[]);
    let is_package = |entry: &Entry| entry.file_type().is_ok_and(|found| found == Some(FileType::Wacz));
    for (index, entry) in entries.iter().enumerate().filter(|(_, entry)| is_package(entry)) {
        let Ok(Opened::Container(container)) = open(entry, &files, &mut Vec::new()) else { continue };
        let reader = container.open(entry).and_then(|(_, input)| reader_of(input, FileType::Wacz, &|_| {}, &NEVER));
        // Why it cannot be read is said where its records are.
        let _ = reader.map(|reader| absolve_containers::start_pages(reader, &mut |page| found(index, page)));
    }
}

/// Findings and errors of [`inspect_all`].
#[derive(Debug, Default)]
pub struct Inspection {
    /// Findings about whole files, each with the name of its file: explicitly named files of unknown type, unused URLs.
    pub findings: Vec<(PathBuf, Finding)>,
    /// Errors of files that could not be read.
    pub errors: Vec<FileError>,
    /// The indexes of the entries that are documents, messages, or hold some.
    pub documents: Vec<usize>,
    /// The number of files that are text of unknown type, and were not read.
    pub unread: u64,
}

/// Returns how many entries are read together: as many as fit into 64 MiB, and at least one.
fn batch_length(entries: &[Entry]) -> usize {
    const BYTES_A_BATCH: u64 = 64 << 20;
    let mut bytes = 0;
    let fits = |entry: &&Entry| {
        bytes += entry.attributes.size;
        bytes <= BYTES_A_BATCH
    };
    entries.iter().take_while(fits).count().max(1)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicU64;

    use super::*;
    use crate::collect::collect;
    use crate::input::selection::Selection;

    /// A check of many files, or of a long archive, shows how far it is.
    #[test]
    fn reading_without_writing_reports_progress() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        let path = |name: &str| folder.path().join(name);
        fs::create_dir(path("d"))?;
        fs::write(path("d/a.html"), "<a href=b>")?;
        fs::write(path("b.png"), "\u{89}PNG")?;
        fs::write(path("c.mbox"), "From a@b Thu Jan  1 00:00:00 1998\n\nhttp://h/\n".repeat(9000))?;
        let entries = collect(folder.path(), &Selection::default()).entries;
        let (bytes, files) = (AtomicU64::new(0), AtomicU64::new(0));
        let listener = |event: RunEvent<'_>| match event {
            RunEvent::Progress(more) => drop(bytes.fetch_add(more, Ordering::Relaxed)),
            RunEvent::FileDone => drop(files.fetch_add(1, Ordering::Relaxed)),
            _ => {}
        };
        inspect_all(&entries, &ArchiveOptions::default(), &|_, _, _| (), &mut |()| Ok(()), &listener)?;
        let is_file = |entry: &&Entry| entry.kind != EntryKind::Folder;
        let sizes: u64 = entries.iter().filter(is_file).map(|entry| entry.attributes.size).sum();
        assert_eq!((bytes.into_inner(), files.into_inner()), (sizes, 3));
        Ok(())
    }
}
