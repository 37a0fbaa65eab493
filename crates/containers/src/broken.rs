//! Incomplete and damaged records of a stream.

use absolve_framing::Content;

/// The incomplete and damaged records of an archive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Broken {
    /// The record that is cut off at the end of the archive.
    pub cut_off: Option<BrokenRecord>,
    /// The first damaged record that is followed by readable ones.
    pub damaged: Option<BrokenRecord>,
}

/// A record that is incomplete or damaged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BrokenRecord {
    /// Its number, counted from 1; 0 for bytes that are not a record.
    pub number: u64,
    /// Where it breaks, in bytes of the decompressed archive.
    pub byte: u64,
}

impl Broken {
    /// Adds the next record, which has this number, begins at byte `start` and has the bytes `raw`. A record that seemed cut off is damaged if
    /// another one follows it, and so are bytes that are not a record.
    pub(crate) fn add(&mut self, number: u64, content: &Content, raw: &[u8], start: u64) {
        let broken = BrokenRecord { number, byte: start + raw.len() as u64 };
        let is_damaged = matches!(content, Content::Damaged(_));
        if is_damaged || content.is_new() {
            let damaged = self.cut_off.take().or(is_damaged.then_some(broken));
            self.damaged = self.damaged.or(damaged);
        }
        if *content == Content::CutOff || content.is_stray(raw) {
            self.cut_off.get_or_insert(broken);
        }
    }

    /// Adds the record in which the archive ends at byte `end`, unless that is known. Returns its number.
    ///
    /// An archive that ends before any record ends in its first one.
    pub(crate) fn end_in(&mut self, number: u64, end: u64) -> u64 {
        let known = self.cut_off.filter(|broken| broken.number > 0);
        self.cut_off.insert(known.unwrap_or(BrokenRecord { number: number.max(1), byte: end })).number
    }

    /// Returns what is broken of a file with this number of records. One without any is no damaged archive, and a finding says that it is
    /// none.
    pub(crate) fn of_archive(self, records: u64) -> Self {
        if records == 0 { Self::default() } else { self }
    }

    /// Returns the records of `self` or, for those it lacks, of another archive of the same file.
    pub(crate) fn or(self, other: Self) -> Self {
        Self { cut_off: self.cut_off.or(other.cut_off), damaged: self.damaged.or(other.damaged) }
    }
}
