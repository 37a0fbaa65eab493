//! What many threads write, in the order of the files that it is about.

use std::io::{self, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use absolve_containers::Temporary;

/// Pieces that wait in a temporary file until they can be read in order. Memory holds where each file's pieces stand.
#[derive(Debug)]
pub struct OrderedSpool {
    shelved: Mutex<Shelved>,
}

#[derive(Debug)]
struct Shelved {
    file: Temporary,
    end: u64,
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
    /// let shelf = absolve_files::OrderedSpool::new()?;
    /// shelf.put(2, b"second");
    /// shelf.put(1, b"first ");
    /// let mut out = Vec::new();
    /// shelf.write_to(&mut out)?;
    /// assert_eq!(out, b"first second");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn new() -> io::Result<Self> {
        let shelved = Shelved { file: Temporary::new()?, end: 0, pieces: Vec::new(), failure: None };
        Ok(Self { shelved: Mutex::new(shelved) })
    }

    /// Adds a piece; those of one place come in the order in which they are added. What fails is told in the end.
    ///
    /// ```
    /// let shelf = absolve_files::OrderedSpool::new()?;
    /// shelf.put(0, b"piece");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn put(&self, place: usize, bytes: &[u8]) {
        let mut shelved = self.shelved.lock().unwrap_or_else(PoisonError::into_inner);
        if bytes.is_empty() || shelved.failure.is_some() {
            return;
        }
        if let Err(error) = shelved.file.write_all(bytes) {
            shelved.failure = Some(error);
            return;
        }
        let (start, end) = (shelved.end, shelved.end + bytes.len() as u64);
        shelved.end = end;
        match shelved.pieces.last_mut() {
            Some((last, range)) if *last == place => range.end = end,
            _ => shelved.pieces.push((place, start..end)),
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
        let Shelved { file, mut pieces, failure, .. } =
            self.shelved.into_inner().unwrap_or_else(PoisonError::into_inner);
        if let Some(error) = failure {
            return Err(error);
        }
        pieces.sort_by_key(|(place, _)| *place);
        for (_, Range { start, end }) in pieces {
            (&file).seek(SeekFrom::Start(start))?;
            io::copy(&mut (&file).take(end - start), output)?;
        }
        output.flush()
    }

    /// A writer of pieces of one place.
    pub(crate) fn pen(&self, place: usize) -> SpoolWriter<'_> {
        SpoolWriter { shelf: self, place, buffer: Vec::new() }
    }
}

/// Collects what is written, so that pieces are not too small.
pub(crate) struct SpoolWriter<'s> {
    shelf: &'s OrderedSpool,
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
        self.shelf.put(self.place, &self.buffer);
        self.buffer.clear();
        Ok(())
    }
}
