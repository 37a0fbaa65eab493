//! Members of gzip, one for each record.

use std::io::{self, Write};

use flate2::write::DeflateEncoder;
use flate2::{Compress, Compression, Crc, FlushCompress};

/// What a record ends with, compressed once for all records that do.
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

    /// Its length without compression.
    pub(super) fn length(&self) -> u64 {
        u64::from(self.crc.amount())
    }
}

/// Puts members together. Only the heading is compressed anew: it ends at a byte, the tail refers to nothing before it, and
/// checksums can be added. So an archive is made as fast as it is written, and its pages are compressed as well as they
/// usually are.
#[derive(Debug)]
pub(super) struct Members {
    compress: Compress,
}

impl Members {
    pub(super) fn new() -> Self {
        Self { compress: Compress::new(Compression::default(), false) }
    }

    /// Makes a member of a heading and a tail.
    pub(super) fn make(&mut self, heading: &[u8], tail: &Tail, member: &mut Vec<u8>) -> io::Result<()> {
        // Deflate, no flags, no time, no extra flags, an unknown system.
        const START: [u8; 10] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff];
        member.clear();
        member.extend_from_slice(&START);
        member.reserve(2 * heading.len() + 64);
        self.compress.reset();
        self.compress.compress_vec(heading, member, FlushCompress::Sync)?;
        if self.compress.total_in() != heading.len() as u64 {
            return Err(io::Error::other("the heading was not compressed to its end"));
        }
        member.extend_from_slice(&tail.deflated);
        let mut crc = Crc::new();
        crc.update(heading);
        crc.combine(&tail.crc);
        member.extend_from_slice(&crc.sum().to_le_bytes());
        member.extend_from_slice(&crc.amount().to_le_bytes());
        Ok(())
    }
}
