//! The diffs of `absolve rewrite --diff`.

use std::io::BufWriter;
use std::path::PathBuf;

use absolve_files::{Colour, Diffs};
use anstream::ColorChoice;

use crate::args::rewrite::{RewriteArguments, WhenArgument};
use crate::messages::no_temporary_file;
use crate::outcome::Stop;
use crate::streams::{Stream, Streams};

/// Returns a place for the diffs, if `--diff` is given.
pub(crate) fn diffs(arguments: &RewriteArguments, streams: &Streams<'_>) -> Result<Option<Diffs>, Stop> {
    let colour = if is_coloured(arguments.color, &streams.output) { Colour::Ansi } else { Colour::Plain };
    arguments.diff.then(|| Diffs::new(colour)).transpose().or_else(no_temporary_file)
}

fn is_coloured(when: WhenArgument, output: &Stream<'_>) -> bool {
    match when {
        WhenArgument::Always => true,
        WhenArgument::Never => false,
        WhenArgument::Auto => output.colours() != ColorChoice::Never,
    }
}

/// Writes the diffs to standard output, and lists the changed files that have none.
pub(crate) fn show(diffs: Option<Diffs>, not_shown: &[PathBuf], streams: &Streams<'_>) -> Result<(), Stop> {
    if let Some(diffs) = diffs {
        diffs.write_to(&mut BufWriter::with_capacity(1 << 16, &streams.output))?;
    }
    for path in not_shown {
        let path = path.display();
        streams.warn(&format!(
            "{path}: changes, but web archives and compressed files have no diff; write it with --output, and compare with \
             `absolve links`"
        ));
    }
    Ok(())
}
