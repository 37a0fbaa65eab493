//! Readers and writers that can be stopped.

use std::io::{self, Read, Seek, SeekFrom, Write};
use std::sync::atomic::{AtomicBool, Ordering};

/// A reader that reports its progress, and can be stopped.
pub(crate) struct Counted<'c, R> {
    pub(crate) input: R,
    pub(crate) progress: &'c (dyn Fn(u64) + Sync),
    pub(crate) stop: &'c AtomicBool,
}

impl<R: Read> Read for Counted<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        check(self.stop)?;
        let read = self.input.read(buffer)?;
        (self.progress)(read as u64);
        Ok(read)
    }
}

impl<R: Seek> Seek for Counted<'_, R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.input.seek(to)
    }
}

/// A writer that can be stopped.
pub(crate) struct Stoppable<'o> {
    pub(crate) output: &'o mut dyn Write,
    pub(crate) stop: &'o AtomicBool,
}

impl Write for Stoppable<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        check(self.stop)?;
        self.output.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}

fn check(stop: &AtomicBool) -> io::Result<()> {
    if stop.load(Ordering::Relaxed) { Err(io::Error::other("the run was stopped")) } else { Ok(()) }
}
