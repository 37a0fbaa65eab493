//! The same tar file with other contents of some members.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, BufReader, Write};
use std::ops::Range;
use std::sync::Arc;

use absolve_framing::bundle::{
    BLOCK, Extension, ExtensionKind, FilePart, TarMember, bytes_at, damaged, padded, pax_record, pax_records,
};
use tar::Header;

use crate::bundle::late::{Late, Outcome};
use crate::bundle::replacements::{NewContents, Replaced};

/// Writes the tar file `file` with new contents of some members, in its order. Nothing else changes but their sizes and checksums.
pub(super) fn write(
    file: &Arc<File>,
    places: &[TarMember],
    contents: &NewContents,
    mut late: Option<Late<'_>>,
    output: &mut dyn Write,
) -> io::Result<()> {
    let (mut copied, mut written) = (0, 0);
    let later = late.as_ref().map(|late| late.members.clone()).unwrap_or_default();
    let order: BTreeSet<usize> = contents.replaced.keys().copied().chain(later).collect();
    for index in order {
        let place = &places[index];
        let TarMember { extensions, header, data, .. } = place;
        let Some(replaced) = contents.replaced.get(&index) else {
            let Some(late) = &mut late else { continue };
            written += copy(file, copied..data.start, output)?;
            copied = data.start;
            let (outcome, replaced) = late.write(index, written, output)?;
            if outcome == Outcome::Failed {
                continue;
            }
            output.write_all(&padding(replaced.size))?;
            if outcome == Outcome::Changed {
                let new = replaced_header(file, place, &replaced)?;
                late.patch(written - (data.start - header), &new, output)?;
            }
            written += padded(replaced.size);
            copied = padded(data.end);
            continue;
        };
        for extension in extensions {
            if let Some(new) = replaced_extension(file, extension, replaced)? {
                written += copy(file, copied..extension.header, output)? + new.len() as u64;
                output.write_all(&new)?;
                copied = padded(extension.data.end);
            }
        }
        written += copy(file, copied..*header, output)?;
        output.write_all(&replaced_header(file, place, replaced)?)?;
        written += BLOCK + copy(file, header + BLOCK..data.start, output)? + padded(replaced.size);
        for piece in &replaced.pieces {
            contents.spool.copy_to(piece.clone(), output)?;
        }
        output.write_all(&padding(replaced.size))?;
        copied = padded(data.end);
    }
    copy(file, copied..file.metadata()?.len(), output).map(drop)
}

fn copy(file: &Arc<File>, range: Range<u64>, output: &mut dyn Write) -> io::Result<u64> {
    const BUFFER: usize = 1 << 18;
    io::copy(&mut BufReader::with_capacity(BUFFER, FilePart::new(file, range)), output)
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

/// Returns the header of a member with its new size, and with its new name if that is where it is.
fn replaced_header(file: &File, place: &TarMember, replaced: &Replaced) -> io::Result<Vec<u8>> {
    let mut block = bytes_at(file, place.header..place.header + BLOCK)?;
    if let Some(name) = replaced.name.as_ref().filter(|_| !place.has_long_name) {
        let new = name_field(&block, name).ok_or_else(|| damaged("a name is too long for its header"))?;
        block[..NAME].fill(0);
        block[..new.len()].copy_from_slice(&new);
    }
    set_size(&mut block, replaced.size)?;
    Ok(block)
}

/// The bytes of the field with a name, or with its end.
const NAME: usize = 100;

/// Returns the field of a header with the last segment of another name; `None` if it has no room for that.
fn name_field(block: &[u8], name: &[u8]) -> Option<Vec<u8>> {
    let start = memchr::memrchr(b'/', name).map_or(0, |slash| slash + 1);
    let field = block[..NAME].split(|byte| *byte == 0).next().unwrap_or_default();
    let folder = memchr::memrchr(b'/', field).map_or(0, |slash| slash + 1);
    Some([&field[..folder], &name[start..]].concat()).filter(|new| new.len() <= NAME)
}

/// Returns whether the headers of a member have room for a name with this last segment.
pub(super) fn has_room_for(file: &File, place: &TarMember, segment: &[u8]) -> bool {
    let block = || bytes_at(file, place.header..place.header + BLOCK);
    // An error of the file is reported when the member is read.
    place.has_long_name || block().map_or(true, |block| name_field(&block, segment).is_some())
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
