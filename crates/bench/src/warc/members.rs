//! Gzip members, one per record.

use std::io::{self, Write};

use flate2::write::DeflateEncoder;
use flate2::{Compress, Compression, Crc, FlushCompress};

/// The end of a record, compressed once for all its copies.
#[derive(Debug)]
pub(super) struct Tail {
    deflated: Vec<u8>,
    crc: Crc,
}

impl Tail {
    pub(super) fn new(content: &[u8]) -> io::Result<Self> {
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(content)?;
        let mut crc = Crc::new();
        crc.update(content);
        Ok(Self { deflated: encoder.finish()?, crc })
    }

    /// Its length before compression.
    pub(super) fn length(&self) -> u64 {
        u64::from(self.crc.amount())
    }
}

/// Joins headers and tails to members. Only the header is compressed again: it ends at a byte boundary, the tail refers to
/// nothing before it, and CRC-32 checksums can be combined. So an archive is made as fast as it is written, and its pages
/// are compressed as well as usual.
#[derive(Debug)]
pub(super) struct Members {
    compress: Compress,
}

impl Members {
    pub(super) fn new() -> Self {
        Self { compress: Compress::new(Compression::default(), false) }
    }

    /// Returns the member of a header and a tail.
    pub(super) fn make(&mut self, header: &[u8], tail: &Tail, member: &mut Vec<u8>) -> io::Result<()> {
        // Deflate, no flags, no time, no extra flags, unknown system.
        const START: [u8; 10] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff];
        member.clear();
        member.extend_from_slice(&START);
        member.reserve(2 * header.len() + 64);
        self.compress.reset();
        self.compress.compress_vec(header, member, FlushCompress::Sync)?;
        if self.compress.total_in() != header.len() as u64 {
            return Err(io::Error::other("the header was not compressed to its end"));
        }
        member.extend_from_slice(&tail.deflated);
        let mut crc = Crc::new();
        crc.update(header);
        crc.combine(&tail.crc);
        member.extend_from_slice(&crc.sum().to_le_bytes());
        member.extend_from_slice(&crc.amount().to_le_bytes());
        Ok(())
    }
}
