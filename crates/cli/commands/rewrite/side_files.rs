//! The files that `absolve rewrite` writes besides its output: summary, report and journal. None of them may be an input, part
//! of the output, or another of them, and none replaces a file without `--force`.

use std::io;
use std::path::{Path, PathBuf};

use absolve_files::{Collection, Diffs, Entry, Existing, NewFile, NewFolder};

use crate::args::input::InputArguments;
use crate::args::report::ReportArguments;
use crate::args::rewrite::RewriteArguments;
use crate::commands::html_report::is_page;
use crate::commands::rewrite::destination::{refuse_within, resolved};
use crate::commands::rewrite::diff_output;
use crate::commands::rewrite::rows::Rows;
use crate::outcome::{Stop, usage_error};
use crate::streams::Streams;

/// What is written beside the output, at the end of the run.
#[derive(Debug)]
pub(crate) struct SideFiles {
    pub(crate) summary: Option<NewFile>,
    pub(crate) report: Option<Rows>,
    pub(crate) diffs: Option<Diffs>,
}

/// Checks that the files can be written, before the run starts.
pub(crate) fn begin(
    arguments: &RewriteArguments,
    collection: &Collection,
    streams: &Streams<'_>,
) -> Result<SideFiles, Stop> {
    let (summary, report) = (arguments.summary.as_deref(), arguments.report.as_deref());
    let journal = arguments.in_place_arguments.journal.as_deref();
    let named = [("summary", summary), ("report", report), ("journal", journal)];
    let named: Vec<(&str, &Path)> = named.into_iter().filter_map(|(what, path)| Some((what, path?))).collect();
    for (index, (what, path)) in named.iter().enumerate() {
        let places = Places::of(path)?;
        for (other, other_path) in &named[..index] {
            if places == Places::of(other_path)? {
                return usage_error(format!("the {other} and the {what} are one file; name two"));
            }
        }
        if is_standard_output(path) && *what != "journal" {
            if arguments.diff || arguments.output.as_deref().is_some_and(is_standard_output) {
                return usage_error(format!("the {what} cannot go to standard output as well; name a file"));
            }
            continue;
        }
        // A journal that is continued is not an input of its own run.
        let is_begun = *what == "journal" && path.metadata().is_ok_and(|found| found.len() > 0);
        if !is_begun && is_input(&places, &arguments.input, collection)? {
            return usage_error(format!("the {what} {} is an input; name another file", path.display()));
        }
        if *what == "report" {
            arguments.input.inputs.iter().try_for_each(|input| refuse_within(what, path, input))?;
        }
        if is_output(&places, arguments, collection)? {
            return usage_error(format!("the {what} {} belongs to the output; name another file", path.display()));
        }
    }
    let existing = if arguments.force { Existing::Replace } else { Existing::Refuse };
    let new_file = |path: Option<&Path>| path.map(|path| new_file(path, existing)).transpose();
    let (summary, report) = (new_file(summary)?, new_file(report)?);
    let diffs = diff_output::diffs(arguments, streams)?;
    Ok(SideFiles { summary, report: report.map(|file| Rows::begin(arguments, file)).transpose()?, diffs })
}

/// Checks that the page of a run that writes nothing else can be written. It is not put among the files of an input, nor among those
/// that are compared with it.
pub(crate) fn page(
    arguments: &ReportArguments,
    input: &InputArguments,
    compared: Option<&Path>,
) -> Result<Option<NewFile>, Stop> {
    let Some(path) = arguments.report.as_deref() else { return Ok(None) };
    let name = path.display();
    if !is_page(path) {
        return usage_error(format!("--report writes a page here: name it FILE.html, not {name}; --json prints data"));
    }
    refuse_input("report", path, input)?;
    let places = Places::of(path)?;
    if compared.map(|folder| places.are_in(folder)).transpose()?.unwrap_or_default() {
        return usage_error(format!("the report {name} belongs to the files that are compared; name another file"));
    }
    new_file(path, if arguments.force { Existing::Replace } else { Existing::Refuse }).map(Some)
}

/// Refuses to replace a file of the input, and to add one to it.
pub(crate) fn refuse_input(what: &str, path: &Path, input: &InputArguments) -> Result<(), Stop> {
    let places = Places::of(path)?;
    for named in input.inputs.iter().chain(&input.source.urls) {
        if path.exists() && places.are_in(named)? {
            return usage_error(format!("the {what} {} is an input; name another file", path.display()));
        }
    }
    input.inputs.iter().try_for_each(|input| refuse_within(what, path, input))
}

fn is_standard_output(path: &Path) -> bool {
    path == Path::new("-")
}

/// Checks that a file can be written, before the run starts.
pub(crate) fn new_file(path: &Path, existing: Existing) -> Result<NewFile, Stop> {
    NewFile::begin(path, existing).or_else(|error| cannot_write(path, &error))
}

/// Returns the error that a file cannot be written.
pub(crate) fn cannot_write<T>(path: &Path, error: &io::Error) -> Result<T, Stop> {
    match error.kind() {
        io::ErrorKind::AlreadyExists => usage_error(format!("{} exists; --force replaces it", path.display())),
        _ => usage_error(format!("cannot write {}: {error}", path.display())),
    }
}

/// Removes a file that a run writes besides its output from the input.
pub(crate) fn leave_out(written: &Path, collection: &mut Collection) -> Result<(), Stop> {
    let places = Places::of(written)?;
    collection.entries.retain(|entry| !places.hold(entry));
    Ok(())
}

/// A path without symbolic links, and the file it leads to if it is a symbolic link itself.
#[derive(Debug, PartialEq, Eq)]
struct Places {
    name: PathBuf,
    file: PathBuf,
}

impl Places {
    fn of(path: &Path) -> io::Result<Self> {
        let file = resolved(path)?;
        let name = match (path.parent(), path.file_name()) {
            (Some(_), Some(name)) => resolved(absolve_files::folder_of(path))?.join(name),
            _ => file.clone(),
        };
        Ok(Self { name, file })
    }

    fn are(&self, path: &Path) -> io::Result<bool> {
        let Self { name, file } = Self::of(path)?;
        Ok([&self.name, &self.file].iter().any(|place| **place == name || **place == file))
    }

    fn are_in(&self, folder: &Path) -> io::Result<bool> {
        let folder = resolved(folder)?;
        Ok([&self.name, &self.file].iter().any(|place| place.starts_with(&folder)))
    }

    fn hold(&self, entry: &Entry) -> bool {
        // Comparing names first is cheap.
        let is_namesake = [&self.name, &self.file].iter().any(|place| place.file_name() == entry.source.file_name());
        is_namesake && self.are(&entry.source).unwrap_or(false)
    }
}

fn is_input(places: &Places, input: &InputArguments, collection: &Collection) -> io::Result<bool> {
    let mut named = input.inputs.iter().chain(&input.source.urls);
    let is_named = named.try_fold(false, |found, path| Ok::<_, io::Error>(found || places.are(path)?))?;
    Ok(is_named || collection.entries.iter().any(|entry| places.hold(entry)))
}

/// Whether a file is the output, or in the place of a file of the output.
fn is_output(places: &Places, arguments: &RewriteArguments, collection: &Collection) -> io::Result<bool> {
    let Some(output) = &arguments.output else { return Ok(false) };
    let output = resolved(output)?;
    // Until the end, the output has another name, and a file with its options beside it.
    let partial = NewFolder::partial_of(&output).into_os_string();
    let begins = |place: &Path| place.as_os_str().as_encoded_bytes().starts_with(partial.as_encoded_bytes());
    if begins(&places.name) || begins(&places.file) {
        return Ok(true);
    }
    let below = places.name.strip_prefix(output);
    Ok(below.is_ok_and(|path| path == Path::new("") || collection.entries.iter().any(|entry| entry.path == path)))
}
