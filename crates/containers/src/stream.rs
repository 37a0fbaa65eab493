//! Reports and errors of containers that are read as a stream, from start to end.

use std::io::{self, Read, Seek, Write};
use std::ops::AddAssign;

use absolve_links::Edits;
use absolve_rewriter::Counts;
use thiserror::Error;

use crate::broken::Broken;

/// Counts of a rewritten container.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StreamReport {
    /// The links of all documents.
    pub counts: Counts,
    /// Number of messages or records read.
    pub records: u64,
    /// Number of messages that changed, or of conversions or resources written.
    pub changed: u64,
    /// Bytes read, after decompression.
    pub bytes_in: u64,
    /// Bytes of the result. An mbox and the copy of an archive count before compression, new and derived records after it.
    pub bytes_out: u64,
    /// Number of responses of a web archive with a status other than 2xx. They are left unchanged.
    pub other_responses: u64,
    /// Incomplete and damaged records of a web archive.
    pub broken: Broken,
    /// Numbers of the records on which the program failed, which is a bug. They are left unchanged.
    pub failed: Vec<u64>,
}

impl StreamReport {
    /// Returns whether every record was complete and processed.
    pub fn is_whole(&self) -> bool {
        self.broken == Broken::default() && self.failed.is_empty()
    }
}

impl AddAssign for StreamReport {
    fn add_assign(&mut self, other: Self) {
        self.counts += other.counts;
        self.records += other.records;
        self.changed += other.changed;
        self.bytes_in += other.bytes_in;
        self.bytes_out += other.bytes_out;
        self.other_responses += other.other_responses;
        self.broken = self.broken.or(other.broken);
        self.failed.extend(other.failed);
    }
}

/// An error of reading a container or of writing the result.
#[derive(Debug, Error)]
pub enum StreamError {
    /// The container cannot be read.
    #[error("cannot read: {0}")]
    Read(#[source] io::Error),
    /// The result cannot be written.
    #[error("cannot write: {0}")]
    Write(#[source] io::Error),
}

/// `?` makes write errors: read errors are mapped explicitly.
impl From<io::Error> for StreamError {
    fn from(error: io::Error) -> Self {
        Self::Write(error)
    }
}

impl StreamError {
    /// Classifies an error of reading through [`Tee`], which may be an error of writing the copy.
    pub(crate) fn reading(error: io::Error) -> Self {
        match error.downcast::<CopyError>() {
            Ok(CopyError(error)) => Self::Write(error),
            Err(error) => Self::Read(error),
        }
    }
}

/// Receives each record and its edits, in order.
pub type ChunkObserver<'w> = dyn FnMut(EditedChunk<'_>) -> io::Result<()> + 'w;

/// Number of bytes at the start of a container from which its type and compression are detected.
pub const START: u64 = 16 << 10;

/// Returns the first bytes of a reader, and a reader of all its bytes.
pub(crate) fn with_start<'i>(mut input: Box<dyn Read + 'i>) -> Result<(Vec<u8>, Box<dyn Read + 'i>), StreamError> {
    let mut start = Vec::new();
    (&mut input).take(START).read_to_end(&mut start).map_err(StreamError::reading)?;
    Ok((start.clone(), Box::new(io::Cursor::new(start).chain(input))))
}

/// A reader that can be read in any order.
pub trait ReadSeek: Read + Seek {}

impl<R: Read + Seek> ReadSeek for R {}

/// A reader that copies to `copy` all bytes read.
pub(crate) struct Tee<R, W> {
    pub(crate) input: R,
    pub(crate) copy: W,
}

impl<R: Read, W: Write> Read for Tee<R, W> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.input.read(buffer)?;
        let copied = self.copy.write_all(&buffer[..read]);
        copied.map_err(|error| io::Error::new(error.kind(), CopyError(error)))?;
        Ok(read)
    }
}

/// An error of writing the copy of a [`Tee`].
#[derive(Debug, Error)]
#[error("{0}")]
struct CopyError(io::Error);

/// A chunk of a file and its edits. Chunks come in order, without gaps.
#[derive(Clone, Copy, Debug)]
pub struct EditedChunk<'s> {
    /// Offset of the chunk in the file.
    pub start: u64,
    /// The original bytes.
    pub bytes: &'s [u8],
    /// The edits, as ranges of `bytes`.
    pub edits: &'s Edits,
}
