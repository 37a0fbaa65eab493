//! The replaced documents of a derived archive, for revisits that refer to them.

use std::collections::HashMap;
use std::io;
use std::ops::Range;

use uuid::Uuid;

use crate::blob_spool::BlobSpool;

/// A replaced document.
#[derive(Clone)]
pub(crate) struct Original {
    /// The names by which revisits refer to it.
    pub(crate) names: Vec<String>,
    pub(crate) content_type: String,
    /// The reason in `WARC-Truncated`.
    pub(crate) truncated: Option<String>,
    pub(crate) content: Vec<u8>,
}

/// All replaced documents.
pub(crate) struct Originals {
    contents: BlobSpool,
    /// The documents without their contents, and the ranges of those in `contents`.
    entries: Vec<(Original, Range<u64>)>,
    by_key: HashMap<Uuid, usize>,
}

impl Originals {
    pub(crate) fn new() -> io::Result<Self> {
        Ok(Self { contents: BlobSpool::new()?, entries: Vec::new(), by_key: HashMap::new() })
    }

    pub(crate) fn add(&mut self, keys: &[Uuid], original: Original) -> io::Result<()> {
        let range = self.contents.add(&original.content)?;
        self.by_key.extend(keys.iter().map(|key| (*key, self.entries.len())));
        self.entries.push((Original { names: Vec::new(), content: Vec::new(), ..original }, range));
        Ok(())
    }

    /// Returns the document of the first key that has one.
    pub(crate) fn get(&self, keys: &[Uuid]) -> io::Result<Option<Original>> {
        let Some(index) = keys.iter().find_map(|key| self.by_key.get(key)) else { return Ok(None) };
        let (original, range) = &self.entries[*index];
        let mut content = Vec::new();
        self.contents.copy_to(range.clone(), &mut content)?;
        Ok(Some(Original { content, ..original.clone() }))
    }
}
