//! The same tar file with other contents of some members.

use std::fs::File;
use std::io::{self, BufReader, Write};
use std::ops::Range;
use std::sync::Arc;

use tar::Header;

use crate::bundle::contents::damaged;
use crate::bundle::part::{FilePart, bytes_at};
use crate::bundle::pax::{pax_record, pax_records};
use crate::bundle::replacements::{NewContents, Replaced};
use crate::bundle::tar_headers::{BLOCK, Extension, ExtensionKind, Place, padded};

/// Writes the tar file `file` with new contents of some members, in its order. Nothing else changes but their sizes and checksums.
pub(super) fn write(
    file: &Arc<File>,
    places: &[Place],
    contents: &NewContents,
    output: &mut dyn Write,
) -> io::Result<()> {
    let mut copied = 0;
    for (index, replaced) in &contents.replaced {
        let Place { extensions, header, data } = &places[*index];
        for extension in extensions {
            if let Some(new) = replaced_extension(file, extension, replaced)? {
                copy(file, copied..extension.header, output)?;
                output.write_all(&new)?;
                copied = padded(extension.data.end);
            }
        }
        copy(file, copied..*header, output)?;
        output.write_all(&replaced_header(file, *header, replaced, extensions)?)?;
        copy(file, header + BLOCK..data.start, output)?;
        for piece in &replaced.pieces {
            contents.spool.copy_to(piece.clone(), output)?;
        }
        output.write_all(&padding(replaced.size))?;
        copied = padded(data.end);
    }
    // The file may end without the padding of its last member.
    let end = file.metadata()?.len();
    copy(file, copied.min(end)..end, output)
}

fn copy(file: &Arc<File>, range: Range<u64>, output: &mut dyn Write) -> io::Result<()> {
    const BUFFER: usize = 1 << 18;
    io::copy(&mut BufReader::with_capacity(BUFFER, FilePart::new(file, range)), output).map(drop)
}

fn padding(size: u64) -> Vec<u8> {
    vec![0; (padded(size) - size) as usize]
}

/// Returns an extension with the new size and the new name of its member; `None` if it has neither.
fn replaced_extension(file: &File, extension: &Extension, replaced: &Replaced) -> io::Result<Option<Vec<u8>>> {
    let Extension { kind, header, data } = extension;
    let bytes = bytes_at(file, data.clone())?;
    let new = match (kind, &replaced.name) {
        (ExtensionKind::LongName, Some(name)) => [name, &b"\0"[..]].concat(),
        (ExtensionKind::Records, name) => {
            let size = replaced.size.to_string();
            let record = |(key, value): (&[u8], &[u8])| match (key, name) {
                (b"size", _) => pax_record(key, size.as_bytes()),
                (b"path", Some(name)) => pax_record(key, name),
                _ => pax_record(key, value),
            };
            pax_records(&bytes)?.into_iter().map(record).collect::<Vec<_>>().concat()
        }
        _ => return Ok(None),
    };
    if new == bytes {
        return Ok(None);
    }
    let mut block = bytes_at(file, *header..header + BLOCK)?;
    set_size(&mut block, new.len() as u64)?;
    block.extend_from_slice(&new);
    block.extend(padding(new.len() as u64));
    Ok(Some(block))
}

/// Returns the header of a member with its new size. Its name is replaced there, too, if that is where it is and it has room.
fn replaced_header(file: &File, at: u64, replaced: &Replaced, extensions: &[Extension]) -> io::Result<Vec<u8>> {
    const NAME: usize = 100;
    let mut block = bytes_at(file, at..at + BLOCK)?;
    let is_elsewhere = extensions.iter().any(|extension| extension.kind != ExtensionKind::LongLink);
    if let Some(name) = replaced.name.as_ref().filter(|_| !is_elsewhere) {
        let start = memchr::memrchr(b'/', name).map_or(0, |slash| slash + 1);
        let field = block[..NAME].split(|byte| *byte == 0).next().unwrap_or_default();
        let folder = memchr::memrchr(b'/', field).map_or(0, |slash| slash + 1);
        let new = [&field[..folder], &name[start..]].concat();
        if new.len() <= NAME {
            block[..NAME].fill(0);
            block[..new.len()].copy_from_slice(&new);
        }
    }
    set_size(&mut block, replaced.size)?;
    Ok(block)
}

/// Sets the size and the checksum of a header.
fn set_size(block: &mut [u8], size: u64) -> io::Result<()> {
    let mut header = Header::new_old();
    header.as_mut_bytes().copy_from_slice(block);
    header.set_size(size);
    header.set_cksum();
    if header.entry_size()? != size {
        return Err(damaged("a member is too long for its header"));
    }
    block.copy_from_slice(header.as_bytes());
    Ok(())
}
