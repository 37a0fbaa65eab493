//! Web archives, and what was made of them.

mod added;
mod derived;
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
use derived::verify_derived;
use format::{Format, compression_of};

use crate::compression::Compression;
use crate::settings::Settings;
use crate::storage::Stored;
use crate::verdict::Verdict;

/// What was written of a web archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WarcOutput {
    /// The archive byte for byte, and conversions behind it.
    Append,
    /// The conversions only.
    Sidecar,
    /// A derived archive, in which resources replace responses.
    Resource,
}

/// Verifies what was written of a WARC or, as conversions of their own, of an ARC; plain or compressed by gzip or Zstandard.
///
/// `name` is that of what was written; an archive of its own may be compressed as that says. Each document is verified, and that all else is what it was: against its conversion, its resource, or against itself if it
/// has neither. Memory holds one record at a time, and some words for each of them.
///
/// # Errors
///
/// What kept a file from being read. What is wrong with the archives is in the verdict.
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
    let (original, rewritten) = (original.into(), rewritten.into());
    let format = Format::of_file(original)?;
    // An archive of its own may be compressed as its name says.
    let packing = match Compression::of_file(rewritten)? {
        packing if Compression::of_name(name) == Some(packing) => packing,
        _ => compression_of(original)?,
    };
    match output {
        WarcOutput::Append if format == Format::Warc => {
            verify_added(original, rewritten, format, Place::Behind, settings)
        }
        WarcOutput::Resource if format == Format::Warc => {
            verify_derived(original, rewritten, packing, settings).map(|derived| derived.verdict)
        }
        // An ARC holds neither conversions nor resources.
        _ => verify_added(original, rewritten, format, Place::Beside(packing), settings),
    }
}

/// Verifies that an archive of which nothing was made needs nothing: no link in it could become absolute.
///
/// # Errors
///
/// What kept it from being read.
///
/// ```
/// use absolve_verifier::{Settings, verify_unconverted};
/// assert!(verify_unconverted(&b""[..], &Settings::default()).unwrap().holds());
/// ```
pub fn verify_unconverted<'s>(original: impl Into<Stored<'s>>, settings: &Settings) -> io::Result<Verdict> {
    let original = original.into();
    let place = Place::Beside(compression_of(original)?);
    verify_added(original, Stored::Bytes(b""), Format::of_file(original)?, place, settings)
}
