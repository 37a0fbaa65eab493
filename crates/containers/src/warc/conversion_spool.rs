//! A buffer for conversions until the archive ends.

use std::collections::HashSet;
use std::io::{self, Write};
use std::ops::Range;

use uuid::Uuid;

use crate::blob_spool::BlobSpool;

/// Buffers conversions until the archive ends.
#[derive(Debug)]
pub(crate) struct ConversionSpool {
    blobs: BlobSpool,
    conversions: Vec<(Uuid, Range<u64>)>,
}

impl ConversionSpool {
    pub(crate) fn new() -> io::Result<Self> {
        Ok(Self { blobs: BlobSpool::new()?, conversions: Vec::new() })
    }

    pub(crate) fn add(&mut self, id: Uuid, conversion: &[u8]) -> io::Result<()> {
        self.conversions.push((id, self.blobs.add(conversion)?));
        Ok(())
    }

    /// Writes `before`, a warcinfo, and each conversion once, unless its id is `known`. Writes nothing without conversions.
    pub(crate) fn write(
        self,
        mut known: HashSet<Uuid>,
        before: &[u8],
        warcinfo: &[u8],
        output: &mut dyn Write,
    ) -> io::Result<Added> {
        let mut added = Added::default();
        for (_, range) in self.conversions.into_iter().filter(|(id, _)| known.insert(*id)) {
            if added.conversions == 0 {
                output.write_all(before)?;
                output.write_all(warcinfo)?;
                added.bytes += (before.len() + warcinfo.len()) as u64;
            }
            added.conversions += 1;
            added.bytes += self.blobs.copy_to(range, output)?;
        }
        Ok(added)
    }
}

/// Number of conversions added to an archive, and bytes written.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Added {
    pub(crate) conversions: u64,
    pub(crate) bytes: u64,
}
