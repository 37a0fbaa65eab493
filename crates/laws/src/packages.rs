//! Properties of web archives in a ZIP.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Cursor, Read, Write};
use std::path::Path;
use std::sync::LazyLock;
use std::time::SystemTime;

use absolve_containers::{ArchiveOptions, WarcOutput};
use absolve_files::{Action, Destination, FileError, Output, Selection, collect, inspect_all, rewrite_all};
use flate2::Compression;
use flate2::read::GzEncoder;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

use crate::rewritten::check_twice;

type Members = BTreeMap<String, Vec<u8>>;

/// Checks any bytes as a WACZ, and as the content of one: without changes the copy is equal; otherwise all but
/// archives, their indexes and digests is equal, index rows lead to records, and a second run changes nothing. Returns
/// the number of changed documents.
pub fn wacz(bytes: &[u8]) -> usize {
    let made = made(bytes).expect("a ZIP is made in memory");
    check(bytes).and_then(|count| Ok(count + check(&made)?)).expect("files can be written")
}

fn check(bytes: &[u8]) -> io::Result<usize> {
    let folder = tempfile::tempdir()?;
    let [input, output, again] = ["a.wacz", "b.wacz", "c.wacz"].map(|name| folder.path().join(name));
    fs::write(&input, bytes)?;
    let Some((changed, written)) = check_twice(derived, [&input, &output, &again])? else { return Ok(0) };
    let (old, new) = (members(bytes)?, members(&written)?);
    assert!(old.keys().eq(new.keys()), "files have come or gone");
    let stays = |name: &str| !["archive/", "indexes/", "datapackage"].iter().any(|start| name.starts_with(start));
    assert!(old.iter().all(|(name, bytes)| !stays(name) || new[name] == *bytes), "a file has changed");
    let rows = |members: &Members| members.get(INDEX).map(|rows| String::from_utf8_lossy(rows).into_owned());
    let archives: Vec<_> = new.iter().filter(|(name, _)| name.starts_with("archive/")).collect();
    if let (Some(rows), [(_, archive)]) = (rows(&new), &archives[..]) {
        let places = rows.lines().filter(|row| row.starts_with(KEY)).filter_map(offset);
        let begins = |at: usize| {
            archive[at.min(archive.len())..].starts_with(b"WARC/") || archive[at..].starts_with(&[0x1f, 0x8b])
        };
        places.for_each(|at| assert!(begins(at), "a row leads to no record: {rows}"));
    }
    Ok(changed)
}

/// Derives a WACZ; returns the number of changed documents.
fn derived(input: &Path, output: &Path) -> io::Result<usize> {
    static OPTIONS: LazyLock<ArchiveOptions> = LazyLock::new(|| {
        let mut options = ArchiveOptions::default();
        options.output = WarcOutput::Resource;
        options.date = Some(SystemTime::UNIX_EPOCH);
        options
    });
    let collection = collect(input, &Selection::default());
    let is_bug = |error: &FileError| error.action == Action::Rewrite;
    let entries = &collection.entries;
    let seen = inspect_all(entries, &OPTIONS, &|_, _, entity| entity.parts.len(), &mut |_| Ok(()), &|_| {})?;
    assert!(!seen.errors.iter().any(is_bug), "a panic");
    let destination = Destination::File(output.to_owned());
    let report = rewrite_all(collection, &OPTIONS, Output::to(&destination), &|_| {});
    assert!(!report.errors.iter().any(is_bug), "a panic");
    Ok(report.archives.resources as usize)
}

const INDEX: &str = "indexes/index.cdxj";

/// Checks that index rows lead to records.
const KEY: &str = "row ";

fn offset(row: &str) -> Option<usize> {
    row.split_once("\"offset\":\"")?.1.split('"').next()?.parse().ok()
}

/// Returns a WACZ of the stretches between lines of two hyphens: an archive, index rows, descriptions, a list of pages.
/// The first byte selects whether the records of the archive are compressed.
fn made(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let is_plain = bytes.first().is_none_or(|first| *first != b'z');
    let mut parts = split(bytes.strip_prefix(b"z").unwrap_or(bytes), b"\n--\n").into_iter();
    let name = if is_plain { "data.warc" } else { "data.warc.gz" };
    let (mut archive, mut rows) = (Vec::new(), Vec::new());
    for (number, record) in records(parts.next().unwrap_or_default()).into_iter().enumerate() {
        let record = if is_plain { record.to_vec() } else { gzip(record)? };
        let (offset, length) = (archive.len(), record.len());
        let row =
            format!("{KEY}{number} {{\"filename\":\"{name}\",\"offset\":\"{offset}\",\"length\":\"{length}\"}}\n");
        rows.extend(row.into_bytes());
        archive.extend(record);
    }
    rows.extend_from_slice(parts.next().unwrap_or_default());
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let files = [(format!("archive/{name}"), archive), (INDEX.to_owned(), rows)];
    let rest = ["datapackage.json", "datapackage-digest.json", "pages/pages.jsonl"].map(str::to_owned).into_iter();
    for (name, bytes) in files.into_iter().chain(rest.zip(parts.map(<[u8]>::to_vec))) {
        writer.start_file(name, SimpleFileOptions::default().compression_method(CompressionMethod::Stored))?;
        writer.write_all(&bytes)?;
    }
    Ok(writer.finish()?.into_inner())
}

/// Returns the stretches between separators.
fn split<'b>(bytes: &'b [u8], separator: &[u8]) -> Vec<&'b [u8]> {
    let (mut parts, mut at) = (Vec::new(), 0);
    for found in memchr::memmem::find_iter(bytes, separator) {
        parts.push(&bytes[at..found]);
        at = found + separator.len();
    }
    parts.push(&bytes[at..]);
    parts
}

/// Returns bytes that may be the records of an archive.
fn records(archive: &[u8]) -> Vec<&[u8]> {
    let mut begins: Vec<usize> = memchr::memmem::find_iter(archive, b"\r\n\r\nWARC/1.").map(|at| at + 4).collect();
    begins.push(archive.len());
    let mut at = 0;
    begins.into_iter().map(|begin| &archive[std::mem::replace(&mut at, begin)..begin]).collect()
}

fn gzip(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut member = Vec::new();
    GzEncoder::new(bytes, Compression::fast()).read_to_end(&mut member)?;
    Ok(member)
}

fn members(wacz: &[u8]) -> io::Result<Members> {
    let mut zip = ZipArchive::new(Cursor::new(wacz))?;
    let mut members = BTreeMap::new();
    for index in 0..zip.len() {
        let mut file = zip.by_index(index)?;
        let (name, mut bytes) = (String::from_utf8_lossy(file.name_raw()).into_owned(), Vec::new());
        // Other compressions are copied.
        if file.compression() == CompressionMethod::Stored || file.compression() == CompressionMethod::Deflated {
            let _ = file.read_to_end(&mut bytes);
        }
        members.insert(name, bytes);
    }
    Ok(members)
}
