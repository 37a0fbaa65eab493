//! Findings about records that are not as the standard has them.

use absolve_framing::WarcRecord;
use absolve_rewriter::{Code, Finding};

/// Returns the finding about a record that does not say what it is.
pub(crate) fn without_type(record: &WarcRecord<'_>) -> Option<Finding> {
    let has_type = record.field("WARC-Type").is_some();
    (!has_type).then(|| Finding::left_unchanged(Code::NotItsType, "it has no WARC-Type"))
}

/// Returns the finding about a record that does not say where its content is from.
pub(crate) fn without_url(record: &WarcRecord<'_>) -> Option<Finding> {
    let has_url = record.url().is_some_and(|url| !url.is_empty());
    (!has_url).then(|| Finding::left_unchanged(Code::RecordUrl, "it has no WARC-Target-URI"))
}

/// Returns the finding about a URL that has no scheme.
pub(crate) fn without_scheme(url: &str) -> Finding {
    Finding::left_unchanged(Code::RecordUrl, format!("its WARC-Target-URI {url:?} has no scheme, so it is not a base"))
}

/// Returns the finding about a record that is a segment of a divided one.
pub(crate) fn segment(record: &WarcRecord<'_>) -> Option<Finding> {
    let number = record.field("WARC-Segment-Number").map(|number| format!(" {number}")).unwrap_or_default();
    let message = format!("it is segment{number} of a divided record, and segments are not joined");
    record.is_segment().then(|| Finding::left_unchanged(Code::RecordSegment, message))
}

/// Returns the finding about a content whose type nothing shows.
pub(crate) fn untyped() -> Finding {
    let why = "its block has no status line, and neither its header nor its first bytes show its type";
    Finding::left_unchanged(Code::NotItsType, why)
}

/// Returns the finding about codings that a header declares and the content does not have.
pub(crate) fn not_its_coding(absent: &[String]) -> Option<Finding> {
    let names = absent.iter().map(|coding| format!("{coding:?}")).collect::<Vec<_>>().join(", ");
    let message = format!(
        "its header declares the content coding {names}, but its content is not encoded so; it is read as it is stored"
    );
    (!absent.is_empty()).then(|| Finding::new(Code::NotItsCoding, message))
}
