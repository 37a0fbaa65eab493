//! What was replaced in a derived archive, for revisits that refer to it.

use std::collections::HashMap;
use std::io::{self, Read, Seek, SeekFrom, Write};

use uuid::Uuid;

use crate::temporary::Temporary;

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

/// Documents that were replaced, in a temporary file.
pub(crate) struct Originals {
    file: Temporary,
    length: u64,
    /// Each without its content, and where that stands.
    places: Vec<(Original, u64, usize)>,
    by_key: HashMap<Uuid, usize>,
}

impl Originals {
    pub(crate) fn new() -> io::Result<Self> {
        Ok(Self { file: Temporary::new()?, length: 0, places: Vec::new(), by_key: HashMap::new() })
    }

    pub(crate) fn add(&mut self, keys: &[Uuid], original: Original) -> io::Result<()> {
        (&self.file).seek(SeekFrom::Start(self.length))?;
        (&self.file).write_all(&original.content)?;
        self.by_key.extend(keys.iter().map(|key| (*key, self.places.len())));
        let length = original.content.len();
        self.places.push((Original { names: Vec::new(), content: Vec::new(), ..original }, self.length, length));
        self.length += length as u64;
        Ok(())
    }

    /// The first of these that is there.
    pub(crate) fn get(&mut self, keys: &[Uuid]) -> io::Result<Option<Original>> {
        let Some(index) = keys.iter().find_map(|key| self.by_key.get(key)) else { return Ok(None) };
        let (original, start, length) = &self.places[*index];
        let mut content = vec![0; *length];
        (&self.file).seek(SeekFrom::Start(*start))?;
        (&self.file).read_exact(&mut content)?;
        Ok(Some(Original { content, ..original.clone() }))
    }
}
