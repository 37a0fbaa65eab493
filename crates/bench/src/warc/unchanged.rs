//! Records in which no link changes any more.

use std::io;

use absolve_containers::{ArchiveOptions, ContainerReader, Rewriting, WarcOutput, rewrite_container};
use absolve_framing::ArchiveFormat;
use memchr::memmem;

use super::real::{self, Record, value};

/// Returns the record with the links of its document made absolute; `None` if none of them changes.
pub(super) fn with_absolute_links(record: &Record) -> io::Result<Option<Record>> {
    let mut options = ArchiveOptions::default();
    options.output = WarcOutput::Sidecar;
    let archive = [record.header.as_bytes(), b"\r\n", &record.block, b"\r\n\r\n"].concat();
    let mut sidecar = Vec::new();
    let warc = ContainerReader::Archive(ArchiveFormat::Warc, Box::new(&archive[..]));
    let rewriting = Rewriting { name: "record", ..Rewriting::default() };
    rewrite_container(warc, rewriting, &mut sidecar, &options, &mut |_| {}).map_err(io::Error::other)?;
    // The first record is a warcinfo.
    let Some(conversion) = real::records(&sidecar).into_iter().nth(1) else {
        return Ok(None);
    };
    // The old digests and content codings do not apply to it.
    let header = without(&record.header, &["Content-Length", "WARC-Block-Digest", "WARC-Payload-Digest"]);
    let mut block = Vec::new();
    if let Some(end) = memmem::find(&record.block, b"\r\n\r\n").filter(|_| record.block.starts_with(b"HTTP/")) {
        let http = String::from_utf8_lossy(&record.block[..end + 2]);
        let http = without(&http, &["Content-Length", "Content-Encoding", "Transfer-Encoding"]);
        block.extend_from_slice(http.as_bytes());
        block.extend_from_slice(b"\r\n");
    }
    block.extend_from_slice(&conversion.block);
    Ok(Some(Record { header: format!("{header}Content-Length: {}\r\n", block.len()), block }))
}

fn without(header: &str, names: &[&str]) -> String {
    let is_kept = |line: &&str| !names.iter().any(|name| value(line, name).is_some());
    header.split_inclusive('\n').filter(is_kept).collect()
}
