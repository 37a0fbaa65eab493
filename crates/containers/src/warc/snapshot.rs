//! What a record of a web archive has of a URL: what that returned at one time.

use std::borrow::Cow;
use std::io::{self, Read};

use absolve_framing::{ArchiveFormat, Batch, Batches, Budget, Compression, Record, Response, WarcRecord, lacks_scheme};
use absolve_links::DocumentType;
use absolve_rewriter::{Code, Finding};

use crate::batches::list;
use crate::limits::LISTED_AT_ONCE;
use crate::stream::{StreamError, StreamReport, with_start};
use crate::warc::findings::{not_its_coding, segment, without_scheme, without_type, without_url};
use crate::warc::record::{ArchiveRecord, unread};

/// What a URL returned at one time, by one record.
#[derive(Debug)]
pub struct Snapshot<'b> {
    /// The place of the record: that of its archive in a WACZ, 0 otherwise, and its number.
    pub place: (u32, u64),
    /// The name of the record in reports, as `17`, or `archive/data.warc.gz 17` in a WACZ.
    pub record: String,
    /// The URL.
    pub url: String,
    /// The `WARC-Date`.
    pub date: Option<String>,
    /// What it returned.
    pub answer: Answer,
    /// The names by which revisits can refer to it.
    pub names: Vec<String>,
    /// The reason in `WARC-Truncated`.
    pub truncated: Option<String>,
    response: Option<Response<'b>>,
    block: &'b [u8],
    budget: &'b Budget,
}

/// The content of a snapshot without its codings.
#[derive(Clone, Debug)]
pub struct SnapshotContent<'b> {
    /// The bytes.
    pub bytes: Cow<'b, [u8]>,
    /// A finding if its header declares a coding that it does not have.
    pub finding: Option<Finding>,
}

/// How much of a web archive is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// All of it.
    Whole,
    /// Headers, where that is possible. The contents of snapshots may be zeros, and damage in them is not found.
    Heads,
}

/// What a URL returned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Content of this type, with its parameters.
    Content(String),
    /// A redirect to this reference.
    Redirect(String),
    /// The same content as the record with one of these names had, the surest first.
    Revisit(Vec<String>),
    /// Nothing to show: a status of another kind, or a part of the content.
    Other,
}

/// The types of records that are snapshots.
const KINDS: [&str; 3] = ["response", "resource", "revisit"];

impl<'b> Snapshot<'b> {
    fn of(archived: &ArchiveRecord<'b>, (number, name): (u64, String), budget: &'b Budget) -> Option<Self> {
        let (url, date, block, names) = match archived {
            ArchiveRecord::Warc(record) => {
                let url = record.target().filter(|url| !record.is_segment() && !lacks_scheme(url))?;
                (url, record.field("WARC-Date"), record.block, record.names())
            }
            ArchiveRecord::Arc(record) => (record.target()?.to_owned(), record.date.clone(), record.block, Vec::new()),
        };
        let warc = archived.warc();
        let response = Response::read(block).filter(|_| warc.is_none_or(|record| !record.is("WARC-Type", "resource")));
        // A revisit has no content by its nature, and some writers say so here.
        let truncated = warc.filter(|record| !record.is("WARC-Type", "revisit"));
        let truncated = truncated.and_then(|record| record.field("WARC-Truncated"));
        let answer = Answer::Other;
        let place = (0, number);
        let snapshot = Self { place, record: name, url, date, answer, names, truncated, response, block, budget };
        Some(Self { answer: snapshot.read_answer(archived)?, ..snapshot })
    }

    /// Returns what the URL returned; `None` if the record is of another kind.
    fn read_answer(&self, archived: &ArchiveRecord<'_>) -> Option<Answer> {
        let warc = archived.warc();
        let is = |kind: &str| warc.map_or(kind == "response", |record| record.is("WARC-Type", kind));
        if !KINDS.into_iter().any(is) {
            return None;
        }
        if is("resource") || (is("response") && self.response.is_none()) {
            return Some(Answer::Content(self.content_type(archived.own_type())));
        }
        Some(match (&self.response, warc.filter(|_| is("revisit"))) {
            (Some(response), _) if response.redirect().is_some() => {
                Answer::Redirect(response.redirect().unwrap_or_default())
            }
            (Some(response), None) if response.is_complete() => {
                Answer::Content(self.content_type(response.content_type()))
            }
            // A server that has nothing newer answers 304.
            (Some(Response { status: 200..300 | 304, .. }) | None, Some(record)) => {
                let mut names = record.referred_names();
                names.extend(record.payload_digest().filter(|digest| !names.contains(digest)));
                Answer::Revisit(names)
            }
            _ => Answer::Other,
        })
    }

    /// Returns the type that is declared; without one, that of the content.
    fn content_type(&self, declared: String) -> String {
        if is_type(&declared) {
            return declared;
        }
        let by_content = self.content().ok().and_then(|content| DocumentType::of_fragment(&content.bytes));
        by_content.map_or("application/octet-stream", DocumentType::media_type).to_owned()
    }

    /// Returns the snapshot as one of the archive of this index in a WACZ.
    pub(crate) fn in_archive(self, index: usize, name: impl Fn(&str) -> String) -> Self {
        Self { place: (index as u32, self.place.1), record: name(&self.record), ..self }
    }

    /// Returns the status line and the header of the response; empty if there is none.
    pub fn head(&self) -> &'b [u8] {
        self.response.as_ref().map_or(&b""[..], |response| response.head)
    }

    /// Returns the content type that the header of the response declares; empty if it declares none.
    pub fn declared_type(&self) -> String {
        self.response.as_ref().map(Response::content_type).unwrap_or_default()
    }

    /// Returns the content without its codings.
    ///
    /// # Errors
    ///
    /// A finding if it cannot be decoded.
    pub fn content(&self) -> Result<SnapshotContent<'b>, Finding> {
        let Some(response) = &self.response else {
            return Ok(SnapshotContent { bytes: self.block.into(), finding: None });
        };
        let decoded = response.content(self.budget).map_err(|why| Finding::new(Code::ContentCoding, why))?;
        Ok(SnapshotContent { finding: not_its_coding(&decoded.absent), bytes: decoded.bytes })
    }

    /// Returns the content as the record stores it, with its codings.
    pub fn stored(&self) -> &'b [u8] {
        self.response.as_ref().map_or(self.block, |response| response.body)
    }
}

/// Returns the finding about a record that is no snapshot, because its header lacks what says so.
fn passed_over(record: &WarcRecord<'_>) -> Option<Finding> {
    let is = |kind: &&str| record.is("WARC-Type", kind);
    let of_url = || {
        without_url(record).or_else(|| record.target().filter(|url| lacks_scheme(url)).map(|url| without_scheme(&url)))
    };
    without_type(record).or_else(|| segment(record)).or_else(|| of_url().filter(|_| KINDS.iter().any(is)))
}

/// Returns whether a declared content type is one.
fn is_type(declared: &str) -> bool {
    declared.contains('/') && !declared.starts_with("*/*")
}

/// Returns the length of a record with the line ends behind it, by its first bytes, if a snapshot of it needs no others.
fn length_by_head(head: &[u8]) -> Option<usize> {
    const LINE_ENDS: usize = 4;
    let record = WarcRecord::new(head);
    let is_whole = |response: &Response<'_>| !response.body.is_empty() && !response.is_interim();
    let response = || Response::read(record.block).filter(is_whole);
    let has_type = |response: &Response<'_>| !response.is_complete() || is_type(&response.content_type());
    let is_known = match record.field("WARC-Type")?.to_ascii_lowercase().as_str() {
        "response" => response().as_ref().is_some_and(has_type),
        "revisit" => response().is_some(),
        "resource" => record.field("Content-Type").is_some_and(|declared| is_type(&declared)),
        _ => true,
    };
    let length: usize =
        record.field("Content-Length").filter(|_| is_known && !record.block.is_empty())?.parse().ok()?;
    (head.len() - record.block.len() + LINE_ENDS).checked_add(length)
}

/// Passes what the records of an archive have of URLs to `look`, in parallel, and what it returns to `found`, in order. A record that
/// cannot be read is a finding.
pub(crate) fn visit<T: Send>(
    (format, reading): (ArchiveFormat, Reading),
    input: Box<dyn Read + '_>,
    look: &(dyn Fn(Result<Snapshot<'_>, Finding>) -> Option<T> + Sync),
    found: &mut dyn FnMut(T) -> io::Result<()>,
) -> Result<StreamReport, StreamError> {
    let (start, input) = with_start(input)?;
    let compression = Compression::of_archive(&start);
    let decompressed = match (format, reading) {
        (ArchiveFormat::Warc, Reading::Heads) => compression.skimmed(input, format, length_by_head),
        _ => compression.decompressed(input, format, |_, _| {}),
    };
    let batches = Batches::new(decompressed.map_err(StreamError::Read)?, format);
    let look = |batch: &Batch, record: &Record| match ArchiveRecord::new(format, &batch.bytes, record) {
        Some(archived) => match Snapshot::of(&archived, (record.number, record.name()), &batch.budget) {
            Some(snapshot) => look(Ok(snapshot)),
            None => look(Err(Finding { record: record.name(), ..passed_over(archived.warc()?)? })),
        },
        None => look(Err(Finding { record: record.name(), ..unread(&batch.bytes, record)? })),
    };
    let (report, broken) = list(batches, LISTED_AT_ONCE, &look, found)?;
    Ok(StreamReport { broken: broken.of_archive(report.records), ..report })
}
