//! A run: rewrites many files in parallel. Results do not depend on the number of threads.

pub(crate) mod bags;
pub(crate) mod bundle_job;
pub(crate) mod container_job;
pub(crate) mod document_job;
mod integrity;
pub(crate) mod shared_names;
pub(crate) mod stoppable;
pub(crate) mod symlink_check;
mod totals;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use absolve_containers::{ArchiveCounts, ArchiveOptions, FileType, Originals, WarcOutput};
use absolve_rewriter::internal::Event;
use absolve_rewriter::{Code, Counts, DocumentReport, Finding};
use rayon::prelude::*;

use crate::discover::copies::InputFiles;
use crate::error::FileError;
use crate::input::entry::{Collection, Entry};
use crate::input::kind::{EntryKind, Why};
use crate::open::{Container, Opened, open};
use crate::output::settings::{Output, Unchanged};
use crate::output::slot::{Shared, Slot};
use crate::run::bags::Bags;
use crate::run::bundle_job::rewrite_bundle;
use crate::run::container_job::{Containers, read_range, rewrite_container};
use crate::run::document_job::{FileReport, Source, rewrite_document};
use crate::run::integrity::report_broken_integrity;
use crate::run::shared_names::keep_shared_names;

/// The result of [`rewrite_all`].
#[derive(Debug, Default)]
pub struct RunReport {
    /// The numbers of links in all documents.
    pub counts: Counts,
    /// The number of documents and messages that were read.
    pub records: u64,
    /// The numbers of records written to web archives.
    pub archives: ArchiveCounts,
    /// The number of changed files; in a dry run, of files that would change.
    pub files_changed: u64,
    /// The number of files that an interrupted run had completed.
    pub files_resumed: u64,
    /// The names of changed files without a diff, if diffs are collected.
    pub not_shown: Vec<PathBuf>,
    /// The names of files that were not read, because nothing says that they are documents, but that are text.
    pub unread: Vec<PathBuf>,
    /// The number of files left out that are being delivered to Maildirs.
    pub deliveries: u64,
    /// The size in bytes of the documents that were read.
    pub bytes_in: u64,
    /// The size in bytes of the same documents after rewriting.
    pub bytes_out: u64,
    /// The number of findings of each code.
    pub findings: BTreeMap<&'static str, u64>,
    /// Whether a file has relative links and no base, which a URL of the input would give.
    pub wants_url: bool,
    /// Whether a message of a mailbox has relative links and no base.
    pub wants_message_url: bool,
    /// Whether a type would have a file read whose type is unknown.
    pub wants_type: bool,
    /// Errors of files, in the order of the paths; containers come last.
    pub errors: Vec<FileError>,
    /// The manifests of bags of which a file has changed, by their numbers.
    stale_manifests: BTreeSet<usize>,
}

impl RunReport {
    /// Returns the error that ended the run early: no space was left.
    pub fn fatal(&self) -> Option<&FileError> {
        self.errors.iter().find(|error| error.is_fatal())
    }

    /// Returns the number of files that failed by an error of the system; another run may succeed.
    pub fn not_done(&self) -> usize {
        self.errors.iter().filter(|error| error.is_of_system()).count()
    }
}

/// An event of a run. Findings arrive in the order of the paths, from one thread; other events from any thread.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum RunEvent<'e> {
    /// This many more bytes of the input were processed.
    Progress(u64),
    /// A file, or a symbolic link, was processed.
    FileDone,
    /// A finding in a file.
    Finding {
        /// The name of the file.
        path: &'e Path,
        /// The finding.
        finding: &'e Finding,
    },
    /// A document was processed; only with [`Detail::Documents`](absolve_rewriter::settings::Detail). Those of a file arrive in order.
    Document {
        /// The index of its file among the files of the input.
        place: usize,
        /// The name of the file.
        path: &'e Path,
        /// The report of the document.
        document: &'e DocumentReport,
    },
}

/// Receives the events of a run.
pub type Listener<'l> = dyn Fn(RunEvent<'_>) + Sync + 'l;

/// Rewrites all documents of a collection, and writes them and all other files to the destination of `output`.
///
/// Returns counts and errors. `listener` receives the findings, first those of the collection. A file with an error is
/// skipped; only if no space is left does the run end.
///
/// Runs on the threads of the current rayon pool: first the files, large ones first, then the containers one by one, the
/// records of each in parallel. Memory holds the documents being processed and the findings of the files.
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
    Collection { entries, findings, errors, deliveries, .. }: Collection,
    options: &ArchiveOptions,
    output: Output<'_>,
    listener: &Listener<'_>,
) -> RunReport {
    let shared = Shared::default();
    let Output { destination, unchanged, .. } = output;
    let output = Slot::first(output, &shared);
    let mut run = RunReport { errors, deliveries, ..RunReport::default() };
    findings.iter().for_each(|(path, finding)| run.report(path, finding, listener));
    let (folders, files): (Vec<_>, Vec<_>) = entries.iter().partition(|entry| entry.kind == EntryKind::Folder);
    if unchanged == Unchanged::Copy {
        // Otherwise folders are created when a file is written into them.
        run.errors.extend(folders.iter().filter_map(|folder| output.make_folder(folder)));
    }
    let input = InputFiles::new(&entries);
    let bags = Bags::of(&files);
    let task = Task { files: &files, input: &input, bags: &bags, options, listener };
    let is_alone =
        |place: &usize| files[*place].member().is_none() && !matches!(files[*place].kind, EntryKind::Bundle(_));
    let (mut alone, containers) = task.rewrite_documents((0..files.len()).filter(is_alone).collect(), output);
    task.rewrite_containers(containers, output, &mut alone);
    run.absorb(alone);
    for (place, archive) in files.iter().enumerate().filter(|(_, entry)| matches!(entry.kind, EntryKind::Bundle(_))) {
        if run.fatal().is_none() {
            let members = files[place + 1..].iter().take_while(|entry| entry.member().is_some()).count();
            let members = place + 1..place + 1 + members;
            let output = output.at(place);
            let (report, finding) = if destination.is_done(archive) {
                (RunReport { files_resumed: 1, ..RunReport::default() }, None)
            } else {
                rewrite_bundle(archive, task, members, output)
            };
            listener(RunEvent::Progress(archive.attributes.size));
            listener(RunEvent::FileDone);
            run.absorb(report);
            finding.into_iter().for_each(|finding| run.report(&archive.source, &finding, listener));
        }
    }
    for (path, finding) in bags.findings(&std::mem::take(&mut run.stale_manifests)) {
        run.report(path, &finding, listener);
    }
    // Writing into a folder changes its modification time, and its final mode may forbid it.
    run.errors.extend(folders.iter().rev().filter_map(|folder| output.finish_folder(folder)));
    run
}

/// The files of a run and how to rewrite them.
#[derive(Clone, Copy)]
pub(crate) struct Task<'t> {
    pub(crate) files: &'t [&'t Entry],
    input: &'t InputFiles<'t>,
    bags: &'t Bags<'t>,
    pub(crate) options: &'t ArchiveOptions,
    listener: &'t Listener<'t>,
}

impl Task<'_> {
    /// Rewrites the files at these places that are no containers, in parallel. Returns the containers.
    pub(crate) fn rewrite_documents(
        self,
        places: Vec<usize>,
        output: Slot<'_>,
    ) -> (RunReport, Vec<(usize, Container)>) {
        let Task { files, .. } = self;
        let mut run = RunReport::default();
        let mut containers = Vec::new();
        let mut done = Vec::new();
        for (place, step) in rewrite_files(self, places, output) {
            match step {
                Step::Done(report) => done.push((place, *report)),
                Step::Container(container) => containers.push((place, container)),
            }
        }
        keep_shared_names(files, &mut done, output.replacements);
        report_broken_integrity(files, &mut done);
        done.into_iter().for_each(|(place, report)| self.add(place, report, &mut run));
        (run, containers)
    }

    /// Rewrites containers one by one.
    pub(crate) fn rewrite_containers(self, containers: Vec<(usize, Container)>, output: Slot<'_>, run: &mut RunReport) {
        let read = |place: usize, range: Range<u64>| read_range(self.files[place], range);
        let mut originals = RefCell::new(Originals::of_run(&read));
        let report_missing = |originals: &mut Originals<'_>, run: &mut RunReport| {
            for (place, finding) in originals.missing() {
                run.report(&self.files[place].source, &finding, self.listener);
            }
        };
        for (place, container) in containers {
            if run.fatal().is_none() {
                if self.files[place].member().is_some() {
                    // A member cannot be read again at any byte, so revisits are resolved within each.
                    report_missing(originals.get_mut(), run);
                    originals = RefCell::default();
                }
                originals.get_mut().begin(place);
                let known = run.findings.get(Code::NoBase.name()).copied();
                let is_mailbox = container.file_type == FileType::Mailbox;
                let output = output.at(place);
                self.rewrite_with(place, run, |progress, events| {
                    let shared = Containers { options: self.options, originals: &originals, progress };
                    rewrite_container(self.files[place], container, shared, output, events)
                });
                run.wants_message_url |= is_mailbox && run.findings.get(Code::NoBase.name()).copied() > known;
            }
        }
        report_missing(originals.get_mut(), run);
    }

    /// Adds the report of a container, which `rewrite` rewrites.
    pub(crate) fn rewrite_with(
        self,
        place: usize,
        run: &mut RunReport,
        rewrite: impl FnOnce(&(dyn Fn(u64) + Sync), &mut dyn FnMut(Event)) -> FileReport,
    ) {
        let Task { files, listener, .. } = self;
        let entry = files[place];
        let mut events = |event: Event| match event {
            Event::Finding(finding) => run.report(&entry.source, &finding, listener),
            Event::Document(document) => {
                listener(RunEvent::Document { place, path: &entry.source, document: &document })
            }
        };
        let report = rewrite(&|bytes| listener(RunEvent::Progress(bytes)), &mut events);
        listener(RunEvent::FileDone);
        self.add(place, report, run);
    }

    fn add(self, place: usize, report: FileReport, run: &mut RunReport) {
        if report.changed {
            self.bags.note(&self.files[place].path, &mut run.stale_manifests);
        }
        run.add(self.files[place], report, self.listener);
    }
}

/// The result of a file in the first pass, which processes files in parallel.
enum Step {
    Done(Box<FileReport>),
    /// A container: the second pass processes its records in parallel.
    Container(Container),
}

/// Reusable buffers of a thread.
#[derive(Debug, Default)]
struct Buffers {
    original: Vec<u8>,
    rewritten: Vec<u8>,
}

/// Rewrites the files at these places, all but containers. Returns their steps in the order of the places.
fn rewrite_files(task: Task<'_>, places: Vec<usize>, output: Slot<'_>) -> Vec<(usize, Step)> {
    let Task { files, input, options, listener, .. } = task;
    let mut order = places;
    order.sort_by_key(|index| std::cmp::Reverse(files[*index].attributes.size));
    let stopped = AtomicBool::new(false);
    let rewrite_one = |buffers: &mut Buffers, place: usize| {
        if stopped.load(Ordering::Relaxed) {
            return (place, Step::Done(Box::default()));
        }
        let entry = files[place];
        let mut step = rewrite_file(entry, input, options, output.at(place), buffers);
        if let Step::Done(report) = &mut step {
            if report.errors.iter().any(FileError::is_fatal) {
                stopped.store(true, Ordering::Relaxed);
            }
            for document in std::mem::take(&mut report.report.documents) {
                listener(RunEvent::Document { place, path: &entry.source, document: &document });
            }
            listener(RunEvent::Progress(entry.attributes.size));
            listener(RunEvent::FileDone);
        }
        (place, step)
    };
    let rewrite = |order: Vec<usize>| order.into_par_iter().map_init(Buffers::default, rewrite_one).collect::<Vec<_>>();
    // Targets of symbolic links are read before they change.
    let is_link = |entry: &Entry| matches!(entry.kind, EntryKind::Symlink(_));
    let (links, others) = order.into_iter().partition(|index| is_link(files[*index]));
    let mut steps = rewrite(links);
    steps.extend(rewrite(others));
    steps.sort_by_key(|(place, _)| *place);
    steps
}

/// Rewrites a document or a message, and copies any other file but a container.
fn rewrite_file(
    entry: &Entry,
    input: &InputFiles<'_>,
    ArchiveOptions { documents: options, output: form, .. }: &ArchiveOptions,
    output: Slot<'_>,
    Buffers { original, rewritten }: &mut Buffers,
) -> Step {
    let mut file = FileReport::default();
    // Revisits in later archives refer to what is replaced in a derived one, so it is derived again.
    let is_derived = entry.kind == EntryKind::File(FileType::WARC) && *form == WarcOutput::Resource;
    if output.destination.is_done(entry) && !is_derived {
        file.resumed = true;
    } else if let EntryKind::Symlink(_) = entry.kind {
        file.report.findings.extend(symlink_check::finding(entry, input, options));
        if output.settings.unchanged == Unchanged::Copy {
            file.errors.extend(output.link(entry));
        }
    } else if entry.kind == EntryKind::Damaged {
        file.errors.extend(output.copy_damaged(entry));
    } else {
        match open(entry, input, original) {
            Err(error) => {
                file.errors.push(error);
                file.errors.extend(output.copy_after(entry, &file.errors));
            }
            Ok(Opened::Container(container)) => return Step::Container(container),
            Ok(opened @ (Opened::Document(_) | Opened::Message(_))) => {
                let source = Source { entry, bytes: original, opened: &opened };
                file = rewrite_document(source, input, options, output, rewritten);
            }
            Ok(Opened::Copied(why)) => {
                file.is_unread = why == Why::Text;
                if let Why::Unread(finding) | Why::UnknownType(finding) = why {
                    file.report.findings.push(finding);
                }
                file.errors.extend(output.copy(entry));
            }
        }
    }
    Step::Done(Box::new(file))
}
