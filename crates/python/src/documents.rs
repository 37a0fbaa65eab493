//! Documents and messages: from data of Python to results of Rust.

use std::borrow::Cow;

use absolve_containers::caught;
use absolve_rewriter::ListedLink;
use absolve_rewriter::internal::{Entity, Kind, Report, edits_of, links_of, retrieval_url};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use crate::error::BaseError;
use crate::options::Settings;
use crate::results::Link;
use crate::text::{Data, Offsets, Text};

/// A document with absolute links, and the report on it.
#[derive(Debug)]
pub(crate) struct Rewritten<'d> {
    /// Borrowed if nothing changed.
    pub(crate) content: Cow<'d, [u8]>,
    pub(crate) report: Report,
}

/// Returns data with absolute links.
pub(crate) fn rewritten<'d>(
    py: Python<'_>,
    settings: &Settings,
    data: &'d Data<'_>,
    kind: Kind,
    url: Option<&str>,
) -> PyResult<Rewritten<'d>> {
    let text = data.text()?;
    check_url(url, settings)?;
    py.detach(|| rewrite(text, settings, kind, url)).ok_or_else(failed)
}

/// Returns a document with absolute links; `None` if the program fails on it, which is a bug. The URL can be a base.
pub(crate) fn rewrite<'d>(text: Text<'d>, settings: &Settings, kind: Kind, url: Option<&str>) -> Option<Rewritten<'d>> {
    caught(|| {
        let entity = entity_of(text, settings.charset, kind, url, settings);
        let mut report = Report::default();
        let edits = edits_of(&entity, &settings.options.documents, &mut report);
        let content = if edits.is_empty() { Cow::Borrowed(text.bytes) } else { Cow::Owned(edits.splice(text.bytes)) };
        Rewritten { content, report }
    })
}

/// Returns the links of data.
pub(crate) fn list(
    py: Python<'_>,
    settings: &Settings,
    data: &Data<'_>,
    kind: Kind,
    url: Option<&str>,
) -> PyResult<Vec<Link>> {
    let text = data.text()?;
    check_url(url, settings)?;
    let listed = py.detach(|| caught(|| links(text, settings.charset, kind, url, settings))).ok_or_else(failed)?;
    // Those in a message are offsets in a part, which is decoded.
    let is_text = text.is_text && kind != Kind::Message;
    let mut offsets = Offsets::new(is_text.then(|| str::from_utf8(text.bytes).unwrap_or_default()));
    Ok(listed.into_iter().map(|link| new_link(link, &mut offsets)).collect())
}

/// Returns the links of a document. The URL can be a base.
pub(crate) fn links(
    text: Text<'_>,
    charset: Option<&str>,
    kind: Kind,
    url: Option<&str>,
    settings: &Settings,
) -> Vec<ListedLink> {
    let entity = entity_of(text, charset, kind, url, settings);
    entity.parts.iter().flat_map(|part| links_of(&entity, part, &settings.options.documents).links).collect()
}

/// Refuses a URL that cannot be a base.
pub(crate) fn check_url(url: Option<&str>, settings: &Settings) -> PyResult<()> {
    let Some(url) = url else { return Ok(()) };
    let checked = retrieval_url(url, settings.options.documents.rules);
    checked.map(drop).map_err(|error| BaseError::new_err(error.to_string()))
}

/// Returns the entity of a document, whose transport declared `charset`. The URL can be a base.
pub(crate) fn entity_of<'d>(
    text: Text<'d>,
    charset: Option<&str>,
    kind: Kind,
    url: Option<&str>,
    settings: &Settings,
) -> Entity<'d> {
    // A text is decoded already, whatever it declares.
    let charset = if text.is_text { Some("utf-8") } else { charset };
    kind.entity(text.bytes, charset, url, &settings.options.documents)
}

fn new_link(link: ListedLink, offsets: &mut Offsets<'_>) -> Link {
    Link {
        element: link.element,
        attribute: link.attribute,
        reference: link.reference,
        target: link.target,
        status: link.status.name(),
        base: link.base,
        layer: link.layer.name(),
        part: Some(link.part).filter(|part| !part.is_empty()),
        start: offsets.of(link.start),
        end: offsets.of(link.end),
        line: link.line,
        column: link.column,
    }
}

fn failed() -> PyErr {
    PyRuntimeError::new_err("the program failed on this document, which is a bug; please report it")
}
