//! Where the output of `absolve rewrite` goes.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf, is_separator};

use absolve_containers::{FileType, WarcOutput};
use absolve_files::{
    BundleFormat, Cell, Collection, Column, Content, Destination, Entry, EntryKind, Given, NewFolder, Resume, Way,
    common_permissions, compression_refusal, folder_of, is_bundle_name, lock, make_folders, path_beside_arc,
};

use crate::args::input::InputArguments;
use crate::args::rewrite::RewriteArguments;
use crate::inputs::{is_pipe, refuse_clash};
use crate::outcome::{Stop, usage_error};
use crate::streams::Streams;
use crate::wording::{output_error, refusal};

/// Where the output goes.
#[derive(Debug)]
pub(crate) enum Plan {
    /// Nothing is left to do, and why.
    Nothing(String),
    /// To a destination, with the lock that keeps other runs from it.
    To(Destination, Option<File>),
    /// Into a new folder, which is renamed at the end.
    Fill(NewFolder),
}

/// Decides where the output goes, and creates its folder.
pub(crate) fn plan(arguments: &RewriteArguments, collection: &Collection, root: Option<&Entry>) -> Result<Plan, Stop> {
    refuse_options(arguments)?;
    let column = column_of(arguments);
    if let (Some(Column::File | Column::Folder), Some(output)) = (column, &arguments.output) {
        refuse_clash(&arguments.input)?;
        refuse_overlap(&arguments.input.inputs, output)?;
    }
    if let Some(column) = column {
        refuse_by_table(arguments, collection, column)?;
    }
    match (column, &arguments.output) {
        _ if arguments.dry_run => Ok(Plan::To(Destination::Nowhere(columns_by_option(arguments)), None)),
        (Some(Column::StandardOutput), _) => Ok(Plan::To(Destination::StandardOutput, None)),
        (Some(Column::File), Some(output)) => new_file(arguments, collection, output),
        (Some(Column::Folder), Some(output)) => folder(arguments, collection, output, root),
        _ => Ok(Plan::To(Destination::InPlace, None)),
    }
}

/// Refuses options that go with others only, and a run without an output.
fn refuse_options(arguments: &RewriteArguments) -> Result<(), Stop> {
    // clap skips `requires` if another option conflicts with the required one.
    let more = &arguments.in_place_arguments;
    if !arguments.in_place && (more.backup.is_some() || more.journal.is_some() || more.sync) {
        return usage_error("--backup, --journal and --sync go with --in-place only");
    }
    if arguments.output.is_none() && !arguments.in_place && !arguments.dry_run {
        return usage_error(
            "no output: give -o PATH (--output), or --in-place to change the input itself, or --dry-run to count only; one file \
             goes to standard output if that is a file or a pipe, or with -o -",
        );
    }
    if !arguments.dry_run && arguments.diff {
        return usage_error("--diff goes with --dry-run only");
    }
    Ok(())
}

/// Returns where the output goes, in the words of the table; `None` if nothing is to be written.
pub(crate) fn column_of(arguments: &RewriteArguments) -> Option<Column> {
    match &arguments.output {
        _ if arguments.in_place => Some(Column::InPlace),
        Some(output) if output == Path::new("-") => Some(Column::StandardOutput),
        Some(_) if is_one_file(&arguments.input) => Some(Column::File),
        Some(output) if is_bundle_name(output) && !output.is_dir() => Some(Column::File),
        Some(_) => Some(Column::Folder),
        None => None,
    }
}

/// Returns where options say that something is written, in the words of the table.
pub(crate) fn columns_by_option(arguments: &RewriteArguments) -> Vec<Column> {
    let more = &arguments.in_place_arguments;
    let columns = [
        (arguments.diff, Column::Diff),
        (arguments.in_place, Column::InPlace),
        (more.journal.is_some(), Column::Journal),
        (more.backup.is_some(), Column::Backup),
    ];
    columns.into_iter().filter_map(|(is_written, column)| is_written.then_some(column)).collect()
}

/// Refuses what the table does for all inputs that are given so, whatever they contain.
fn refuse_by_table(arguments: &RewriteArguments, collection: &Collection, column: Column) -> Result<(), Stop> {
    let refuse =
        |subject: &str, cell: Cell| cell.map(drop).or_else(|why| usage_error(format!("{subject} {}", refusal(&why))));
    for input in &arguments.input.inputs {
        match input {
            input if input == Path::new("-") => refuse("standard input", Given::StandardInput.to(column))?,
            input if is_pipe(input) => refuse(&input.display().to_string(), Given::Pipe.to(column))?,
            _ => {}
        }
    }
    if arguments.warc == WarcOutput::Sidecar {
        refuse_cell(Content::Warc(WarcOutput::Sidecar).to(column))?;
    }
    if let Some(index) = collection.indexes.first() {
        refuse(&format!("{}:", index.display()), Given::IndexedMaildir.to(column))?;
    }
    let is_one_file = is_one_file(&arguments.input);
    let is_bundle = collection.entries.first().is_some_and(|entry| matches!(entry.kind, EntryKind::Bundle(_)));
    match (column, &arguments.output) {
        (Column::StandardOutput, _) if !is_one_file || !(is_bundle || collection.entries.len() == 1) => {
            refuse("several files", Given::Several.to(column))
        }
        (Column::File, Some(output)) if !is_one_file => {
            refuse(&format!("{}:", output.display()), Given::Several.to(column))
        }
        _ => Ok(()),
    }
}

/// Refuses what a cell of the table does.
pub(crate) fn refuse_cell(cell: Cell) -> Result<(), Stop> {
    cell.map(drop).or_else(|why| usage_error(refusal(&why)))
}

/// Returns the plan of one file, and creates the folders around it.
fn new_file(arguments: &RewriteArguments, collection: &Collection, output: &Path) -> Result<Plan, Stop> {
    let files = collection.entries.iter().filter(|entry| entry.member().is_none());
    files.into_iter().try_for_each(|entry| refuse_compression(output, entry))?;
    if output.symlink_metadata().is_ok() && !arguments.force {
        return usage_error(format!("{} exists; --force replaces it", output.display()));
    }
    let made = make_folders(folder_of(output));
    made.or_else(|error| usage_error(format!("cannot create {}: {error}", output.display())))?;
    Ok(Plan::To(Destination::File(output.to_owned()), None))
}

/// Returns the plan of a folder: a new one, that of an interrupted run, or one in use.
fn folder(
    arguments: &RewriteArguments,
    collection: &Collection,
    output: &Path,
    root: Option<&Entry>,
) -> Result<Plan, Stop> {
    if arguments.resume && output.is_dir() {
        return nothing_to_resume(arguments, collection, output);
    }
    if arguments.force && output.is_dir() {
        return Ok(Plan::To(Destination::Folder(output.to_owned()), Some(locked(output)?)));
    }
    let resume = if arguments.resume { Resume::Yes } else { Resume::No };
    let begun = NewFolder::begin(output, &request(arguments), resume, root.map(|root| &root.attributes.permissions));
    begun.map(Plan::Fill).or_else(|error| usage_error(output_error(&error)))
}

/// Refuses to resume into a finished folder that lacks a file of the input: it is the output of another run, or of none.
fn nothing_to_resume(arguments: &RewriteArguments, collection: &Collection, output: &Path) -> Result<Plan, Stop> {
    let way = |entry: &Entry| Content::of(entry, arguments.warc).map(|content| content.to(Column::Folder));
    let may_be_absent = |entry: &Entry| {
        // A message of a Maildir may have another name, and an archive without conversions has no sidecar.
        let is_renamed = entry.member().is_some() || !entry.record.is_empty();
        arguments.only_changed || is_renamed || matches!(way(entry), Ok(Ok(Way::Conversions)))
    };
    let is_missing = |entry: &&Entry| !may_be_absent(entry) && output.join(&entry.path).symlink_metadata().is_err();
    let missing: Vec<&Entry> = collection.entries.iter().filter(is_missing).collect();
    let output = output.display();
    match missing.first() {
        None => {
            Ok(Plan::Nothing(format!("{output} exists and lacks no file of the input; there is nothing to resume")))
        }
        Some(first) => usage_error(format!(
            "{output} is not the output of this input: {} of {} are missing in it, such as {}; name another output, or \
             --force writes into it",
            missing.len(),
            collection.entries.len(),
            first.path.display()
        )),
    }
}

pub(crate) fn is_one_file(input: &InputArguments) -> bool {
    matches!(&input.inputs[..], [input] if !input.is_dir())
}

/// Returns where the output goes: one file goes into a folder that exists, or whose name ends in a slash, under its own name, and without
/// any output to standard output.
pub(crate) fn output_of(arguments: &RewriteArguments, streams: &Streams<'_>) -> Result<Option<PathBuf>, Stop> {
    let Some(output) = &arguments.output else {
        let is_filter = !arguments.in_place && !arguments.dry_run && is_one_file(&arguments.input);
        return Ok((is_filter && !streams.output.is_terminal()).then(|| "-".into()));
    };
    let is_folder = output.is_dir()
        || output.as_os_str().as_encoded_bytes().last().is_some_and(|last| is_separator((*last).into()));
    if !is_folder || !is_one_file(&arguments.input) {
        return Ok(Some(output.clone()));
    }
    let Some(name) = arguments.input.inputs[0].file_name() else {
        return usage_error(format!("{} is a folder; name a file in it", output.display()));
    };
    let name = Path::new(name);
    Ok(Some(match FileType::of_name(name) {
        Some(FileType::ARC) => output.join(path_beside_arc(name)),
        _ => output.join(name),
    }))
}

/// Locks a folder against other runs until the returned file is closed.
fn locked(folder: &Path) -> Result<File, Stop> {
    let file = File::open(folder)?;
    match lock(&file) {
        true => Ok(file),
        false => usage_error(format!(
            "another run is writing into {}; wait until it ends, or name another folder",
            folder.display()
        )),
    }
}

/// Returns the folder whose permissions the output folder gets: those that all folders of the input have.
pub(crate) fn root_of(input: &InputArguments) -> Option<Entry> {
    let inputs = input.inputs.iter().filter(|input| input.is_dir());
    let folders: Vec<Entry> = inputs.filter_map(|input| Entry::folder(input, Path::new(""))).collect();
    let mut root = folders.first()?.clone();
    if input.inputs.len() > 1 {
        let all = folders.into_iter().map(|folder| folder.attributes.permissions);
        root.attributes.permissions = common_permissions(all)?;
        root.attributes.modified = None;
    }
    Some(root)
}

/// Returns the options that decide about the bytes of the output, as a text to compare.
fn request(arguments: &RewriteArguments) -> String {
    let inputs: Vec<_> = arguments.input.inputs.iter().map(|input| input.canonicalize()).collect();
    let mut input = arguments.input.clone();
    input.source.jobs = None;
    let version = env!("CARGO_PKG_VERSION");
    let RewriteArguments { options, only_changed, warc, warc_date, .. } = arguments;
    format!("absolve {version}\n{inputs:?}\n{input:?}\n{options:?}\n{only_changed}\n{warc:?} {warc_date:?}\n")
}

/// Refuses a name that says a compression in which the type of the input is never written. A copy keeps its extension.
fn refuse_compression(output: &Path, entry: &Entry) -> Result<(), Stop> {
    if let EntryKind::Bundle(format) = entry.kind {
        let extension = |path: &Path| path.extension().map(|extension| extension.to_ascii_lowercase());
        match BundleFormat::of_name(output) {
            Some(declared) if declared == format => return Ok(()),
            None if !is_bundle_name(output) && FileType::of_name(output).is_none() => {}
            // A name that does not say what the input is stays.
            _ if extension(output) == extension(&entry.source) => {}
            _ => {
                let (output, extension) = (output.display(), format.extension());
                let input = match entry.source.to_str() {
                    Some("-") => "standard input".into(),
                    _ => entry.source.display().to_string(),
                };
                return usage_error(format!(
                    "{output} is not packed as {input} is; give it a name that ends in {extension}"
                ));
            }
        }
    }
    match compression_refusal(output, &entry.source, entry.file_type().ok().flatten()) {
        Some(why) => usage_error(format!("{} is {why}", output.display())),
        None => Ok(()),
    }
}

/// Refuses an output that is the input, within it or around it.
pub(crate) fn refuse_overlap(inputs: &[PathBuf], output: &Path) -> Result<(), Stop> {
    let output_path = resolved(output)?;
    let partial_path = NewFolder::partial_of(&output_path);
    for input in inputs {
        let input_path = resolved(input)?;
        if input_path == output_path {
            let output = output.display();
            return usage_error(format!("the output {output} is the input; --in-place changes it"));
        }
        if input_path == partial_path {
            let output = output.display();
            return usage_error(format!("the output {output} is filled as {output}.partial, which is the input"));
        }
        refuse_within("output", output, input)?;
        let (input, output) = (input.display(), output.display());
        if input_path.starts_with(&output_path) && output_path.exists() {
            return usage_error(format!("the input {input} lies within the output {output}"));
        }
    }
    Ok(())
}

/// Refuses what lies within an input: the next run would read it.
pub(crate) fn refuse_within(what: &str, path: &Path, input: &Path) -> Result<(), Stop> {
    match resolved(path)?.starts_with(resolved(input)?) {
        true => usage_error(format!("the {what} {} lies within the input {}", path.display(), input.display())),
        false => Ok(()),
    }
}

/// Returns the path without symbolic links, as far as it exists.
pub(crate) fn resolved(path: &Path) -> io::Result<PathBuf> {
    if let Ok(path) = path.canonicalize() {
        return Ok(path);
    }
    let parent = folder_of(path);
    match path.file_name() {
        Some(name) if parent != path => Ok(resolved(parent)?.join(name)),
        _ => std::path::absolute(path),
    }
}
