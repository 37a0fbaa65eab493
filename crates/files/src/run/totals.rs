//! Adding up what a run reports.

use std::path::Path;

use absolve_containers::ArchiveCounts;
use absolve_rewriter::results::Remedy;
use absolve_rewriter::{Code, Finding};

use crate::input::entry::Entry;
use crate::run::document_job::FileReport;
use crate::run::{Listener, RunEvent, RunReport};

impl RunReport {
    /// Adds the report of a part of the run.
    pub(super) fn absorb(&mut self, part: Self) {
        self.counts += part.counts;
        self.records += part.records;
        self.archives += part.archives;
        self.files_changed += part.files_changed;
        self.files_resumed += part.files_resumed;
        self.not_shown.extend(part.not_shown);
        self.unread.extend(part.unread);
        self.bytes_in += part.bytes_in;
        self.bytes_out += part.bytes_out;
        part.findings.into_iter().for_each(|(code, number)| *self.findings.entry(code).or_default() += number);
        self.wants_url |= part.wants_url;
        self.wants_message_url |= part.wants_message_url;
        self.wants_type |= part.wants_type;
        self.errors.extend(part.errors);
        self.stale_manifests.extend(part.stale_manifests);
    }

    /// Returns the report of a run that could not write its output.
    pub(super) fn unwritten(self) -> Self {
        let (counts, archives) = (self.counts.unwritten(), ArchiveCounts::default());
        Self { counts, archives, files_changed: 0, bytes_out: self.bytes_in, ..self }
    }

    pub(super) fn add(&mut self, entry: &Entry, file: FileReport, listener: &Listener<'_>) {
        self.counts += file.report.counts;
        self.records += file.records;
        self.archives += file.archive;
        self.files_changed += u64::from(file.changed);
        self.files_resumed += u64::from(file.resumed);
        self.not_shown.extend(file.not_shown.then(|| entry.source.clone()));
        self.unread.extend(file.is_unread.then(|| entry.source.clone()));
        self.bytes_in += file.bytes_in;
        self.bytes_out += file.bytes_out;
        for finding in file.report.findings {
            let wants = if file.is_mail { &mut self.wants_message_url } else { &mut self.wants_url };
            *wants |= finding.code == Code::NoBase;
            self.report(&entry.source, &finding, listener);
        }
        self.errors.extend(file.errors);
    }

    /// Counts a finding and reports it.
    pub(super) fn report(&mut self, path: &Path, finding: &Finding, listener: &Listener<'_>) {
        *self.findings.entry(finding.code.name()).or_default() += 1;
        self.wants_type |= finding.remedy() == Some(&Remedy::NameType);
        listener(RunEvent::Finding { path, finding });
    }
}
