//! The edges of all records, in memory up to a limit, beyond it sorted on disk.

use std::collections::HashMap;
use std::io;
use std::iter::Peekable;
use std::mem;

use absolve_containers::{Rows, Sorter};

use crate::cell::TableWriter;
use crate::graph::edge::{Edge, Edges, LeftOut, Sums};
use crate::limits::{EDGE_BYTES, GRAPH_BYTES};

/// Between the two nodes of a key: no node contains it, and it sorts before all that they may contain.
const SEPARATOR: u8 = b'\n';

/// The edges of all records.
#[derive(Debug, Default)]
pub struct Graph {
    edges: HashMap<Vec<u8>, Sums>,
    bytes: usize,
    sorter: Sorter,
    left_out: LeftOut,
}

impl Graph {
    /// Adds the edges of a record.
    ///
    /// # Errors
    ///
    /// Those of temporary files.
    pub fn add(&mut self, edges: Edges) -> io::Result<()> {
        self.left_out.without_source += edges.left_out.without_source;
        self.left_out.without_target += edges.left_out.without_target;
        self.left_out.within += edges.left_out.within;
        for (source, targets) in edges.by_source {
            for (target, sums) in targets {
                self.add_edge(key(&source, &target), sums)?;
            }
        }
        Ok(())
    }

    /// Returns how much memory its edges take.
    pub const fn bytes(&self) -> usize {
        self.bytes
    }

    fn add_edge(&mut self, key: Vec<u8>, sums: Sums) -> io::Result<()> {
        if let Some(known) = self.edges.get_mut(&key) {
            known.add(sums);
            return Ok(());
        }
        self.bytes += key.len() + EDGE_BYTES;
        self.edges.insert(key, sums);
        if self.bytes > GRAPH_BYTES { self.spill() } else { Ok(()) }
    }

    fn spill(&mut self) -> io::Result<()> {
        self.bytes = 0;
        mem::take(&mut self.edges).into_iter().try_for_each(|(key, sums)| self.sorter.push(&key, &value(sums)))
    }

    /// Returns the edges, by source and then by target as their bytes sort, and the links that are in none.
    ///
    /// # Errors
    ///
    /// Those of temporary files.
    pub fn finish(mut self) -> io::Result<(SortedEdges, LeftOut)> {
        self.spill()?;
        Ok((SortedEdges::of(self.sorter)?, self.left_out))
    }
}

/// Edges in order, each once.
#[allow(missing_debug_implementations, reason = "rows in temporary files have none")]
pub struct SortedEdges(Peekable<Rows>);

impl SortedEdges {
    fn of(sorter: Sorter) -> io::Result<Self> {
        Ok(Self(sorter.finish()?.peekable()))
    }

    /// Returns the names of all nodes, which may appear several times, and the edges once more; both in the order of their names.
    /// `name` makes a name of a node.
    pub(super) fn nodes_and_edges(self, name: fn(&str) -> String) -> io::Result<(Rows, Self)> {
        let (mut nodes, mut edges) = (Sorter::default(), Sorter::default());
        for edge in self {
            let Edge { source, target, sums } = edge?;
            let (source, target) = (name(&source), name(&target));
            [&source, &target].into_iter().try_for_each(|node| nodes.push(node.as_bytes(), b""))?;
            edges.push(&key(&source, &target), &value(sums))?;
        }
        Ok((nodes.finish()?, Self::of(edges)?))
    }
}

impl Iterator for SortedEdges {
    type Item = io::Result<Edge>;

    fn next(&mut self) -> Option<Self::Item> {
        let (key, first) = match self.0.next()? {
            Ok(row) => row,
            Err(error) => return Some(Err(error)),
        };
        let mut sums = sums(&first);
        while let Some(Ok((_, more))) = self.0.next_if(|row| row.as_ref().is_ok_and(|(next, _)| *next == key)) {
            sums.add(self::sums(&more));
        }
        let key = String::from_utf8_lossy(&key);
        let (source, target) = key.split_once(char::from(SEPARATOR)).unwrap_or((&key, ""));
        Some(Ok(Edge { source: source.to_owned(), target: target.to_owned(), sums }))
    }
}

/// Writes edges as rows of a table with [`crate::EDGE_COLUMNS`].
///
/// # Errors
///
/// Those of the edges and of the table.
pub fn write_edges(edges: SortedEdges, table: &mut dyn TableWriter) -> io::Result<()> {
    for edge in edges {
        table.write(&edge?.cells())?;
    }
    table.finish()
}

fn key(source: &str, target: &str) -> Vec<u8> {
    [source.as_bytes(), &[SEPARATOR], target.as_bytes()].concat()
}

/// Returns sums as bytes; without dates there are two numbers.
fn value(sums: Sums) -> Vec<u8> {
    let (first, last) = sums.dates.unzip();
    let dates = first.into_iter().chain(last).map(i64::to_le_bytes);
    [sums.links, sums.nofollow].map(u64::to_le_bytes).into_iter().chain(dates).flatten().collect()
}

fn sums(value: &[u8]) -> Sums {
    let (numbers, _) = value.as_chunks::<8>();
    let number = |index: usize| numbers.get(index).map(|bytes| u64::from_le_bytes(*bytes));
    let date = |index| number(index).map(u64::cast_signed);
    Sums { links: number(0).unwrap_or(0), nofollow: number(1).unwrap_or(0), dates: date(2).zip(date(3)) }
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::{Graph, key};
    use crate::graph::edge::{Edge, Sums};
    use crate::limits::GRAPH_BYTES;

    #[test]
    fn edges_beyond_the_budget_are_summed_on_disk() -> io::Result<()> {
        let mut graph = Graph::default();
        let rounds = 2 * GRAPH_BYTES / 1_000;
        let long = "x".repeat(900);
        for round in 0..rounds as i64 {
            let dates = (round % 3 == 0).then_some((round, round));
            let sums = Sums { links: 1, nofollow: (round % 2) as u64, dates };
            graph.add_edge(key(&format!("{long}{}", round % 7), &format!("{round}")), sums)?;
            graph.add_edge(key("a", "b"), sums)?;
        }
        let edges: Vec<Edge> = graph.finish()?.0.collect::<io::Result<_>>()?;
        assert_eq!(edges.len(), rounds + 1);
        let rounds = rounds as u64;
        let dates = Some((0, ((rounds - 1) / 3 * 3) as i64));
        let sums = Sums { links: rounds, nofollow: rounds / 2, dates };
        assert_eq!(edges[0], Edge { source: "a".into(), target: "b".into(), sums });
        assert!(edges.windows(2).all(|pair| (&pair[0].source, &pair[0].target) < (&pair[1].source, &pair[1].target)));
        Ok(())
    }
}
