//! Collects parallel output in input order.

use std::io::{self, Write};
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use absolve_containers::BlobSpool;

/// Collects parallel output in input order, in a temporary file. Memory holds the offsets of the pieces.
///
/// ```
/// let spool = absolve_files::OrderedSpool::new()?;
/// spool.put(2, b"second");
/// spool.put(1, b"first ");
/// let mut out = Vec::new();
/// spool.write_to(&mut out)?;
/// assert_eq!(out, b"first second");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct OrderedSpool {
    spooled: Mutex<Spooled>,
}

#[derive(Debug)]
struct Spooled {
    blobs: BlobSpool,
    /// The place of each piece in the order, and its range in `blobs`.
    pieces: Vec<(usize, Range<u64>)>,
    failure: Option<io::Error>,
}

impl OrderedSpool {
    /// Creates an empty spool.
    ///
    /// # Errors
    ///
    /// If no temporary file can be created.
    pub fn new() -> io::Result<Self> {
        let spooled = Spooled { blobs: BlobSpool::new()?, pieces: Vec::new(), failure: None };
        Ok(Self { spooled: Mutex::new(spooled) })
    }

    /// Adds a piece. Pieces of one place are written in the order of the calls. [`Self::write_to`] returns any error.
    pub fn put(&self, place: usize, bytes: &[u8]) {
        let mut spooled = self.spooled.lock().unwrap_or_else(PoisonError::into_inner);
        if bytes.is_empty() || spooled.failure.is_some() {
            return;
        }
        match (spooled.blobs.add(bytes), spooled.pieces.last_mut()) {
            (Err(error), _) => spooled.failure = Some(error),
            (Ok(added), Some((last, range))) if *last == place => range.end = added.end,
            (Ok(added), _) => spooled.pieces.push((place, added)),
        }
    }

    /// Writes all pieces in order.
    ///
    /// # Errors
    ///
    /// The first error of [`Self::put`], or that of `output`.
    pub fn write_to(self, output: &mut dyn Write) -> io::Result<()> {
        let Spooled { blobs, mut pieces, failure } = self.spooled.into_inner().unwrap_or_else(PoisonError::into_inner);
        if let Some(error) = failure {
            return Err(error);
        }
        pieces.sort_by_key(|(place, _)| *place);
        pieces.into_iter().try_for_each(|(_, range)| blobs.copy_to(range, output).map(drop))?;
        output.flush()
    }

    /// Returns a writer of pieces of one place.
    pub(crate) fn writer(&self, place: usize) -> SpoolWriter<'_> {
        SpoolWriter { spool: self, place, buffer: Vec::new() }
    }
}

/// A buffered writer of pieces.
pub(crate) struct SpoolWriter<'s> {
    spool: &'s OrderedSpool,
    place: usize,
    buffer: Vec<u8>,
}

impl Write for SpoolWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        const PIECE: usize = 1 << 16;
        self.buffer.extend_from_slice(bytes);
        if self.buffer.len() > PIECE {
            self.flush()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.spool.put(self.place, &self.buffer);
        self.buffer.clear();
        Ok(())
    }
}
