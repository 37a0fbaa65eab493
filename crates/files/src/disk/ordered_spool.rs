//! Output of many threads, in the order of the files that it is about.

use std::io::{self, Write};
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use absolve_containers::BlobSpool;

/// Collects parallel output in input order. Memory holds where each file's pieces stand.
#[derive(Debug)]
pub struct OrderedSpool {
    spooled: Mutex<Spooled>,
}

#[derive(Debug)]
struct Spooled {
    blobs: BlobSpool,
    /// The place of each piece in the order, and where it stands.
    pieces: Vec<(usize, Range<u64>)>,
    failure: Option<io::Error>,
}

impl OrderedSpool {
    /// An empty one.
    ///
    /// # Errors
    ///
    /// When there can be no temporary file.
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
    pub fn new() -> io::Result<Self> {
        let spooled = Spooled { blobs: BlobSpool::new()?, pieces: Vec::new(), failure: None };
        Ok(Self { spooled: Mutex::new(spooled) })
    }

    /// Adds a piece; those of one place come in the order in which they are added. What fails is told in the end.
    ///
    /// ```
    /// let spool = absolve_files::OrderedSpool::new()?;
    /// spool.put(0, b"piece");
    /// # Ok::<(), std::io::Error>(())
    /// ```
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
    /// When one could not be added, or not be written now.
    ///
    /// ```
    /// let mut out = Vec::new();
    /// absolve_files::OrderedSpool::new()?.write_to(&mut out)?;
    /// assert!(out.is_empty());
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn write_to(self, output: &mut dyn Write) -> io::Result<()> {
        let Spooled { blobs, mut pieces, failure } = self.spooled.into_inner().unwrap_or_else(PoisonError::into_inner);
        if let Some(error) = failure {
            return Err(error);
        }
        pieces.sort_by_key(|(place, _)| *place);
        pieces.into_iter().try_for_each(|(_, range)| blobs.copy_to(range, output).map(drop))?;
        output.flush()
    }

    /// A writer of pieces of one place.
    pub(crate) fn writer(&self, place: usize) -> SpoolWriter<'_> {
        SpoolWriter { spool: self, place, buffer: Vec::new() }
    }
}

/// Collects what is written, so that pieces are not too small.
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
