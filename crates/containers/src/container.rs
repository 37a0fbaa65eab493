//! The entrance: any container, rewritten or inspected record by record.

use std::io::{self, Read, Write};

use absolve_framing::{ArchiveFormat, StartPage};
use absolve_rewriter::Finding;
use absolve_rewriter::internal::{Entity, Event};

use crate::mbox;
use crate::stream::{ReadSeek, StreamError, StreamReport};
use crate::wacz::package;
use crate::wacz::pages::each_page;
use crate::warc::archive;
use crate::warc::archive::Rewriting;
use crate::warc::options::ArchiveOptions;
use crate::warc::snapshot::{self, Reading, Snapshot};

/// A container to read, plain or compressed.
#[allow(missing_debug_implementations, reason = "readers need none")]
pub enum ContainerReader<'i> {
    /// Messages in one file: an mbox, or one of MMDF or Babyl.
    Mailbox(Box<dyn Read + 'i>),
    /// Records of a web archive.
    Archive(ArchiveFormat, Box<dyn Read + 'i>),
    /// Web archives in a ZIP file.
    Wacz(Box<dyn ReadSeek + 'i>),
}

/// Makes the links of all documents of a container absolute, writes it in the form that `options.output` selects, and passes all
/// events to `events`. For an ARC only a sidecar is written, for a WACZ only a derived one, and nothing if no link of it changes.
///
/// A mailbox, and a derived archive, are written compressed as they were. A compressed mailbox is buffered in temporary files first,
/// and written byte for byte if no message changes. Records are processed in parallel on the current rayon pool, in batches of some
/// megabytes, and written in order.
///
/// Returns the counts of links, records and bytes.
///
/// # Errors
///
/// [`StreamError`], with an incomplete `output`. Damaged ZIP files and indexes of more than [`INDEX_BYTES`](absolve_framing::INDEX_BYTES) are
/// errors of reading.
///
/// ```
/// use absolve_containers::{ArchiveOptions, ContainerReader, Rewriting, rewrite_container};
/// use absolve_framing::ArchiveFormat;
/// let block = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<a href=x>";
/// let record = format!(
///     "WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: http://h/d/\r\nContent-Type: application/http\r\n\
///      Content-Length: {}\r\n\r\n{block}\r\n\r\n", block.len());
/// let (mut out, options) = (Vec::new(), ArchiveOptions::default());
/// let warc = ContainerReader::Archive(ArchiveFormat::Warc, Box::new(record.as_bytes()));
/// let report = rewrite_container(warc, Rewriting::default(), &mut out, &options, &mut |_| {}).unwrap();
/// assert_eq!(report.changed, 1);
/// let out = String::from_utf8(out).unwrap();
/// assert!(out.starts_with(&record) && out.ends_with("\r\n\r\n<a href=http://h/d/x>\r\n\r\n"));
/// ```
pub fn rewrite_container(
    container: ContainerReader<'_>,
    rewriting: Rewriting<'_, '_>,
    output: &mut dyn Write,
    options: &ArchiveOptions,
    events: &mut dyn FnMut(Event),
) -> Result<StreamReport, StreamError> {
    match container {
        ContainerReader::Mailbox(input) => {
            mbox::rewrite(input, output, rewriting.compression, &options.documents, events, rewriting.observe)
        }
        ContainerReader::Archive(format, input) => archive::rewrite(format, input, rewriting, output, options, events),
        ContainerReader::Wacz(input) => package::rewrite(input, output, options, events),
    }
}

/// Applies `inspect` to the documents and messages of a container in parallel, and passes the results to `found`, in order. The
/// arguments of `inspect` are the name of the record and its document: its number, counted from 1, in a WACZ after the path of its
/// archive, for example `archive/data.warc.gz 17`. What [`rewrite_container`] would leave unchanged has a finding with the reason.
///
/// Returns the counts of records and bytes, with the records that are broken or on which `inspect` panicked.
///
/// # Errors
///
/// [`StreamError::Read`], or [`StreamError::Write`] for an error of `found`.
///
/// ```
/// use absolve_containers::{ArchiveOptions, ContainerReader, inspect_container};
/// use absolve_rewriter::internal::Entity;
/// let mbox = b"From a@b Thu Jan  1 00:00:00 1998\nSubject: x\n\nFrom a@b Thu Jan  1 00:00:00 1998\nSubject: y\n\n";
/// let number_and_size = |number: &str, message: &Entity<'_>| (number.to_owned(), message.bytes.len());
/// let (mailbox, options) = (ContainerReader::Mailbox(Box::new(&mbox[..])), ArchiveOptions::default());
/// let mut messages = Vec::new();
/// inspect_container(mailbox, &number_and_size, &options, &mut |found| Ok(messages.push(found))).unwrap();
/// assert_eq!(messages, [("1".to_owned(), 11), ("2".to_owned(), 11)]);
/// ```
pub fn inspect_container<T: Send>(
    container: ContainerReader<'_>,
    inspect: &(dyn Fn(&str, &Entity<'_>) -> T + Sync),
    options: &ArchiveOptions,
    found: &mut dyn FnMut(T) -> io::Result<()>,
) -> Result<StreamReport, StreamError> {
    match container {
        ContainerReader::Mailbox(input) => mbox::inspect(input, inspect, &options.documents, found),
        ContainerReader::Archive(format, input) => archive::inspect(format, input, inspect, options, found),
        ContainerReader::Wacz(input) => package::inspect(input, inspect, options, found),
    }
}

/// Passes what the records of a web archive have of URLs to `look`, in parallel, and what it returns to `found`, in order. A record that
/// cannot be read is a finding; other records, such as requests, are passed over. A mailbox has none.
///
/// Returns the counts of records and bytes, with the records that are broken or on which `look` panicked.
///
/// # Errors
///
/// [`StreamError::Read`], or [`StreamError::Write`] for an error of `found`.
///
/// ```
/// use absolve_containers::{ContainerReader, Reading, Snapshot, visit_snapshots};
/// use absolve_framing::ArchiveFormat;
/// let arc = b"http://h/x 1.2.3.4 20240101000000 text/html 33\nHTTP/1.1 302 Found\nLocation: y\n\n\n";
/// let archive = ContainerReader::Archive(ArchiveFormat::Arc, Box::new(&arc[..]));
/// let mut urls = Vec::new();
/// let look = |snapshot: Result<Snapshot<'_>, _>| snapshot.ok().map(|it| it.url);
/// visit_snapshots(archive, Reading::Whole, &look, &mut |url| Ok(urls.push(url))).unwrap();
/// assert_eq!(urls, ["http://h/x"]);
/// ```
pub fn visit_snapshots<T: Send>(
    container: ContainerReader<'_>,
    reading: Reading,
    look: &(dyn Fn(Result<Snapshot<'_>, Finding>) -> Option<T> + Sync),
    found: &mut dyn FnMut(T) -> io::Result<()>,
) -> Result<StreamReport, StreamError> {
    match container {
        ContainerReader::Mailbox(_) => Ok(StreamReport::default()),
        ContainerReader::Archive(format, input) => snapshot::visit((format, reading), input, look, found),
        ContainerReader::Wacz(input) => package::visit(input, reading, look, found),
    }
}

/// Passes the pages that a WACZ names to begin with to `found`, and what is damaged of their list. Other containers name none.
///
/// # Errors
///
/// [`StreamError::Read`] if it is no WACZ.
pub fn start_pages(
    container: ContainerReader<'_>,
    found: &mut dyn FnMut(Result<StartPage, Finding>),
) -> Result<(), StreamError> {
    match container {
        ContainerReader::Wacz(input) => each_page(input, found),
        _ => Ok(()),
    }
}
