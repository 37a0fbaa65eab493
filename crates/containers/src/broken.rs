//! Incomplete and damaged records of a stream.

use crate::batches::Record;
use crate::framing::Content;

/// Numbers of the incomplete and damaged records of an archive, counted from 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Broken {
    /// The record that is cut off at the end of the archive.
    pub cut_off: Option<u64>,
    /// The first damaged record that is followed by readable ones.
    pub damaged: Option<u64>,
}

impl Broken {
    /// Adds the next record. A record that seemed cut off is damaged if another one follows it.
    pub(crate) fn add(&mut self, record: &Record) {
        let is_damaged = matches!(record.content, Content::Damaged(_));
        if is_damaged || record.content.is_new() {
            let damaged = self.cut_off.take().or(is_damaged.then_some(record.number));
            self.damaged = self.damaged.or(damaged);
        }
        if record.content == Content::CutOff {
            self.cut_off = Some(record.number);
        }
    }

    /// Returns the records of `self` or, for those it lacks, of another archive of the same file.
    pub(crate) fn or(self, other: Self) -> Self {
        Self { cut_off: self.cut_off.or(other.cut_off), damaged: self.damaged.or(other.damaged) }
    }
}
