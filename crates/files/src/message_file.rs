//! The message in its file: alone, or compressed.

use std::io::{self, Read, Write};

use absolve_containers::Compression;
use absolve_links::Edits;

use crate::limits::COMPRESSED_MESSAGE_BYTES;

/// How a file contains a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum MessageFile {
    /// It is the message.
    Plain,
    /// It is the compressed message.
    Compressed { compression: Compression, message: Vec<u8> },
}

impl MessageFile {
    /// Returns how the file with these bytes contains its message; `None` if that is too long.
    pub(crate) fn of(file: &[u8]) -> io::Result<Option<Self>> {
        let compression = Compression::of(file);
        if compression == Compression::None {
            return Ok(Some(Self::Plain));
        }
        let mut message = Vec::new();
        compression.decoder(file).take(COMPRESSED_MESSAGE_BYTES + 1).read_to_end(&mut message)?;
        let is_short = message.len() as u64 <= COMPRESSED_MESSAGE_BYTES;
        Ok(is_short.then_some(Self::Compressed { compression, message }))
    }

    /// Returns the message in the file with these bytes.
    pub(crate) fn message<'b>(&'b self, file: &'b [u8]) -> &'b [u8] {
        match self {
            Self::Plain => file,
            Self::Compressed { message, .. } => message,
        }
    }

    /// Returns the compression of the file.
    pub(crate) const fn compression(&self) -> Compression {
        match self {
            Self::Plain => Compression::None,
            Self::Compressed { compression, .. } => *compression,
        }
    }

    /// Returns the edits of the file for those of its message, unless they are the same. It becomes compressed as `compression`.
    pub(crate) fn edits(&self, file: &[u8], edits: &Edits, compression: Compression) -> io::Result<Option<Edits>> {
        if compression == self.compression() && (compression == Compression::None || edits.is_empty()) {
            return Ok(None);
        }
        let mut encoder = compression.encoder(Vec::new())?;
        encoder.write_all(&edits.splice(self.message(file)))?;
        let mut whole = Edits::default();
        whole.push(0..file.len(), &encoder.finish()?);
        Ok(Some(whole))
    }
}
