//! Writes a bundle with its changed members.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::{self, BufWriter, Write};
use std::ops::Range;

use absolve_containers::FileType;
use absolve_rewriter::Finding;

use crate::bundle::Bundle;
use crate::bundle::late::{Late, Outcome};
use crate::bundle::replacements::Replacements;
use crate::error::FileError;
use crate::input::entry::{Entry, Storage};
use crate::open::Container;
use crate::output::destination::Destination;
use crate::output::file::{JobError, OutputFile, Sink, Written};
use crate::output::slot::Slot;
use crate::output::table::{Column, Content};
use crate::run::container_job::{Containers, rewrite_into};
use crate::run::{RunReport, Task};

/// Rewrites the members of a bundle, which are at these places among the files. Then writes the bundle. Without changes it is
/// copied.
pub(crate) fn rewrite_bundle(
    archive: &Entry,
    task: Task<'_>,
    members: Range<usize>,
    output: Slot<'_>,
) -> (RunReport, Option<Finding>) {
    let failed = |error| (RunReport { errors: vec![error], ..RunReport::default() }, None);
    if let Err(why) = output.settings.allow(Content::Bundle, Column::Journal) {
        return failed(FileError::refusal(&archive.source, None, why));
    }
    let bundle = task.files[members.clone()].iter().find_map(|member| match &member.storage {
        Storage::Member(bundle, _) => Some(bundle),
        _ => None,
    });
    let Some(bundle) = bundle.filter(|_| !matches!(output.destination, Destination::Nowhere(_))) else {
        let (mut run, containers) = task.rewrite_documents(members.collect(), output);
        task.rewrite_containers(containers, output, &mut run);
        run.errors.extend(output.copy(archive));
        return (run, None);
    };
    let replacements = match Replacements::new() {
        Ok(replacements) => replacements,
        Err(error) => return output.failure(archive, Err(error.into())).map(failed).unwrap_or_default(),
    };
    let kept = output.of_member(Some(&replacements));
    let (mut run, containers) = task.rewrite_documents(members.collect(), kept);
    let may_be_late = |(place, container): &(usize, Container)| {
        let index = task.files[*place].member().filter(|_| container.file_type == FileType::Mailbox);
        output.destination.is_file() && index.is_some_and(|index| bundle.may_be_late(index))
    };
    let (late, containers): (Vec<_>, Vec<_>) = containers.into_iter().partition(may_be_late);
    task.rewrite_containers(containers, kept, &mut run);
    let hard_link_finding = output.hard_link_finding(archive);
    let mut error = None;
    let writes = !late.is_empty() || !replacements.is_empty();
    if writes && !run.errors.iter().any(FileError::is_of_system) {
        let late = late.into_iter().filter_map(|(place, found)| Some((task.files[place].member()?, (place, found))));
        let late = late.collect();
        let direct = output.of_member(None);
        error = output.write(archive, |file| write(bundle, replacements, late, (task, direct, &mut run), file));
    }
    let is_of_system = error.is_some() || run.errors.iter().any(FileError::is_of_system);
    if run.files_changed == 0 && !is_of_system {
        // A damaged member stays, and does not keep the others from being written.
        error = match output.destination.root() {
            None => output.copy(archive),
            Some(_) => output.copy_after(archive, &run.errors),
        };
    }
    if is_of_system || error.is_some() {
        run = run.unwritten();
        run.errors.extend(error);
    }
    let is_changed = run.files_changed > 0;
    (run, hard_link_finding.filter(|_| is_changed))
}

/// Writes the bundle. The members of `late`, by their index and their place among the files, are rewritten when it is their turn.
fn write(
    bundle: &Bundle,
    replacements: Replacements,
    mut late: BTreeMap<usize, (usize, Container)>,
    (task, output, run): (Task<'_>, Slot<'_>, &mut RunReport),
    file: OutputFile<'_>,
) -> Result<Written, JobError> {
    let members = late.keys().copied().collect();
    let mut rewrite = |index: usize, sink: &mut dyn Write| {
        let Some((place, container)) = late.remove(&index) else { return Outcome::Failed };
        let (errors, changed) = (run.errors.len(), run.files_changed);
        task.rewrite_with(place, run, |progress, events| {
            let shared = Containers { options: task.options, originals: &RefCell::default(), progress };
            rewrite_into(task.files[place], container, shared, output, events, sink)
        });
        match run.files_changed > changed {
            _ if run.errors[errors..].iter().any(|error| error.record.is_none()) => Outcome::Failed,
            true => Outcome::Changed,
            false => Outcome::Unchanged,
        }
    };
    match file.sink {
        Sink::File(file) => {
            let handle = file.try_clone()?;
            let mut buffered = BufWriter::with_capacity(1 << 18, file);
            let late = Late { members, file: handle, write: &mut rewrite };
            let late = Some(late).filter(|late| !late.members.is_empty());
            bundle.write(replacements, late, &mut buffered).map_err(|error| match error.kind() {
                io::ErrorKind::InvalidData => JobError::Read(error),
                _ => JobError::Write(error),
            })?;
            buffered.flush()?;
        }
        Sink::Member(_) => return Ok(Written::Discarded),
    }
    Ok(match run.errors.is_empty() {
        _ if run.files_changed == 0 => Written::Discarded,
        true => Written::Whole,
        false => Written::Partly,
    })
}
