//! The same ZIP file with other contents of some members.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufReader, Write};
use std::sync::Arc;

use crate::bundle::deflate::{Deflated, deflated};
use crate::bundle::fields::number;
use crate::bundle::part::FilePart;
use crate::bundle::replacements::{NewContents, Replaced};
use crate::bundle::zip_directory::{DEFLATED, Directory, HAS_DESCRIPTOR, Record};
use crate::bundle::zip_headers::{Descriptor, New, end, local_header};

/// Writes the ZIP file `file` with new contents of some members, in the order of the file. Nothing else changes but their sizes
/// and checksums, and the offsets of what comes after them.
pub(super) fn write(
    file: &Arc<File>,
    directory: &Directory,
    contents: &NewContents,
    output: &mut dyn Write,
) -> io::Result<()> {
    let is_deflated = |member: usize| directory.records[member].method == DEFLATED;
    let deflated = deflated(contents, &is_deflated)?;
    let mut output = Output { file, output, copied: 0, written: 0 };
    let mut offsets = BTreeMap::new();
    for index in directory.order() {
        let record = &directory.records[index];
        offsets.insert(index, record.offset - output.copied + output.written);
        if let Some(replaced) = contents.replaced.get(&index) {
            output.copy_to(record.offset)?;
            output.replace((index, record), replaced, contents, &deflated, directory.start)?;
        }
    }
    output.copy_to(directory.start)?;
    let start = output.written;
    let mut records = Vec::new();
    for (index, record) in directory.records.iter().enumerate() {
        let offset = offsets[&index] - directory.before;
        let new = contents.replaced.get(&index).map(|replaced| New::of(index, replaced, &deflated));
        if new.is_none() && offsets[&index] == record.offset {
            records.extend_from_slice(&directory.bytes[record.range.clone()]);
        } else {
            records.extend(record.with(&directory.bytes[record.range.clone()], new, offset)?);
        }
    }
    output.output.write_all(&records)?;
    output.output.write_all(&end(directory, start, records.len()))
}

/// The output, and how much of the file it has.
struct Output<'o> {
    file: &'o Arc<File>,
    output: &'o mut dyn Write,
    /// The number of bytes of the file that were copied or replaced.
    copied: u64,
    written: u64,
}

impl Output<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.written += bytes.len() as u64;
        self.output.write_all(bytes)
    }

    /// Copies the file up to an offset.
    fn copy_to(&mut self, offset: u64) -> io::Result<()> {
        const BUFFER: usize = 1 << 18;
        let part = FilePart::new(self.file, self.copied..offset);
        self.written += io::copy(&mut BufReader::with_capacity(BUFFER, part), self.output)?;
        self.copied = offset;
        Ok(())
    }

    /// Writes a member with its new contents in place of the old ones.
    fn replace(
        &mut self,
        (index, record): (usize, &Record),
        replaced: &Replaced,
        contents: &NewContents,
        deflated: &Deflated,
        directory_start: u64,
    ) -> io::Result<()> {
        let new = New::of(index, replaced, deflated);
        let header = record.whole_local_header(self.file)?;
        let data_end = self.copied + header.len() as u64 + record.packed;
        let descriptor = match number::<2>(&header, 6)? & HAS_DESCRIPTOR {
            0 => None,
            _ => Some(Descriptor::find(self.file, data_end..directory_start, record)?),
        };
        self.write(&local_header(&header, record, new)?)?;
        match deflated.ranges.get(&index) {
            Some(range) => self.written += deflated.spool.copy_to(range.clone(), self.output)?,
            None => {
                for piece in &replaced.pieces {
                    self.written += contents.spool.copy_to(piece.clone(), self.output)?;
                }
            }
        }
        self.copied = data_end;
        if let Some(descriptor) = descriptor {
            self.copied += descriptor.length();
            self.write(&descriptor.bytes(new)?)?;
        }
        Ok(())
    }
}
