//! The files of a message in a folder.

use std::ffi::OsStr;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use absolve_files::{Action, FileError, NewFolder, OpenFolder, OutputError, Resume, replace_in};
use absolve_rewriter::{Counts, Finding};
use absolve_unpacker::Plan;
use serde_json::{Value, json};

use crate::args::unpack::UnpackArguments;
use crate::commands::rewrite::destination::refuse_overlap;
use crate::json;
use crate::outcome::{Stop, usage_error};
use crate::wording::{output_error, sentence};

/// What was written into the folder.
#[derive(Debug, Default)]
pub(crate) struct Unpacked {
    pub(crate) files: u64,
    /// The links that lead to files.
    pub(crate) links: u64,
    /// The other links.
    pub(crate) counts: Counts,
    pub(crate) findings: Vec<Finding>,
    /// One object for each file.
    pub(crate) objects: Vec<Value>,
}

/// Writes the files of a message into a folder.
pub(crate) fn write_files(arguments: &UnpackArguments, folder: &Path, plan: &Plan<'_>) -> Result<Unpacked, Stop> {
    if arguments.message() != Path::new("-") {
        refuse_overlap(&arguments.inputs, folder)?;
    }
    if arguments.force && folder.is_dir() {
        let opened = OpenFolder::at(folder)?;
        return Ok(write_each(plan, &|name, bytes| replace_in(&opened, OsStr::new(name), bytes))?);
    }
    let request = format!("absolve {} unpack\n", env!("CARGO_PKG_VERSION"));
    let new = begin(folder, &request, Resume::No)?;
    let create = |name: &str, bytes: &[u8]| new.folder().create_anew(Path::new(name))?.write_all(bytes);
    let unpacked = write_each(plan, &create)?;
    new.finish().map_err(|error| FileError::new(folder, Action::Write, error))?;
    Ok(unpacked)
}

/// Begins a new folder.
pub(crate) fn begin(folder: &Path, request: &str, resume: Resume) -> Result<NewFolder, Stop> {
    NewFolder::begin(folder, request, resume, None).or_else(|error| match error {
        OutputError::Interrupted(left) => {
            usage_error(format!("{} is left from an interrupted run; remove it", left.display()))
        }
        error => usage_error(output_error(&error)),
    })
}

fn write_each(plan: &Plan<'_>, write: &dyn Fn(&str, &[u8]) -> io::Result<()>) -> Result<Unpacked, FileError> {
    let mut unpacked = Unpacked::default();
    for (index, leaf) in plan.leaves().iter().enumerate() {
        let Some(file) = plan.file(index) else { continue };
        write(file.name, &file.bytes)
            .map_err(|error| FileError::new(&PathBuf::from(file.name), Action::Write, error))?;
        unpacked.files += 1;
        unpacked.links += file.local;
        unpacked.counts += file.counts;
        unpacked.objects.push(json!({
            "path": file.name,
            "part": leaf.path,
            "media_type": leaf.media_type,
            "location": plan.location(index),
            "content_id": leaf.content_id,
            "bytes": file.bytes.len(),
            "local": file.local,
        }));
        unpacked.findings.extend(file.findings);
    }
    Ok(unpacked)
}

/// Writes what the folder contains as one JSON object; `document` is the file to open.
pub(crate) fn write_summary(output: &mut dyn Write, document: Option<&str>, unpacked: Unpacked) -> io::Result<()> {
    let Unpacked { objects, counts, findings, .. } = unpacked;
    let finding =
        |finding: &Finding| json!({"part": finding.part, "code": finding.code.name(), "message": sentence(finding)});
    let findings: Vec<Value> = findings.iter().map(finding).collect();
    let files = json!({"document": document, "files": objects});
    let object = json::joined([files, json::counts(&counts), json!({"findings": findings})]);
    serde_json::to_writer_pretty(&mut *output, &object)?;
    writeln!(output)
}
