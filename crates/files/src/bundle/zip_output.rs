//! The same ZIP file with other contents of some members.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufReader, Write};
use std::sync::Arc;

use absolve_framing::bundle::{
    Descriptor, Directory, DirectoryRecord, FilePart, HAS_DESCRIPTOR, damaged, number, overlap,
};

use crate::bundle::late::{Late, Outcome};
use crate::bundle::replacements::{NewContents, Replaced};
use crate::bundle::zip_headers::{New, directory_record, end, local_header};

/// Writes the ZIP file `file` with new contents of some members, in the order of the file. Nothing else changes but their sizes
/// and checksums, and the offsets of what comes after them.
pub(super) fn write(
    file: &Arc<File>,
    directory: &Directory,
    contents: &NewContents,
    mut late: Option<Late<'_>>,
    output: &mut dyn Write,
) -> io::Result<()> {
    let mut output = ZipOutput { file, directory, output, copied: 0, written: 0 };
    let (mut offsets, mut all) = (BTreeMap::new(), BTreeMap::new());
    for index in directory.order() {
        offsets.insert(index, output.place_of(directory.records[index].offset)?);
        if let Some(replaced) = contents.replaced.get(&index) {
            all.insert(index, output.replace(index, replaced, contents)?);
        } else if let Some(late) = late.as_mut().filter(|late| late.members.contains(&index)) {
            all.extend(output.replace_late(index, late)?.map(|new| (index, new)));
        }
    }
    output.copy_to(directory.start)?;
    let start = output.written;
    let mut records = Vec::new();
    for (index, record) in directory.records.iter().enumerate() {
        let offset = offsets[&index] - directory.before;
        let new = all.get(&index).copied();
        if new.is_none() && offsets[&index] == record.offset {
            records.extend_from_slice(&directory.bytes[record.range.clone()]);
        } else {
            records.extend(directory_record(record, &directory.bytes[record.range.clone()], new, offset)?);
        }
    }
    output.output.write_all(&records)?;
    output.output.write_all(&end(directory, start, records.len()))
}

/// The output, and how much of the file it has.
struct ZipOutput<'o> {
    file: &'o Arc<File>,
    directory: &'o Directory,
    output: &'o mut dyn Write,
    /// The number of bytes of the file that were copied or replaced.
    copied: u64,
    written: u64,
}

impl ZipOutput<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.written += bytes.len() as u64;
        self.output.write_all(bytes)
    }

    /// Returns where the bytes at an offset will be in the output. An error if those before have them, too: a local header may be
    /// longer than its record says.
    fn place_of(&self, offset: u64) -> io::Result<u64> {
        Ok(self.written + offset.checked_sub(self.copied).ok_or_else(overlap)?)
    }

    /// Copies the file up to an offset.
    fn copy_to(&mut self, offset: u64) -> io::Result<()> {
        const BUFFER: usize = 1 << 18;
        self.place_of(offset)?;
        let part = FilePart::new(self.file, self.copied..offset);
        self.written += io::copy(&mut BufReader::with_capacity(BUFFER, part), self.output)?;
        self.copied = offset;
        Ok(())
    }

    /// Writes a member with its new contents in place of the old ones. Returns what has changed.
    fn replace<'r>(&mut self, index: usize, replaced: &'r Replaced, contents: &NewContents) -> io::Result<New<'r>> {
        let packed = replaced.pieces.iter().map(|piece| piece.end - piece.start).sum();
        let new = New { name: replaced.name.as_deref(), crc: replaced.crc, size: replaced.size, packed };
        let record = &self.directory.records[index];
        self.copy_to(record.offset)?;
        let header = record.whole_local_header(self.file)?;
        let descriptor = self.descriptor(record, &header)?;
        self.write(&local_header(&header, record, new)?)?;
        for piece in &replaced.pieces {
            self.written += contents.spool.copy_to(piece.clone(), self.output)?;
        }
        self.end_member(record, &header, descriptor, new)?;
        Ok(new)
    }

    /// Writes a stored member whose new contents come now. Returns what has changed; `None` if that is nothing.
    fn replace_late(&mut self, index: usize, late: &mut Late<'_>) -> io::Result<Option<New<'static>>> {
        let record = &self.directory.records[index];
        self.copy_to(record.offset)?;
        let header = record.whole_local_header(self.file)?;
        let descriptor = self.descriptor(record, &header)?;
        let start = self.written;
        self.write(&header)?;
        self.copied += header.len() as u64;
        let (outcome, Replaced { size, crc, .. }) = late.write(index, self.written, self.output)?;
        match outcome {
            Outcome::Failed => return Ok(None),
            Outcome::Unchanged => {
                self.written += size;
                self.copied += record.packed;
                return Ok(None);
            }
            Outcome::Changed => {}
        }
        let new = New { name: None, crc, size, packed: size };
        let patched = local_header(&header, record, new)?;
        if patched.len() != header.len() {
            return Err(damaged("a member has grown beyond 4 GiB"));
        }
        late.patch(start, &patched, self.output)?;
        self.written += size;
        self.copied = record.offset;
        self.end_member(record, &header, descriptor, new)?;
        Ok(Some(new))
    }

    /// Returns how the sizes after a member are written, if they are there.
    fn descriptor(&self, record: &DirectoryRecord, header: &[u8]) -> io::Result<Option<Descriptor>> {
        let data_end = record.offset + header.len() as u64 + record.packed;
        Ok(match number::<2>(header, 6)? & HAS_DESCRIPTOR {
            0 => None,
            _ => Some(Descriptor::find(self.file, data_end..self.directory.start, record)?),
        })
    }

    /// Ends a member whose old header and contents are next in the file.
    fn end_member(
        &mut self,
        record: &DirectoryRecord,
        header: &[u8],
        descriptor: Option<Descriptor>,
        new: New<'_>,
    ) -> io::Result<()> {
        self.copied += header.len() as u64 + record.packed;
        if let Some(descriptor) = descriptor {
            self.copied += descriptor.length();
            self.write(&descriptor.bytes(new.crc, [new.packed, new.size])?)?;
        }
        Ok(())
    }
}
