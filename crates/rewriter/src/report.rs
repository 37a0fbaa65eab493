//! What came of each document, for those who keep account of it.

use std::ops::AddAssign;

use absolve_base::Layer;
use absolve_links::Edits;
use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};

use crate::finding::{Code, Finding};
use crate::options::{Detail, Options};
use crate::position::Position;

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
pub fn note_digests(report: &mut Report, options: &Options, bytes: &[u8], edits: &Edits) {
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
pub fn note_contents(report: &mut Report, options: &Options, before: &[u8], after: Option<&[u8]>) {
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
pub fn note_left_alone(report: &mut Report, options: &Options) {
    if options.detail == Detail::Documents && report.documents.is_empty() && !report.findings.is_empty() {
        report.documents.push(DocumentReport::new("", "", &report.findings));
    }
}

/// What a container tells while it is done.
#[derive(Debug)]
pub enum Event {
    /// Something found in a record.
    Finding(Finding),
    /// A document of a record.
    Document(Box<DocumentReport>),
}

impl From<Finding> for Event {
    fn from(finding: Finding) -> Self {
        Self::Finding(finding)
    }
}

impl Event {
    /// The same, with another name for its record.
    pub fn in_record(self, name: impl Fn(&str) -> String) -> Self {
        match self {
            Self::Finding(finding) => Self::Finding(Finding { record: name(&finding.record), ..finding }),
            Self::Document(document) => {
                Self::Document(Box::new(DocumentReport { record: name(&document.record), ..*document }))
            }
        }
    }

    /// What `tell` hears is findings only.
    pub fn findings(tell: &mut dyn FnMut(Finding)) -> impl FnMut(Self) {
        |told| {
            if let Self::Finding(finding) = told {
                tell(finding);
            }
        }
    }
}

impl Report {
    /// Tells what is to be told of a record.
    pub fn tell(self, record: &str, tell: &mut dyn FnMut(Event)) {
        let documents = self.documents.into_iter().map(|document| Event::Document(Box::new(document)));
        let told = self.findings.into_iter().map(Event::Finding).chain(documents);
        told.for_each(|told| tell(told.in_record(|_| record.to_owned())));
    }
}

/// How many links were met, by what became of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Documents read.
    pub documents: u64,
    /// Links found.
    pub links: u64,
    /// Made absolute.
    pub rewritten: u64,
    /// Absolute before.
    pub absolute: u64,
    /// References to the document itself, which stayed.
    pub same_document: u64,
    /// Left on purpose.
    pub kept: u64,
    /// Left because they have no target.
    pub unresolved: u64,
}

impl Counts {
    /// What was to be made absolute stays after all.
    pub fn keep_rewritten(&mut self) {
        self.kept += self.rewritten;
        self.rewritten = 0;
    }
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.documents += other.documents;
        self.links += other.links;
        self.rewritten += other.rewritten;
        self.absolute += other.absolute;
        self.same_document += other.same_document;
        self.kept += other.kept;
        self.unresolved += other.unresolved;
    }
}

/// What came of an entity, besides its bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// The links.
    pub counts: Counts,
    /// What is worth telling, in the order of the parts.
    pub findings: Vec<Finding>,
    /// What the documents say of the bytes of others.
    pub pins: Vec<PinnedLink>,
    /// Each document, if the options ask for that detail.
    pub documents: Vec<DocumentReport>,
}

impl Report {
    /// Notes that nothing changes after all, and why.
    pub fn keep_all(&mut self, why: Finding) {
        self.counts.keep_rewritten();
        self.documents.iter_mut().for_each(|document| document.counts.keep_rewritten());
        self.documents.first_mut().into_iter().for_each(|first| first.findings.push(why.code));
        self.findings.push(why);
    }
}

/// A link that tells the digest of what it leads to (`integrity`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PinnedLink {
    /// Its first byte in its part.
    pub byte: usize,
    /// Where that stands in the entity.
    pub position: Option<Position>,
    /// The URL it leads to, without a fragment.
    pub url: String,
}

/// What a link is, at its base and under the options.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Status {
    /// It is to be made absolute.
    Relative,
    /// It means the same everywhere.
    Absolute,
    /// It means the document it stands in, and stays.
    SameDocument,
    /// It stays on purpose: a placeholder, or a file of the input.
    Kept,
    /// It has no target.
    Unresolved(Cause),
}

impl Status {
    /// The name in JSON.
    ///
    /// ```
    /// assert_eq!(absolve_rewriter::Status::SameDocument.name(), "same-document");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Self::Relative => "relative",
            Self::Absolute => "absolute",
            Self::SameDocument => "same-document",
            Self::Kept => "kept",
            Self::Unresolved(_) => "unresolved",
        }
    }
}

/// Why a link has no target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Cause {
    /// There is no base.
    NoBase,
    /// The base has no hierarchy.
    OpaqueBase,
    /// The base means nothing elsewhere.
    BaseNotPortable,
    /// The standard gives it none.
    NoTarget,
    /// What it would be is no URL.
    UnreadableTarget,
    /// It leads to a copy of something whose URL is not known.
    LocalCopy,
}
