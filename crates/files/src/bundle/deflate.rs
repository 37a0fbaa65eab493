//! Compresses new contents of members in blocks, so that all threads compress one long member.

use std::io;

use absolve_framing::DEFLATE_LEVEL;
use flate2::{Compress, Compression, FlushCompress, Status};
use rayon::prelude::*;

/// The bytes of a block. A copy of 32 KiB before each could be a dictionary, for less than a hundredth of the size.
pub(super) const BLOCK: usize = 1 << 20;

/// Compresses contents. `flush` is for their last block: it ends the member, or another one follows.
pub(super) fn deflated(contents: &[u8], flush: FlushCompress) -> io::Result<Vec<u8>> {
    let last = contents.len().saturating_sub(1) / BLOCK;
    let block = |index: usize| match index == last {
        true => (&contents[index * BLOCK..], flush),
        false => (&contents[index * BLOCK..][..BLOCK], FlushCompress::Sync),
    };
    let compressor = || Compress::new(Compression::new(DEFLATE_LEVEL), false);
    let packed = (0..=last).into_par_iter().map(block).map_init(compressor, compressed);
    Ok(packed.collect::<io::Result<Vec<Vec<u8>>>>()?.concat())
}

/// Compresses a block. All but the last of a member end with an empty stored block, at a whole byte.
fn compressed(compressor: &mut Compress, (bytes, flush): (&[u8], FlushCompress)) -> io::Result<Vec<u8>> {
    const MORE: usize = 1 << 16;
    compressor.reset();
    let mut packed = Vec::with_capacity(bytes.len() / 2 + 64);
    loop {
        let rest = &bytes[compressor.total_in() as usize..];
        let status = compressor.compress_vec(rest, &mut packed, flush).map_err(io::Error::other)?;
        let is_whole = match flush {
            FlushCompress::Finish => status == Status::StreamEnd,
            _ => compressor.total_in() as usize == bytes.len() && packed.len() < packed.capacity(),
        };
        if is_whole {
            return Ok(packed);
        }
        packed.reserve(MORE);
    }
}
