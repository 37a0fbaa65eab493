//! What is added to an archive waits until all of the archive is read.

use std::collections::HashSet;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};

use uuid::Uuid;

use crate::temporary::Temporary;

/// Conversions that wait in a temporary file until the end of the archive.
#[derive(Debug)]
pub(crate) struct ConversionSpool {
    file: BufWriter<Temporary>,
    /// The id and the length of each.
    conversions: Vec<(Uuid, u64)>,
}

impl ConversionSpool {
    pub(crate) fn new() -> io::Result<Self> {
        Ok(Self { file: BufWriter::new(Temporary::new()?), conversions: Vec::new() })
    }

    pub(crate) fn add(&mut self, id: Uuid, conversion: &[u8]) -> io::Result<()> {
        self.conversions.push((id, conversion.len() as u64));
        self.file.write_all(conversion)
    }

    /// Writes those that are not known, each once, behind `before` and a warcinfo.
    pub(crate) fn write(
        self,
        mut known: HashSet<Uuid>,
        before: &[u8],
        warcinfo: &[u8],
        output: &mut dyn Write,
    ) -> io::Result<Added> {
        let file = self.file.into_inner().map_err(io::IntoInnerError::into_error)?;
        let mut added = Added::default();
        let mut at = 0;
        for (id, length) in self.conversions {
            if known.insert(id) {
                if added.conversions == 0 {
                    output.write_all(before)?;
                    output.write_all(warcinfo)?;
                    added.bytes += (before.len() + warcinfo.len()) as u64;
                }
                added.conversions += 1;
                (&file).seek(SeekFrom::Start(at))?;
                added.bytes += io::copy(&mut (&file).take(length), output)?;
            }
            at += length;
        }
        Ok(added)
    }
}

/// What was added to an archive.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Added {
    pub(crate) conversions: u64,
    pub(crate) bytes: u64,
}
