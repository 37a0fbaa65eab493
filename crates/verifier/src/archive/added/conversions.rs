//! The conversion records of an archive, held until the records that they refer to are read.

use std::collections::{BTreeSet, HashMap};
use std::io;
use std::ops::Range;

use absolve_framing::ArchiveFormat;

use crate::archive::record::{Place, Record, hash_of, without_brackets};
use crate::storage::temporary::Spool;

/// Conversion records, which are in a temporary file if they are many.
pub(super) struct Conversions {
    spool: Spool,
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
    number: u64,
    key: u64,
    bytes: Range<u64>,
    line_ends: Vec<u8>,
    /// Whether it was added, and the record that it refers to was not found.
    pub(super) is_unused: bool,
    /// The number of the record that it refers to, and why that may have no conversion.
    pub(super) refused: Option<(u64, &'static str)>,
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
        Self { spool: Spool::new(), list: Vec::new(), by_key: HashMap::new() }
    }

    pub(super) fn add(&mut self, record: &Record, origin: Origin) -> io::Result<()> {
        let key = key_of(record.field("WARC-Refers-To"), &record.target());
        let of_key = self.by_key.entry(key).or_default();
        match origin {
            Origin::Added => drop(of_key.unused.insert(self.list.len())),
            Origin::Original => of_key.original.push(self.list.len()),
        }
        let bytes = self.spool.append(&[record.header(), record.block()].concat())?;
        let (number, line_ends, is_unused) = (record.number, record.line_ends.clone(), origin == Origin::Added);
        self.list.push(Conversion { number, key, bytes, line_ends, is_unused, refused: None });
        Ok(())
    }

    /// Returns the conversions of a record: added ones that are unused first, each group in the order of the archive.
    pub(super) fn of(&self, record: &Record) -> Vec<usize> {
        // Some writers give many records the same id, or none.
        const TRIED: usize = 16;
        let Some(OfKey { unused, used, original }) = self.by_key.get(&key_of(record.id(), &record.target())) else {
            return Vec::new();
        };
        unused.iter().chain(used).chain(original).copied().take(TRIED).collect()
    }

    /// Records that the record of a conversion was found.
    pub(super) fn use_up(&mut self, index: usize) {
        let conversion = &mut self.list[index];
        conversion.is_unused = false;
        if let Some(of_key) = self.by_key.get_mut(&conversion.key)
            && of_key.unused.remove(&index)
        {
            of_key.used.push(index);
        }
    }

    pub(super) fn get(&mut self, index: usize) -> &mut Conversion {
        &mut self.list[index]
    }

    /// Returns the conversions that were added and refer to no record that was found.
    pub(super) fn unused(&self) -> Vec<usize> {
        (0..self.list.len()).filter(|index| self.list[*index].is_unused).collect()
    }

    /// Returns a conversion record.
    pub(super) fn record(&mut self, index: usize) -> io::Result<Record> {
        let Conversion { number, bytes, line_ends, .. } = &self.list[index];
        let bytes = self.spool.read(bytes.clone())?;
        Ok(Record::new(ArchiveFormat::Warc, *number, bytes, line_ends.clone(), Place::default()))
    }
}

/// Returns the key of the conversions of a record with this id and this URL.
fn key_of(id: Option<String>, url: &str) -> u64 {
    hash_of((id, without_brackets(url)))
}
