//! What was replaced in a derived archive, for revisits that refer to it.

use std::collections::HashMap;
use std::io;
use std::ops::Range;

use uuid::Uuid;

use crate::blob_spool::BlobSpool;

/// The document that was replaced.
#[derive(Clone)]
pub(crate) struct Original {
    /// By which names revisits refer to it.
    pub(crate) names: Vec<String>,
    pub(crate) content_type: String,
    /// Why it is not whole, if it is not.
    pub(crate) truncated: Option<String>,
    pub(crate) content: Vec<u8>,
}

/// Documents that were replaced.
pub(crate) struct Originals {
    contents: BlobSpool,
    /// Each without its content, and where that stands.
    places: Vec<(Original, Range<u64>)>,
    by_key: HashMap<Uuid, usize>,
}

impl Originals {
    pub(crate) fn new() -> io::Result<Self> {
        Ok(Self { contents: BlobSpool::new()?, places: Vec::new(), by_key: HashMap::new() })
    }

    pub(crate) fn add(&mut self, keys: &[Uuid], original: Original) -> io::Result<()> {
        let place = self.contents.add(&original.content)?;
        self.by_key.extend(keys.iter().map(|key| (*key, self.places.len())));
        self.places.push((Original { names: Vec::new(), content: Vec::new(), ..original }, place));
        Ok(())
    }

    /// Returns the first of these that is there.
    pub(crate) fn get(&self, keys: &[Uuid]) -> io::Result<Option<Original>> {
        let Some(index) = keys.iter().find_map(|key| self.by_key.get(key)) else { return Ok(None) };
        let (original, place) = &self.places[*index];
        let mut content = Vec::new();
        self.contents.copy_to(place.clone(), &mut content)?;
        Ok(Some(Original { content, ..original.clone() }))
    }
}
