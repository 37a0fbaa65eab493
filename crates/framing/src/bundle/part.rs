//! A part of an open file, which is read as a file of its own.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;
use std::sync::Arc;

/// A part of an open file. Several parts of one file may be read at the same time.
#[derive(Debug)]
pub struct FilePart {
    file: Arc<File>,
    /// The end of a whole file is where it ends now.
    range: Range<u64>,
    at: u64,
}

const WHOLE: Range<u64> = 0..u64::MAX;

impl FilePart {
    /// Returns all of a file.
    pub fn whole(file: &Arc<File>) -> Self {
        Self::new(file, WHOLE)
    }

    /// Returns a part of a file.
    pub fn new(file: &Arc<File>, range: Range<u64>) -> Self {
        Self { file: file.clone(), at: range.start, range }
    }
}

impl Read for FilePart {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = usize::try_from(self.range.end - self.at).unwrap_or(usize::MAX);
        let length = buffer.len().min(left);
        let read = read_at(&self.file, &mut buffer[..length], self.at)?;
        if read == 0 && length > 0 && self.range != WHOLE {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        self.at += read as u64;
        Ok(read)
    }
}

impl Seek for FilePart {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let Range { start, end } = self.range;
        let end = if self.range == WHOLE { self.file.metadata()?.len() } else { end };
        let at = match to {
            SeekFrom::Start(offset) => start.checked_add(offset),
            SeekFrom::Current(offset) => self.at.checked_add_signed(offset),
            SeekFrom::End(offset) => end.checked_add_signed(offset),
        };
        self.at = at.filter(|at| *at >= start).ok_or(io::ErrorKind::InvalidInput)?.min(end);
        Ok(self.at - start)
    }
}

/// Reads from a byte of a file on. Its position is left as it is on Unix.
#[cfg(unix)]
pub fn read_at(file: &File, buffer: &mut [u8], at: u64) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, buffer, at)
}

/// Reads from a byte of a file on.
#[cfg(windows)]
pub fn read_at(file: &File, buffer: &mut [u8], at: u64) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, buffer, at)
}

/// Returns the bytes of a part; an error if the file ends before it does.
pub fn bytes_at(file: &File, range: Range<u64>) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; (range.end - range.start) as usize];
    let mut read = 0;
    while read < bytes.len() {
        match read_at(file, &mut bytes[read..], range.start + read as u64) {
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(more) => read += more,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(bytes)
}
