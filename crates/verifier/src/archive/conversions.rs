//! Conversions that an archive holds, until the records are read that they are made of.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};

use super::record::{Record, bare, hashed};
use crate::temporary::{self, Writing};

/// Conversions, their blocks in a temporary file.
pub(super) struct Conversions {
    file: File,
    length: u64,
    list: Vec<Conversion>,
    by_key: HashMap<u64, Vec<usize>>,
}

/// A conversion.
pub(super) struct Conversion {
    /// Its record without the block.
    pub(super) record: Record,
    pub(super) origin: Origin,
    /// Whether a record was found that it is made of.
    pub(super) is_used: bool,
    /// The record that it refers to, and why that may have none.
    pub(super) refused: Option<(u64, &'static str)>,
    at: u64,
    length: u64,
}

/// Where a conversion stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Origin {
    Added,
    /// In the archive itself.
    Original,
}

impl Conversions {
    pub(super) fn new() -> io::Result<Self> {
        Ok(Self { file: temporary::file()?, length: 0, list: Vec::new(), by_key: HashMap::new() })
    }

    pub(super) fn add(&mut self, mut record: Record, origin: Origin) -> io::Result<()> {
        let key = hashed(&[&record.field("WARC-Refers-To"), bare(&record.target())]);
        self.file.seek(SeekFrom::Start(self.length))?;
        Writing(&self.file).write_all(record.bytes())?;
        let (at, length) = (self.length, record.bytes().len() as u64);
        self.length += length;
        self.by_key.entry(key).or_default().push(self.list.len());
        record.block = super::record::Block::Whole(Vec::new());
        self.list.push(Conversion { record, origin, is_used: false, refused: None, at, length });
        Ok(())
    }

    /// Those of a record: added ones that are made of no other record before the others, else in their order.
    pub(super) fn of(&self, key: u64) -> Vec<usize> {
        // Some writers give many records one id, or none.
        const TRIED: usize = 16;
        let mut found = self.by_key.get(&key).cloned().unwrap_or_default();
        found.sort_by_key(|index| (self.list[*index].origin, self.list[*index].is_used));
        found.truncate(TRIED);
        found
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
        let Conversion { at, length, .. } = self.list[index];
        let mut content = Vec::new();
        self.file.seek(SeekFrom::Start(at))?;
        (&self.file).take(length).read_to_end(&mut content)?;
        Ok(content)
    }
}
