//! Members that are written when their place in the output is reached: a long mbox needs no temporary file.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};

use flate2::Crc;

use crate::bundle::replacements::Replaced;

/// Members whose new contents are written directly, and the file that the bundle is written to.
pub(crate) struct Late<'l> {
    pub(crate) members: BTreeSet<usize>,
    /// Another handle of the output, which has the same position.
    pub(crate) file: File,
    /// Writes the contents of a member.
    pub(crate) write: &'l mut dyn FnMut(usize, &mut dyn Write) -> Outcome,
}

/// What came of writing a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// Its contents are new.
    Changed,
    /// They are those that it had.
    Unchanged,
    /// They are incomplete. The member stays as it was.
    Failed,
}

impl Late<'_> {
    /// Writes the contents of a member to `output`, which is at `start` of the file. If they are incomplete, the file ends there again.
    /// Returns their size and checksum with what came of it.
    pub(super) fn write(
        &mut self,
        index: usize,
        start: u64,
        output: &mut dyn Write,
    ) -> io::Result<(Outcome, Replaced)> {
        let mut counted = CountingWriter { output, crc: Crc::new(), size: 0 };
        let outcome = (self.write)(index, &mut counted);
        let CountingWriter { output, crc, size } = counted;
        if outcome == Outcome::Failed {
            // What is buffered may not fit on a full disk; then nothing else does either.
            output.flush()?;
            self.file.set_len(start)?;
            self.file.seek(SeekFrom::Start(start))?;
        }
        Ok((outcome, Replaced { size, crc: crc.sum(), ..Replaced::default() }))
    }

    /// Writes other bytes in place of those at `start`.
    pub(super) fn patch(&mut self, start: u64, bytes: &[u8], output: &mut dyn Write) -> io::Result<()> {
        output.flush()?;
        self.file.seek(SeekFrom::Start(start))?;
        self.file.write_all(bytes)?;
        self.file.seek(SeekFrom::End(0)).map(drop)
    }
}

/// A writer that counts.
struct CountingWriter<'o> {
    output: &'o mut dyn Write,
    crc: Crc,
    size: u64,
}

impl Write for CountingWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.output.write_all(bytes)?;
        self.crc.update(bytes);
        self.size += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}
