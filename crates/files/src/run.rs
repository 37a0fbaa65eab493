//! Many files at once, in an order that does not depend on the number of threads.

pub(crate) mod container_job;
pub(crate) mod document_job;
pub(crate) mod symlink_check;

use std::collections::{BTreeMap, HashSet};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use absolve_containers::{ArchiveCounts, ArchiveOptions, Container, FileType};
use absolve_links::DocumentType;
use absolve_rewriter::{Code, Counts, DocumentReport, Event, Finding, Options, PinnedLink};
use rayon::prelude::*;

use crate::discover::copies::InputFiles;
use crate::error::FileError;
use crate::input::entry::{Collection, Entry};
use crate::input::kind::EntryKind;
use crate::open::{Opened, open};
use crate::output::file::JobError;
use crate::output::settings::{Output, Unchanged};
use crate::run::container_job::rewrite_container;
use crate::run::document_job::{FileReport, rewrite_document};

/// What came of a run.
#[derive(Debug, Default)]
pub struct RunReport {
    /// All links of all documents.
    pub counts: Counts,
    /// Records that were read: documents, messages.
    pub records: u64,
    /// What was written of web archives.
    pub archives: ArchiveCounts,
    /// Files written because they changed, or to be written but for a dry run.
    pub files_changed: u64,
    /// Files that an earlier, interrupted run had done.
    pub files_resumed: u64,
    /// Files that change in a way that no diff shows, where diffs are wanted.
    pub not_shown: Vec<PathBuf>,
    /// Bytes of the documents that were read.
    pub bytes_in: u64,
    /// Bytes of the same documents rewritten.
    pub bytes_out: u64,
    /// How many findings there are of each code.
    pub findings: BTreeMap<&'static str, u64>,
    /// Files that could not be done, in the order of the paths; streams come last.
    pub errors: Vec<FileError>,
}

impl RunReport {
    /// The error that ended the run before its time.
    ///
    /// ```
    /// assert!(absolve_files::RunReport::default().fatal().is_none());
    /// ```
    pub fn fatal(&self) -> Option<&FileError> {
        self.errors.iter().find(|error| error.is_fatal())
    }

    /// How many files the system did not let be done; another run may do them.
    ///
    /// ```
    /// assert_eq!(absolve_files::RunReport::default().not_done(), 0);
    /// ```
    pub fn not_done(&self) -> usize {
        self.errors.iter().filter(|error| error.is_of_system()).count()
    }
}

/// What happens in a run. Findings come in the order of the paths, from one thread; all else comes from any thread.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum RunEvent<'e> {
    /// So many more bytes of the input are done.
    Progress(u64),
    /// Something is worth a warning.
    Finding {
        /// The name of the file.
        path: &'e Path,
        /// What it is.
        finding: &'e Finding,
    },
    /// A document is done; with [`Detail::Documents`](absolve_rewriter::Detail) only. Those of one file come in their order.
    Document {
        /// The place of its file in the order of the entries.
        place: usize,
        /// The name of the file.
        path: &'e Path,
        /// What came of it.
        document: &'e DocumentReport,
    },
}

/// Receives the events of a run.
pub type Listener<'l> = dyn Fn(RunEvent<'_>) + Sync + 'l;

/// Rewrites all documents of a collection, and copies everything else to where `output` takes it. The findings and errors of
/// the collection come first.
///
/// Runs on the threads of the current rayon pool: the files, large ones first, then one by one the containers, whose
/// records are done in parallel. Memory holds the documents in flight and the findings of the files. A file that fails
/// is reported, and the rest goes on, unless there is no space left.
///
/// ```
/// use absolve_containers::ArchiveOptions;
/// use absolve_files::{Destination, Output, Selection, collect, rewrite_all};
/// let folder = tempfile::tempdir()?;
/// std::fs::write(folder.path().join("a.html"), "<a href=b>")?;
/// let mut selection = Selection::default();
/// selection.url = Some("http://h/".into());
/// let collection = collect(folder.path(), &selection);
/// let report = rewrite_all(collection, &ArchiveOptions::default(), Output::to(&Destination::InPlace), &|_| {});
/// assert_eq!(report.counts.rewritten, 1);
/// assert_eq!(std::fs::read_to_string(folder.path().join("a.html"))?, "<a href=http://h/b>");
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn rewrite_all(
    Collection { entries, findings, errors, .. }: Collection,
    options: &ArchiveOptions,
    output: Output<'_>,
    listener: &Listener<'_>,
) -> RunReport {
    let Output { destination, unchanged, .. } = output;
    let mut run = RunReport { errors, ..RunReport::default() };
    findings.iter().for_each(|(path, finding)| run.report(path, finding, listener));
    let (folders, files): (Vec<_>, Vec<_>) = entries.iter().partition(|entry| entry.kind == EntryKind::Folder);
    let made = |folder, outcome: io::Result<()>| output.failure(folder, outcome.map_err(JobError::Write));
    if unchanged == Unchanged::Copy {
        // Else they are made when something is put into them.
        run.errors.extend(folders.iter().filter_map(|folder| made(folder, destination.make_folder(folder))));
    }
    let mut containers = Vec::new();
    let mut done = Vec::new();
    for (place, step) in rewrite_files(&files, &InputFiles::new(&entries), options, output, listener) {
        match step {
            Step::Done(report) => done.push((place, *report)),
            Step::Container(container) => containers.push((place, container)),
        }
    }
    report_broken_integrity(&files, &mut done);
    done.into_iter().for_each(|(place, report)| run.add(files[place], report, listener));
    for (place, container) in containers {
        if run.fatal().is_none() {
            let entry = files[place];
            let mut events = |event: Event| match event {
                // Its position is one in a record.
                Event::Finding(finding) => {
                    run.report(&entry.name, &Finding { position: None, ..finding }, listener);
                }
                Event::Document(document) => {
                    listener(RunEvent::Document { place, path: &entry.name, document: &document })
                }
            };
            let progress = |bytes| listener(RunEvent::Progress(bytes));
            let output = Output { place, ..output };
            let report = rewrite_container(entry, container, options, output, &progress, &mut events);
            run.add(entry, report, listener);
        }
    }
    // Only when everything is in it does a folder get its time, and may it lose its write permission.
    run.errors.extend(folders.iter().rev().filter_map(|folder| made(folder, destination.finish_folder(folder))));
    run
}

/// What the first pass over the files, in parallel, has made of one.
enum Step {
    /// It is done.
    Done(Box<FileReport>),
    /// It is a container, whose records are done in parallel in a second pass.
    Container(Container),
}

/// Buffers that a thread uses again and again.
#[derive(Debug, Default)]
struct Buffers {
    original: Vec<u8>,
    rewritten: Vec<u8>,
}

/// Rewrites all that is no container. Returns the steps in the order of the paths.
fn rewrite_files(
    files: &[&Entry],
    input: &InputFiles<'_>,
    options: &ArchiveOptions,
    output: Output<'_>,
    listener: &Listener<'_>,
) -> Vec<(usize, Step)> {
    let mut order: Vec<usize> = (0..files.len()).collect();
    order.sort_by_key(|index| std::cmp::Reverse(files[*index].size));
    let stopped = AtomicBool::new(false);
    let rewrite_one = |buffers: &mut Buffers, place: usize| {
        if stopped.load(Ordering::Relaxed) {
            return (place, Step::Done(Box::default()));
        }
        let entry = files[place];
        let mut step = rewrite_file(entry, input, &options.documents, Output { place, ..output }, buffers);
        if let Step::Done(report) = &mut step {
            if report.errors.iter().any(FileError::is_fatal) {
                stopped.store(true, Ordering::Relaxed);
            }
            for document in std::mem::take(&mut report.report.documents) {
                listener(RunEvent::Document { place, path: &entry.name, document: &document });
            }
            listener(RunEvent::Progress(entry.size));
        }
        (place, step)
    };
    let rewrite = |order: Vec<usize>| order.into_par_iter().map_init(Buffers::default, rewrite_one).collect::<Vec<_>>();
    // What links lead to is read before it changes.
    let (links, others) = order.into_iter().partition(|index| files[*index].kind == EntryKind::Symlink);
    let mut steps = rewrite(links);
    steps.extend(rewrite(others));
    steps.sort_by_key(|(place, _)| *place);
    steps
}

/// Rewrites a document or a message, or copies what is neither, unless it is a container.
fn rewrite_file(
    entry: &Entry,
    input: &InputFiles<'_>,
    options: &Options,
    output: Output<'_>,
    Buffers { original, rewritten }: &mut Buffers,
) -> Step {
    let mut file = FileReport::default();
    if output.destination.is_done(entry) {
        file.resumed = true;
    } else if entry.kind == EntryKind::Symlink {
        file.report.findings.extend(symlink_check::finding(entry, input, options));
        if output.unchanged == Unchanged::Copy {
            file.errors.extend(output.link(entry));
        }
    } else {
        match open(entry, original) {
            Err(error) => file.errors.push(error),
            Ok(Opened::Container(container)) => return Step::Container(container),
            Ok(opened @ (Opened::Document(_) | Opened::Message)) => {
                file = rewrite_document(entry, original, &opened, input, options, output, rewritten);
            }
            Ok(Opened::TooLong(finding) | Opened::UnknownType(finding)) => {
                file.report.findings.push(finding);
                file.errors.extend(output.copy(entry));
            }
            Ok(Opened::Other) => file.errors.extend(output.copy(entry)),
        }
    }
    Step::Done(Box::new(file))
}

impl RunReport {
    fn add(&mut self, entry: &Entry, file: FileReport, listener: &Listener<'_>) {
        self.counts += file.report.counts;
        self.records += file.records;
        self.archives += file.archive;
        self.files_changed += u64::from(file.changed);
        self.files_resumed += u64::from(file.resumed);
        self.not_shown.extend(file.not_shown.then(|| entry.name.clone()));
        self.bytes_in += file.bytes_in;
        self.bytes_out += file.bytes_out;
        for finding in file.report.findings {
            self.report(&entry.name, &Finding { record: entry.record.clone(), ..finding }, listener);
        }
        self.errors.extend(file.errors);
    }

    /// Counts a finding and reports it.
    fn report(&mut self, path: &Path, finding: &Finding, listener: &Listener<'_>) {
        *self.findings.entry(finding.code.name()).or_default() += 1;
        listener(RunEvent::Finding { path, finding });
    }
}

/// Reports links whose integrity hash covers a changed stylesheet.
fn report_broken_integrity(files: &[&Entry], reports: &mut [(usize, FileReport)]) {
    let css = EntryKind::Document(FileType::Document(DocumentType::Css));
    let is_changed_css = |(index, report): &&(usize, FileReport)| report.changed && files[*index].kind == css;
    let changed: HashSet<&str> =
        reports.iter().filter(is_changed_css).filter_map(|(index, _)| Some(&*files[*index].retrieval()?.url)).collect();
    for (_, report) in reports {
        let pins = std::mem::take(&mut report.report.pins);
        report.report.findings.extend(pins.iter().filter(|pin| changed.contains(&*pin.url)).map(broken_pin));
    }
}

fn broken_pin(pin: &PinnedLink) -> Finding {
    let message = format!("its integrity hash covers {}, which changes in this run", pin.url);
    Finding { position: pin.position, ..Finding::new(Code::Integrity, message).at(pin.byte) }
}
