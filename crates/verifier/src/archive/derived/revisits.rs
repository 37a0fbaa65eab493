//! Replaced documents that revisit records refer to.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::io;
use std::mem;
use std::ops::Range;

use absolve_framing::ArchiveFormat;

use crate::archive::payload::Payload;
use crate::archive::record::{Record, hash_of, without_brackets};
use crate::archive::records::Records;
use crate::storage::Stored;
use crate::storage::temporary::Spool;

/// Replaced documents that revisit records of the archives of a run refer to; their contents are in a temporary file if they are many.
pub struct Revisits {
    contents: Spool,
    /// The keys of all references of revisit records.
    wanted: HashSet<u64>,
    /// The keys of references to records that were neither replaced nor kept when the revisit record was read.
    missed: HashSet<u64>,
    /// The keys of records that were kept.
    kept: HashSet<u64>,
    /// Each document without its content, with the `WARC-Truncated` field of its record and the place of the content.
    payloads: Vec<(Replaced, Range<u64>)>,
    by_name: HashMap<u64, usize>,
}

/// A replaced document, with the `WARC-Truncated` field of its record.
pub(super) type Replaced = (Payload, Option<String>);

impl fmt::Debug for Revisits {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Revisits").field("wanted", &self.wanted.len()).finish_non_exhaustive()
    }
}

impl Default for Revisits {
    fn default() -> Self {
        let (wanted, missed, kept) = (HashSet::new(), HashSet::new(), HashSet::new());
        Self { contents: Spool::new(), wanted, missed, kept, payloads: Vec::new(), by_name: HashMap::new() }
    }
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

    /// Returns whether an earlier revisit record refers to this record, which is then not replaced.
    pub(super) fn is_missed(&self, record: &Record) -> bool {
        !self.missed.is_empty() && names(record).any(|name| self.missed.contains(&name))
    }

    /// Adds a record that is not replaced.
    pub(super) fn keep(&mut self, record: &Record) {
        let wanted = names(record).filter(|name| self.wanted.contains(name));
        self.kept.extend(wanted);
    }

    /// Adds a replaced document.
    pub(super) fn add(&mut self, record: &Record, mut payload: Payload) -> io::Result<()> {
        let names: Vec<u64> = names(record).filter(|name| self.wanted.contains(name)).collect();
        if !names.is_empty() {
            let content = self.contents.append(&mem::take(&mut payload.content))?;
            self.by_name.extend(names.iter().map(|name| (*name, self.payloads.len())));
            self.payloads.push(((payload, record.field("WARC-Truncated")), content));
        }
        Ok(())
    }

    /// Returns the replaced document that a revisit record refers to.
    pub(super) fn of(&mut self, revisit: &Record) -> io::Result<Option<Replaced>> {
        let names = referred(revisit);
        let Some(index) = names.iter().find_map(|name| self.by_name.get(name)) else {
            if !names.iter().any(|name| self.kept.contains(name)) {
                self.missed.extend(names);
            }
            return Ok(None);
        };
        let ((payload, truncated), content) = &self.payloads[*index];
        let content = self.contents.read(content.clone())?;
        Ok(Some((payload.clone().with_content(content), truncated.clone())))
    }
}

/// Returns the keys by which a revisit record may refer to a record.
fn names(record: &Record) -> impl Iterator<Item = u64> {
    let place = of_place(Some(record.target()), record.field("WARC-Date"));
    [of_text(record.id()), place, of_text(record.field("WARC-Payload-Digest"))].into_iter().flatten()
}

/// Returns the keys by which a revisit record refers to a record: its payload digest only if it has no other reference.
fn referred(revisit: &Record) -> Vec<u64> {
    let place = of_place(revisit.field("WARC-Refers-To-Target-URI"), revisit.field("WARC-Refers-To-Date"));
    let names: Vec<u64> = of_text(revisit.field("WARC-Refers-To")).into_iter().chain(place).collect();
    match names.is_empty() {
        true => of_text(revisit.field("WARC-Payload-Digest")).into_iter().collect(),
        false => names,
    }
}

/// Returns the key of an id or of a digest.
fn of_text(text: Option<String>) -> Option<u64> {
    text.map(hash_of)
}

fn of_place(url: Option<String>, date: Option<String>) -> Option<u64> {
    Some(hash_of((without_brackets(&url?), date?)))
}
