//! What the functions return, as objects of Python.

use std::collections::BTreeMap;

use absolve_rewriter as rust;
use pyo3::prelude::*;

/// What a run over a document reports: the content with absolute links, its base, its counts and its findings.
#[pyclass(frozen, get_all, module = "absolve")]
#[derive(Debug)]
pub(crate) struct Page {
    content: Py<PyAny>,
    changed: bool,
    base: Base,
    counts: Counts,
    findings: Vec<Finding>,
}

impl Page {
    pub(crate) fn new(content: Py<PyAny>, changed: bool, report: &rust::Report) -> Self {
        let document = report.document_with_base();
        let base = Base {
            url: document.and_then(|document| document.base.clone()),
            layer: document.map_or(rust::Layer::None, |document| document.layer).name(),
        };
        let findings = report.findings.iter().map(Finding::from).collect();
        Self { content, changed, base, counts: report.counts.into(), findings }
    }
}

#[pymethods]
impl Page {
    fn __repr__(&self) -> String {
        let Self { changed, base, counts, .. } = self;
        format!("Page(changed={}, base={}, counts={})", python_bool(*changed), base.__repr__(), counts.__repr__())
    }
}

/// The base of a document.
#[pyclass(frozen, get_all, eq, module = "absolve")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Base {
    url: Option<String>,
    layer: &'static str,
}

#[pymethods]
impl Base {
    fn __repr__(&self) -> String {
        format!("Base(url={}, layer={:?})", optional(self.url.as_deref()), self.layer)
    }
}

/// Numbers of links, by what happened to them.
#[pyclass(frozen, get_all, eq, module = "absolve")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Counts {
    documents: u64,
    links: u64,
    rewritten: u64,
    absolute: u64,
    same_document: u64,
    kept: u64,
    unresolved: u64,
}

impl From<rust::Counts> for Counts {
    fn from(counts: rust::Counts) -> Self {
        let rust::Counts { documents, links, rewritten, absolute, same_document, kept, unresolved } = counts;
        Self { documents, links, rewritten, absolute, same_document, kept, unresolved }
    }
}

#[pymethods]
impl Counts {
    fn __repr__(&self) -> String {
        let Self { documents, links, rewritten, absolute, same_document, kept, unresolved } = self;
        format!(
            "Counts(documents={documents}, links={links}, rewritten={rewritten}, absolute={absolute}, \
             same_document={same_document}, kept={kept}, unresolved={unresolved})"
        )
    }
}

/// Something that was found and left unchanged, or changed with a doubt.
#[pyclass(frozen, get_all, eq, module = "absolve")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Finding {
    code: &'static str,
    message: String,
    path: Option<String>,
    record: Option<String>,
    part: Option<String>,
    byte: Option<usize>,
    line: Option<usize>,
    column: Option<usize>,
}

impl From<&rust::Finding> for Finding {
    fn from(finding: &rust::Finding) -> Self {
        let given = |text: &String| Some(text.clone()).filter(|text| !text.is_empty());
        Self {
            code: finding.code.name(),
            message: finding.message.clone(),
            path: None,
            record: given(&finding.record),
            part: given(&finding.part),
            byte: finding.byte,
            line: finding.position.map(|position| position.line),
            column: finding.position.map(|position| position.column),
        }
    }
}

impl Finding {
    /// Returns a finding in a file.
    pub(crate) fn in_file(path: String, finding: &rust::Finding) -> Self {
        Self { path: Some(path), ..finding.into() }
    }
}

#[pymethods]
impl Finding {
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
        let all = path.chain(record).chain(part).chain(place).chain([self.code.to_owned(), self.message.clone()]);
        all.collect::<Vec<_>>().join(": ")
    }

    fn __repr__(&self) -> String {
        format!("<Finding {}>", self.__str__())
    }
}

/// A link of a document.
#[pyclass(frozen, get_all, eq, module = "absolve")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Link {
    pub(crate) element: String,
    pub(crate) attribute: String,
    pub(crate) reference: String,
    pub(crate) target: Option<String>,
    pub(crate) status: &'static str,
    pub(crate) base: Option<String>,
    pub(crate) layer: &'static str,
    pub(crate) part: Option<String>,
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) line: usize,
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
#[pyclass(frozen, get_all, module = "absolve")]
#[derive(Debug)]
pub(crate) struct FileReport {
    pub(crate) counts: Counts,
    pub(crate) records: u64,
    pub(crate) changed: u64,
    pub(crate) bytes_in: u64,
    pub(crate) bytes_out: u64,
    pub(crate) findings: BTreeMap<&'static str, u64>,
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
