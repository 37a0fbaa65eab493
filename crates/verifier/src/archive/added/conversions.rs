//! Conversions that an archive holds, until the records are read that they are made of.

use std::collections::{BTreeSet, HashMap};
use std::io;
use std::ops::Range;

use crate::archive::record::{Block, Record, bare, hashed};
use crate::storage::temporary::Spool;

/// Conversions, their blocks in a temporary file if they are many.
pub(super) struct Conversions {
    blocks: Spool,
    list: Vec<Conversion>,
    by_key: HashMap<u64, OfKey>,
}

/// The conversions of records that one key names: those that were added and are made of no other record yet, other added
/// ones, and those of the archive itself.
#[derive(Default)]
struct OfKey {
    unused: BTreeSet<usize>,
    used: Vec<usize>,
    original: Vec<usize>,
}

/// A conversion.
pub(super) struct Conversion {
    /// Its record without the block.
    pub(super) record: Record,
    pub(super) origin: Origin,
    /// Whether a record was found that it is made of.
    pub(super) is_used: bool,
    key: u64,
    /// The record that it refers to, and why that may have none.
    pub(super) refused: Option<(u64, &'static str)>,
    block: Range<u64>,
}

/// Where a conversion stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    Added,
    /// In the archive itself.
    Original,
}

impl Conversions {
    pub(super) fn new() -> Self {
        Self { blocks: Spool::new(), list: Vec::new(), by_key: HashMap::new() }
    }

    pub(super) fn add(&mut self, mut record: Record, origin: Origin) -> io::Result<()> {
        let key = hashed(&[&record.field("WARC-Refers-To"), bare(&record.target())]);
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

    /// Those of a record: added ones that are made of no other record before the others, else in their order.
    pub(super) fn of(&self, key: u64) -> Vec<usize> {
        // Some writers give many records one id, or none.
        const TRIED: usize = 16;
        let Some(OfKey { unused, used, original }) = self.by_key.get(&key) else { return Vec::new() };
        unused.iter().chain(used).chain(original).copied().take(TRIED).collect()
    }

    /// Notes that a record was found that one is made of.
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

    /// The block of one.
    pub(super) fn content(&mut self, index: usize) -> io::Result<Vec<u8>> {
        self.blocks.read(self.list[index].block.clone())
    }
}
