//! Looking at documents without changing them: what `links`, `check` and `base` have in common.

use std::io;
use std::path::{Path, PathBuf};

use absolve_files::inspect_all;
use absolve_rewriter::{Entity, Finding, Options};

use crate::args::ListArguments;
use crate::inputs::{check_url, open};
use crate::report::{finding_line, tell_errors, warn};
use crate::{Outcome, Stop};

/// How far the inputs were looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Inspected {
    pub(crate) outcome: Outcome,
    /// Findings about files that were left unread: those that were asked for and are of no known type.
    pub(crate) unread: usize,
}

/// Lets `look` at every document of the inputs, in parallel, and hands what it saw to `tell`, in order.
pub(crate) fn inspect<T: Send>(
    arguments: &ListArguments,
    look: &(dyn Fn(&Path, &str, &Entity<'_>, &Options) -> T + Sync),
    tell: &mut dyn FnMut(T) -> io::Result<()>,
) -> Result<Inspected, Stop> {
    let mut options = arguments.options.options();
    check_url(&arguments.input, options.documents.rules)?;
    let collection = open(&arguments.input, &arguments.options, &mut options.documents)?;
    let inspection = inspect_all(
        &collection.entries,
        &options,
        &|entry, record, entity| look(&entry.name, record, entity, &options.documents),
        tell,
    )?;
    for (path, finding) in collection.findings.iter().chain(&inspection.findings).filter(|_| !arguments.quiet) {
        warn(&finding_line(path, finding));
    }
    tell_errors(&collection.errors);
    tell_errors(&inspection.errors);
    let is_done = collection.errors.is_empty() && inspection.errors.is_empty();
    let outcome = if is_done { Outcome::Done } else { Outcome::Failed };
    let is_unread = |(_, finding): &&(PathBuf, Finding)| finding.code.leaves_unread();
    Ok(Inspected { outcome, unread: inspection.findings.iter().filter(is_unread).count() })
}
