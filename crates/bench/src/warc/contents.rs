//! Writes the contents of an archive into files: as a site, and as they are.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;
use std::sync::Arc;

use absolve_containers::{ArchiveOptions, Reading};
use absolve_files::{Selection, collect};
use absolve_rewriter::internal::WaybackLinks;
use absolve_site::{Indexing, index, unpack};
use flate2::bufread::MultiGzDecoder;

/// Unpacks an archive into a folder; returns the number of files.
pub(super) fn unpack_into(source: &Path, folder: &Path) -> io::Result<String> {
    let archives = collect(source, &Selection::default()).entries;
    let indexing = Indexing { at: None, reading: Reading::Heads, wayback: &WaybackLinks::Keep };
    let (site, _) = index(&archives, indexing, &mut |_, _| {}, &|_| {})?;
    let write = |path: &str, bytes: &[u8]| {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().unwrap_or(folder))?;
        fs::write(path, bytes)
    };
    let mut files = 0;
    let options = ArchiveOptions::default();
    let mut add = |_| {
        files += 1;
        Ok(())
    };
    unpack(&archives, &Arc::new(site), &options, ((0, 0, 0), &|_| false, &write), &mut add, &|_| {})?;
    Ok(files.to_string())
}

/// Writes the content of each response of an archive, as it is stored, into a file of its own; returns their number.
pub(super) fn copy_into(source: &Path, folder: &Path) -> io::Result<String> {
    const BUFFER: usize = 1 << 16;
    const FILES_IN_FOLDER: u64 = 1_000;
    let decoder = MultiGzDecoder::new(BufReader::with_capacity(BUFFER, File::open(source)?));
    let mut input = BufReader::with_capacity(BUFFER, decoder);
    let (mut files, mut line, mut block) = (0_u64, Vec::new(), Vec::new());
    loop {
        let (mut length, mut is_response, mut has_begun) = (0, false, false);
        while !(has_begun && line.trim_ascii().is_empty()) {
            line.clear();
            if input.read_until(b'\n', &mut line)? == 0 {
                return Ok(files.to_string());
            }
            let text = line.trim_ascii();
            has_begun |= !text.is_empty();
            is_response |= text == b"WARC-Type: response";
            let declared =
                text.strip_prefix(b"Content-Length: ").and_then(|digits| str::from_utf8(digits).ok()?.parse().ok());
            length = declared.unwrap_or(length);
        }
        line.clear();
        block.resize(length, 0);
        input.read_exact(&mut block)?;
        if is_response {
            let folder = folder.join((files / FILES_IN_FOLDER).to_string());
            fs::create_dir_all(&folder)?;
            let content = memchr::memmem::find(&block, b"\r\n\r\n").map_or(0, |end| end + 4);
            fs::write(folder.join(files.to_string()), &block[content..])?;
            files += 1;
        }
    }
}
