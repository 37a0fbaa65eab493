//! Rows in the order of their keys, on disk beyond a budget of memory.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::io::{self, BufReader, BufWriter, Read, Seek, Write};
use std::mem;
use std::ops::Range;

use crate::limits::{MERGED_RUNS, SORTED_BYTES};
use crate::temporary::Temporary;

/// A row: its key and its value.
pub type Row = (Vec<u8>, Vec<u8>);

/// Rows to be sorted by key, then by value: in memory up to a limit, beyond it in temporary files.
///
/// ```
/// use absolve_containers::Sorter;
/// let mut sorter = Sorter::default();
/// sorter.push(b"b", b"2")?;
/// sorter.push(b"a", b"1")?;
/// let keys: Vec<Vec<u8>> = sorter.finish()?.map(|row| row.map(|(key, _)| key)).collect::<Result<_, _>>()?;
/// assert_eq!(keys, [b"a", b"b"]);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct Sorter {
    bytes: Vec<u8>,
    /// The ranges of keys and values in `bytes`; a value follows its key.
    rows: Vec<(Range<usize>, usize)>,
    runs: Vec<Temporary>,
}

impl Sorter {
    /// Adds a row; the error is that of a temporary file.
    pub fn push(&mut self, key: &[u8], value: &[u8]) -> io::Result<()> {
        if self.bytes.len() + key.len() + value.len() > SORTED_BYTES && !self.rows.is_empty() {
            let rows = mem::take(&mut self.rows);
            let run = written(&mut sorted(mem::take(&mut self.bytes), rows))?;
            self.runs.push(run);
            if self.runs.len() == MERGED_RUNS {
                let merged = written(&mut Merged::of(mem::take(&mut self.runs))?)?;
                self.runs.push(merged);
            }
        }
        let start = self.bytes.len();
        self.bytes.extend_from_slice(key);
        let middle = self.bytes.len();
        self.bytes.extend_from_slice(value);
        self.rows.push((start..middle, self.bytes.len()));
        Ok(())
    }

    /// Returns the rows in order; errors are those of temporary files.
    pub fn finish(mut self) -> io::Result<Rows> {
        let last = sorted(self.bytes, self.rows);
        if self.runs.is_empty() {
            return Ok(Box::new(last));
        }
        let mut last = last;
        self.runs.push(written(&mut last)?);
        Ok(Box::new(Merged::of(self.runs)?))
    }
}

/// Rows in order.
pub type Rows = Box<dyn Iterator<Item = io::Result<Row>>>;

fn sorted(bytes: Vec<u8>, mut rows: Vec<(Range<usize>, usize)>) -> impl Iterator<Item = io::Result<Row>> {
    rows.sort_unstable_by(|(one, end), (other, other_end)| {
        let row = |key: &Range<usize>, end: usize| (&bytes[key.clone()], &bytes[key.end..end]);
        row(one, *end).cmp(&row(other, *other_end))
    });
    rows.into_iter().map(move |(key, end)| Ok((bytes[key.clone()].to_vec(), bytes[key.end..end].to_vec())))
}

fn written(rows: &mut dyn Iterator<Item = io::Result<Row>>) -> io::Result<Temporary> {
    let mut run = BufWriter::with_capacity(1 << 16, Temporary::new()?);
    for row in rows {
        let (key, value) = row?;
        for part in [&key, &value] {
            run.write_all(&(part.len() as u64).to_le_bytes())?;
            run.write_all(part)?;
        }
    }
    run.into_inner().map_err(io::IntoInnerError::into_error)
}

/// Runs of sorted rows, as one.
struct Merged {
    runs: Vec<BufReader<Temporary>>,
    /// The next row of each run.
    next: BinaryHeap<Reverse<(Row, usize)>>,
}

impl Merged {
    fn of(runs: Vec<Temporary>) -> io::Result<Self> {
        let mut merged = Self { runs: Vec::new(), next: BinaryHeap::new() };
        for (index, run) in runs.into_iter().enumerate() {
            (&run).rewind()?;
            merged.runs.push(BufReader::new(run));
            merged.advance(index)?;
        }
        Ok(merged)
    }

    fn advance(&mut self, index: usize) -> io::Result<()> {
        let run = &mut self.runs[index];
        let mut part = |is_first: bool| -> io::Result<Option<Vec<u8>>> {
            let mut length = [0; 8];
            match run.read_exact(&mut length) {
                Err(error) if is_first && error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
                read => read?,
            }
            let mut bytes = vec![0; u64::from_le_bytes(length) as usize];
            run.read_exact(&mut bytes)?;
            Ok(Some(bytes))
        };
        if let Some(key) = part(true)? {
            let value = part(false)?.unwrap_or_default();
            self.next.push(Reverse(((key, value), index)));
        }
        Ok(())
    }
}

impl Iterator for Merged {
    type Item = io::Result<Row>;

    fn next(&mut self) -> Option<Self::Item> {
        let Reverse((row, index)) = self.next.pop()?;
        Some(self.advance(index).map(|()| row))
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::Sorter;
    use crate::limits::SORTED_BYTES;

    #[test]
    fn rows_beyond_the_budget_are_sorted_on_disk() -> io::Result<()> {
        let mut random = fastrand::Rng::with_seed(36);
        let (mut sorter, mut expected) = (Sorter::default(), Vec::new());
        for _ in 0..3 * SORTED_BYTES / 1_000 {
            let row = (random.u64(..1_000).to_be_bytes().to_vec(), vec![random.u8(..); random.usize(..2_000)]);
            sorter.push(&row.0, &row.1)?;
            expected.push(row);
        }
        expected.sort();
        let sorted: io::Result<Vec<_>> = sorter.finish()?.collect();
        assert!(sorted? == expected);
        assert!(Sorter::default().finish()?.next().is_none());
        Ok(())
    }
}
