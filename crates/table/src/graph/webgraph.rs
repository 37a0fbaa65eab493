//! The two text files of Common Crawl's web graphs: numbered vertices with their names reversed, and edges between the numbers.

use std::io::{self, Write};

use absolve_containers::{Rows, Sorter};

use crate::graph::edge::Edge;
use crate::graph::merged::SortedEdges;

/// Writes the vertices, a number, a tab and a name like `com.example.www`, in the order of these names, and the edges, two numbers with a
/// tab between them, in their order. The nodes are hosts or domains.
///
/// # Errors
///
/// Those of the outputs and of temporary files.
pub fn write_webgraph(edges: SortedEdges, vertices: &mut dyn Write, output: &mut dyn Write) -> io::Result<()> {
    let (nodes, edges) = edges.nodes_and_edges(reversed)?;
    let (mut nodes, mut again) = (Numbered::of(nodes), Sorter::default());
    let mut by_target = Sorter::default();
    for edge in edges {
        let Edge { source, target, .. } = edge?;
        while nodes.name != source.as_bytes() {
            nodes.next(|number, name| write_vertex(vertices, &mut again, number, name))?;
        }
        by_target.push(target.as_bytes(), &nodes.number.to_be_bytes())?;
    }
    while !nodes.is_done {
        nodes.next(|number, name| write_vertex(vertices, &mut again, number, name))?;
    }
    let (mut nodes, mut numbers) = (Numbered::of(again.finish()?), Sorter::default());
    for row in by_target.finish()? {
        let (target, source) = row?;
        while nodes.name != target {
            nodes.next(|_, _| Ok(()))?;
        }
        numbers.push(&source, &nodes.number.to_be_bytes())?;
    }
    let number = |bytes: &[u8]| bytes.iter().fold(0, |number, byte| number << 8 | u64::from(*byte));
    for row in numbers.finish()? {
        let (source, target) = row?;
        writeln!(output, "{}\t{}", number(&source), number(&target))?;
    }
    vertices.flush()?;
    output.flush()
}

fn write_vertex(vertices: &mut dyn Write, again: &mut Sorter, number: u64, name: &[u8]) -> io::Result<()> {
    again.push(name, b"")?;
    write!(vertices, "{number}\t")?;
    vertices.write_all(name)?;
    vertices.write_all(b"\n")
}

/// Returns a host with its labels in reverse order. An address stays as it is.
fn reversed(host: &str) -> String {
    let is_address = host.starts_with('[') || host.ends_with(|last: char| last.is_ascii_digit());
    if is_address { host.to_owned() } else { host.rsplit('.').collect::<Vec<_>>().join(".") }
}

/// Sorted names, each once, with their numbers.
struct Numbered {
    names: Rows,
    /// The last name and its number.
    name: Vec<u8>,
    number: u64,
    next_number: u64,
    is_done: bool,
}

impl Numbered {
    fn of(names: Rows) -> Self {
        Self { names, name: Vec::new(), number: 0, next_number: 0, is_done: false }
    }

    /// Advances to the next name, if there is one, and passes it on.
    fn next(&mut self, mut seen: impl FnMut(u64, &[u8]) -> io::Result<()>) -> io::Result<()> {
        let Some(row) = self.names.find(|row| row.as_ref().map_or(true, |(name, _)| *name != self.name)) else {
            self.is_done = true;
            return Ok(());
        };
        (self.name, _) = row?;
        self.number = self.next_number;
        self.next_number += 1;
        seen(self.number, &self.name)
    }
}
