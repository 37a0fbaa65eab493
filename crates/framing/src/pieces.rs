//! Pieces of large files of records, each read by itself.

use std::cell::{Cell, RefCell};
use std::io::{self, Read};
use std::rc::Rc;

use crate::compression::Compression;
use crate::compression::members::Members;
use crate::compression::rewindable::Rewindable;
use crate::framing::archive::ArchiveFormat;
use crate::framing::mailbox::MailboxFraming;
use crate::framing::{Extent, Framing};
use crate::limits::{MEMBER_BYTES, PIECE_START};

/// How a file of records is split into pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Splitting {
    /// At separator lines of an mbox that is not compressed.
    Messages,
    /// At records of a web archive that is not compressed.
    Records(ArchiveFormat),
    /// At gzip members that begin with a record of a web archive.
    Members(ArchiveFormat),
}

/// The place where a piece ends, as an offset from its start after decompression. It is known when the bytes before it were read.
#[derive(Clone, Debug, Default)]
pub struct PieceEnd(Rc<Cell<Option<u64>>>);

impl PieceEnd {
    /// Returns the offset, if it is known.
    pub fn get(&self) -> Option<u64> {
        self.0.get()
    }
}

impl Splitting {
    /// Returns how a mailbox that begins with these bytes is split; `None` if it is read as a whole.
    pub fn of_mailbox(start: &[u8]) -> Option<Self> {
        let is_mbox = matches!(MailboxFraming::of(start), Some(MailboxFraming::Mbox));
        (is_mbox && Compression::of(start) == Compression::None).then_some(Self::Messages)
    }

    /// Returns how a web archive that begins with these bytes is split; `None` if it is read as a whole.
    ///
    /// ```
    /// use absolve_framing::{ArchiveFormat, Splitting};
    /// let splitting = |start: &[u8]| Splitting::of_archive(ArchiveFormat::Warc, start);
    /// assert_eq!(splitting(b"WARC/1.1\r\n"), Some(Splitting::Records(ArchiveFormat::Warc)));
    /// assert_eq!(splitting(b"\x28\xb5\x2f\xfd"), None);
    /// ```
    pub fn of_archive(format: ArchiveFormat, start: &[u8]) -> Option<Self> {
        match Compression::of_archive(start) {
            Compression::None => Some(Self::Records(format)),
            Compression::Gzip => Some(Self::Members(format)),
            _ => None,
        }
    }

    /// Returns the offset of the first record that seems to begin within the first `window` bytes of `input`, or within the first 32 MiB.
    /// `input` begins anywhere in a file. What seems to be a record may lie within another one: whether it does shows when the
    /// piece before it is read ([`Batches::end_before_a_record`](crate::Batches::end_before_a_record)).
    ///
    /// # Errors
    ///
    /// Those of reading.
    pub fn first_start(self, input: &mut dyn Read, window: u64) -> io::Result<Option<u64>> {
        let window = window.min(PIECE_START);
        let input = input.take(window + MARGIN);
        let found = match self {
            Self::Messages => first_record(MailboxFraming::Mbox, input)?,
            Self::Records(format) => first_record(format, input)?,
            Self::Members(format) => {
                let mut file = Rewindable::new(Box::new(input));
                file.skip_damage(format)?.then(|| file.position())
            }
        };
        Ok(found.filter(|start| *start < window))
    }

    /// Returns a reader of the decompressed bytes of a piece of `length` bytes, with which `input` begins, and of what follows; and
    /// where the piece ends in them. That a gzip member goes on behind the piece is an error.
    pub fn piece<'i>(self, input: Box<dyn Read + 'i>, length: u64) -> (Box<dyn Read + 'i>, PieceEnd) {
        let input = Shared(Rc::new(RefCell::new(input)));
        let decompressed = |input: Box<dyn Read + 'i>| -> Box<dyn Read + 'i> {
            match self {
                Self::Messages | Self::Records(_) => input,
                Self::Members(format) => Box::new(Members::new(input, MEMBER_BYTES, format, Box::new(|_, _| {}))),
            }
        };
        let piece = decompressed(Box::new(input.clone().take(length)));
        let (rest, end) = (decompressed(Box::new(input)), PieceEnd::default());
        (Box::new(WithRest { piece: Some(piece), rest, read: 0, end: end.clone() }), end)
    }
}

/// Bytes beyond a window in which a record is recognised that begins in it.
const MARGIN: u64 = 64 << 10;

/// Returns the offset of the first record that begins in a line behind the first one.
fn first_record(framing: impl Framing, mut input: impl Read) -> io::Result<Option<u64>> {
    let (mut bytes, mut wanted) = (Vec::new(), MARGIN);
    loop {
        let missing = wanted - bytes.len() as u64;
        (&mut input).take(missing).read_to_end(&mut bytes)?;
        let extent = if (bytes.len() as u64) < wanted { Extent::Complete } else { Extent::Partial };
        let from = memchr::memchr(b'\n', &bytes).map_or(bytes.len(), |end| end + 1);
        match framing.next_record(&bytes, from, extent) {
            Some(start) => return Ok((start < bytes.len()).then_some(start as u64)),
            None => wanted *= 2,
        }
    }
}

/// A reader with several owners, who read in turn.
struct Shared<'i>(Rc<RefCell<Box<dyn Read + 'i>>>);

impl Clone for Shared<'_> {
    fn clone(&self) -> Self {
        Self(Rc::clone(&self.0))
    }
}

impl Read for Shared<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.borrow_mut().read(buffer)
    }
}

/// A piece, and what follows it.
struct WithRest<'i> {
    /// `None` when it was read.
    piece: Option<Box<dyn Read + 'i>>,
    rest: Box<dyn Read + 'i>,
    read: u64,
    end: PieceEnd,
}

impl Read for WithRest<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        if let Some(piece) = &mut self.piece {
            let read = piece.read(buffer)?;
            self.read += read as u64;
            if read > 0 {
                return Ok(read);
            }
            self.piece = None;
            self.end.0.set(Some(self.read));
        }
        self.rest.read(buffer)
    }
}
