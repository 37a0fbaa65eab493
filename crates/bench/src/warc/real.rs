//! Records of the corpora, read as roughly as a benchmark may.

use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::{fs, io};

use flate2::read::MultiGzDecoder;
use memchr::memmem;

use crate::corpora;

const FOLDERS: [&str; 4] = ["warc-aut-blackbook", "warc-commons-wget", "warc-jwarc", "wacz-py-wacz"];

/// A record: its heading, to the end of its last field, and its block.
#[derive(Clone, Debug)]
pub(super) struct Record {
    pub(super) heading: String,
    pub(super) block: Vec<u8>,
}

/// The records of the web archives that are there, file by file.
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

/// The records of an archive, up to one that is not as they should be.
pub(super) fn records(mut rest: &[u8]) -> Vec<Record> {
    let mut records = Vec::new();
    while let Some((record, length)) = first_record(rest) {
        records.push(record);
        rest = &rest[length..];
    }
    records
}

/// The first record, and its length with the line ends behind it.
fn first_record(bytes: &[u8]) -> Option<(Record, usize)> {
    let heading_end = memmem::find(bytes, b"\r\n\r\n")? + 2;
    let heading = str::from_utf8(&bytes[..heading_end]).ok().filter(|heading| heading.starts_with("WARC/"))?;
    let length: usize = heading.lines().find_map(|line| value(line, "Content-Length")?.parse().ok())?;
    let block = bytes.get(heading_end + 2..)?.get(..length)?;
    let record = Record { heading: heading.to_owned(), block: block.to_vec() };
    Some((record, heading_end + 2 + length + 4)).filter(|(_, length)| *length <= bytes.len())
}

/// The value of a field, if the line is that field.
pub(super) fn value<'l>(line: &'l str, name: &str) -> Option<&'l str> {
    let (found, value) = line.split_once(':')?;
    found.eq_ignore_ascii_case(name).then(|| value.trim())
}
