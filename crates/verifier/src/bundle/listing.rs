//! The lists of members, by rawzip and by tar.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::ops::Range;

use flate2::CrcWriter;
use rawzip::{CompressionMethod, FileReader, RECOMMENDED_BUFFER_SIZE, ZipArchive, ZipLocator};

use crate::bundle::around::{Places, add_around};
use crate::bundle::listed::{Link, Listed, Packing, Properties, words};

/// Returns the members of a file: a tar if it begins like one, else a ZIP if its end is that of one. Returns the properties of
/// what is around the members of a ZIP, too.
pub(super) fn listed(mut file: &File) -> io::Result<(Vec<Listed>, Properties)> {
    let label = label(file)?;
    file.rewind()?;
    if label.is_some() || matches!(tar::Archive::new(file).entries()?.next(), Some(Ok(_))) {
        return Ok((in_tar(file, label)?, Vec::new()));
    }
    let mut buffer = vec![0; RECOMMENDED_BUFFER_SIZE];
    match zip_in(file, &mut buffer)? {
        Some(archive) => in_zip(&archive, file, &mut buffer),
        None => Ok((in_tar(file, None)?, Vec::new())),
    }
}

/// Returns the ZIP that a file ends with. What looks like the end of one within its comment is passed over.
fn zip_in(file: &File, buffer: &mut [u8]) -> io::Result<Option<ZipArchive<FileReader>>> {
    let mut end = file.metadata()?.len();
    loop {
        match ZipLocator::new().locate_in_reader(FileReader::from(file.try_clone()?), buffer, end) {
            Ok(archive) => return Ok(Some(archive)),
            Err((_, error)) => match error.eocd_offset().filter(|at| *at < end) {
                Some(at) => end = at,
                None => return Ok(None),
            },
        }
    }
}

fn in_zip(archive: &ZipArchive<FileReader>, file: &File, buffer: &mut [u8]) -> io::Result<(Vec<Listed>, Properties)> {
    let (mut members, mut places) = (Vec::new(), Vec::new());
    let mut entries = archive.entries(buffer);
    loop {
        let entry = match entries.next_entry() {
            Ok(Some(entry)) => entry,
            Ok(None) => break,
            // What follows the entries is no entry.
            Err(_) if members.len() as u64 == archive.entries_hint() => break,
            Err(error) => return Err(io::Error::other(error)),
        };
        let method = entry.compression_method();
        let name = entry.file_path().as_ref().to_vec();
        let program = entry.version_made_by();
        let properties = vec![
            ("method", method.to_string()),
            ("mode", format!("{:o}, attributes {:x}", entry.mode().value(), entry.external_attributes())),
            ("time", entry.last_modified().to_string()),
            ("flags", format!("{:x}", entry.flags().bits())),
            ("program", format!("{}, version {}", program.creator_system(), program.zip_version())),
            ("comment", words(entry.comment().as_bytes())),
        ];
        let packing = match method {
            _ if entry.flags().is_encrypted() => Packing::Other,
            CompressionMethod::STORE => Packing::Stored,
            CompressionMethod::DEFLATE => Packing::Deflated,
            _ => Packing::Other,
        };
        let (start, end) = archive.get_entry(entry.wayfinder()).map_err(io::Error::other)?.compressed_data_range();
        places.push(Places { local: entry.local_header_offset(), record: entry.central_directory_offset() });
        members.push(Listed {
            name,
            properties,
            link: if entry.mode().is_symlink() { Link::Symbolic(Vec::new()) } else { Link::None },
            packing,
            range: start..end,
            size: entry.uncompressed_size_hint(),
            crc: Some(entry.crc32()),
        });
    }
    let around = add_around(archive, file, &mut members, &places)?;
    Ok((members, around))
}

/// The bytes of a header of a tar; contents are padded to as many.
pub(super) const BLOCK: u64 = 512;

/// Returns the header with the name of a tar file, if it begins with one.
fn label(mut file: &File) -> io::Result<Option<Vec<u8>>> {
    const TYPE: usize = 156;
    let mut block = Vec::new();
    file.rewind()?;
    file.take(BLOCK).read_to_end(&mut block)?;
    let is_label = block.len() == BLOCK as usize && block[TYPE] == b'V' && has_checksum(&block);
    Ok(Some(block).filter(|_| is_label))
}

/// Returns whether a header has its checksum, which counts its own bytes as spaces.
fn has_checksum(block: &[u8]) -> bool {
    const CHECKSUM: Range<usize> = 148..156;
    let counted = |(at, byte): (usize, &u8)| if CHECKSUM.contains(&at) { u32::from(b' ') } else { u32::from(*byte) };
    let written = tar::Header::from_byte_slice(block).cksum();
    written.is_ok_and(|written| written == block.iter().enumerate().map(counted).sum::<u32>())
}

/// A file after its first bytes, from which the reader of a tar counts.
struct AfterLabel<'f> {
    file: &'f File,
    first: u64,
}

impl Read for AfterLabel<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.file.read(buffer)
    }
}

impl Seek for AfterLabel<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let to = match to {
            SeekFrom::Start(at) => SeekFrom::Start(at + self.first),
            relative => relative,
        };
        Ok(self.file.seek(to)? - self.first)
    }
}

/// Returns the members of a tar file after its label. A label and records for all members belong to each member after them.
fn in_tar(mut file: &File, label: Option<Vec<u8>>) -> io::Result<Vec<Listed>> {
    let first = label.as_ref().map_or(0, |_| BLOCK);
    file.seek(SeekFrom::Start(first))?;
    let mut before = CrcWriter::new(io::sink());
    before.write_all(&label.unwrap_or_default())?;
    let mut members = Vec::new();
    let mut archive = tar::Archive::new(AfterLabel { file, first });
    for entry in archive.entries_with_seek()? {
        let mut entry = entry?;
        if entry.header().entry_type().is_pax_global_extensions() {
            io::copy(&mut entry, &mut before)?;
            continue;
        }
        let records = entry.pax_extensions()?.into_iter().flatten().filter_map(Result::ok);
        let records = records.filter(|record| !matches!(record.key_bytes(), b"size" | b"path"));
        let records: Vec<String> =
            records.map(|record| format!("{}: {}", words(record.key_bytes()), words(record.value_bytes()))).collect();
        let header = entry.header();
        let id = |id: io::Result<u64>| number(id, |id| id.to_string());
        let name = |name: Option<&[u8]>| name.map(words).unwrap_or_default();
        let properties = vec![
            ("type", type_name(header.entry_type())),
            ("mode", number(header.mode(), |mode| format!("{mode:o}"))),
            ("time", number(header.mtime(), |time| format!("{time} seconds after 1970"))),
            ("owner", id(header.uid())),
            ("group", id(header.gid())),
            ("name of the owner", name(header.username_bytes())),
            ("name of the group", name(header.groupname_bytes())),
            ("target", name(entry.link_name_bytes().as_deref())),
            ("record", records.join(", ")),
            ("header before it", before.crc().sum().to_string()),
        ];
        let target = entry.link_name_bytes().map(Cow::into_owned).unwrap_or_default();
        let link = match header.entry_type() {
            tar::EntryType::Symlink => Link::Symbolic(target),
            tar::EntryType::Link => Link::Hard(target),
            _ => Link::None,
        };
        let is_sparse = header.entry_type().is_gnu_sparse();
        let length = if is_sparse { header.entry_size()? } else { entry.size() };
        let start = first + entry.raw_file_position();
        members.push(Listed {
            name: entry.path_bytes().into_owned(),
            properties,
            link,
            packing: if is_sparse { Packing::Other } else { Packing::Stored },
            range: start..start + length,
            size: length,
            crc: None,
        });
    }
    Ok(members)
}

/// Returns a number of a header as text, if it is one.
fn number<T>(found: io::Result<T>, text: impl Fn(T) -> String) -> String {
    found.map_or_else(|_| "no number".to_owned(), text)
}

fn type_name(entry_type: tar::EntryType) -> String {
    match entry_type {
        tar::EntryType::Regular => "file".to_owned(),
        tar::EntryType::Directory => "folder".to_owned(),
        tar::EntryType::Link => "hard link".to_owned(),
        tar::EntryType::Symlink => "symbolic link".to_owned(),
        other => format!("{:02x}", other.as_byte()),
    }
}
