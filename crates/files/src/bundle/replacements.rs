//! New contents of the members of a bundle, in temporary files until the bundle is written.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use absolve_containers::BlobSpool;
use flate2::{Crc, FlushCompress};

use crate::bundle::deflate::{BLOCK, deflated};

/// New contents of members, collected in any order from any thread.
#[derive(Debug)]
pub(crate) struct Replacements {
    spool: Mutex<BlobSpool>,
    replaced: Mutex<BTreeMap<usize, Replaced>>,
}

/// How the contents of a member are in the bundle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Packing {
    /// As they are.
    Stored,
    /// Compressed.
    Deflated,
}

/// The new contents of a member.
#[derive(Debug, Default)]
pub(super) struct Replaced {
    /// Its new name, if that has changed.
    pub(super) name: Option<Vec<u8>>,
    pub(super) size: u64,
    pub(super) crc: u32,
    /// Where the contents are in the spool, packed.
    pub(super) pieces: Vec<Range<u64>>,
}

/// All new contents by the index of their member.
#[derive(Debug)]
pub(super) struct NewContents {
    pub(super) spool: BlobSpool,
    pub(super) replaced: BTreeMap<usize, Replaced>,
}

impl Replacements {
    pub(crate) fn new() -> io::Result<Self> {
        Ok(Self { spool: Mutex::new(BlobSpool::new()?), replaced: Mutex::default() })
    }

    /// Returns a writer of the new contents of a member. They count once [`MemberWriter::finish`] is called.
    pub(crate) fn writer(&self, packing: Packing) -> MemberWriter<'_> {
        let (crc, replaced, buffer) = (Crc::new(), Replaced::default(), Vec::new());
        MemberWriter { replacements: self, packing, crc, replaced, buffer }
    }

    /// Returns whether no member has new contents.
    pub(crate) fn is_empty(&self) -> bool {
        self.replaced.lock().unwrap_or_else(PoisonError::into_inner).is_empty()
    }

    /// Makes a member keep its name.
    pub(crate) fn keep_name(&self, index: usize) {
        if let Some(replaced) = self.replaced.lock().unwrap_or_else(PoisonError::into_inner).get_mut(&index) {
            replaced.name = None;
        }
    }

    pub(super) fn finish(self) -> NewContents {
        NewContents {
            spool: self.spool.into_inner().unwrap_or_else(PoisonError::into_inner),
            replaced: self.replaced.into_inner().unwrap_or_else(PoisonError::into_inner),
        }
    }
}

/// A buffered writer of the new contents of a member.
pub(crate) struct MemberWriter<'r> {
    replacements: &'r Replacements,
    packing: Packing,
    crc: Crc,
    replaced: Replaced,
    buffer: Vec<u8>,
}

impl MemberWriter<'_> {
    /// Makes what was written the contents of a member, with a new name if one is given.
    pub(crate) fn finish(mut self, index: usize, name: Option<Vec<u8>>) -> io::Result<()> {
        self.spool(self.buffer.len(), FlushCompress::Finish)?;
        let replaced = Replaced { name, crc: self.crc.sum(), ..self.replaced };
        self.replacements.replaced.lock().unwrap_or_else(PoisonError::into_inner).insert(index, replaced);
        Ok(())
    }

    /// Moves the first bytes of the buffer to the spool.
    fn spool(&mut self, length: usize, flush: FlushCompress) -> io::Result<()> {
        let bytes = &self.buffer[..length];
        let packed = match self.packing {
            Packing::Stored => Cow::Borrowed(bytes),
            Packing::Deflated => deflated(bytes, flush)?.into(),
        };
        let added = self.replacements.spool.lock().unwrap_or_else(PoisonError::into_inner).add(&packed)?;
        match self.replaced.pieces.last_mut() {
            Some(last) if last.end == added.start => last.end = added.end,
            _ => self.replaced.pieces.push(added),
        }
        self.buffer.drain(..length);
        Ok(())
    }
}

impl Write for MemberWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        const PIECE: usize = 1 << 16;
        const BLOCKS: usize = 16 * BLOCK;
        let bytes = &bytes[..bytes.len().min(BLOCKS)];
        self.crc.update(bytes);
        self.replaced.size += bytes.len() as u64;
        self.buffer.extend_from_slice(bytes);
        match self.packing {
            Packing::Stored if self.buffer.len() > PIECE => self.spool(self.buffer.len(), FlushCompress::None)?,
            // What is left may be the end.
            Packing::Deflated if self.buffer.len() > BLOCKS => self.spool(BLOCKS, FlushCompress::Sync)?,
            _ => {}
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
