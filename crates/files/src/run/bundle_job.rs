//! Writes a bundle with its changed members.

use std::io::{BufWriter, Write};

use absolve_rewriter::Finding;

use crate::bundle::replacements::Replacements;
use crate::error::FileError;
use crate::input::entry::{Entry, Storage};
use crate::output::destination::Destination;
use crate::output::file::{JobError, Written};
use crate::output::settings::Output;
use crate::run::RunReport;

/// Rewrites the members of a bundle with `rewrite`, which gets their output and returns their report. Then writes the bundle. Without
/// changes it is copied.
pub(crate) fn rewrite_bundle(
    archive: &Entry,
    members: &[&Entry],
    output: Output<'_>,
    rewrite: impl FnOnce(Output<'_>) -> RunReport,
) -> (RunReport, Option<Finding>) {
    let failed = |error| (RunReport { errors: vec![error], ..RunReport::default() }, None);
    if output.in_place.journal.is_some() && *output.destination == Destination::InPlace {
        let why = "it is an archive of files, which a journal cannot undo; give --backup instead of --journal, or name an output";
        return failed(FileError::refusal(&archive.source, why));
    }
    if *output.destination == Destination::Nowhere {
        return (rewrite(output), None);
    }
    let replacements = match Replacements::new() {
        Ok(replacements) => replacements,
        Err(error) => return output.failure(archive, Err(error.into())).map(failed).unwrap_or_default(),
    };
    let kept = Output { destination: &Destination::Bundle, replacements: Some(&replacements), ..output };
    let mut run = rewrite(kept);
    let bundle = members.iter().find_map(|member| match &member.storage {
        Storage::Member(bundle, _) => Some(bundle),
        _ => None,
    });
    let hard_link_finding = output.hard_link_finding(archive);
    let is_whole = run.errors.is_empty();
    let error = match bundle.filter(|_| !replacements.is_empty()) {
        _ if run.errors.iter().any(FileError::is_of_system) => None,
        // A damaged member stays, and does not keep the others from being written.
        None if output.destination.root().is_none() => output.copy(archive),
        None => output.copy_after(archive, &run.errors),
        Some(bundle) => output.write(archive, |file| {
            let mut buffered = BufWriter::with_capacity(1 << 18, file.sink);
            bundle.write(replacements, &mut buffered)?;
            buffered.flush()?;
            Ok::<_, JobError>(if is_whole { Written::Whole } else { Written::Partly })
        }),
    };
    if let Some(error) = error {
        run.keep_rewritten();
        run.errors.push(error);
    }
    let is_changed = run.files_changed > 0;
    (run, hard_link_finding.filter(|_| is_changed))
}
