//! What runs in a process of its own, so that its memory can be measured.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use absolve_containers::{ArchiveOptions, ContainerReader, Rewriting, rewrite_container};
use absolve_framing::ArchiveFormat;
use flate2::bufread::MultiGzDecoder;

use super::contents::{copy_into, unpack_into};

/// Runs `absolve SOURCE TARGET`, `unpack SOURCE FOLDER`, `copy SOURCE FOLDER` or `inflate SOURCE`, and prints the result.
pub(crate) fn run_subprocess(mut arguments: impl Iterator<Item = OsString>) -> io::Result<()> {
    let mut next = || arguments.next().ok_or_else(|| io::Error::other("an argument is missing"));
    let (what, source) = (next()?, PathBuf::from(next()?));
    let output = match what.to_str() {
        Some("absolve") => absolve(&source, Path::new(&next()?))?,
        Some("unpack") => unpack_into(&source, Path::new(&next()?))?,
        Some("copy") => copy_into(&source, Path::new(&next()?))?,
        _ => inflate(&source)?,
    };
    println!("{output}");
    Ok(())
}

/// Rewrites an archive; returns the numbers of records, of bytes, and of changed records.
fn absolve(source: &Path, target: &Path) -> io::Result<String> {
    let mut output = File::create(target)?;
    let warc = ContainerReader::Archive(ArchiveFormat::Warc, Box::new(File::open(source)?));
    let rewriting = Rewriting { name: "made.warc.gz", ..Rewriting::default() };
    let report = rewrite_container(warc, rewriting, &mut output, &ArchiveOptions::default(), &mut |_| {});
    let report = report.map_err(io::Error::other)?;
    output.flush()?;
    Ok(format!("{} {} {}", report.records, report.bytes_in, report.changed))
}

/// Decompresses an archive with the decoder and the buffers that absolve uses; returns its length in bytes.
fn inflate(source: &Path) -> io::Result<String> {
    const BUFFER: usize = 1 << 16;
    let mut decoder = MultiGzDecoder::new(BufReader::with_capacity(BUFFER, File::open(source)?));
    let (mut buffer, mut bytes) = (vec![0; BUFFER], 0);
    loop {
        match decoder.read(&mut buffer)? {
            0 => return Ok(bytes.to_string()),
            read => bytes += read as u64,
        }
    }
}
