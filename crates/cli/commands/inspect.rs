//! Reading documents without changing them: the common part of `links`, `check` and `base`.

use std::path::{Path, PathBuf};
use std::{io, mem};

use absolve_files::{Action, FileError, inspect_all};
use absolve_rewriter::internal::Entity;
use absolve_rewriter::results::Position;
use absolve_rewriter::{Finding, Options};

use crate::args::list::ListArguments;
use crate::inputs::{check_url, no_document_in, open};
use crate::messages::{print_errors, warn_finding};
use crate::outcome::{Outcome, Stop, usage_error};
use crate::progress::{self, Bar};
use crate::streams::Streams;

/// Where a document stands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place<'p> {
    pub(crate) path: &'p Path,
    /// The record it is in, or the unique name of a message in a Maildir.
    pub(crate) record: &'p str,
    /// Whether it is all of the file.
    pub(crate) is_file: bool,
}

impl<'p> Place<'p> {
    /// Returns the record, unless it is all of the file.
    pub(crate) const fn shown_record(self) -> &'p str {
        if self.is_file { "" } else { self.record }
    }

    /// Gives a finding in the document its record, and its place in the file.
    pub(crate) fn of(self, finding: Finding, position: Option<Position>) -> Finding {
        Finding { record: self.shown_record().to_owned(), position, ..finding }
    }
}

/// What came of reading the inputs.
#[derive(Debug)]
pub(crate) struct Inspected {
    pub(crate) outcome: Outcome,
    /// Findings about files that were left unread: explicitly named ones of unknown type.
    pub(crate) unread: Vec<(PathBuf, Finding)>,
    /// The number of files of unknown type that were not read, and not named themselves.
    pub(crate) unknown: u64,
    /// Files and records that could not be read.
    pub(crate) errors: Vec<FileError>,
}

/// Calls `look` for every document of the inputs, in parallel, and passes its results to `print`, in order. `change` completes the
/// options.
pub(crate) fn inspect<T: Send>(
    arguments: &ListArguments,
    change: &dyn Fn(&mut Options),
    look: &(dyn Fn(Place<'_>, &Entity<'_>, &Options) -> T + Sync),
    print: &mut dyn FnMut(T) -> io::Result<()>,
    streams: &Streams<'_>,
) -> Result<Inspected, Stop> {
    let mut options = arguments.options.options();
    change(&mut options.documents);
    check_url(&arguments.input, options.documents.rules)?;
    let shown = progress::if_terminal(arguments.quiet, streams);
    let mut collection = open(&arguments.input, &arguments.options, &mut options.documents, shown)?;
    let bar = Bar::over(&collection.entries, shown);
    let inspection = inspect_all(
        &collection.entries,
        &options,
        &|entry, record, entity| {
            let is_file = entry.record == record;
            look(Place { path: &entry.source, record, is_file }, entity, &options.documents)
        },
        &mut |found| bar.suspend(|| print(found)),
        &|event| bar.note(event),
    )?;
    bar.clear();
    for (path, finding) in collection.findings.iter().chain(&inspection.findings).filter(|_| !arguments.quiet) {
        warn_finding(path, finding, streams);
    }
    let inputs = &arguments.input.inputs;
    let mut errors: Vec<FileError> = mem::take(&mut collection.errors).into_iter().chain(inspection.errors).collect();
    let maildirs = collection.maildirs();
    if inspection.documents.is_empty() && errors.is_empty() && maildirs.is_empty() {
        let named: Vec<String> = inputs.iter().map(|input| input.display().to_string()).collect();
        // The longest has the hint.
        let whys = inputs.iter().map(|input| no_document_in(input, &collection.entries));
        let why = whys.max_by_key(String::len).unwrap_or_default();
        return usage_error(format!("nothing to read in {}: {why}", named.join(", ")));
    }
    let read: Vec<&Path> = inspection.documents.iter().map(|index| &*collection.entries[*index].source).collect();
    let is_empty = |input: &&PathBuf| {
        let mut paths = read.iter().chain(&maildirs).copied().chain(errors.iter().map(|error| &*error.path));
        input.is_dir() && !paths.any(|path| path.starts_with(input))
    };
    let no_document = |input: &PathBuf| {
        let why = io::Error::new(io::ErrorKind::NotFound, no_document_in(input, &collection.entries));
        FileError::new(input, Action::Read, why)
    };
    errors.extend(inputs.iter().filter(is_empty).map(no_document).collect::<Vec<_>>());
    print_errors(&errors, streams);
    let is_missing = |error: &FileError| error.source.kind() == io::ErrorKind::NotFound && inputs.contains(&error.path);
    let outcome = match (errors.iter().any(is_missing), errors.is_empty()) {
        (true, _) => Outcome::MissingInput,
        (false, true) => Outcome::Done,
        (false, false) => Outcome::Failed,
    };
    let findings = collection.findings.into_iter().chain(inspection.findings);
    let unread = findings.filter(|(_, finding)| finding.code.leaves_unread()).collect();
    Ok(Inspected { outcome, unread, unknown: inspection.unread, errors })
}
