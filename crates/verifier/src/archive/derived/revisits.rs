//! Replaced documents that revisit records refer to.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::io;
use std::ops::Range;

use crate::archive::format::Format;
use crate::archive::payload::Payload;
use crate::archive::reader::Records;
use crate::archive::record::{Record, hash_of, without_brackets};
use crate::storage::Stored;
use crate::storage::temporary::Spool;

/// Replaced documents that revisit records of the archives of a run refer to; their contents are in a temporary file if they are many.
pub struct Revisits {
    contents: Spool,
    /// The keys of all references of revisit records.
    wanted: HashSet<u64>,
    /// The keys of references to records that were not replaced when the revisit record was read.
    missed: HashSet<u64>,
    /// Each document without its content, with the `WARC-Truncated` field of its record and the place of the content.
    payloads: Vec<(Payload, String, Range<u64>)>,
    by_name: HashMap<u64, usize>,
}

impl fmt::Debug for Revisits {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Revisits").field("wanted", &self.wanted.len()).finish_non_exhaustive()
    }
}

impl Default for Revisits {
    fn default() -> Self {
        let (wanted, missed) = (HashSet::new(), HashSet::new());
        Self { contents: Spool::new(), wanted, missed, payloads: Vec::new(), by_name: HashMap::new() }
    }
}

impl Revisits {
    /// Adds the references of all revisit records of an archive, before the archives of the run are verified.
    ///
    /// # Errors
    ///
    /// An error of reading the archive.
    pub fn add_archive<'s>(&mut self, original: impl Into<Stored<'s>>) -> io::Result<()> {
        let mut records = Records::of_file(original.into(), Format::Warc)?;
        while let Some(record) = records.next_record()? {
            if record.kind() == "revisit" {
                self.add_references(&record);
            }
        }
        Ok(())
    }

    /// Returns whether an earlier revisit record refers to this record, which is then not replaced.
    pub(super) fn is_missed(&self, record: &Record) -> bool {
        !self.missed.is_empty() && names(record).iter().any(|name| self.missed.contains(name))
    }

    /// Adds the references of a revisit record, before any record is replaced.
    pub(super) fn add_references(&mut self, revisit: &Record) {
        self.wanted.extend(referred(revisit));
    }

    /// Adds a replaced document; returns whether an earlier revisit record refers to it.
    pub(super) fn add(&mut self, record: &Record, mut payload: Payload) -> io::Result<bool> {
        let names: Vec<u64> = names(record).into_iter().filter(|name| self.wanted.contains(name)).collect();
        if !names.is_empty() {
            let content = self.contents.append(&std::mem::take(&mut payload.content))?;
            self.by_name.extend(names.iter().map(|name| (*name, self.payloads.len())));
            self.payloads.push((payload, record.field("WARC-Truncated"), content));
        }
        Ok(names.iter().any(|name| self.missed.contains(name)))
    }

    /// Returns the replaced document that a revisit record refers to, with its `WARC-Truncated` field.
    pub(super) fn of(&mut self, revisit: &Record) -> io::Result<Option<(Payload, String)>> {
        let names = referred(revisit);
        let Some(index) = names.iter().find_map(|name| self.by_name.get(name)) else {
            self.missed.extend(names);
            return Ok(None);
        };
        let (payload, truncated, content) = &self.payloads[*index];
        let mut payload = payload.clone();
        payload.content = self.contents.read(content.clone())?;
        Ok(Some((payload, truncated.clone())))
    }
}

/// Returns the keys by which a revisit record may refer to a record.
fn names(record: &Record) -> Vec<u64> {
    let digest = record.field("WARC-Payload-Digest");
    [of_id(&record.id()), of_place(&record.url(), &record.field("WARC-Date")), of_digest(&digest)]
        .into_iter()
        .flatten()
        .collect()
}

/// Returns the keys by which a revisit record refers to a record: its payload digest only if it has no other reference.
fn referred(revisit: &Record) -> Vec<u64> {
    let url = revisit.field("WARC-Refers-To-Target-URI");
    let place = of_place(without_brackets(&url), &revisit.field("WARC-Refers-To-Date"));
    let names: Vec<u64> = of_id(&revisit.field("WARC-Refers-To")).into_iter().chain(place).collect();
    match names.is_empty() {
        true => of_digest(&revisit.field("WARC-Payload-Digest")).into_iter().collect(),
        false => names,
    }
}

fn of_id(id: &str) -> Option<u64> {
    (!id.is_empty()).then(|| hash_of(&["id", id]))
}

fn of_place(url: &str, date: &str) -> Option<u64> {
    (!url.is_empty() && !date.is_empty()).then(|| hash_of(&["place", url, date]))
}

fn of_digest(digest: &str) -> Option<u64> {
    (!digest.is_empty()).then(|| hash_of(&["digest", digest]))
}
