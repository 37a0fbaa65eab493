//! A table, looked up by key.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, BufWriter, Write};

use absolve_containers::Temporary;
use absolve_framing::bundle::bytes_at;
use fst::raw::{CompiledAddr, Node, Output};
use fst::{IntoStreamer, Map, MapBuilder, Streamer};

use crate::limits::TABLE_BYTES;

/// Bytes of the length in front of a value.
const LENGTH: u64 = 4;

/// Values by their keys, on disk beyond a budget of memory. Memory holds the keys, as an automaton: about ten bytes for each URL of a site.
#[derive(Debug)]
pub(crate) struct Table {
    places: Map<Vec<u8>>,
    values: Values,
}

#[derive(Debug)]
enum Values {
    Memory(Vec<u8>),
    Disk(File),
}

/// The way to a key, from which others that begin like it are found sooner.
#[derive(Debug)]
pub(crate) struct Way {
    key: Vec<u8>,
    /// The state, and the sum of outputs, before each byte of the key, and behind the last that leads on.
    steps: Vec<(CompiledAddr, Output)>,
}

/// Returns how many bytes two keys begin with that are the same.
pub(crate) fn common_length(one: &[u8], other: &[u8]) -> usize {
    const AT_ONCE: usize = 16;
    let (chunks, _) = one.as_chunks::<AT_ONCE>();
    let same = chunks.iter().zip(other.as_chunks().0).take_while(|(one, other)| one == other).count() * AT_ONCE;
    same + one[same..].iter().zip(&other[same..]).take_while(|(one, other)| one == other).count()
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
        self.end += LENGTH + value.len() as u64;
        Ok(())
    }

    pub(crate) fn finish(self) -> io::Result<Table> {
        let file = self.values.into_inner().map_err(io::IntoInnerError::into_error)?;
        let values =
            if self.end <= TABLE_BYTES { Values::Memory(bytes_at(&file, 0..self.end)?) } else { Values::Disk(file) };
        let places = self.places.into_inner().and_then(Map::new).map_err(io::Error::other)?;
        Ok(Table { places, values })
    }
}

impl Table {
    pub(crate) fn get(&self, key: &[u8]) -> io::Result<Option<Cow<'_, [u8]>>> {
        self.places.get(key).map(|place| self.value_at(place)).transpose()
    }

    /// Returns the way to a key, which may not be in the table.
    pub(crate) fn way(&self, key: &[u8]) -> Way {
        let mut steps = vec![(self.places.as_fst().root().addr(), Output::zero())];
        self.walk(steps[0], key, &mut |step| steps.push(step));
        Way { key: key.to_owned(), steps }
    }

    /// Returns the value of a key, as `get` does, by the way to another one.
    pub(crate) fn get_near(&self, key: &[u8], way: &Way) -> io::Result<Option<Cow<'_, [u8]>>> {
        let same = common_length(&way.key, key);
        let Some(step) = way.steps.get(same) else { return Ok(None) };
        let place = self.walk(*step, &key[same..], &mut |_| {}).filter(|(node, _)| node.is_final());
        place.map(|(node, output)| self.value_at(output.cat(node.final_output()).value())).transpose()
    }

    /// Walks on from a state. Returns the last one with the sum of outputs; `None` if there is no way.
    fn walk(
        &self,
        (from, mut output): (CompiledAddr, Output),
        key: &[u8],
        each: &mut impl FnMut((CompiledAddr, Output)),
    ) -> Option<(Node<'_>, Output)> {
        let fst = self.places.as_fst();
        let mut node = fst.node(from);
        for byte in key {
            let transition = node.transition(node.find_input(*byte)?);
            output = output.cat(transition.out);
            node = fst.node(transition.addr);
            each((transition.addr, output));
        }
        Some((node, output))
    }

    /// Returns the values of the keys from one up to another, in order.
    pub(crate) fn range(&self, from: &[u8], up_to: &[u8]) -> io::Result<Vec<Cow<'_, [u8]>>> {
        let mut found = self.places.range().ge(from).lt(up_to).into_stream();
        let mut values = Vec::new();
        while let Some((_, place)) = found.next() {
            values.push(self.value_at(place)?);
        }
        Ok(values)
    }

    /// Passes each key and value to `each`, in order.
    pub(crate) fn for_each(&self, mut each: impl FnMut(&[u8], &[u8]) -> io::Result<()>) -> io::Result<()> {
        let mut all = self.places.stream();
        while let Some((key, place)) = all.next() {
            each(key, &self.value_at(place)?)?;
        }
        Ok(())
    }

    fn value_at(&self, place: u64) -> io::Result<Cow<'_, [u8]>> {
        let behind = place + LENGTH;
        let length = |bytes: &[u8]| bytes.try_into().map_or(0, u32::from_le_bytes).into();
        Ok(match &self.values {
            Values::Memory(values) => {
                let end = behind + length(&values[place as usize..behind as usize]);
                Cow::Borrowed(&values[behind as usize..end as usize])
            }
            Values::Disk(file) => {
                let length: u64 = length(&bytes_at(file, place..behind)?);
                Cow::Owned(bytes_at(file, behind..behind + length)?)
            }
        })
    }
}
