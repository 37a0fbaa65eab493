//! Readers and writers that can be stopped.

use std::io::{self, Read, Seek, SeekFrom, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use absolve_containers::{ContainerReader, FileType};

use crate::open::Input;

/// Returns a reader of a container. `progress` receives the number of bytes read, but of a WACZ, which is not read in order.
pub(crate) fn reader_of<'c>(
    input: Input,
    file_type: FileType,
    progress: &'c (dyn Fn(u64) + Sync),
    stop: &'c AtomicBool,
) -> io::Result<ContainerReader<'c>> {
    Ok(match file_type {
        FileType::Mailbox => ContainerReader::Mailbox(Box::new(Counted { input, progress, stop })),
        FileType::Archive(format) => ContainerReader::Archive(format, Box::new(Counted { input, progress, stop })),
        _ => {
            let (start, contents) = input.into_inner();
            let input = contents.seekable(start.get_ref())?;
            ContainerReader::Wacz(Box::new(Counted { input, progress: &|_| {}, stop }))
        }
    })
}

/// A reader that reports its progress, and can be stopped.
struct Counted<'c, R> {
    input: R,
    progress: &'c (dyn Fn(u64) + Sync),
    stop: &'c AtomicBool,
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
