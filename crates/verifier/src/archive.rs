//! Web archives: originals, and the archives that were made of them.

mod added;
pub(crate) mod derived;
mod document;
mod expected;
mod line;
mod record;
mod records;
mod shelf;
pub(crate) mod wacz;
mod written;

use std::io::{self, Read};
use std::path::Path;

use absolve_framing::{ArchiveFormat, Compression};
pub use absolve_options::WarcOutput;

use crate::settings::Settings;
use crate::storage::Stored;
use crate::verdict::{Difference, Rule, Verdict};
use added::{Place, verify_added};
use derived::revisits::Revisits;
use derived::verify_derived;
use records::{START, is_of_data};

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
    let (original, mut revisits) = (original.into(), Revisits::default());
    if output == WarcOutput::Resource {
        // What cannot be read is in the verdict.
        let _ = revisits.add_archive(original);
    }
    verify_archive_of_run(original, rewritten, name, output, &mut revisits, settings)
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
    let (format, before) = format_of(original)?;
    let format = format.unwrap_or(ArchiveFormat::Warc);
    // A sidecar or a derived archive may be compressed as its name says.
    let compression = match rewritten.compression()? {
        found if is_named(found, name) => found,
        _ => before,
    };
    readable(match output {
        WarcOutput::Append if format == ArchiveFormat::Warc => {
            verify_added(original, rewritten, format, Place::Behind, settings)
        }
        WarcOutput::Resource if format == ArchiveFormat::Warc => {
            verify_derived(original, rewritten, compression, revisits, settings).map(|(verdict, _)| verdict)
        }
        // An ARC holds neither conversions nor resources.
        _ => verify_added(original, rewritten, format, Place::Sidecar(compression), settings),
    })
}

/// Returns the format of an archive, if its start shows one, and its compression.
fn format_of(file: Stored<'_>) -> io::Result<(Option<ArchiveFormat>, Compression)> {
    const START_OF_RECORD: u64 = 16;
    let start = file.bytes(0..START)?;
    let compression = Compression::of_archive(&start);
    let mut content = Vec::new();
    // What is damaged there is reported when the records are read.
    let _ = compression.decompressed_start(&start[..]).take(START_OF_RECORD).read_to_end(&mut content);
    Ok((ArchiveFormat::of(&content), compression))
}

/// Returns whether a file of this name may be compressed so: a name with another extension may also be that of a plain file.
fn is_named(compression: Compression, name: &Path) -> bool {
    let is_plain = compression == Compression::None && name.extension().is_some();
    Compression::of_name(name).map_or(is_plain, |named| named == compression)
}

/// Returns the verdict; of what cannot be read as an archive, that it cannot.
fn readable(result: io::Result<Verdict>) -> io::Result<Verdict> {
    match result {
        Err(error) if is_of_data(&error) => {
            Ok(Verdict::of([Difference::new(Rule::Unread, format!("it cannot be read: {error}"))]))
        }
        result => result,
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
    let (format, compression) = format_of(original)?;
    let (format, place) = (format.unwrap_or(ArchiveFormat::Warc), Place::Sidecar(compression));
    readable(verify_added(original, Stored::Bytes(b""), format, place, settings))
}
