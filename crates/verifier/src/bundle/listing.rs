//! The lists of members, by rawzip and by tar.

use std::fs::File;
use std::io::{self, Seek};
use std::ops::Range;

use rawzip::{CompressionMethod, RECOMMENDED_BUFFER_SIZE, ZipArchive};

/// A member of a bundle.
#[derive(Debug)]
pub(super) struct Listed {
    pub(super) name: Vec<u8>,
    /// All that a run keeps, by its name.
    pub(super) properties: Vec<(&'static str, String)>,
    pub(super) packing: Packing,
    /// Where its packed contents are.
    pub(super) range: Range<u64>,
    pub(super) size: u64,
    pub(super) crc: Option<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Packing {
    Stored,
    Deflated,
    Other,
}

/// Returns the members of a file: a ZIP if its end is that of one, else a tar.
pub(super) fn listed(file: &File) -> io::Result<Vec<Listed>> {
    let mut buffer = vec![0; RECOMMENDED_BUFFER_SIZE];
    match ZipArchive::from_file(file.try_clone()?, &mut buffer) {
        Ok(archive) => in_zip(&archive, &mut buffer).map_err(io::Error::other),
        Err(_) => in_tar(file),
    }
}

fn in_zip(archive: &ZipArchive<rawzip::FileReader>, buffer: &mut [u8]) -> Result<Vec<Listed>, rawzip::Error> {
    const ZIP64: u16 = 1;
    let mut members = Vec::new();
    let mut entries = archive.entries(buffer);
    while let Some(entry) = entries.next_entry()? {
        let method = entry.compression_method();
        let extra = entry.extra_fields().filter(|(id, _)| id.as_u16() != ZIP64);
        let extra: Vec<String> =
            extra.map(|(id, bytes)| format!("{:04x}: {}", id.as_u16(), hexadecimal(bytes))).collect();
        let program = entry.version_made_by();
        let properties = vec![
            ("method", method.to_string()),
            ("mode", format!("{:o}, attributes {:x}", entry.mode().value(), entry.external_attributes())),
            ("time", entry.last_modified().to_string()),
            ("flags", format!("{:x}", entry.flags().bits())),
            ("program", format!("{}, version {}", program.creator_system(), program.zip_version())),
            ("extra field", extra.join(", ")),
            ("comment", words(entry.comment().as_bytes())),
        ];
        let packing = match method {
            _ if entry.flags().is_encrypted() => Packing::Other,
            CompressionMethod::STORE => Packing::Stored,
            CompressionMethod::DEFLATE => Packing::Deflated,
            _ => Packing::Other,
        };
        let (start, end) = archive.get_entry(entry.wayfinder())?.compressed_data_range();
        members.push(Listed {
            name: entry.file_path().as_ref().to_vec(),
            properties,
            packing,
            range: start..end,
            size: entry.uncompressed_size_hint(),
            crc: Some(entry.crc32()),
        });
    }
    Ok(members)
}

fn in_tar(mut file: &File) -> io::Result<Vec<Listed>> {
    file.rewind()?;
    let mut members = Vec::new();
    let mut archive = tar::Archive::new(file);
    for entry in archive.entries_with_seek()? {
        let mut entry = entry?;
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
        ];
        let is_sparse = header.entry_type().is_gnu_sparse();
        let length = if is_sparse { header.entry_size()? } else { entry.size() };
        let start = entry.raw_file_position();
        members.push(Listed {
            name: entry.path_bytes().into_owned(),
            properties,
            packing: if is_sparse { Packing::Other } else { Packing::Stored },
            range: start..start + length,
            size: length,
            crc: None,
        });
    }
    Ok(members)
}

/// Returns bytes as text; those that are none as hexadecimal digits.
fn words(bytes: &[u8]) -> String {
    str::from_utf8(bytes).map_or_else(|_| format!("the bytes {}", hexadecimal(bytes)), str::to_owned)
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
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
