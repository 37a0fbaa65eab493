//! Replaced records that revisit records refer to.

use std::collections::{HashMap, HashSet};
use std::io;

use absolve_framing::{ArchiveFormat, WarcRecord};

use crate::archive::record::{Record, hash_of};
use crate::archive::records::Records;
use crate::archive::shelf::Shelf;
use crate::storage::Stored;

/// Replaced records that revisit records of the archives of a run refer to; they are in a temporary file if they are many.
#[derive(Debug, Default)]
pub struct Revisits {
    /// The keys of all references of revisit records.
    wanted: HashSet<u64>,
    /// The keys of references to records that were neither replaced nor kept when the revisit record was read.
    missed: HashSet<u64>,
    /// The keys of records that were kept.
    kept: HashSet<u64>,
    replaced: Shelf,
    by_key: HashMap<u64, usize>,
}

impl Revisits {
    /// Adds the references of all revisit records of an archive, before the archives of the run are verified.
    ///
    /// # Errors
    ///
    /// An error of reading the archive.
    pub fn add_archive<'s>(&mut self, original: impl Into<Stored<'s>>) -> io::Result<()> {
        let mut records = Records::of(original.into(), ArchiveFormat::Warc)?;
        while let Some(record) = records.next_record()? {
            if record.kind() == "revisit" {
                self.wanted.extend(referred(&record));
            }
        }
        Ok(())
    }

    /// Reports whether an earlier revisit record refers to this record, which is then not replaced.
    pub(super) fn is_missed(&self, record: &Record) -> bool {
        !self.missed.is_empty() && keys(record).any(|key| self.missed.contains(&key))
    }

    /// Adds a record that is not replaced.
    pub(super) fn keep(&mut self, record: &Record) {
        self.kept.extend(keys(record).filter(|key| self.wanted.contains(key)));
    }

    /// Adds a replaced record.
    pub(super) fn add(&mut self, record: &Record) -> io::Result<()> {
        let keys: Vec<u64> = keys(record).filter(|key| self.wanted.contains(key)).collect();
        if !keys.is_empty() {
            let index = self.replaced.add(record)?;
            self.by_key.extend(keys.into_iter().map(|key| (key, index)));
        }
        Ok(())
    }

    /// Returns the replaced record that a revisit record refers to.
    pub(super) fn of(&mut self, revisit: &Record) -> io::Result<Option<Record>> {
        let keys: Vec<u64> = referred(revisit).collect();
        if let Some(index) = keys.iter().find_map(|key| self.by_key.get(key)) {
            return self.replaced.get(*index).map(Some);
        }
        if !keys.iter().any(|key| self.kept.contains(key)) {
            self.missed.extend(keys);
        }
        Ok(None)
    }
}

/// Returns the keys of the names by which a revisit record may refer to a record.
fn keys(record: &Record) -> impl Iterator<Item = u64> + use<> {
    record.warc().iter().flat_map(WarcRecord::names).map(hash_of).collect::<Vec<_>>().into_iter()
}

/// Returns the keys of the names by which a revisit record refers to a record.
fn referred(revisit: &Record) -> impl Iterator<Item = u64> + use<> {
    revisit.warc().iter().flat_map(WarcRecord::referred_names).map(hash_of).collect::<Vec<_>>().into_iter()
}
