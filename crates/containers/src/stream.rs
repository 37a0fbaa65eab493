//! Containers that are read from their beginning to their end: mbox, plain or compressed.

use std::io::{self, Read, Write};
use std::ops::AddAssign;
use std::{error, fmt};

use absolve_links::Edits;
use absolve_rewriter::Counts;
use rayon::prelude::*;

use crate::batches::Record;
use crate::broken::Broken;
use crate::caught::caught;

/// What came of a stream.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StreamReport {
    /// All links of all documents.
    pub counts: Counts,
    /// Messages that were read.
    pub records: u64,
    /// Messages that changed.
    pub changed: u64,
    /// Bytes that were read, without compression.
    pub bytes_in: u64,
    /// The same bytes rewritten.
    pub bytes_out: u64,
    /// Responses of a web archive that have another status than 2xx; they are left as they are.
    pub other_responses: u64,
    /// Records of a web archive that are not whole.
    pub broken: Broken,
    /// Messages on which the program failed, which is a bug; they are left as they are.
    pub failed: Vec<u64>,
}

impl StreamReport {
    /// Whether all of it could be done.
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

/// Why a stream could not be done.
#[derive(Debug)]
pub enum StreamError {
    /// It could not be read.
    Read(io::Error),
    /// The result could not be written.
    Write(io::Error),
}

impl fmt::Display for StreamError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(error) => write!(formatter, "cannot read: {error}"),
            Self::Write(error) => write!(formatter, "cannot write: {error}"),
        }
    }
}

impl StreamError {
    /// The error of reading through [`Copied`], which may be that of its copy.
    pub(crate) fn reading(error: io::Error) -> Self {
        match error.downcast::<Uncopied>() {
            Ok(Uncopied(error)) => Self::Write(error),
            Err(error) => Self::Read(error),
        }
    }
}

impl error::Error for StreamError {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        match self {
            Self::Read(error) | Self::Write(error) => Some(error),
        }
    }
}

/// What is to see each record and its edits, in order.
pub type ChunkObserver<'w> = dyn FnMut(EditedChunk<'_>) -> io::Result<()> + 'w;

/// Lets `look` look at records in parallel, and hands what it saw to `tell`, in order; answers on which it failed.
pub(crate) fn look_at<T: Send>(
    records: &[Record],
    look: &(dyn Fn(&Record) -> Option<T> + Sync),
    tell: &mut dyn FnMut(T) -> io::Result<()>,
) -> Result<Vec<u64>, StreamError> {
    let mut failed = Vec::new();
    let found: Vec<Option<Option<T>>> = records.par_iter().map(|record| caught(|| look(record))).collect();
    for (record, found) in records.iter().zip(found) {
        match found {
            Some(found) => found.map_or(Ok(()), &mut *tell).map_err(StreamError::Write)?,
            None => failed.push(record.number),
        }
    }
    Ok(failed)
}

/// How many of the first bytes of a stream tell what it is.
pub const START: u64 = 16 << 10;

/// The first bytes of a reader, and all of it.
pub(crate) fn with_start<R: Read>(mut input: R) -> io::Result<(Vec<u8>, impl Read)> {
    let mut start = Vec::new();
    (&mut input).take(START).read_to_end(&mut start)?;
    Ok((start.clone(), io::Cursor::new(start).chain(input)))
}

/// A reader all of whose bytes are copied.
pub(crate) struct Copied<R, W> {
    pub(crate) input: R,
    pub(crate) copy: W,
}

impl<R: Read, W: Write> Read for Copied<R, W> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.input.read(buffer)?;
        let copied = self.copy.write_all(&buffer[..read]);
        copied.map_err(|error| io::Error::new(error.kind(), Uncopied(error)))?;
        Ok(read)
    }
}

/// Why a copy could not be written of what was read.
#[derive(Debug)]
struct Uncopied(io::Error);

impl fmt::Display for Uncopied {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

impl error::Error for Uncopied {}

/// A stretch of a file and the edits in it, counted from its first byte. Stretches come in order, without gaps.
#[derive(Clone, Copy, Debug)]
pub struct EditedChunk<'s> {
    /// Where it begins in the file.
    pub start: u64,
    pub bytes: &'s [u8],
    pub edits: &'s Edits,
}
