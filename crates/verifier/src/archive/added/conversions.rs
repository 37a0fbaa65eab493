//! The conversion records of an archive, held until the records that they refer to are read.

use std::collections::{HashMap, VecDeque};
use std::io;

use crate::archive::record::{Record, hash_of, without_brackets};
use crate::archive::shelf::Shelf;

/// Conversion records, in the order in which they were added.
#[derive(Default)]
pub(super) struct Conversions {
    records: Shelf,
    pub(super) states: Vec<State>,
    /// The conversions of each key: added ones whose record was not found yet are first.
    by_key: HashMap<u64, VecDeque<usize>>,
}

/// What is known of a conversion record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// It is one of the original archive.
    Original,
    /// It was added, and the record that it refers to was not found.
    Unused,
    /// It was added, and refers to a record of this number, which may have no conversion.
    Refused(u64, &'static str),
    /// It was added, and is the conversion of the record of this number.
    Used(u64),
}

/// The number of conversions that are tried for one record: some writers give many records the same id, or none.
const TRIED: usize = 16;

impl Conversions {
    pub(super) fn add(&mut self, record: &Record, state: State) -> io::Result<()> {
        let key = key_of(record.field("WARC-Refers-To"), &record.target());
        self.by_key.entry(key).or_default().push_back(self.records.add(record)?);
        self.states.push(state);
        Ok(())
    }

    /// Returns the conversions of a record: added ones that are unused first.
    pub(super) fn of(&self, record: &Record) -> Vec<usize> {
        let found = self.by_key.get(&key_of(record.id(), &record.target()));
        found.into_iter().flatten().copied().take(TRIED).collect()
    }

    /// Returns a conversion record.
    pub(super) fn record(&mut self, index: usize) -> io::Result<Record> {
        self.records.get(index)
    }

    /// Reports whether it was added, and is of no record yet.
    pub(super) fn is_unused(&self, index: usize) -> bool {
        matches!(self.states[index], State::Unused | State::Refused(..))
    }

    /// Records that a conversion refers to a record of this number, which may have none.
    pub(super) fn refuse(&mut self, index: usize, record: u64, why: &'static str) {
        if self.is_unused(index) {
            self.states[index] = State::Refused(record, why);
        }
    }

    /// Records that a conversion is that of a record.
    pub(super) fn use_up(&mut self, index: usize, record: &Record) {
        self.states[index] = State::Used(record.number);
        let Some(of_key) = self.by_key.get_mut(&key_of(record.id(), &record.target())) else { return };
        if let Some(at) = of_key.iter().take(TRIED).position(|one| *one == index) {
            of_key.remove(at);
            of_key.push_back(index);
        }
    }
}

/// Returns the key of the conversions of a record with this id and this URL.
fn key_of(id: Option<String>, url: &str) -> u64 {
    hash_of((id, without_brackets(url)))
}
