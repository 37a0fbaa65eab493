//! Web archives: originals, and the archives that were made of them.

mod added;
pub(crate) mod derived;
mod fixity;
mod format;
mod framing;
mod http_response;
mod input;
mod payload;
mod reader;
mod record;
mod record_ids;
pub(crate) mod wacz;
mod written_records;

use std::io;
use std::path::Path;

use added::{Place, verify_added};
use derived::revisits::Revisits;
use derived::verify_derived;
use format::{Format, compression_of};

pub use absolve_options::WarcOutput;

use crate::compression::Compression;
use crate::settings::Settings;
use crate::storage::Stored;
use crate::verdict::Verdict;

/// Verifies what was written of a WARC or of an ARC, uncompressed or compressed by gzip or Zstandard.
///
/// `name` is the name of the written file; a sidecar or a derived archive may be compressed as its extension says. Each
/// document is verified against its conversion or its resource record, or against itself if it has neither, and all
/// other bytes have to be unchanged. Memory holds one record at a time, and a few words for each record.
///
/// # Errors
///
/// An error of reading a file. What is wrong with the archives is in the verdict.
///
/// ```
/// use absolve_verifier::{Rule, Settings, WarcOutput, verify_archive};
/// let block = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<a href=x>";
/// let record = format!(
///     "WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: http://h/d/\r\nContent-Type: application/http\r\n\
///      Content-Length: {}\r\n\r\n{block}\r\n\r\n", block.len());
/// let verdict =
///     verify_archive(record.as_bytes(), record.as_bytes(), "a.warc".as_ref(), WarcOutput::Append, &Settings::default())
///         .unwrap();
/// assert_eq!(verdict.differences[0].rule, Rule::Relative);
/// ```
pub fn verify_archive<'s>(
    original: impl Into<Stored<'s>>,
    rewritten: impl Into<Stored<'s>>,
    name: &Path,
    output: WarcOutput,
    settings: &Settings,
) -> io::Result<Verdict> {
    verify_archive_of_run(original, rewritten, name, output, &mut Revisits::default(), settings)
}

/// Verifies one archive of several as [`verify_archive`] does, with the same errors, in the order in which the run has read them. `revisits`
/// contains the references of all of them.
pub fn verify_archive_of_run<'s>(
    original: impl Into<Stored<'s>>,
    rewritten: impl Into<Stored<'s>>,
    name: &Path,
    output: WarcOutput,
    revisits: &mut Revisits,
    settings: &Settings,
) -> io::Result<Verdict> {
    let (original, rewritten) = (original.into(), rewritten.into());
    let format = Format::of_file(original)?;
    // A sidecar or a derived archive may be compressed as its name says.
    let compression = match Compression::of_file(rewritten)? {
        compression if compression.is_named(name) => compression,
        _ => compression_of(original)?,
    };
    match output {
        WarcOutput::Append if format == Format::Warc => {
            verify_added(original, rewritten, format, Place::Behind, settings)
        }
        WarcOutput::Resource if format == Format::Warc => {
            verify_derived(original, rewritten, compression, revisits, settings).map(|derived| derived.verdict)
        }
        // An ARC holds neither conversions nor resources.
        _ => verify_added(original, rewritten, format, Place::Sidecar(compression), settings),
    }
}

/// Verifies that an archive without conversions needs none: no link in it could become absolute.
///
/// # Errors
///
/// An error of reading the file.
///
/// ```
/// use absolve_verifier::{Settings, verify_unconverted};
/// assert!(verify_unconverted(&b""[..], &Settings::default()).unwrap().holds());
/// ```
pub fn verify_unconverted<'s>(original: impl Into<Stored<'s>>, settings: &Settings) -> io::Result<Verdict> {
    let original = original.into();
    let place = Place::Sidecar(compression_of(original)?);
    verify_added(original, Stored::Bytes(b""), Format::of_file(original)?, place, settings)
}
