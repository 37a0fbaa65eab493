//! What came of each document, for those who keep account of it.

use std::fmt;
use std::path::Path;

use absolve_base::Layer;
use absolve_links::Edits;
use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};

use crate::rewrite::{Counts, Report};
use crate::{Code, Finding, Options};

/// How much reports tell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Detail {
    /// Counts and findings.
    #[default]
    Counts,
    /// Each document, with its base and digests.
    Documents,
}

/// A document, and what came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DocumentReport {
    /// The record of the container; empty for a file that holds one.
    pub record: String,
    /// The part of the entity; empty for a bare file.
    pub part: String,
    /// Its type; empty if the entity holds no document that could be told.
    pub media_type: &'static str,
    /// The base of the document.
    pub base: Option<String>,
    /// The layer that declared it.
    pub layer: Layer,
    /// Its links.
    pub counts: Counts,
    /// What is told of it.
    pub findings: Vec<Code>,
    /// The sha256 of the entity it is in: the file, the message, the content of the record.
    pub sha256_in: String,
    /// The same afterwards.
    pub sha256_out: String,
}

/// Who hears of each document.
#[derive(Clone, Copy)]
pub struct Documents<'d> {
    hear: Hear<'d>,
}

/// Gets the place of the file in the order of the entries, its name, and the document.
type Hear<'d> = &'d (dyn Fn(usize, &Path, &DocumentReport) + Sync);

impl<'d> Documents<'d> {
    /// `hear` is called on any thread with the place of the file in the order of the entries, its name, and the document.
    /// Documents of one file come in their order.
    ///
    /// ```
    /// let documents = absolve_rewriter::Documents::new(&|place, path, document| {
    ///     println!("{place} {} {}", path.display(), document.counts.rewritten);
    /// });
    /// ```
    pub fn new(hear: &'d (dyn Fn(usize, &Path, &DocumentReport) + Sync)) -> Self {
        Self { hear }
    }

    pub(crate) fn tell(&self, place: usize, name: &Path, document: &DocumentReport) {
        (self.hear)(place, name, document);
    }
}

impl fmt::Debug for Documents<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Documents")
    }
}

impl DocumentReport {
    pub(crate) fn new(media_type: &'static str, part: &str, findings: &[Finding]) -> Self {
        Self {
            record: String::new(),
            part: part.to_owned(),
            media_type,
            base: None,
            layer: Layer::None,
            counts: Counts::default(),
            findings: findings.iter().map(|finding| finding.code).collect(),
            sha256_in: String::new(),
            sha256_out: String::new(),
        }
    }
}

/// Adds to the documents of an entity its digests, before and after `edits`.
pub(crate) fn note_digests(report: &mut Report, options: &Options, bytes: &[u8], edits: &Edits) {
    if options.detail == Detail::Counts || report.documents.is_empty() {
        return;
    }
    let (mut after, mut at) = (Sha256::new(), 0);
    for (range, text) in edits.iter() {
        after.update(&bytes[at..range.start]);
        after.update(text);
        at = range.end;
    }
    after.update(&bytes[at..]);
    set_digests(report, &HEXLOWER.encode(&Sha256::digest(bytes)), &HEXLOWER.encode(&after.finalize()));
}

/// The same of contents that are there.
pub(crate) fn note_contents(report: &mut Report, options: &Options, before: &[u8], after: Option<&[u8]>) {
    if options.detail == Detail::Counts || report.documents.is_empty() {
        return;
    }
    let before = HEXLOWER.encode(&Sha256::digest(before));
    let after = after.map_or_else(|| before.clone(), |after| HEXLOWER.encode(&Sha256::digest(after)));
    set_digests(report, &before, &after);
}

fn set_digests(report: &mut Report, before: &str, after: &str) {
    for document in &mut report.documents {
        (document.sha256_in, document.sha256_out) = (before.to_owned(), after.to_owned());
    }
}

/// Adds what there is to tell of an entity without documents.
pub(crate) fn note_left_alone(report: &mut Report, options: &Options) {
    if options.detail == Detail::Documents && report.documents.is_empty() && !report.findings.is_empty() {
        report.documents.push(DocumentReport::new("", "", &report.findings));
    }
}

/// What a container tells while it is done.
#[derive(Debug)]
pub(crate) enum Told {
    Finding(Finding),
    Document(Box<DocumentReport>),
}

impl From<Finding> for Told {
    fn from(finding: Finding) -> Self {
        Self::Finding(finding)
    }
}

impl Told {
    /// The same, with another name for its record.
    pub(crate) fn in_record(self, name: impl Fn(&str) -> String) -> Self {
        match self {
            Self::Finding(finding) => Self::Finding(Finding { record: name(&finding.record), ..finding }),
            Self::Document(document) => {
                Self::Document(Box::new(DocumentReport { record: name(&document.record), ..*document }))
            }
        }
    }

    /// What `tell` hears is findings only.
    pub(crate) fn findings(tell: &mut dyn FnMut(Finding)) -> impl FnMut(Self) {
        |told| {
            if let Self::Finding(finding) = told {
                tell(finding);
            }
        }
    }
}

impl Report {
    /// Tells what is to be told of a record.
    pub(crate) fn tell(self, record: &str, tell: &mut dyn FnMut(Told)) {
        let documents = self.documents.into_iter().map(|document| Told::Document(Box::new(document)));
        let told = self.findings.into_iter().map(Told::Finding).chain(documents);
        told.for_each(|told| tell(told.in_record(|_| record.to_owned())));
    }
}
