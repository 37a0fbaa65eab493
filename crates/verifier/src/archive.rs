//! Web archives, and what was made of them.

mod added;
mod conversions;
mod derived;
mod fixity;
mod input;
mod members;
mod ours;
mod packing;
mod page;
mod reader;
mod record;
mod replacement;
mod response;
mod revisits;
mod wacz;

use std::fs::File;
use std::io;
use std::path::Path;

use added::{Place, verify_added};
use derived::verify_derived;
use packing::Packing;
use reader::Format;
pub use wacz::verify_wacz;

use crate::settings::Settings;
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
/// Each document is verified, and that all else is what it was: against its conversion, its resource, or against itself if it
/// has neither. Memory holds one record at a time, and some words for each of them.
///
/// # Errors
///
/// What kept a file from being read. What is wrong with the archives in them is in the verdict.
///
/// ```
/// use absolve_verifier::{Rule, Settings, WarcOutput, verify_archive};
/// let folder = tempfile::tempdir().unwrap();
/// let path = folder.path().join("a.warc");
/// let block = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<a href=x>";
/// let record = format!(
///     "WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: http://h/d/\r\nContent-Type: application/http\r\n\
///      Content-Length: {}\r\n\r\n{block}\r\n\r\n", block.len());
/// std::fs::write(&path, record).unwrap();
/// let verdict = verify_archive(&path, &path, WarcOutput::Append, &Settings::default()).unwrap();
/// assert_eq!(verdict.differences[0].rule, Rule::Relative);
/// ```
pub fn verify_archive(
    original: &Path,
    rewritten: &Path,
    output: WarcOutput,
    settings: &Settings,
) -> io::Result<Verdict> {
    let named = Packing::of_name(rewritten);
    let (original, rewritten) = (File::open(original)?, File::open(rewritten)?);
    let format = Format::of_file(&original)?;
    // An archive of its own may be compressed as its name says.
    let packing = match Packing::of_file(&rewritten)? {
        packing if named == Some(packing) => packing,
        _ => Packing::of_file(&original)?,
    };
    match output {
        WarcOutput::Append if format == Format::Warc => {
            verify_added(&original, &rewritten, format, Place::Behind, settings)
        }
        WarcOutput::Resource if format == Format::Warc => {
            verify_derived(&original, &rewritten, packing, settings).map(|derived| derived.verdict)
        }
        // An ARC holds neither conversions nor resources.
        _ => verify_added(&original, &rewritten, format, Place::Beside(packing), settings),
    }
}

/// Verifies that an archive of which nothing was made needs nothing: no link in it could become absolute.
///
/// # Errors
///
/// What kept it from being read.
///
/// ```
/// let folder = tempfile::tempdir().unwrap();
/// let path = folder.path().join("a.warc");
/// std::fs::write(&path, "").unwrap();
/// assert!(absolve_verifier::verify_unconverted(&path, &absolve_verifier::Settings::default()).unwrap().holds());
/// ```
pub fn verify_unconverted(original: &Path, settings: &Settings) -> io::Result<Verdict> {
    let original = File::open(original)?;
    let format = Format::of_file(&original)?;
    verify_added(&original, &original, format, Place::Behind, settings)
}
