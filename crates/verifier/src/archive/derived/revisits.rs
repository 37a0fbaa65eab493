//! Documents that were replaced, for the revisits that refer to them.

use std::collections::{HashMap, HashSet};
use std::io;
use std::ops::Range;

use crate::archive::payload::Payload;
use crate::archive::record::{Record, bare, hashed};
use crate::storage::temporary::Spool;

/// Documents that were replaced and that revisits refer to, in a temporary file if they are many.
pub(super) struct Replaced {
    contents: Spool,
    /// By what revisits of the archive refer to something.
    wanted: HashSet<u64>,
    /// By what revisits referred to something that was not replaced yet.
    missed: HashSet<u64>,
    /// Each without its content, why that is not whole, where that stands and how long it is.
    pages: Vec<(Payload, String, Range<u64>)>,
    by_name: HashMap<u64, usize>,
}

impl Replaced {
    pub(super) fn new() -> Self {
        let (wanted, missed) = (HashSet::new(), HashSet::new());
        Self { contents: Spool::new(), wanted, missed, pages: Vec::new(), by_name: HashMap::new() }
    }

    /// Notes what a revisit refers to, before anything is replaced.
    pub(super) fn want(&mut self, revisit: &Record) {
        self.wanted.extend(referred(revisit));
    }

    /// Notes that a document was replaced; answers whether a revisit before it refers to it.
    pub(super) fn add(&mut self, record: &Record, mut page: Payload) -> io::Result<bool> {
        let names: Vec<u64> = names(record).into_iter().filter(|name| self.wanted.contains(name)).collect();
        if !names.is_empty() {
            let content = self.contents.append(&std::mem::take(&mut page.content))?;
            self.by_name.extend(names.iter().map(|name| (*name, self.pages.len())));
            self.pages.push((page, record.field("WARC-Truncated"), content));
        }
        Ok(names.iter().any(|name| self.missed.contains(name)))
    }

    /// What a revisit refers to, if that was replaced, and why it is not whole.
    pub(super) fn of(&mut self, revisit: &Record) -> io::Result<Option<(Payload, String)>> {
        let names = referred(revisit);
        let Some(index) = names.iter().find_map(|name| self.by_name.get(name)) else {
            self.missed.extend(names);
            return Ok(None);
        };
        let (page, truncated, content) = &self.pages[*index];
        let mut page = page.clone();
        page.content = self.contents.read(content.clone())?;
        Ok(Some((page, truncated.clone())))
    }
}

/// By what revisits may refer to a record.
fn names(record: &Record) -> Vec<u64> {
    let digest = record.field("WARC-Payload-Digest");
    [of_id(&record.id()), of_place(&record.url(), &record.field("WARC-Date")), of_digest(&digest)]
        .into_iter()
        .flatten()
        .collect()
}

/// By what a revisit refers to a record: by its payload only if by nothing else.
fn referred(revisit: &Record) -> Vec<u64> {
    let url = revisit.field("WARC-Refers-To-Target-URI");
    let place = of_place(bare(&url), &revisit.field("WARC-Refers-To-Date"));
    let names: Vec<u64> = of_id(&revisit.field("WARC-Refers-To")).into_iter().chain(place).collect();
    match names.is_empty() {
        true => of_digest(&revisit.field("WARC-Payload-Digest")).into_iter().collect(),
        false => names,
    }
}

fn of_id(id: &str) -> Option<u64> {
    (!id.is_empty()).then(|| hashed(&["id", id]))
}

fn of_place(url: &str, date: &str) -> Option<u64> {
    (!url.is_empty() && !date.is_empty()).then(|| hashed(&["place", url, date]))
}

fn of_digest(digest: &str) -> Option<u64> {
    (!digest.is_empty()).then(|| hashed(&["digest", digest]))
}
