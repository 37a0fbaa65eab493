//! What the functions return, as objects of Python.

use std::borrow::Cow;
use std::collections::BTreeMap;

use absolve_files::FileError;
use absolve_rewriter as rust;
use pyo3::PyClass;
use pyo3::prelude::*;
use pyo3::types::{PyTuple, PyType};

use crate::messages::sentence;

/// What a run over a document reports: the content with absolute links, its base, its counts and its findings.
///
/// >>> page = absolve.Rewriter().html("<a href=x>", url="https://example.org/")
/// >>> page.changed, page.content
/// (True, '<a href=https://example.org/x>')
#[pyclass(frozen, get_all, module = "absolve")]
#[derive(Debug)]
pub(crate) struct Page {
    /// The content with absolute links: str for str, bytes for bytes, and the object that was passed if nothing changed.
    content: Py<PyAny>,
    /// Whether a link changed.
    changed: bool,
    /// The base of the document.
    base: Base,
    /// The numbers of its links.
    counts: Counts,
    /// What was left unchanged, and why.
    findings: Vec<Finding>,
}

impl Page {
    pub(crate) fn new(content: Py<PyAny>, changed: bool, report: &rust::internal::Report) -> Self {
        let document = report.document_with_base();
        let base = Base {
            url: document.and_then(|document| document.base.clone()),
            layer: document.map_or(rust::Layer::None, |document| document.layer).name().into(),
        };
        let findings = report.findings.iter().map(Finding::from).collect();
        Self { content, changed, base, counts: report.counts.into(), findings }
    }
}

#[pymethods]
impl Page {
    /// Returns the type of a page with this content, for annotations: `Page[str]`.
    #[classmethod]
    fn __class_getitem__(class: &Bound<'_, PyType>, content: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let alias = class.py().import("types")?.getattr("GenericAlias")?;
        Ok(alias.call1((class, content))?.unbind())
    }

    #[classmethod]
    fn _restored(
        _class: &Bound<'_, PyType>,
        content: Py<PyAny>,
        changed: bool,
        base: &Base,
        counts: &Counts,
        findings: Vec<Bound<'_, Finding>>,
    ) -> Self {
        let findings = findings.iter().map(|finding| finding.get().clone()).collect();
        Self { content, changed, base: base.clone(), counts: *counts, findings }
    }

    fn __reduce__<'py>(this: &Bound<'py, Self>) -> PyResult<Restored<'py>> {
        restored(this, &["content", "changed", "base", "counts", "findings"])
    }

    fn __repr__(&self) -> String {
        let Self { changed, base, counts, .. } = self;
        format!("Page(changed={}, base={}, counts={})", python_bool(*changed), base.__repr__(), counts.__repr__())
    }
}

/// How pickle makes an object again: a function and its arguments.
type Restored<'py> = (Bound<'py, PyAny>, Bound<'py, PyTuple>);

/// Returns the function that makes an object again, and the values of its attributes.
fn restored<'py>(object: &Bound<'py, impl PyClass>, attributes: &[&str]) -> PyResult<Restored<'py>> {
    let object = object.as_any();
    let values = attributes.iter().map(|name| object.getattr(name)).collect::<PyResult<Vec<_>>>()?;
    Ok((object.get_type().getattr("_restored")?, PyTuple::new(object.py(), values)?))
}

/// The base of a document, and the layer that declared it.
///
/// >>> absolve.Rewriter().html("<base href=/d/>", url="https://example.org/").base
/// Base(url="https://example.org/d/", layer="element")
#[pyclass(frozen, get_all, eq, hash, module = "absolve")]
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Base {
    /// The URL; None if no base is known.
    url: Option<String>,
    /// What declared it, as in `absolve links --json`: element, xml-base, content-base, retrieval, none and others.
    layer: Cow<'static, str>,
}

#[pymethods]
impl Base {
    #[classmethod]
    fn _restored(_class: &Bound<'_, PyType>, url: Option<String>, layer: String) -> Self {
        Self { url, layer: layer.into() }
    }

    fn __reduce__<'py>(this: &Bound<'py, Self>) -> PyResult<Restored<'py>> {
        restored(this, &["url", "layer"])
    }

    fn __repr__(&self) -> String {
        format!("Base(url={}, layer={:?})", optional(self.url.as_deref()), self.layer)
    }
}

/// Numbers of links, by what happened to them.
///
/// >>> counts = absolve.Rewriter().html("<a href=x><a href=#top>", url="https://example.org/").counts
/// >>> counts.links, counts.rewritten, counts.same_document
/// (2, 1, 1)
#[pyclass(frozen, get_all, eq, hash, module = "absolve")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Counts {
    /// Documents; a message can have several.
    documents: u64,
    /// Links, the sum of all that follow.
    links: u64,
    /// Links that were made absolute.
    rewritten: u64,
    /// Links that were absolute, and were mapped to other URLs.
    mapped: u64,
    /// Links that were absolute, and stayed.
    absolute: u64,
    /// Links to the document itself, such as `#top`.
    same_document: u64,
    /// Links that were left as they are on purpose, such as placeholders.
    kept: u64,
    /// Relative links that could not be resolved.
    unresolved: u64,
}

impl From<rust::Counts> for Counts {
    fn from(counts: rust::Counts) -> Self {
        let rust::Counts { documents, links, rewritten, mapped, absolute, same_document, kept, unresolved, .. } =
            counts;
        Self { documents, links, rewritten, mapped, absolute, same_document, kept, unresolved }
    }
}

#[pymethods]
impl Counts {
    #[classmethod]
    #[pyo3(signature = (*numbers))]
    fn _restored(_class: &Bound<'_, PyType>, numbers: [u64; 8]) -> Self {
        let [documents, links, rewritten, mapped, absolute, same_document, kept, unresolved] = numbers;
        Self { documents, links, rewritten, mapped, absolute, same_document, kept, unresolved }
    }

    fn __reduce__<'py>(this: &Bound<'py, Self>) -> PyResult<Restored<'py>> {
        restored(
            this,
            &["documents", "links", "rewritten", "mapped", "absolute", "same_document", "kept", "unresolved"],
        )
    }

    fn __repr__(&self) -> String {
        let Self { documents, links, rewritten, mapped, absolute, same_document, kept, unresolved } = self;
        format!(
            "Counts(documents={documents}, links={links}, rewritten={rewritten}, mapped={mapped}, absolute={absolute}, \
             same_document={same_document}, kept={kept}, unresolved={unresolved})"
        )
    }
}

/// Something that was found and left unchanged, or changed with a doubt. `docs/findings.md` explains each code.
///
/// >>> [finding.code for finding in absolve.Rewriter().html("<a href=x>").findings]
/// ['no-base']
#[pyclass(frozen, get_all, eq, hash, module = "absolve")]
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Finding {
    /// Its code, such as no-base.
    code: Cow<'static, str>,
    /// What was found.
    message: String,
    /// The file; None for a document in memory.
    path: Option<String>,
    /// The record of a container, such as the number of a message.
    record: Option<String>,
    /// The part of a message.
    part: Option<String>,
    /// The offset in bytes, from 0, in the document; of a record, in the file.
    byte: Option<usize>,
    /// The line, from 1.
    line: Option<usize>,
    /// The column in bytes, from 1.
    column: Option<usize>,
}

impl From<&rust::Finding> for Finding {
    fn from(finding: &rust::Finding) -> Self {
        let given = |text: &String| Some(text.clone()).filter(|text| !text.is_empty());
        Self {
            code: finding.code.name().into(),
            message: sentence(finding).into_owned(),
            path: None,
            record: given(&finding.record),
            part: given(&finding.part),
            byte: finding.byte,
            line: finding.position.map(|position| position.line),
            column: finding.position.map(|position| position.column),
        }
    }
}

/// The values of a finding, in their order.
type FindingValues =
    (String, String, Option<String>, Option<String>, Option<String>, Option<usize>, Option<usize>, Option<usize>);

impl Finding {
    /// Returns a finding in a file.
    pub(crate) fn in_file(path: String, finding: &rust::Finding) -> Self {
        Self { path: Some(path), ..finding.into() }
    }
}

#[pymethods]
impl Finding {
    #[classmethod]
    #[pyo3(signature = (*values))]
    fn _restored(_class: &Bound<'_, PyType>, values: FindingValues) -> Self {
        let (code, message, path, record, part, byte, line, column) = values;
        Self { code: code.into(), message, path, record, part, byte, line, column }
    }

    fn __reduce__<'py>(this: &Bound<'py, Self>) -> PyResult<Restored<'py>> {
        restored(this, &["code", "message", "path", "record", "part", "byte", "line", "column"])
    }

    /// Returns the finding as a line, as the command prints it.
    fn __str__(&self) -> String {
        let record = self.record.iter().map(|record| format!("record {record}"));
        let part = self.part.iter().map(|part| format!("part {part}"));
        let place = match (self.line, self.column, self.byte) {
            (Some(line), Some(column), _) => Some(format!("{line}:{column}")),
            (_, _, Some(byte)) => Some(format!("byte {byte}")),
            _ => None,
        };
        let path = self.path.iter().cloned();
        let all =
            path.chain(record).chain(part).chain(place).chain([self.code.clone().into_owned(), self.message.clone()]);
        all.collect::<Vec<_>>().join(": ")
    }

    fn __repr__(&self) -> String {
        format!("<Finding {}>", self.__str__())
    }
}

/// A link of a document.
///
/// >>> absolve.links("<img src=x>", url="https://example.org/")
/// [<Link img@src "x" relative target="https://example.org/x">]
#[pyclass(frozen, get_all, eq, hash, module = "absolve")]
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Link {
    /// The element, such as `img`; empty in CSS and plain text.
    pub(crate) element: String,
    /// The attribute.
    pub(crate) attribute: String,
    /// The reference, without the escapes of the document.
    pub(crate) reference: String,
    /// The URL that it means; None if it cannot be resolved.
    pub(crate) target: Option<String>,
    /// What it is: relative, absolute, same-document, kept or unresolved.
    pub(crate) status: &'static str,
    /// The base that applies to it.
    pub(crate) base: Option<String>,
    /// What declared that base.
    pub(crate) layer: &'static str,
    /// The part of a message.
    pub(crate) part: Option<String>,
    /// Where it begins: an offset in characters in str, in bytes in bytes; in a message in bytes of the decoded part.
    pub(crate) start: usize,
    /// Where it ends.
    pub(crate) end: usize,
    /// Its line, from 1.
    pub(crate) line: usize,
    /// Its column in bytes, from 1.
    pub(crate) column: usize,
}

#[pymethods]
impl Link {
    fn __repr__(&self) -> String {
        let Self { element, attribute, reference, target, status, .. } = self;
        let target = optional(target.as_deref());
        format!("<Link {element}@{attribute} {reference:?} {status} target={target}>")
    }
}

/// What a run over a file reports.
///
/// >>> import io
/// >>> report = absolve.rewrite_file(io.BytesIO(b"<a href=x>"), io.BytesIO(), url="https://example.org/", type="html")
/// >>> report.changed, report.counts.rewritten, report.findings
/// (1, 1, {})
#[pyclass(frozen, get_all, module = "absolve")]
#[derive(Debug)]
pub(crate) struct FileReport {
    /// The numbers of its links.
    pub(crate) counts: Counts,
    /// Records: messages of an mbox, records of a web archive, 1 for a document.
    pub(crate) records: u64,
    /// Records with links that changed.
    pub(crate) changed: u64,
    /// The length of the input in bytes.
    pub(crate) bytes_in: u64,
    /// The length of the output in bytes.
    pub(crate) bytes_out: u64,
    /// The number of findings of each code.
    pub(crate) findings: BTreeMap<&'static str, u64>,
    /// Records that could not be read, a line for each.
    pub(crate) errors: Vec<String>,
}

#[pymethods]
impl FileReport {
    fn __repr__(&self) -> String {
        let Self { counts, records, changed, findings, errors, .. } = self;
        format!(
            "FileReport(records={records}, changed={changed}, counts={}, findings={findings:?}, errors={errors:?})",
            counts.__repr__()
        )
    }
}

fn optional(text: Option<&str>) -> String {
    text.map_or_else(|| "None".to_owned(), |text| format!("{text:?}"))
}

const fn python_bool(value: bool) -> &'static str {
    if value { "True" } else { "False" }
}

/// What was done with a file.
#[derive(Debug, Default)]
pub(crate) struct Done {
    pub(crate) counts: rust::Counts,
    pub(crate) records: u64,
    pub(crate) changed: u64,
    /// The length of the input.
    pub(crate) bytes_in: u64,
    /// Whether the output is a sidecar without conversions, which as a file would be no archive.
    pub(crate) is_empty_sidecar: bool,
    /// Records that could not be read.
    pub(crate) errors: Vec<FileError>,
}
