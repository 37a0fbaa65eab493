//! A table on disk, looked up by key.

use std::fs::File;
use std::io::{self, BufWriter, Write};

use absolve_containers::Temporary;
use absolve_framing::bundle::read_at;
use fst::{IntoStreamer, Map, MapBuilder, Streamer};

/// Values on disk by their keys. Memory holds the keys, as an automaton: about ten bytes for each URL of a site.
#[derive(Debug)]
pub(crate) struct Table {
    places: Map<Vec<u8>>,
    values: File,
}

/// A table that is being written.
pub(crate) struct NewTable {
    places: MapBuilder<Vec<u8>>,
    values: BufWriter<File>,
    end: u64,
}

impl NewTable {
    pub(crate) fn new() -> io::Result<Self> {
        let values = BufWriter::with_capacity(1 << 16, Temporary::new()?.into_file());
        Ok(Self { places: MapBuilder::memory(), values, end: 0 })
    }

    /// Adds a value. Its key has to be behind all others.
    pub(crate) fn add(&mut self, key: &[u8], value: &[u8]) -> io::Result<()> {
        self.places.insert(key, self.end).map_err(io::Error::other)?;
        self.values.write_all(&(value.len() as u32).to_le_bytes())?;
        self.values.write_all(value)?;
        self.end += 4 + value.len() as u64;
        Ok(())
    }

    pub(crate) fn finish(self) -> io::Result<Table> {
        let values = self.values.into_inner().map_err(io::IntoInnerError::into_error)?;
        Ok(Table { places: Map::new(self.places.into_inner().map_err(io::Error::other)?).map_err(io::Error::other)?, values })
    }
}

impl Table {
    pub(crate) fn get(&self, key: &[u8]) -> io::Result<Option<Vec<u8>>> {
        self.places.get(key).map(|place| self.value_at(place)).transpose()
    }

    /// Returns the values of the keys from one up to another, in order.
    pub(crate) fn range(&self, from: &[u8], up_to: &[u8]) -> io::Result<Vec<Vec<u8>>> {
        let mut found = self.places.range().ge(from).lt(up_to).into_stream();
        let mut values = Vec::new();
        while let Some((_, place)) = found.next() {
            values.push(self.value_at(place)?);
        }
        Ok(values)
    }

    /// Passes each key and value to `each`, in order.
    pub(crate) fn for_each(&self, mut each: impl FnMut(&[u8], Vec<u8>) -> io::Result<()>) -> io::Result<()> {
        let mut all = self.places.stream();
        while let Some((key, place)) = all.next() {
            each(key, self.value_at(place)?)?;
        }
        Ok(())
    }

    fn value_at(&self, place: u64) -> io::Result<Vec<u8>> {
        const USUAL: usize = 512;
        let mut value = vec![0; USUAL];
        let mut read = read_at(&self.values, &mut value, place)?;
        let length = value.get(..4).and_then(|length| length.try_into().ok()).map_or(0, u32::from_le_bytes) as usize;
        value.resize(4 + length, 0);
        while read < value.len() {
            match read_at(&self.values, &mut value[read..], place + read as u64)? {
                0 => return Err(io::ErrorKind::UnexpectedEof.into()),
                more => read += more,
            }
        }
        value.drain(..4);
        Ok(value)
    }
}
