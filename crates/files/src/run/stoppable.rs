//! Readers and writers that can be stopped.

use std::io::{self, Read, Seek, SeekFrom, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use absolve_containers::{Container, ContainerReader};

use crate::bundle::contents::Contents;
use crate::input::entry::Entry;

/// Opens a container. `progress` receives the number of bytes read, but of a WACZ, which is not read in order.
pub(crate) fn open_container<'c>(
    entry: &Entry,
    container: Container,
    progress: &'c (dyn Fn(u64) + Sync),
    stop: &'c AtomicBool,
) -> io::Result<ContainerReader<'c>> {
    let input = entry.open()?;
    Ok(match container {
        Container::Mailbox => ContainerReader::Mailbox(Box::new(Counted { input, progress, stop })),
        Container::Archive(format) => ContainerReader::Archive(format, Box::new(Counted { input, progress, stop })),
        Container::Wacz => {
            ContainerReader::Wacz(Box::new(Counted { input: input.seekable()?, progress: &|_| {}, stop }))
        }
    })
}

/// A reader that reports its progress, and can be stopped.
struct Counted<'c> {
    input: Contents,
    progress: &'c (dyn Fn(u64) + Sync),
    stop: &'c AtomicBool,
}

impl Read for Counted<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        check(self.stop)?;
        let read = self.input.read(buffer)?;
        (self.progress)(read as u64);
        Ok(read)
    }
}

impl Seek for Counted<'_> {
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
