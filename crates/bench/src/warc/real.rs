//! Records of the corpora, parsed as simply as a benchmark may.

use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::{fs, io};

use flate2::read::MultiGzDecoder;
use memchr::memmem;

use crate::corpora;

const FOLDERS: [&str; 4] = ["warc-aut-blackbook", "warc-commons-wget", "warc-jwarc", "wacz-py-wacz"];

/// A record: its header, to the end of its last field, and its block.
#[derive(Clone, Debug)]
pub(super) struct Record {
    pub(super) header: String,
    pub(super) block: Vec<u8>,
}

/// Returns the records of the web archives that exist, by file.
pub(super) fn files(root: &Path) -> io::Result<Vec<Vec<Record>>> {
    let mut found = Vec::new();
    for folder in FOLDERS.map(|name| root.join(name)).iter().filter(|folder| folder.exists()) {
        for file in corpora::files(folder)? {
            let name = file.to_string_lossy();
            if name.ends_with(".warc") {
                found.push(records(&fs::read(&file)?));
            } else if name.ends_with(".warc.gz") {
                let mut archive = Vec::new();
                MultiGzDecoder::new(File::open(&file)?).read_to_end(&mut archive)?;
                found.push(records(&archive));
            }
        }
    }
    found.retain(|records| !records.is_empty());
    Ok(found)
}

/// Returns the records of an archive, up to the first malformed one.
pub(super) fn records(mut rest: &[u8]) -> Vec<Record> {
    let mut records = Vec::new();
    while let Some((record, length)) = first_record(rest) {
        records.push(record);
        rest = &rest[length..];
    }
    records
}

/// Returns the first record, and its length including the line ends that follow it.
fn first_record(bytes: &[u8]) -> Option<(Record, usize)> {
    let header_end = memmem::find(bytes, b"\r\n\r\n")? + 2;
    let header = str::from_utf8(&bytes[..header_end]).ok().filter(|header| header.starts_with("WARC/"))?;
    let length: usize = header.lines().find_map(|line| value(line, "Content-Length")?.parse().ok())?;
    let block = bytes.get(header_end + 2..)?.get(..length)?;
    let record = Record { header: header.to_owned(), block: block.to_vec() };
    Some((record, header_end + 2 + length + 4)).filter(|(_, length)| *length <= bytes.len())
}

/// Returns the value of a field if the line is that field.
pub(super) fn value<'l>(line: &'l str, name: &str) -> Option<&'l str> {
    let (found, value) = line.split_once(':')?;
    found.eq_ignore_ascii_case(name).then(|| value.trim())
}
