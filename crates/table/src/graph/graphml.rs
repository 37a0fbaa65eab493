//! Graphs as GraphML.

use std::io::{self, Write};

use absolve_containers::date_text;

use crate::graph::edge::Edge;
use crate::graph::merged::SortedEdges;

/// Writes a graph as GraphML: directed, the ids of its nodes are their names, the keys of its edges those of the other formats.
///
/// # Errors
///
/// Those of the output and of temporary files.
pub fn write_graphml(edges: SortedEdges, output: &mut dyn Write) -> io::Result<()> {
    let (nodes, edges) = edges.nodes_and_edges(str::to_owned)?;
    output.write_all(
        b"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n",
    )?;
    for (key, kind) in [("links", "long"), ("nofollow", "long"), ("first", "string"), ("last", "string")] {
        writeln!(output, "<key id=\"{key}\" for=\"edge\" attr.name=\"{key}\" attr.type=\"{kind}\"/>")?;
    }
    output.write_all(b"<graph edgedefault=\"directed\">\n")?;
    let mut last = Vec::new();
    for node in nodes {
        let (node, _) = node?;
        if node != last {
            writeln!(output, "<node id=\"{}\"/>", escaped(&String::from_utf8_lossy(&node)))?;
            last = node;
        }
    }
    for edge in edges {
        let Edge { source, target, sums } = edge?;
        write!(output, "<edge source=\"{}\" target=\"{}\">", escaped(&source), escaped(&target))?;
        let dates = sums.dates.map(|(first, last)| [("first", date_text(first)), ("last", date_text(last))]);
        let numbers = [("links", sums.links.to_string()), ("nofollow", sums.nofollow.to_string())];
        for (key, value) in numbers.into_iter().chain(dates.into_iter().flatten()) {
            write!(output, "<data key=\"{key}\">{value}</data>")?;
        }
        output.write_all(b"</edge>\n")?;
    }
    output.write_all(b"</graph>\n</graphml>\n")?;
    output.flush()
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
