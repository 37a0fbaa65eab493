//! The links as edges: `--graph` and `--unique-hosts`.

use std::cmp::Reverse;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use absolve_files::{NewFile, OpenFolder, folder_of};
use absolve_rewriter::settings::Annotations;
use absolve_table::{
    Cell, Column, Counted, EDGE_COLUMNS, Edge, EdgeRows, Graph, Kind, LeftOut, Nodes, SortedEdges, TableWriter,
    write_graphml,
};

use crate::args::list::{LinksArguments, LinksFormat};
use crate::commands::inspect::Place;
use crate::commands::links::{existing, list_all, written};
use crate::commands::rewrite::side_files::{cannot_write, refuse_input};
use crate::messages::count;
use crate::outcome::{Outcome, Stop};
use crate::streams::Streams;

/// The columns of `--unique-hosts`.
const HOST_COLUMNS: [Column; 3] = [
    Column::always("page_host", Kind::Text),
    Column::always("target_host", Kind::Text),
    Column::always("links", Kind::Number),
];

/// Writes the edges in a format of one file.
pub(super) fn write_edges(
    arguments: &LinksArguments,
    output: &mut dyn Write,
    streams: &Streams<'_>,
) -> Result<Outcome, Stop> {
    let (edges, outcome) = edges(arguments, streams)?;
    match arguments.format() {
        LinksFormat::Graphml => write_graphml(edges, output)?,
        format if arguments.unique_hosts => write_hosts(edges, &mut *format.table(&HOST_COLUMNS, output)?)?,
        format => absolve_table::write_edges(edges, &mut *format.table(&EDGE_COLUMNS, output)?)?,
    }
    Ok(outcome)
}

/// Writes the two files of a web graph, whose names begin with `prefix`.
pub(super) fn write_webgraph(
    arguments: &LinksArguments,
    prefix: &Path,
    streams: &Streams<'_>,
) -> Result<Outcome, Stop> {
    let [vertices_path, edges_path] = ["-vertices.txt", "-edges.txt"].map(|what| {
        let mut path = prefix.as_os_str().to_owned();
        path.push(what);
        PathBuf::from(path)
    });
    let folder = OpenFolder::at(folder_of(&vertices_path)).or_else(|error| cannot_write(&vertices_path, &error))?;
    let begin = |path: &Path| {
        refuse_input("output", path, &arguments.list.input)?;
        let file = NewFile::begin_in(folder.try_clone()?, path.file_name().unwrap_or_default(), existing(arguments));
        file.or_else(|error| cannot_write(path, &error))
    };
    let (vertices, mut edges_file) = (begin(&vertices_path)?, Some(begin(&edges_path)?));
    written(vertices, &vertices_path, &mut |vertices| {
        let Some(file) = edges_file.take() else { return Ok(Outcome::Done) };
        written(file, &edges_path, &mut |output| {
            let (edges, outcome) = edges(arguments, streams)?;
            absolve_table::write_webgraph(edges, vertices, output)?;
            Ok(outcome)
        })
    })
}

fn edges(arguments: &LinksArguments, streams: &Streams<'_>) -> Result<(SortedEdges, Outcome), Stop> {
    let (nodes, counted) = arguments.counted().unwrap_or((Nodes::Hosts, Counted::EveryRow));
    let annotations = if counted == Counted::EveryRow { Annotations::Captures } else { Annotations::List };
    let (mut graph, rows) = (Graph::default(), |_: Place<'_>| EdgeRows::new(nodes, counted));
    let outcome = list_all(arguments, annotations, &rows, &mut |edges| graph.add(edges), streams)?;
    let (edges, left_out) = graph.finish()?;
    let line = closing_line(left_out);
    line.iter().filter(|_| !arguments.list.quiet).for_each(|line| streams.warn(line));
    Ok((edges, outcome))
}

/// Returns how many links are in no edge, and why.
fn closing_line(left_out: LeftOut) -> Option<String> {
    let LeftOut { without_source, without_target, within } = left_out;
    let whys = [
        (without_source, "on pages without a URL that has a host"),
        (without_target, "to targets without a host"),
        (within, "from a node to itself, which --internal counts"),
    ];
    let whys = whys.iter().filter(|(links, _)| *links > 0).map(|(links, why)| format!("{links} {why}"));
    let whys: Vec<String> = whys.collect();
    let all = count(without_source + without_target + within, "link");
    (!whys.is_empty()).then(|| format!("{all} in no edge: {}", whys.join(", ")))
}

/// Writes the pairs of hosts, the most frequent first. Memory grows with them, not with the links.
fn write_hosts(edges: SortedEdges, table: &mut dyn TableWriter) -> io::Result<()> {
    let mut pairs = edges.collect::<io::Result<Vec<Edge>>>()?;
    pairs.sort_by_key(|pair| Reverse(pair.sums.links));
    for Edge { source, target, sums } in pairs {
        table.write(&[Cell::text(&source), Cell::text(&target), Cell::Number(sums.links)])?;
    }
    table.finish()
}
