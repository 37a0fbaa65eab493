//! The diffs of `absolve rewrite --diff`.

use std::io::{self, BufWriter};
use std::path::PathBuf;

use absolve_files::{Colour, Diffs};
use anstream::{AutoStream, ColorChoice};

use crate::args::rewrite::{RewriteArguments, WhenArgument};
use crate::messages::{no_temporary_file, warn};
use crate::outcome::Stop;

/// Returns a place for the diffs, if `--diff` is given.
pub(crate) fn diffs(arguments: &RewriteArguments) -> Result<Option<Diffs>, Stop> {
    let colour = if is_coloured(arguments.color) { Colour::Ansi } else { Colour::Plain };
    arguments.diff.then(|| Diffs::new(colour)).transpose().or_else(no_temporary_file)
}

fn is_coloured(when: WhenArgument) -> bool {
    match when {
        WhenArgument::Always => true,
        WhenArgument::Never => false,
        WhenArgument::Auto => AutoStream::choice(&io::stdout()) != ColorChoice::Never,
    }
}

/// Writes the diffs to standard output, and lists the changed files that have none.
pub(crate) fn show(diffs: Option<Diffs>, not_shown: &[PathBuf]) -> Result<(), Stop> {
    if let Some(diffs) = diffs {
        diffs.write_to(&mut BufWriter::with_capacity(1 << 16, io::stdout().lock()))?;
    }
    for path in not_shown {
        let path = path.display();
        warn(&format!(
            "{path}: changes, but web archives and compressed files have no diff; write it with --output, and compare with \
             `absolve links`"
        ));
    }
    Ok(())
}
