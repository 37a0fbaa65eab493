//! `absolve links`: lists all links with their targets and bases, or sums them up as a graph.

mod graph;

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use absolve_files::{Existing, NewFile, ShownLines, shown};
use absolve_rewriter::internal::{Entity, LinkRow};
use absolve_rewriter::settings::Annotations;
use absolve_rewriter::{Finding, Options};
use absolve_table::{LinkColumns, LinkRows, Locate, Page, TextRows, add_record};

use crate::args::list::{LinksArguments, LinksFormat};
use crate::commands::inspect::{Place, inspect};
use crate::commands::listing::{element_of, place_findings};
use crate::commands::rewrite::side_files::{new_file, refuse_input};
use crate::messages::{Findings, not_written, place_of};
use crate::outcome::{Outcome, Stop, usage_error};
use crate::streams::Streams;

pub(crate) fn run(arguments: &LinksArguments, streams: &Streams<'_>) -> Result<Outcome, Stop> {
    arguments.check()?;
    match arguments.output.as_deref().filter(|path| *path != Path::new("-")) {
        Some(path) if arguments.format() == LinksFormat::Webgraph => graph::write_webgraph(arguments, path, streams),
        Some(path) => {
            refuse_input("output", path, &arguments.list.input)?;
            let file = new_file(path, existing(arguments))?;
            streams.interrupted.note(not_written(path), None);
            written(file, path, &mut |output| list_to(arguments, output, streams))
        }
        None => {
            if arguments.format() == LinksFormat::Parquet && streams.output.is_terminal() {
                return usage_error("Parquet is not for a terminal; give -o FILE");
            }
            let mut output = BufWriter::new(&streams.output);
            match streams.output.is_terminal() {
                // Cells of CSV are as they are in the documents.
                true => list_to(arguments, &mut ShownLines::to(output), streams),
                false => list_to(arguments, &mut output, streams),
            }
        }
    }
}

const fn existing(arguments: &LinksArguments) -> Existing {
    if arguments.force { Existing::Replace } else { Existing::Refuse }
}

/// Writes a file, which is there when all links are written.
fn written(
    file: NewFile,
    path: &Path,
    list: &mut dyn FnMut(&mut dyn Write) -> Result<Outcome, Stop>,
) -> Result<Outcome, Stop> {
    let mut listed = None;
    let written = file.write(|output| match list(output) {
        Err(Stop::Io(error)) => Err(error),
        other => {
            // Without links to write, no file is written.
            let is_done = other.is_ok();
            listed = Some(other);
            if is_done { Ok(()) } else { Err(io::ErrorKind::Other.into()) }
        }
    });
    match (listed, written) {
        (Some(Err(stop)), _) => Err(stop),
        (Some(Ok(outcome)), Ok(())) => Ok(outcome),
        (_, Err(error)) => usage_error(format!("cannot write {}: {error}", path.display())),
        (None, Ok(())) => usage_error(format!("cannot write {}", path.display())),
    }
}

fn list_to(arguments: &LinksArguments, mut output: &mut dyn Write, streams: &Streams<'_>) -> Result<Outcome, Stop> {
    let (format, columns) = (arguments.format(), arguments.columns()?);
    let outcome = if arguments.counted().is_some() {
        graph::write_edges(arguments, output, streams)?
    } else if format == LinksFormat::Text {
        list_all(arguments, Annotations::Captures, &Lines::new, &mut |lines| output.write_all(&lines), streams)?
    } else if let Some(format) = format.text() {
        output.write_all(&format.header(&columns.columns()))?;
        let rows = |_: Place<'_>| TextRows::new(format, &columns);
        list_all(arguments, columns.annotations(), &rows, &mut |rows| output.write_all(&rows), streams)?
    } else {
        list_columns(arguments, &columns, &mut output, streams)?
    };
    output.flush()?;
    Ok(outcome)
}

#[cfg(feature = "parquet")]
fn list_columns(
    arguments: &LinksArguments,
    columns: &LinkColumns,
    output: &mut dyn Write,
    streams: &Streams<'_>,
) -> Result<Outcome, Stop> {
    use absolve_table::{ColumnRows, ParquetTable, TableWriter};
    let mut table = ParquetTable::new(&columns.columns(), output)?;
    let rows = |_: Place<'_>| ColumnRows::new(columns);
    let outcome = list_all(arguments, columns.annotations(), &rows, &mut |rows| table.add(rows), streams)?;
    table.finish()?;
    Ok(outcome)
}

#[cfg(not(feature = "parquet"))]
fn list_columns(
    arguments: &LinksArguments,
    _columns: &LinkColumns,
    _output: &mut dyn Write,
    _streams: &Streams<'_>,
) -> Result<Outcome, Stop> {
    arguments.format().check().map(|()| Outcome::Done)
}

/// Lists all links, with those in headers of HTTP responses. `rows` are made of those of each file or record, in parallel, and written
/// in the order of the inputs.
fn list_all<R: LinkRows<Rows: Send>>(
    arguments: &LinksArguments,
    annotations: Annotations,
    rows: &(dyn Fn(Place<'_>) -> R + Sync),
    write: &mut dyn FnMut(R::Rows) -> io::Result<()>,
    streams: &Streams<'_>,
) -> Result<Outcome, Stop> {
    let list = &arguments.list;
    let look = |place: Place<'_>, entity: &Entity<'_>, options: &Options| {
        let mut rows = rows(place);
        let mut visited = add_record(&mut rows, place.path, place.record, entity, options);
        place_findings(place, &mut visited);
        (place.path.to_owned(), visited.findings, rows.finish())
    };
    let mut printed = Findings::unlimited(streams);
    let mut print = |(path, findings, rows): (PathBuf, Vec<Finding>, R::Rows)| {
        findings.iter().filter(|_| !list.quiet).for_each(|finding| printed.print(&path, finding));
        write(rows)
    };
    let inspected = inspect(list, &|options| options.annotations = annotations, &look, &mut print, streams);
    printed.finish();
    Ok(inspected?.outcome)
}

/// Links as lines for people.
struct Lines {
    path: PathBuf,
    shown_record: String,
    part: String,
    lines: Vec<u8>,
}

impl Lines {
    fn new(place: Place<'_>) -> Self {
        let (path, shown_record) = (place.path.to_owned(), place.shown_record().to_owned());
        Self { path, shown_record, part: String::new(), lines: Vec::new() }
    }
}

impl LinkRows for Lines {
    type Rows = Vec<u8>;

    fn begin(&mut self, page: &Page<'_>) {
        page.part.clone_into(&mut self.part);
    }

    fn add(&mut self, link: &LinkRow<'_>, at: &mut dyn Locate) {
        let place = place_of(&self.path, &self.shown_record, &self.part, Some(at.in_file()));
        let (status, reference, layer) = (link.status.name(), link.reference, link.layer);
        let target = link.target.unwrap_or("no target");
        let element = element_of(link);
        let line = format!("{place}: {status} {element}: {reference} -> {target} ({layer})");
        self.lines.extend_from_slice(shown(&line).as_bytes());
        self.lines.push(b'\n');
    }

    fn finish(self) -> Vec<u8> {
        self.lines
    }
}
