//! A file of gzip members that is read again from where a member begins.

use std::io::{self, BufRead, Read};

use flate2::bufread::GzDecoder;

use crate::framing::archive::ArchiveFormat;

/// Maximum bytes of a file that are read beyond the end of the current member.
pub const READ_AHEAD: usize = 1 << 16;

/// Start of a gzip member: the two magic bytes and the compression method DEFLATE.
pub(crate) const GZIP_MAGIC: [u8; 3] = [0x1f, 0x8b, 8];

/// Returns whether `bytes` begin with a gzip member.
pub(crate) fn is_gzip(bytes: &[u8]) -> bool {
    bytes.starts_with(&GZIP_MAGIC)
}

/// A reader that can return to a mark.
pub(crate) struct Rewindable<'i> {
    input: Box<dyn Read + 'i>,
    pub(super) bytes: Vec<u8>,
    /// Offset of `bytes` in the file.
    pub(super) start: u64,
    /// Number of bytes consumed.
    pub(super) at: usize,
    /// Offset in `bytes` to return to, if bytes are kept.
    pub(super) mark: usize,
    pub(super) keeps_bytes: bool,
    /// Whether the file itself cannot be read.
    pub(super) has_failed: bool,
    /// Bytes searched for the end of a member in vain, less those that were not.
    pub(super) in_vain: u64,
}

impl Default for Rewindable<'_> {
    fn default() -> Self {
        Self::new(Box::new(io::empty()))
    }
}

impl<'i> Rewindable<'i> {
    pub(crate) fn new(input: Box<dyn Read + 'i>) -> Self {
        let bytes = Vec::new();
        Self { input, bytes, start: 0, at: 0, mark: 0, keeps_bytes: true, has_failed: false, in_vain: 0 }
    }

    pub(crate) const fn position(&self) -> u64 {
        self.start + self.at as u64
    }

    pub(super) const fn mark(&mut self) {
        self.mark = self.at;
    }

    pub(super) const fn rewind(&mut self) {
        self.at = self.mark;
    }

    /// Reads more bytes. Returns whether there were any.
    pub(super) fn read_more(&mut self) -> io::Result<bool> {
        let done = if self.keeps_bytes { self.mark } else { self.at };
        self.bytes.drain(..done);
        (self.start, self.at, self.mark) = (self.start + done as u64, self.at - done, 0);
        let length = self.bytes.len();
        self.bytes.resize(length + READ_AHEAD, 0);
        let read = loop {
            match self.input.read(&mut self.bytes[length..]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                read => break read,
            }
        };
        self.has_failed = read.is_err();
        self.bytes.truncate(length + read.as_ref().map_or(0, |read| *read));
        read.map(|read| read > 0)
    }

    /// Skips zeros. Returns whether other bytes follow.
    pub(super) fn skip_zeros(&mut self) -> io::Result<bool> {
        loop {
            self.mark();
            let bytes = self.fill_buf()?;
            let zeros = bytes.iter().take_while(|byte| **byte == 0).count();
            let (is_end, is_other) = (bytes.is_empty(), zeros < bytes.len());
            self.consume(zeros);
            if is_end || is_other {
                return Ok(is_other);
            }
        }
    }

    /// Skips to the next member that begins with a record of the `format`, here or after the mark, or to the end. Returns whether there is one.
    pub(crate) fn skip_damage(&mut self, format: ArchiveFormat) -> io::Result<bool> {
        self.mark = if self.keeps_bytes { self.at.min(self.mark + 1) } else { self.at };
        self.keeps_bytes = true;
        if self.begins_member(format)? {
            return Ok(true);
        }
        self.at = self.mark;
        loop {
            self.mark();
            let bytes = self.fill_buf()?;
            if bytes.is_empty() {
                return Ok(false);
            }
            let skipped = memchr::memchr(GZIP_MAGIC[0], bytes).unwrap_or(bytes.len());
            let is_found = skipped < bytes.len();
            self.consume(skipped);
            self.mark();
            if is_found && self.begins_member(format)? {
                return Ok(true);
            }
            self.consume(usize::from(is_found));
        }
    }

    /// Returns whether a member that begins with a record of the `format` starts here. Consumes nothing.
    pub(super) fn begins_member(&mut self, format: ArchiveFormat) -> io::Result<bool> {
        /// Enough decompressed bytes to recognize a record.
        const START_OF_RECORD: u64 = 16 << 10;
        while self.bytes.len() < self.at + GZIP_MAGIC.len() && self.read_more()? {}
        if !is_gzip(&self.bytes[self.at..]) {
            return Ok(false);
        }
        let consumed = self.at - self.mark;
        let mut start = Vec::new();
        // An error in the member is reported when it is read.
        let read = GzDecoder::new(&mut *self).take(START_OF_RECORD).read_to_end(&mut start);
        self.at = self.mark + consumed;
        if self.has_failed {
            read?;
        }
        Ok(format.begins_record(&start))
    }
}

impl Read for Rewindable<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.fill_buf()?.read(buffer)?;
        self.consume(length);
        Ok(length)
    }
}

impl BufRead for Rewindable<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.at == self.bytes.len() {
            self.read_more()?;
        }
        Ok(&self.bytes[self.at..])
    }

    fn consume(&mut self, amount: usize) {
        self.at += amount;
    }
}
