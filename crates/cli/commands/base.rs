//! `absolve base`: shows why each document has its base, or how many documents have theirs from where.

mod boxes;
mod summary;

use std::io::{self, BufWriter, Write};

use absolve_files::{is_bundle_name, shown_json};
use absolve_links::DocumentType;
use absolve_rewriter::Finding;
use absolve_rewriter::internal::{Part, base_of};
use terminal_size::Width;

use crate::args::list::BaseArguments;
use crate::commands::base::boxes::boxes;
use crate::commands::base::summary::{BaseSource, Summary, source_of};
use crate::commands::inspect::{Place, inspect};
use crate::json;
use crate::messages::{place_of, warn_finding};
use crate::outcome::{Outcome, Stop};
use crate::streams::{Stream, Streams};

/// What is printed of a document.
enum ShownBase {
    /// Its base, as boxes or as JSON.
    Drawn(String),
    Counted(BaseSource),
}

pub(crate) fn run(arguments: &BaseArguments, streams: &Streams<'_>) -> Result<Outcome, Stop> {
    let mut out = BufWriter::new(&streams.output);
    let (is_summary, columns) = (is_summary(arguments), columns_of(&streams.output));
    let (arguments, mut summary) = (&arguments.list, Summary::default());
    let inspected = inspect(
        arguments,
        &|_| {},
        &|place, entity, options| {
            let Place { path, record, .. } = place;
            let show = |part: &Part| {
                let base = base_of(entity, part, options);
                let name = || place_of(path, place.shown_record(), &part.path, None);
                match (arguments.json, is_summary) {
                    (true, _) => {
                        ShownBase::Drawn(shown_json(&json::base(path, record, part, &base).to_string()).into_owned())
                    }
                    (false, true) => ShownBase::Counted(source_of(&name(), &base)),
                    (false, false) => ShownBase::Drawn(boxes(&name(), &base, columns)),
                }
            };
            let is_document = |part: &&Part| part.document_type != DocumentType::Field;
            let shown: Vec<ShownBase> = entity.parts.iter().filter(is_document).map(show).collect();
            let in_file = |finding: &Finding| place.of(finding.clone(), finding.position);
            (path.to_owned(), shown, entity.findings.iter().map(in_file).collect::<Vec<Finding>>())
        },
        &mut |(path, shown, findings)| {
            if arguments.quiet {
                return Ok(());
            }
            findings.iter().for_each(|finding| warn_finding(&path, finding, streams));
            shown.into_iter().try_for_each(|shown| match shown {
                ShownBase::Drawn(text) => writeln!(out, "{text}"),
                ShownBase::Counted(source) => {
                    summary.add(source);
                    Ok(())
                }
            })
        },
        streams,
    )?;
    if is_summary && !arguments.quiet {
        summary.write_to(&mut out)?;
    }
    out.flush()?;
    Ok(inspected.outcome)
}

/// Returns the width of the terminal; files have any.
fn columns_of(output: &Stream<'_>) -> usize {
    let size = if output.is_terminal() { terminal_size::terminal_size_of(io::stdout()) } else { None };
    size.map_or(usize::MAX, |(Width(columns), _)| columns.into())
}

/// Returns whether documents are counted: several files would be more boxes than anybody reads.
fn is_summary(arguments: &BaseArguments) -> bool {
    let is_one_file = matches!(&arguments.list.input.inputs[..], [input] if !input.is_dir() && !is_bundle_name(input));
    !is_one_file && !arguments.all && !arguments.list.json
}
