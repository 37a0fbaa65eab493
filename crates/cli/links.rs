//! `absolve links`: all links with their targets and bases.

use std::io::{self, BufWriter, StdoutLock, Write};
use std::path::{Path, PathBuf};

use absolve_links::Refusal;
use absolve_rewriter::{Entity, Entry, ListedLink, Options, inspect_all, links_of};

use crate::args::ListArguments;
use crate::inputs::{
    collect_all, is_standard_input, keep_local, nothing_found, read_standard_input, set_threads, standard_entity,
};
use crate::report::{finding_line, tell_errors, warn};
use crate::{Outcome, Stop, json};

/// The links of each part of one file.
type Listed = (PathBuf, Vec<Result<Vec<ListedLink>, Refusal>>);

pub(crate) fn run(arguments: &ListArguments) -> Result<Outcome, Stop> {
    for_each_link(arguments, &mut |out, path, link| {
        if arguments.quiet {
            Ok(())
        } else if arguments.json {
            writeln!(out, "{}", json::link(path, link))
        } else {
            let (path, line, status) = (path.display(), link.line, link.status.name());
            let target = link.target.as_deref().unwrap_or("no target");
            writeln!(out, "{path}:{line}: {status} {}: {} -> {target} ({})", place(link), link.reference, link.layer)
        }
    })
}

/// Where a link stands: `img@src`, or `css` in a stylesheet.
pub(crate) fn place(link: &ListedLink) -> String {
    match (&*link.element, link.attribute) {
        ("", _) => "css".to_owned(),
        (element, "") => element.to_owned(),
        (element, attribute) => format!("{element}@{attribute}"),
    }
}

/// Tells one link of the file at a path, on standard output.
pub(crate) type Tell<'t> = dyn FnMut(&mut BufWriter<StdoutLock<'_>>, &Path, &ListedLink) -> io::Result<()> + 't;

/// Hands every link of every input to `tell`, in order.
pub(crate) fn for_each_link(arguments: &ListArguments, tell: &mut Tell<'_>) -> Result<Outcome, Stop> {
    let mut options = arguments.options.options();
    let mut out = BufWriter::new(io::stdout().lock());
    let mut tell_file = |(path, parts): Listed| -> io::Result<()> {
        for part in parts {
            match part {
                Ok(links) => links.iter().try_for_each(|link| tell(&mut out, &path, link))?,
                Err(refusal) if !arguments.quiet => warn(&format!("{}: {refusal}", path.display())),
                Err(_) => {}
            }
        }
        Ok(())
    };
    let outcome = if is_standard_input(&arguments.input)? {
        let (bytes, document_type) = read_standard_input(&arguments.input)?;
        let entity = standard_entity(&arguments.input, &bytes, document_type);
        tell_file(("-".into(), list(&entity, &options)))?;
        Outcome::Done
    } else {
        let collection = collect_all(&arguments.input)?;
        if let Some(error) = nothing_found(&collection) {
            return crate::wrong_use(error.to_string());
        }
        if arguments.options.keep_local {
            keep_local(&mut options, &arguments.input, &collection.entries);
        }
        for (path, finding) in collection.findings.iter().filter(|_| !arguments.quiet) {
            warn(&finding_line(path, finding));
        }
        set_threads(&arguments.input)?;
        let inspect = |entry: &Entry, entity: &Entity<'_>| (entry.path.clone(), list(entity, &options));
        let errors = inspect_all(&collection.entries, &inspect, &mut tell_file)?;
        tell_errors(&collection.errors);
        tell_errors(&errors);
        if collection.errors.is_empty() && errors.is_empty() { Outcome::Done } else { Outcome::Failed }
    };
    out.flush()?;
    Ok(outcome)
}

fn list(entity: &Entity<'_>, options: &Options) -> Vec<Result<Vec<ListedLink>, Refusal>> {
    entity.parts.iter().map(|part| links_of(entity, part, options)).collect()
}
