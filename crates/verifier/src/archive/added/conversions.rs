//! The conversion records of an archive, held until the records that they refer to are read.

use std::collections::{BTreeSet, HashMap};
use std::io;
use std::ops::Range;

use crate::archive::record::{Block, Record, hash_of, without_brackets};
use crate::storage::temporary::Spool;

/// Conversion records; their blocks are in a temporary file if they are many.
pub(super) struct Conversions {
    blocks: Spool,
    list: Vec<Conversion>,
    by_key: HashMap<u64, OfKey>,
}

/// The conversions with one key: added ones whose record was not found yet, added ones whose record was found, and
/// those of the original archive.
#[derive(Default)]
struct OfKey {
    unused: BTreeSet<usize>,
    used: Vec<usize>,
    original: Vec<usize>,
}

/// A conversion record.
pub(super) struct Conversion {
    /// The record without its block.
    pub(super) record: Record,
    pub(super) origin: Origin,
    /// Whether the record that it refers to was found.
    pub(super) is_used: bool,
    key: u64,
    /// The number of the record that it refers to, and why that may have no conversion.
    pub(super) refused: Option<(u64, &'static str)>,
    block: Range<u64>,
}

/// The origin of a conversion record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    Added,
    /// The original archive.
    Original,
}

impl Conversions {
    pub(super) fn new() -> Self {
        Self { blocks: Spool::new(), list: Vec::new(), by_key: HashMap::new() }
    }

    pub(super) fn add(&mut self, mut record: Record, origin: Origin) -> io::Result<()> {
        let key = hash_of(&[&record.field("WARC-Refers-To"), without_brackets(&record.target())]);
        let block = self.blocks.append(record.bytes())?;
        let of_key = self.by_key.entry(key).or_default();
        match origin {
            Origin::Added => drop(of_key.unused.insert(self.list.len())),
            Origin::Original => of_key.original.push(self.list.len()),
        }
        record.block = Block::Whole(Vec::new());
        self.list.push(Conversion { record, origin, is_used: false, key, refused: None, block });
        Ok(())
    }

    /// Returns the conversions of a record: added ones that are unused first, each group in the order of the archive.
    pub(super) fn of(&self, key: u64) -> Vec<usize> {
        // Some writers give many records the same id, or none.
        const TRIED: usize = 16;
        let Some(OfKey { unused, used, original }) = self.by_key.get(&key) else { return Vec::new() };
        unused.iter().chain(used).chain(original).copied().take(TRIED).collect()
    }

    /// Records that the record of a conversion was found.
    pub(super) fn use_up(&mut self, index: usize) {
        let conversion = &mut self.list[index];
        conversion.is_used = true;
        if let Some(of_key) = self.by_key.get_mut(&conversion.key)
            && of_key.unused.remove(&index)
        {
            of_key.used.push(index);
        }
    }

    pub(super) fn get(&self, index: usize) -> &Conversion {
        &self.list[index]
    }

    pub(super) fn get_mut(&mut self, index: usize) -> &mut Conversion {
        &mut self.list[index]
    }

    pub(super) fn all(&self) -> &[Conversion] {
        &self.list
    }

    /// Returns the block of a conversion.
    pub(super) fn content(&mut self, index: usize) -> io::Result<Vec<u8>> {
        self.blocks.read(self.list[index].block.clone())
    }
}
