//! Web archives and ZIP files as they stand in cases.

use std::io::{Cursor, Write};

use serde::Deserialize;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use super::case::Content;

type Failure = Box<dyn std::error::Error>;

/// The records of an archive.
#[derive(Deserialize)]
#[serde(untagged)]
pub(crate) enum Archive {
    Warc { warc: Vec<Record> },
    Arc { arc: Vec<Record> },
}

/// A record: its header without the length, and its block. Those that are lines end in CRLF, but for the last one of a block.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Record {
    /// The fields of a WARC record, behind its version, its id and its date; of an ARC, the one line without the length.
    header: Vec<String>,
    block: Block,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Block {
    Lines(Vec<String>),
    /// Lines of a header, and the content behind it.
    Content {
        head: Vec<String>,
        content: Box<Content>,
    },
}

impl Block {
    fn bytes(&self) -> Result<Vec<u8>, Failure> {
        Ok(match self {
            Self::Lines(lines) => lines.join("\r\n").into_bytes(),
            Self::Content { head, content } => {
                let head: String = head.iter().map(|line| format!("{line}\r\n")).collect();
                [head.as_bytes(), b"\r\n", &content.bytes()?].concat()
            }
        })
    }
}

impl Archive {
    pub(crate) fn bytes(&self) -> Result<Vec<u8>, Failure> {
        let (Self::Warc { warc: records } | Self::Arc { arc: records }) = self;
        let mut archive = Vec::new();
        for (Record { header, block }, number) in records.iter().zip(1..) {
            let block = block.bytes()?;
            match self {
                Self::Warc { .. } => {
                    let id = format!("<urn:uuid:00000000-0000-4000-8000-{number:012}>");
                    write!(archive, "WARC/1.1\r\nWARC-Record-ID: {id}\r\nWARC-Date: 2020-01-01T00:00:0{number}Z\r\n")?;
                    header.iter().try_for_each(|line| write!(archive, "{line}\r\n"))?;
                    write!(archive, "Content-Length: {}\r\n\r\n", block.len())?;
                    archive.extend([&block[..], b"\r\n\r\n"].concat());
                }
                Self::Arc { .. } => {
                    writeln!(archive, "{} {}", header.join(" "), block.len())?;
                    archive.extend([&block[..], b"\n"].concat());
                }
            }
        }
        Ok(archive)
    }
}

/// Returns a ZIP file with these members, which are not compressed.
pub(crate) fn zipped(members: &[(&str, Vec<u8>)]) -> Result<Vec<u8>, Failure> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let stored = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    for (path, bytes) in members {
        writer.start_file(*path, stored)?;
        writer.write_all(bytes)?;
    }
    Ok(writer.finish()?.into_inner())
}
