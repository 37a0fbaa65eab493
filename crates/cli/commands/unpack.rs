//! `absolve unpack`: makes files of the parts of one message, or of the snapshots of web archives.

mod folder;
mod input;
mod progress;
pub(crate) mod site;

use std::path::Path;

use absolve_files::{Action, Existing, FileError, NewFile};
use absolve_rewriter::{Code, Counts, Finding};
use absolve_unpacker::{Plan, Single, plan};

use crate::args::unpack::UnpackArguments;
use crate::commands::rewrite::destination::resolved;
use crate::commands::rewrite::side_files::new_file;
use crate::commands::unpack::folder::{Unpacked, write_files};
use crate::commands::unpack::input::{Message, read};
use crate::commands::unpack::site::archives;
use crate::inputs::base_of_url;
use crate::messages::{count, links, warn_finding};
use crate::outcome::{Outcome, Stop, usage_error};
use crate::streams::Streams;

pub(crate) fn run(arguments: &UnpackArguments, streams: &Streams<'_>) -> Result<Outcome, Stop> {
    let options = arguments.links.options(arguments.purpose.purpose());
    if let Some(url) = &arguments.url {
        base_of_url(url, options.rules)?;
    }
    if let Some(archives) = archives(&arguments.inputs)? {
        return site::run(arguments, &archives, streams);
    }
    if arguments.resume || arguments.at.is_some() || arguments.unwrap_wayback.is_some() {
        return usage_error("--resume, --at and --unwrap-wayback go with web archives");
    }
    refuse_clash(arguments)?;
    let existing = if arguments.force { Existing::Replace } else { Existing::Refuse };
    let single = arguments.single.as_deref().map(|path| new_file(path, existing)).transpose()?;
    let summary = arguments.summary.as_deref().map(|path| new_file(path, existing)).transpose()?;
    let Message { bytes, retrievals, findings } = read(arguments)?;
    let entity = absolve_rewriter::internal::Entity::message(&bytes).retrieved_by(&retrievals);
    let known = entity.findings.len();
    let entity = entity.with_message_url(arguments.message_url.as_ref());
    let plan = plan(&entity, &options);
    let is_unread = findings.iter().any(|finding| finding.code.leaves_unread());
    let findings = [&findings, &entity.findings[known..], plan.findings()].concat();
    print(arguments, &findings, streams);
    if is_unread || plan.root().is_none() {
        streams.fail(&format!("{}: nothing in it can be unpacked", arguments.message().display()));
        let nothing = Unpacked { findings: findings.clone(), ..Unpacked::default() };
        if let Some(Err(error)) = summary.map(|file| write_summary(arguments, file, None, nothing)) {
            streams.fail(&error.to_string());
        }
        let is_none = findings.iter().any(|finding| finding.code == Code::NotItsType);
        return Ok(if is_none { Outcome::MissingInput } else { Outcome::Failed });
    }
    match single {
        Some(file) => write_single(arguments, file, &plan, streams),
        None => write_folder(arguments, summary, &plan, findings, streams),
    }
}

/// Refuses to replace the message itself, and a list among the files that it lists.
fn refuse_clash(arguments: &UnpackArguments) -> Result<(), Stop> {
    let files = arguments.single.iter().chain(&arguments.summary).map(|file| (file, "another file"));
    for (written, other) in files.chain(arguments.output.iter().map(|folder| (folder, "a new folder"))) {
        if resolved(written)? == resolved(arguments.message())? {
            return usage_error(format!("the output {} is the input; name {other}", written.display()));
        }
    }
    match (&arguments.summary, &arguments.output) {
        (Some(summary), Some(output)) if resolved(summary)?.starts_with(resolved(output)?) => {
            usage_error(format!("the summary {} belongs to the output; name another file", summary.display()))
        }
        _ => Ok(()),
    }
}

fn write_single(
    arguments: &UnpackArguments,
    file: NewFile,
    plan: &Plan<'_>,
    streams: &Streams<'_>,
) -> Result<Outcome, Stop> {
    let path = arguments.single.as_deref().unwrap_or(Path::new("-"));
    let Single { bytes, embedded, local, counts, findings, .. } = match plan.single() {
        Ok(single) => single,
        Err(error) => return usage_error(format!("{}: {error}", arguments.message().display())),
    };
    let written = file.write(|output| output.write_all(&bytes));
    written.map_err(|error| FileError::new(path, Action::Write, error))?;
    print(arguments, &findings, streams);
    if !arguments.messages.quiet {
        let parts = count(embedded, "part");
        streams.warn(&format!("{}: {parts} within it{}", count(bytes.len() as u64, "byte"), of_links(local, &counts)));
    }
    Ok(outcome(plan, &findings))
}

fn write_folder(
    arguments: &UnpackArguments,
    summary: Option<NewFile>,
    plan: &Plan<'_>,
    of_message: Vec<Finding>,
    streams: &Streams<'_>,
) -> Result<Outcome, Stop> {
    let folder = arguments.output.as_deref().unwrap_or(Path::new("."));
    let unpacked = write_files(arguments, folder, plan)?;
    print(arguments, &unpacked.findings, streams);
    let document = plan.root().and_then(|root| plan.name(root));
    let outcome = outcome(plan, &unpacked.findings);
    let line = format!(
        "{}, open {}{}",
        count(unpacked.files, "file"),
        folder.join(document.unwrap_or_default()).display(),
        of_links(unpacked.links, &unpacked.counts)
    );
    if let Some(file) = summary {
        let findings = [of_message, unpacked.findings].concat();
        write_summary(arguments, file, document, Unpacked { findings, ..unpacked })?;
    }
    if !arguments.messages.quiet {
        streams.warn(&line);
    }
    Ok(outcome)
}

fn write_summary(
    arguments: &UnpackArguments,
    file: NewFile,
    document: Option<&str>,
    unpacked: Unpacked,
) -> Result<(), FileError> {
    let path = arguments.summary.as_deref().unwrap_or(Path::new("-"));
    let written = file.write(|output| folder::write_summary(output, document, unpacked));
    written.map_err(|error| FileError::new(path, Action::Write, error))
}

/// `: 3 links to parts, 2 made absolute, 1 absolute before, 0 to the same document`.
fn of_links(local: u64, counts: &Counts) -> String {
    format!("; {} to parts, {}", count(local, "link"), links(counts))
}

/// Returns whether all parts could be read whole.
fn outcome(plan: &Plan<'_>, findings: &[Finding]) -> Outcome {
    let is_lost = |finding: &Finding| finding.code == Code::TransferEncoding;
    let is_unread = plan.findings().iter().any(|finding| finding.code.leaves_unread());
    if is_unread || plan.is_cut_off() || findings.iter().any(is_lost) { Outcome::Failed } else { Outcome::Done }
}

fn print(arguments: &UnpackArguments, findings: &[Finding], streams: &Streams<'_>) {
    findings
        .iter()
        .filter(|_| !arguments.messages.quiet)
        .for_each(|finding| warn_finding(arguments.message(), finding, streams));
}
