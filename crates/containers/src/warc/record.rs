//! A record of a web archive, and the payload that it holds.

use absolve_framing::{
    ArcRecord, ArchiveFormat, ArchivedDocument, Batch, Budget, Content, DEFAULT_VERSION, NoDocument, RECORD_BYTES,
    Record, Response, WarcRecord, WatPage,
};
use absolve_rewriter::internal::{Capture, message_too_long};
use absolve_rewriter::{Code, Finding};

use crate::warc::findings::{segment, untyped, without_type, without_url};
use crate::warc::payload::{Payload, PayloadKind};
use crate::warc::source::Source;

/// A complete record.
#[derive(Debug)]
pub(crate) enum ArchiveRecord<'b> {
    Warc(WarcRecord<'b>),
    Arc(ArcRecord<'b>),
}

impl<'b> ArchiveRecord<'b> {
    /// Parses a record, if it is complete.
    pub(crate) fn new(format: ArchiveFormat, bytes: &'b [u8], record: &Record) -> Option<Self> {
        let Content::Record(range) = &record.content else { return None };
        let bytes = &bytes[range.clone()];
        match format {
            ArchiveFormat::Warc => Some(Self::Warc(WarcRecord::new(bytes))),
            ArchiveFormat::Arc => ArcRecord::new(bytes).map(Self::Arc),
        }
    }

    /// Returns the record, if it is one of a WARC.
    pub(crate) const fn warc(&self) -> Option<&WarcRecord<'b>> {
        match self {
            Self::Warc(record) => Some(record),
            Self::Arc(_) => None,
        }
    }

    /// Returns the type that the header declares of the content itself; empty without one.
    pub(crate) fn own_type(&self) -> String {
        match self {
            Self::Warc(record) => record.own_type(),
            Self::Arc(record) => record.own_type(),
        }
    }

    fn payload(&self, budget: &Budget) -> Result<PayloadKind<'b>, Finding> {
        let document = match self {
            Self::Warc(record) => ArchivedDocument::of_record(record, budget),
            Self::Arc(record) => ArchivedDocument::of_arc(record, budget),
        };
        match document {
            Ok(document) => Ok(PayloadKind::Payload(Payload::of(document))),
            Err(NoDocument::Other) => self.warc().and_then(without_type).map_or(Ok(PayloadKind::Nothing), Err),
            Err(NoDocument::Segment) => Err(self.warc().and_then(segment).unwrap_or_else(untyped)),
            Err(NoDocument::Untyped) => Err(untyped()),
            Err(NoDocument::OtherResponse) => Ok(PayloadKind::OtherResponse),
            Err(NoDocument::Undecodable(why)) => Err(Finding::left_unchanged(Code::ContentCoding, why)),
            Err(NoDocument::WithoutUrl) => Err(self.warc().and_then(without_url).unwrap_or_else(|| {
                let url = self.warc().and_then(WarcRecord::url).unwrap_or_default();
                let message = format!("its WARC-Target-URI {url:?} is not the URL of a document");
                Finding::left_unchanged(Code::RecordUrl, message)
            })),
        }
    }

    /// Returns what a record of metadata (WAT) says of a page.
    pub(crate) fn metadata(&self) -> Result<Option<WatPage>, Finding> {
        let is_json = |record: &&WarcRecord<'_>| {
            let content_type = record.field("Content-Type").unwrap_or_default().to_ascii_lowercase();
            record.is("WARC-Type", "metadata") && content_type.starts_with("application/json")
        };
        let Some(record) = self.warc().filter(is_json) else { return Ok(None) };
        WatPage::read(record.block, record.url().as_deref())
            .map_err(|why| Finding::left_unchanged(Code::NotItsType, format!("its JSON cannot be read: {why}")))
    }

    /// Returns the header fields that a derived record repeats or refers to.
    pub(crate) fn source(&self) -> Source {
        match self {
            Self::Warc(record) => Source::of(record),
            Self::Arc(record) => {
                Source { version: DEFAULT_VERSION.to_owned(), target: record.url.clone(), ..Source::default() }
            }
        }
    }

    /// Returns what the record says of its entity, with the header of its response.
    pub(crate) fn capture(&self) -> Option<Capture<'b>> {
        let head = |block: &'b [u8]| Response::read(block).map_or(&b""[..], |response| response.head);
        let record = match self {
            Self::Warc(record) => record,
            Self::Arc(record) => {
                let capture = Capture::new(record.url.clone()).with_record(record.date.clone(), None);
                return Some(capture.with_head(head(record.block)));
            }
        };
        if record.is_segment() {
            return None;
        }
        // What is no URL of a document is no base either.
        let capture = Capture::new(record.target().or_else(|| record.url()).unwrap_or_default());
        let capture = capture.with_record(record.field("WARC-Date"), record.field("WARC-Record-ID"));
        let is_response = record.is("WARC-Type", "response");
        Some(if is_response { capture.with_head(head(record.block)) } else { capture })
    }
}

/// Returns what metadata say of the record of their page.
pub(crate) fn capture_of_metadata(page: &WatPage) -> Capture<'_> {
    let capture = Capture::new(page.url.clone()).with_record(page.date.clone(), page.id.clone());
    capture.with_head(&page.head).of_metadata()
}

/// Returns the payload of a record, or the finding about an unreadable one. `parsed` is the record itself if it is complete.
pub(crate) fn payload_of<'b>(
    parsed: Option<&ArchiveRecord<'b>>,
    Batch { bytes, budget, .. }: &'b Batch,
    record: &Record,
) -> Result<PayloadKind<'b>, Finding> {
    match &record.content {
        Content::Record(_) => parsed.map_or(Ok(PayloadKind::Nothing), |parsed| parsed.payload(budget)),
        _ => unread(bytes, record).map_or(Ok(PayloadKind::Nothing), Err),
    }
}

/// Returns the finding about a record that cannot be read, if something was meant to be one.
pub(crate) fn unread(bytes: &[u8], record: &Record) -> Option<Finding> {
    Some(match &record.content {
        Content::NoRecord if record.content.is_stray(&bytes[record.raw.clone()]) => {
            Finding::left_unchanged(Code::NotItsType, "not a record of a web archive")
        }
        Content::CutOff => Finding::left_unchanged(Code::RecordCutOff, "the record is cut off"),
        Content::Damaged(damage) => Finding::new(Code::RecordDamaged, damage.to_string()),
        Content::TooLong => message_too_long(RECORD_BYTES as u64),
        Content::Record(_) | Content::NoRecord | Content::Ambiguous | Content::TwoPieces(..) => return None,
        Content::FileHeader | Content::TooLongContinued => return None,
    })
}

/// Returns the bytes of a record without framing, if it is a complete WARC record.
pub(crate) fn warc_record<'b>(format: ArchiveFormat, bytes: &'b [u8], record: &Record) -> Option<&'b [u8]> {
    match &record.content {
        Content::Record(range) if format == ArchiveFormat::Warc => Some(&bytes[range.clone()]),
        _ => None,
    }
}
