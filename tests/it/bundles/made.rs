//! Archives to rewrite: of folders, and of bytes that no program writes.

use std::fs;
use std::io::{Cursor, Read, Write};
use std::path::Path;

use absolve_testing::files;
use flate2::Crc;
use flate2::write::GzEncoder;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipArchive, ZipWriter};

pub(crate) type Failure = Box<dyn std::error::Error>;

/// Names and contents, in their order.
pub(crate) type Members = Vec<(String, Vec<u8>)>;

/// The files of a folder, by their paths in it.
pub(crate) fn files_of(folder: &Path) -> Result<Members, Failure> {
    let mut members = Vec::new();
    for path in files(folder)? {
        let name = path.strip_prefix(folder)?.to_str().ok_or("a name")?.replace('\\', "/");
        members.push((name, fs::read(&path)?));
    }
    Ok(members)
}

/// A ZIP of these files, with times and modes.
pub(crate) fn zip_of(members: &Members, method: CompressionMethod) -> Result<Vec<u8>, Failure> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(method).unix_permissions(0o640);
    let options = options.last_modified_time(DateTime::from_date_and_time(2001, 2, 3, 4, 5, 6)?);
    for (name, bytes) in members {
        writer.start_file(name.as_str(), options)?;
        writer.write_all(bytes)?;
    }
    Ok(writer.finish()?.into_inner())
}

/// A tar file of these files, after an empty folder.
pub(crate) fn tar_of(members: &Members, header: &tar::Header) -> Result<Vec<u8>, Failure> {
    let mut builder = tar::Builder::new(Vec::new());
    for (name, bytes) in members {
        let mut header = header.clone();
        header.set_mode(0o640);
        header.set_mtime(1_234_567_890);
        header.set_size(bytes.len() as u64);
        builder.append_data(&mut header, name, &**bytes)?;
    }
    Ok(builder.into_inner()?)
}

/// The header of a member of a tar file without contents.
pub(crate) fn tar_header(name: &str, entry_type: tar::EntryType, target: &str) -> Result<Vec<u8>, Failure> {
    let mut header = tar::Header::new_gnu();
    header.set_path(name)?;
    header.set_entry_type(entry_type);
    header.set_size(0);
    if !target.is_empty() {
        header.set_link_name_literal(target)?;
    }
    header.set_cksum();
    Ok(header.as_bytes().to_vec())
}

/// A tar file of these files, each with records of pax before it.
pub(crate) fn posix_tar_of(members: &Members, records: &[(&str, &[u8])]) -> Result<Vec<u8>, Failure> {
    let mut builder = tar::Builder::new(Vec::new());
    for (name, bytes) in members {
        let mut header = tar::Header::new_ustar();
        header.set_size(bytes.len() as u64);
        builder.append_pax_extensions(records.iter().copied())?;
        builder.append_data(&mut header, name, &**bytes)?;
    }
    Ok(builder.into_inner()?)
}

pub(crate) fn gzip(bytes: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes)?;
    encoder.finish()
}

pub(crate) fn unzipped(archive: &[u8]) -> Result<Members, Failure> {
    let mut zip = ZipArchive::new(Cursor::new(archive))?;
    let mut members = Vec::new();
    for index in 0..zip.len() {
        let mut file = zip.by_index(index)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        members.push((file.name()?.into_owned(), bytes));
    }
    Ok(members)
}

pub(crate) fn untarred(archive: &[u8]) -> Result<Members, Failure> {
    let mut members = Vec::new();
    for entry in tar::Archive::new(archive).entries()? {
        let mut entry = entry?;
        let mut bytes = Vec::new();
        let name = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
        if entry.header().entry_type().is_file() {
            entry.read_to_end(&mut bytes)?;
            members.push((name, bytes));
        }
    }
    Ok(members)
}

/// A stored member of a ZIP file, as its headers have it.
#[derive(Clone)]
pub(crate) struct Odd {
    pub(crate) name: Vec<u8>,
    pub(crate) bytes: Vec<u8>,
    pub(crate) flags: u16,
    pub(crate) method: u16,
    /// What is added to its checksum.
    pub(crate) wrong: u32,
    /// Whether its sizes are in the extra field.
    pub(crate) is_long: bool,
    /// What else is in the extra field.
    pub(crate) extra: Vec<u8>,
}

pub(crate) const PAGE: &[u8] = b"<a href=x>";

/// A page.
pub(crate) fn odd(name: &[u8]) -> Odd {
    Odd { name: name.to_vec(), bytes: PAGE.to_vec(), flags: 0, method: 0, wrong: 0, is_long: false, extra: Vec::new() }
}

/// A ZIP of them. Bit 3 of the flags puts their sizes after them.
pub(crate) fn odd_zip(members: &[Odd]) -> Vec<u8> {
    let (mut archive, mut directory) = (Vec::new(), Vec::new());
    for Odd { name, bytes, flags, method, wrong, is_long, extra } in members {
        let mut crc = Crc::new();
        crc.update(bytes);
        let crc = crc.sum().wrapping_add(*wrong);
        let size = bytes.len() as u32;
        let is_later = flags & 8 != 0;
        let long =
            if *is_long { [&[1, 0, 16, 0][..], &u64::from(size).to_le_bytes().repeat(2)].concat() } else { Vec::new() };
        let long = [long, extra.clone()].concat();
        let shown = if *is_long { u32::MAX } else { size };
        let start = archive.len() as u32;
        let numbers = |crc: u32, size: u32| [crc.to_le_bytes(), size.to_le_bytes(), size.to_le_bytes()].concat();
        let head = [&flags.to_le_bytes()[..], &method.to_le_bytes(), &[6, 0, 67, 50]].concat();
        let lengths = [(name.len() as u16).to_le_bytes(), (long.len() as u16).to_le_bytes()].concat();
        let local = if is_later { numbers(0, 0) } else { numbers(crc, shown) };
        archive.extend([b"PK\x03\x04\x14\0", &head[..], &local, &lengths, name, &long, bytes].concat());
        if is_later {
            archive.extend([b"PK\x07\x08", &numbers(crc, size)[..]].concat());
        }
        directory.extend([b"PK\x01\x02\x14\x03\x14\0", &head[..], &numbers(crc, shown), &lengths, &[0; 6]].concat());
        directory.extend([&(0o100_640_u32 << 16).to_le_bytes()[..], &start.to_le_bytes(), name, &long].concat());
    }
    let counts = (members.len() as u16).to_le_bytes().repeat(2);
    let places = [(directory.len() as u32).to_le_bytes(), (archive.len() as u32).to_le_bytes()].concat();
    [&archive, &directory, &b"PK\x05\x06\0\0\0\0"[..], &counts, &places, &[7, 0], b"comment"].concat()
}
