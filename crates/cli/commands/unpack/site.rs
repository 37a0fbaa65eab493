//! The site of web archives, in a folder.

use std::collections::HashSet;
use std::fs::{self, File};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use absolve_containers::{ArchiveOptions, FileType, Reading};
use absolve_files::{
    Action, Entry, Existing, FileError, Inspection, NewFolder, OpenFolder, Resume, Selection, collect,
};
use absolve_rewriter::{Counts, Finding};
use absolve_site::{
    Hosts, INDEX, Indexing, PageOf, Site, Skipped, URLS, Write as WriteFile, Written, index, starts, unpack,
    unpack_sheets, write_more_urls, write_page, write_urls,
};
use serde_json::json;

use crate::args::unpack::UnpackArguments;
use crate::commands::rewrite::destination::refuse_overlap;
use crate::commands::rewrite::kept;
use crate::commands::rewrite::side_files::new_file;
use crate::commands::unpack::folder::begin;
use crate::commands::unpack::progress::{Done, Progress};
use crate::json;
use crate::messages::{Findings, count, links, print_errors};
use crate::outcome::{Outcome, Stop, usage_error};
use crate::progress::{self, Bar};
use crate::streams::Streams;
use crate::wording::{file_error, sentence};

/// Returns the web archives that the arguments name, in the order of their names; `None` if the one input is no archive and no folder.
pub(crate) fn archives(inputs: &[PathBuf]) -> Result<Option<Vec<Entry>>, Stop> {
    let (mut archives, mut others) = (Vec::new(), Vec::new());
    for path in inputs.iter().filter(|path| *path != Path::new("-")) {
        let collection = collect(path, &Selection::default());
        if let Some(error) = collection.errors.first() {
            return usage_error(file_error(error));
        }
        let before = archives.len();
        for entry in collection.entries.into_iter().filter(|entry| entry.record.is_empty()) {
            let is_archive = |found| matches!(found, FileType::Archive(_) | FileType::Wacz);
            if entry.file_type().ok().flatten().is_some_and(is_archive) {
                archives.push(entry);
            }
        }
        others.extend((archives.len() == before).then_some(path));
    }
    match others.first() {
        _ if inputs.len() == 1 && archives.is_empty() => Ok(None),
        None if inputs.iter().all(|path| path != Path::new("-")) => Ok(Some(archives)),
        None => usage_error("web archives are read twice, so standard input cannot be one; name a file"),
        Some(other) => {
            usage_error(format!("{} is no web archive, and holds none; several inputs have to be", other.display()))
        }
    }
}

/// What a run found, beside the files.
#[derive(Debug, Default)]
struct Run {
    done: Done,
    findings: Vec<(PathBuf, Finding)>,
    is_unread: bool,
}

/// Unpacks web archives into a folder.
pub(crate) fn run(arguments: &UnpackArguments, archives: &[Entry], streams: &Streams<'_>) -> Result<Outcome, Stop> {
    let Some(folder) = arguments.output.as_deref() else {
        return usage_error("--single goes with a message; unpack web archives into a folder with -o");
    };
    if arguments.number.is_some() || arguments.url.is_some() || arguments.message_url.is_some() {
        return usage_error("--message, --url and --message-url go with a message, not with web archives");
    }
    if arguments.force && arguments.summary.is_none() {
        return usage_error("--force goes with --summary here: a folder of web archives is always a new one");
    }
    if fs::symlink_metadata(folder).is_ok() {
        return usage_error(format!("{} exists; name a new folder", folder.display()));
    }
    let resume = if arguments.resume { Resume::Yes } else { Resume::No };
    let existing = if arguments.force { Existing::Replace } else { Existing::Refuse };
    let summary = arguments.summary.as_deref().map(|path| new_file(path, existing)).transpose()?;
    refuse_overlap(&arguments.inputs, folder)?;
    let mut new = begin(folder, &request(arguments, archives), resume)?;
    let mut run = Run::default();
    let skipped = write_site(arguments, archives, &mut new, &mut run, streams)?;
    new.finish().map_err(|error| FileError::new(folder, Action::Write, error))?;
    if let Some(file) = summary {
        let path = arguments.summary.as_deref().unwrap_or(Path::new("-"));
        let written = file.write(|output| write_summary(output, &run, skipped));
        written.map_err(|error| FileError::new(path, Action::Write, error))?;
    }
    let Done { files, counts, .. } = run.done;
    if !arguments.messages.quiet {
        let (all, local) = (count(files, "file"), count(counts.local, "link"));
        let open = folder.join(INDEX);
        streams.warn(&format!("{all}, open {}; {local} to files, {}", open.display(), links(&counts)));
    }
    if files == 0 {
        streams.fail("no record has content that can be unpacked");
    }
    Ok(if run.is_unread || files == 0 { Outcome::Failed } else { Outcome::Done })
}

fn request(arguments: &UnpackArguments, archives: &[Entry]) -> String {
    let UnpackArguments { at, links, purpose, unwrap_wayback, .. } = arguments;
    let inputs: Vec<_> = archives.iter().map(|entry| (entry.source.canonicalize(), entry.attributes.size)).collect();
    format!(
        "absolve {} unpack\n{inputs:?}\n{at:?}\n{links:?}\n{purpose:?}\n{unwrap_wayback:?}\n",
        env!("CARGO_PKG_VERSION")
    )
}

/// What is said of findings: each is printed once.
struct Notes<'a, 's> {
    arguments: &'a UnpackArguments,
    archives: &'a [Entry],
    findings: Findings<'a, 's>,
    /// Digests of those of the first attempt.
    known: HashSet<u64>,
    attempt: Reading,
}

impl Notes<'_, '_> {
    fn add(&mut self, run: &mut Run, archive: usize, finding: Finding) {
        let mut digest = DefaultHasher::new();
        (archive, &finding.record, finding.code.name(), &finding.message, finding.byte).hash(&mut digest);
        let is_printed = match self.attempt {
            Reading::Whole => self.known.contains(&digest.finish()),
            Reading::Heads => {
                self.known.insert(digest.finish());
                false
            }
        };
        run.is_unread |= finding.code.leaves_unread();
        let finding = finding.when_unpacked();
        let path = &self.archives[archive].path;
        if !is_printed {
            self.findings.print(path, &finding);
        }
        if self.arguments.summary.is_some() {
            run.findings.push((path.clone(), finding));
        }
    }
}

/// Writes the files of the site, the list of them, and the page to begin with. Returns what is not in the site.
fn write_site(
    arguments: &UnpackArguments,
    archives: &[Entry],
    new: &mut NewFolder,
    run: &mut Run,
    streams: &Streams<'_>,
) -> Result<Skipped, Stop> {
    streams.interrupted.note(kept(new.path()), None);
    let (findings, known) = (Findings::new(&arguments.messages, streams), HashSet::new());
    let mut notes = Notes { arguments, archives, findings, known, attempt: Reading::Heads };
    let bar = || Bar::over(archives, progress::is_shown(&arguments.messages, streams));
    let mut written = write_files(&mut notes, new.folder(), run, &bar)?;
    if written.site.is_misled() {
        new.empty()?;
        (notes.attempt, *run) = (Reading::Whole, Run::default());
        written = write_files(&mut notes, new.folder(), run, &bar)?;
    }
    let SiteWritten { site, hosts, first, second } = written;
    let title = format!("Site of {}", names(archives));
    let starts = starts(archives, &site, &mut |at, found| notes.add(run, at, found));
    let (counts, skipped) = (&run.done.counts, site.skipped());
    let page = PageOf { title: &title, starts: &starts, hosts: &hosts, counts, skipped };
    let index = created(new.folder(), INDEX)?;
    list_file(&index, INDEX, |output| write_page(&page, output))?;
    run.is_unread |= !first.errors.is_empty() || !second.errors.is_empty();
    report(&first, &second, streams);
    let more = notes.findings.finish();
    if more > 0 && !arguments.messages.quiet {
        streams.warn(&format!("{more} more findings; --verbose prints them all"));
    }
    Ok(skipped)
}

/// A site whose files are written, and what could not be read in both passes.
struct SiteWritten {
    site: Arc<Site>,
    hosts: Hosts,
    first: Inspection,
    second: Inspection,
}

/// Writes the files of the site, and the list of them.
fn write_files(
    notes: &mut Notes<'_, '_>,
    folder: &OpenFolder,
    run: &mut Run,
    bar: &dyn Fn() -> Bar,
) -> Result<SiteWritten, Stop> {
    let (arguments, archives) = (notes.arguments, notes.archives);
    let indexing = Indexing { at: arguments.at, reading: notes.attempt, wayback: &arguments.wayback() };
    let of_index = bar();
    let mut note = |at: usize, found: Finding| notes.add(run, at, found);
    let (site, first) = index(archives, indexing, &mut note, &|event| of_index.note(event))?;
    of_index.clear();
    let site = Arc::new(site);
    let list = created(folder, URLS)?;
    let hosts = list_file(&list, URLS, |output| write_urls(&site, output))?;
    let mut options = ArchiveOptions::default();
    options.documents = arguments.links.options(arguments.purpose.purpose());
    let mut progress = Progress::begin(folder)?;
    run.done = progress.done.clone();
    let write = |path: &str, bytes: &[u8]| {
        let written = folder.create_anew(Path::new(path)).and_then(|mut file| file.write_all(bytes));
        written.map_err(|error| io::Error::new(error.kind(), format!("{path}: {error}")))
    };
    let of_files = bar();
    let resumed = progress.done.place;
    let second = unpack(
        archives,
        &site,
        &options,
        (resumed, &|path| folder.open(Path::new(path)).is_ok(), &write as &WriteFile<'_>),
        &mut |written: Written| {
            if written.place != run.done.place {
                progress.note(&run.done)?;
            }
            run.done.add(&written);
            let archive = written.archive();
            written.findings.into_iter().for_each(|found| notes.add(run, archive, found));
            Ok(())
        },
        &|event| of_files.note(event),
    )?;
    of_files.clear();
    unpack_sheets(archives, &site, &options, &write)?;
    list_file(&list, URLS, |output| write_more_urls(&site, output))?;
    progress.end()?;
    Ok(SiteWritten { site, hosts, first, second })
}

/// Prints the errors of both passes, those of the second that are not of the first as well.
fn report(first: &Inspection, second: &Inspection, streams: &Streams<'_>) {
    print_errors(&first.errors, streams);
    let known: HashSet<String> = first.errors.iter().map(ToString::to_string).collect();
    second
        .errors
        .iter()
        .filter(|error| !known.contains(&error.to_string()))
        .for_each(|error| streams.fail(&file_error(error)));
}

fn created(folder: &OpenFolder, name: &str) -> Result<File, FileError> {
    let name = Path::new(name);
    folder.create_anew(name).map_err(|error| FileError::new(name, Action::Write, error))
}

fn list_file<T>(file: &File, name: &str, write: impl FnOnce(&mut dyn Write) -> io::Result<T>) -> Result<T, FileError> {
    let mut output = BufWriter::new(file);
    let written = write(&mut output).and_then(|result| output.flush().map(|()| result));
    written.map_err(|error| FileError::new(Path::new(name), Action::Write, error))
}

/// `crawl.warc.gz`, or `crawl.warc.gz and 2 more archives`.
fn names(archives: &[Entry]) -> String {
    let name = |entry: &Entry| entry.path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    match archives {
        [] => String::new(),
        [only] => name(only),
        [first, more @ ..] => format!("{} and {}", name(first), count(more.len() as u64, "more archive")),
    }
}

fn write_summary(output: &mut dyn Write, run: &Run, skipped: Skipped) -> io::Result<()> {
    let Counts { local, .. } = run.done.counts;
    let finding = |(path, finding): &(PathBuf, Finding)| {
        let fields = json!({"record": finding.record, "code": finding.code.name(), "message": sentence(finding)});
        json::with_path(path, fields)
    };
    let object = json::joined([
        json!({"files": run.done.files, "bytes": run.done.bytes, "local": local}),
        json::counts(&run.done.counts),
        json!({"not_unpacked": {
            "other_answers": skipped.other_answers, "without_host": skipped.without_host,
            "segments": skipped.segments, "revisits": skipped.revisits,
        }}),
        json!({"findings": run.findings.iter().map(finding).collect::<Vec<_>>()}),
    ]);
    serde_json::to_writer_pretty(&mut *output, &object)?;
    writeln!(output)
}
