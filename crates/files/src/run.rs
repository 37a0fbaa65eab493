//! Many files at once, in an order that does not depend on the number of threads.

pub(crate) mod container_job;
pub(crate) mod document_job;
pub(crate) mod symlink_check;

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use absolve_containers::{ArchiveCounts, ArchiveOptions, FileType};
use absolve_links::DocumentType;
use absolve_rewriter::{Code, Counts, Event, Finding, PinnedLink};
use rayon::prelude::*;

use crate::discover::copies::InputFiles;
use crate::error::FileError;
use crate::input::entry::Entry;
use crate::input::kind::EntryKind;
use crate::output::destination::Destination;
use crate::output::settings::{Output, Unchanged, unwritten};
use crate::run::container_job::{Task, rewrite_container};
use crate::run::document_job::{Buffers, FileReport, rewrite_file};

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

/// Rewrites all documents of `entries`, and copies everything else to where `destination` takes it.
///
/// Runs on the threads of the current rayon pool: the files, large ones first, then one by one the streams, whose
/// records are done in parallel. Memory holds the documents in flight and what is to be told of the files. `tell` hears
/// of it in the order of the paths, and `progress` of the bytes that are done. A file that fails is told, and the rest
/// goes on, unless there is no space left.
///
/// ```
/// use absolve_containers::ArchiveOptions;
/// use absolve_files::{Destination, Selection, Unchanged, collect, rewrite_all};
/// let folder = tempfile::tempdir()?;
/// std::fs::write(folder.path().join("a.html"), "<a href=b>")?;
/// let mut selection = Selection::default();
/// selection.url = Some("http://h/".into());
/// let entries = collect(folder.path(), &selection).entries;
/// let report = rewrite_all(&entries, &ArchiveOptions::default(), &Destination::InPlace, Unchanged::Copy, &|_| {}, &mut |_, _| {});
/// assert_eq!(report.counts.rewritten, 1);
/// assert_eq!(std::fs::read_to_string(folder.path().join("a.html"))?, "<a href=http://h/b>");
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn rewrite_all(
    entries: &[Entry],
    options: &ArchiveOptions,
    destination: &Destination,
    unchanged: Unchanged,
    progress: &(dyn Fn(u64) + Sync),
    tell: &mut dyn FnMut(&Path, &Finding),
) -> RunReport {
    rewrite_all_to(entries, options, Output { unchanged, ..Output::to(destination) }, progress, tell)
}

/// The same with all that a [`Output`] may say of where the files go.
///
/// ```
/// use absolve_containers::ArchiveOptions;
/// use absolve_files::{Destination, InPlace, Selection, Output, collect, rewrite_all_to};
/// let folder = tempfile::tempdir()?;
/// let page = folder.path().join("a.html");
/// std::fs::write(&page, "<base href=http://h/><a href=b>")?;
/// let entries = collect(&page, &Selection::default()).entries;
/// let mut in_place = InPlace::default();
/// in_place.backup = Some(".orig".into());
/// let mut sink = Output::to(&Destination::InPlace);
/// sink.in_place = &in_place;
/// rewrite_all_to(&entries, &ArchiveOptions::default(), sink, &|_| {}, &mut |_, _| {});
/// assert_eq!(std::fs::read_to_string(folder.path().join("a.html.orig"))?, "<base href=http://h/><a href=b>");
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn rewrite_all_to(
    entries: &[Entry],
    options: &ArchiveOptions,
    sink: Output<'_>,
    progress: &(dyn Fn(u64) + Sync),
    tell: &mut dyn FnMut(&Path, &Finding),
) -> RunReport {
    let Output { destination, unchanged, .. } = sink;
    let mut run = RunReport::default();
    let (folders, files): (Vec<_>, Vec<_>) = entries.iter().partition(|entry| entry.kind == EntryKind::Folder);
    if unchanged == Unchanged::Copy {
        // Else they are made when something is put into them.
        for folder in &folders {
            run.errors.extend(unwritten(folder, destination, destination.make_folder(folder)));
        }
    }
    let mut containers = Vec::new();
    let mirror = InputFiles::new(entries);
    for (index, report) in rewrite_files(&files, &mirror, options, sink, progress) {
        match report.container {
            Some(container) => containers.push((index, container)),
            None => run.add(files[index], report, tell),
        }
    }
    for (place, container) in containers {
        if run.fatal().is_none() {
            let (entry, sink) = (files[place], Output { place, ..sink });
            let mut count = |told: Event| match told {
                Event::Finding(finding) => run.tell(&entry.name, &finding, tell),
                Event::Document(document) => sink.tell(entry, &[*document]),
            };
            let report = rewrite_container(Task { entry, container, options, progress }, sink, &mut count);
            run.add(entry, report, tell);
        }
    }
    // Only when everything is in it does a folder get its time, and may it lose its write permission.
    for folder in folders.iter().rev() {
        run.errors.extend(unwritten(folder, destination, destination.finish_folder(folder)));
    }
    run
}

/// What came of each file, in the order of the paths.
fn rewrite_files(
    files: &[&Entry],
    mirror: &InputFiles<'_>,
    options: &ArchiveOptions,
    sink: Output<'_>,
    progress: &(dyn Fn(u64) + Sync),
) -> Vec<(usize, FileReport)> {
    let mut order: Vec<usize> = (0..files.len()).collect();
    order.sort_by_key(|index| std::cmp::Reverse(files[*index].size));
    let stopped = AtomicBool::new(false);
    let rewrite_one = |buffers: &mut Buffers, index: usize| {
        if stopped.load(Ordering::Relaxed) {
            return (index, FileReport::default());
        }
        let sink = Output { place: index, ..sink };
        let report = rewrite_file(files[index], mirror, &options.documents, sink, buffers);
        if report.errors.iter().any(FileError::is_fatal) {
            stopped.store(true, Ordering::Relaxed);
        }
        if report.container.is_none() {
            progress(files[index].size);
        }
        (index, report)
    };
    let rewrite = |order: Vec<usize>| order.into_par_iter().map_init(Buffers::default, rewrite_one).collect::<Vec<_>>();
    // What links lead to is read before it changes.
    let (links, others) = order.into_iter().partition(|index| files[*index].kind == EntryKind::Symlink);
    let mut reports = rewrite(links);
    reports.extend(rewrite(others));
    reports.sort_by_key(|(index, _)| *index);
    tell_broken_pins(files, &mut reports);
    reports
}

impl RunReport {
    fn add(&mut self, entry: &Entry, file: FileReport, tell: &mut dyn FnMut(&Path, &Finding)) {
        self.counts += file.report.counts;
        self.records += file.records;
        self.archives += file.archive;
        self.files_changed += u64::from(file.changed);
        self.files_resumed += u64::from(file.resumed);
        self.not_shown.extend(file.not_shown.then(|| entry.name.clone()));
        self.bytes_in += file.bytes_in;
        self.bytes_out += file.bytes_out;
        for finding in file.report.findings {
            self.tell(&entry.name, &Finding { record: entry.record.clone(), ..finding }, tell);
        }
        self.errors.extend(file.errors);
    }

    /// Counts a finding and tells it.
    ///
    /// ```
    /// use absolve_files::RunReport;
    /// use absolve_rewriter::{Code, Finding};
    /// let mut run = RunReport::default();
    /// run.tell("a".as_ref(), &Finding::new(Code::NoBase, "x"), &mut |path, _| assert!(path.ends_with("a")));
    /// assert_eq!(run.findings["no-base"], 1);
    /// ```
    pub fn tell(&mut self, path: &Path, finding: &Finding, tell: &mut dyn FnMut(&Path, &Finding)) {
        *self.findings.entry(finding.code.name()).or_default() += 1;
        tell(path, finding);
    }
}

/// Adds to what is told of the files which of their links pin the bytes of a stylesheet that changes.
fn tell_broken_pins(files: &[&Entry], reports: &mut [(usize, FileReport)]) {
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
    let message = format!("the link pins the bytes of {}, which change in this run", pin.url);
    Finding::new(Code::Integrity, message).at(pin.byte)
}
