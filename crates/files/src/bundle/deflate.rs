//! Compresses new contents of members on all threads, long ones in blocks.

use std::collections::BTreeMap;
use std::io;
use std::ops::Range;

use absolve_containers::{BlobSpool, DEFLATE_LEVEL};
use flate2::{Compress, Compression, FlushCompress, Status};
use rayon::prelude::*;

use crate::bundle::replacements::{NewContents, Replaced};

/// Members that are compressed, and where each is in the spool.
#[derive(Debug)]
pub(super) struct Deflated {
    pub(super) spool: BlobSpool,
    pub(super) ranges: BTreeMap<usize, Range<u64>>,
}

/// The bytes of a block. A copy of 32 KiB before each could be a dictionary, for less than a hundredth of the size.
const BLOCK: u64 = 1 << 20;

/// The bytes that are compressed together.
const AT_ONCE: usize = 16 << 20;

/// A part of a member that is compressed by itself.
struct Block {
    member: usize,
    bytes: Vec<u8>,
    flush: FlushCompress,
}

/// Compresses the new contents of those members that `is_wanted` selects.
pub(super) fn deflated(contents: &NewContents, is_wanted: &dyn Fn(usize) -> bool) -> io::Result<Deflated> {
    let mut deflated = Deflated { spool: BlobSpool::new()?, ranges: BTreeMap::new() };
    let (mut blocks, mut waiting) = (Vec::new(), 0);
    for (member, replaced) in contents.replaced.iter().filter(|(member, _)| is_wanted(**member)) {
        for (range, flush) in blocks_of(replaced) {
            let mut bytes = Vec::with_capacity((range.end - range.start) as usize);
            contents.spool.copy_to(range, &mut bytes)?;
            waiting += bytes.len();
            blocks.push(Block { member: *member, bytes, flush });
            if waiting >= AT_ONCE {
                deflated.add(&std::mem::take(&mut blocks))?;
                waiting = 0;
            }
        }
    }
    deflated.add(&blocks)?;
    Ok(deflated)
}

/// Returns the ranges of the blocks of a member in the spool; that of an empty member is empty.
fn blocks_of(replaced: &Replaced) -> impl Iterator<Item = (Range<u64>, FlushCompress)> {
    let of_piece = |piece: &Range<u64>| {
        let end = piece.end;
        piece.clone().step_by(BLOCK as usize).map(move |start| start..end.min(start + BLOCK))
    };
    let mut ranges: Vec<Range<u64>> = replaced.pieces.iter().flat_map(of_piece).collect();
    if ranges.is_empty() {
        ranges.push(0..0);
    }
    let last = ranges.len() - 1;
    let flush = move |index| if index == last { FlushCompress::Finish } else { FlushCompress::Sync };
    ranges.into_iter().enumerate().map(move |(index, range)| (range, flush(index)))
}

impl Deflated {
    fn add(&mut self, blocks: &[Block]) -> io::Result<()> {
        let compressor = || Compress::new(Compression::new(DEFLATE_LEVEL), false);
        let packed: Vec<io::Result<Vec<u8>>> = blocks.par_iter().map_init(compressor, compressed).collect();
        for (block, packed) in blocks.iter().zip(packed) {
            let added = self.spool.add(&packed?)?;
            self.ranges.entry(block.member).or_insert(added.start..added.start).end = added.end;
        }
        Ok(())
    }
}

/// Compresses a block. All but the last of a member end with an empty stored block, at a whole byte.
fn compressed(compressor: &mut Compress, Block { bytes, flush, .. }: &Block) -> io::Result<Vec<u8>> {
    const MORE: usize = 1 << 16;
    compressor.reset();
    let mut packed = Vec::with_capacity(bytes.len() / 2 + 64);
    loop {
        let rest = &bytes[compressor.total_in() as usize..];
        let status = compressor.compress_vec(rest, &mut packed, *flush).map_err(io::Error::other)?;
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
