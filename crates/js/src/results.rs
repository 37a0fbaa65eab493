//! What calls return, as JSON. The names are those of `package/absolve.d.ts`.

use std::fmt::Write;

use absolve_base::{Base, Verdict};
use absolve_rewriter::internal::{Part, Report};
use absolve_rewriter::results::Edits;
use absolve_rewriter::{Finding, Layer, ListedLink};
use serde_json::{Value, json};

use crate::offsets::Offsets;
use crate::wording::{place, sentence};

/// Returns what a `Page` says besides its content.
pub(crate) fn page(report: &Report) -> Value {
    let document = report.document_with_base();
    let counts = &report.counts;
    json!({
        "base": {
            "url": document.and_then(|document| document.base.as_deref()),
            "layer": document.map_or(Layer::None, |document| document.layer).name(),
        },
        "counts": {
            "documents": counts.documents,
            "links": counts.links,
            "rewritten": counts.rewritten,
            "mapped": counts.mapped,
            "absolute": counts.absolute,
            "sameDocument": counts.same_document,
            "kept": counts.kept,
            "unresolved": counts.unresolved,
        },
        "findings": findings(&report.findings),
    })
}

pub(crate) fn findings(findings: &[Finding]) -> Value {
    findings
        .iter()
        .map(|finding| {
            json!({
                "code": finding.code.name(),
                "message": sentence(finding),
                "part": given(&finding.part),
                "line": finding.position.map(|position| position.line),
                "column": finding.position.map(|position| position.column),
            })
        })
        .collect()
}

/// Returns a list as JSON. Its values are written one by one, because together they take much more memory than their text.
pub(crate) fn list(values: impl IntoIterator<Item = Value>) -> String {
    let mut text = String::from("[");
    for value in values {
        let comma = if text.len() > 1 { "," } else { "" };
        // A string takes any text.
        let _ = write!(text, "{comma}{value}");
    }
    text + "]"
}

pub(crate) fn edits<'e>(edits: &'e Edits, mut offsets: Offsets<'e>) -> impl Iterator<Item = Value> + 'e {
    edits.iter().map(move |(range, text)| {
        let (start, end) = (offsets.of(range.start), offsets.of(range.end));
        json!({ "start": start, "end": end, "text": String::from_utf8_lossy(text) })
    })
}

pub(crate) fn link(link: &ListedLink, offsets: &mut Offsets<'_>) -> Value {
    json!({
        "element": link.element,
        "attribute": link.attribute,
        "reference": link.reference,
        "target": link.target,
        "status": link.status.name(),
        "base": link.base,
        "layer": link.layer.name(),
        "part": given(&link.part),
        "start": offsets.of(link.start),
        "end": offsets.of(link.end),
        "line": link.line,
        "column": link.column,
    })
}

pub(crate) fn base(part: &Part, base: &Base) -> Value {
    let declared = base.declared.iter().map(|declared| {
        let declaration = &declared.declaration;
        json!({
            "box": declaration.layer.number_of_box(),
            "layer": declaration.layer.name(),
            "where": place(&declaration.place),
            "value": declaration.value,
            "url": declared.url,
            "used": declared.verdict == Verdict::Used,
            "why": declared.verdict.why(),
        })
    });
    json!({
        "part": given(&part.path),
        "mediaType": part.document_type.media_type(),
        "url": base.url.as_ref().map(|url| url.as_str()),
        "layer": base.layer.name(),
        "declared": declared.collect::<Vec<_>>(),
    })
}

/// Returns a path; `None` if it is empty.
fn given(path: &str) -> Option<&str> {
    Some(path).filter(|path| !path.is_empty())
}
