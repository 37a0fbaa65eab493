//! Functions over columns.

use std::borrow::Cow;
use std::path::Path;

use absolve_framing::media_type;
use absolve_rewriter::DocumentType;
use absolve_rewriter::internal::{Kind, Report, retrieval_url, rewrite};
use absolve_rewriter::settings::charset;
use absolve_table::{
    Cell, Column as TableColumn, ColumnRows, ColumnValues, Kind as CellKind, LinkColumns, LinkRows, add_record,
};
use pyo3::exceptions::{PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use pyo3_arrow::PyRecordBatch;
use rayon::prelude::*;

use crate::arrow::columns::{Column, Values};
use crate::arrow::link_table::{ColumnTable, columns_of_documents};
use crate::arrow::table::Table;
use crate::documents::entity_of;
use crate::error::BaseError;
use crate::file_object::Raised;
use crate::files::in_threads;
use crate::options::{Settings, named};
use crate::text::Text;

/// A document of a table.
#[derive(Clone, Copy, Debug)]
struct Row<'r> {
    number: usize,
    /// `None` is null, or a document of a type without links.
    text: Option<Text<'r>>,
    kind: Option<Kind>,
    url: Option<&'r str>,
    charset: Option<&'static str>,
}

/// What becomes of a row whose URL cannot be a base.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum InvalidUrl {
    Raise,
    /// As if it had none.
    Keep,
}

/// The arguments of these functions that are not options of a rewriter.
const OWN: [&str; 4] = ["url", "content_type", "threads", "errors"];

const ERRORS: [(&str, InvalidUrl); 2] = [("raise", InvalidUrl::Raise), ("keep", InvalidUrl::Keep)];

/// Returns a column of documents with absolute links, of the type of `html`: an array for an array, chunks for chunks.
///
/// `html` is any object with the Arrow PyCapsule interface that has string or binary values (or large ones, or views). `url` is a URL
/// for all rows, or a column of them. `content_type` is the `Content-Type` of all rows, or a column of them: a row without one is
/// HTML, and a row of a type without links stays as it is. Nulls stay null; a row with a null in `url` has no retrieval URL.
/// `errors="keep"` treats a row whose URL cannot be a base as one without a URL; "raise" is a `BaseError` that names the row.
/// `threads` is the number of threads. All other options are those of `Rewriter`.
///
/// >>> import absolve.arrow, pyarrow
/// >>> pages = pyarrow.array(["<a href=x>", None])
/// >>> pyarrow.array(absolve.arrow.rewrite(pages, "https://example.org/")).to_pylist()
/// ['<a href=https://example.org/x>', None]
#[pyfunction]
#[pyo3(signature = (html, url=None, content_type=None, *, threads=1, errors="raise", **options))]
pub(crate) fn arrow_rewrite(
    py: Python<'_>,
    html: &Bound<'_, PyAny>,
    url: Option<&Bound<'_, PyAny>>,
    content_type: Option<&Bound<'_, PyAny>>,
    threads: isize,
    errors: &str,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Py<PyAny>> {
    let table = DocumentTable::of(html, url, content_type, threads, errors, options)?;
    let (rows, settings, threads) = (table.rows()?, &table.settings, table.threads);
    let values = py.detach(|| in_chunks(&rows, threads, |rows, watch| rewritten(rows, settings, watch)))?;
    let mut values = values.into_iter();
    let mut all = values.next().unwrap_or_default();
    values.for_each(|more| all.extend(&more));
    table.html.with_values(py, all)
}

/// Returns the links of a column of documents as a record batch.
///
/// Its columns are row and those of `absolve links` that do not name files; `columns` chooses some of them. `row` counts from 0; `start`
/// and `end` are offsets in bytes, in UTF-8 for strings. The other arguments are those of `rewrite`.
///
/// >>> import absolve.arrow, pyarrow
/// >>> batch = pyarrow.record_batch(absolve.arrow.links(pyarrow.array(["<a href=x>"]), "https://example.org/"))
/// >>> batch.select(["row", "element", "target"]).to_pylist()
/// [{'row': 0, 'element': 'a', 'target': 'https://example.org/x'}]
#[pyfunction]
#[pyo3(signature = (html, url=None, content_type=None, *, columns=None, threads=1, errors="raise", **options))]
#[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
pub(crate) fn arrow_links(
    py: Python<'_>,
    html: &Bound<'_, PyAny>,
    url: Option<&Bound<'_, PyAny>>,
    content_type: Option<&Bound<'_, PyAny>>,
    columns: Option<Vec<String>>,
    threads: isize,
    errors: &str,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<PyRecordBatch> {
    let columns = columns_of_documents(columns)?;
    let table = DocumentTable::of(html, url, content_type, threads, errors, options)?;
    let (rows, threads) = (table.rows()?, table.threads);
    let mut settings = table.settings.clone().into_owned();
    settings.options.documents.annotations = columns.annotations();
    let chunks = py.detach(|| in_chunks(&rows, threads, |rows, watch| listed(rows, &settings, &columns, watch)))?;
    let mut table = ColumnTable::new(&[&[TableColumn::always("row", CellKind::Number)], &*columns.columns()].concat());
    chunks.into_iter().for_each(|chunk| table.add(chunk));
    Ok(PyRecordBatch::new(table.finish().map_err(|error| PyValueError::new_err(error.to_string()))?))
}

/// Returns the links of rows, with the numbers of the rows before the other columns.
fn listed(
    rows: &[Row<'_>],
    settings: &Settings,
    columns: &LinkColumns,
    watch: Watch<'_>,
) -> PyResult<Vec<ColumnValues>> {
    let (mut links, mut numbers) =
        (ColumnRows::new(columns), ColumnValues::new(TableColumn::always("row", CellKind::Number)));
    for (index, row) in rows.iter().enumerate() {
        watch.check(index)?;
        if let Some((text, kind)) = row.text.zip(row.kind) {
            let entity = entity_of(text, row.charset, kind, row.url, settings);
            add_record(&mut links, Path::new(""), "", &entity, &settings.options.documents);
        }
        numbers.fill(&Cell::Number(row.number as u64), links.rows());
    }
    Ok([vec![numbers], links.finish()].concat())
}

fn rewritten(rows: &[Row<'_>], settings: &Settings, watch: Watch<'_>) -> PyResult<Values> {
    let length: usize = rows.iter().filter_map(|row| row.text).map(|text| text.bytes.len()).sum();
    let mut values = Values { bytes: Vec::with_capacity(length + length / 16), ends: Vec::with_capacity(rows.len()) };
    for (index, row) in rows.iter().enumerate() {
        watch.check(index)?;
        match (row.text, row.kind) {
            (Some(text), Some(kind)) => {
                let done = absolve_containers::caught(|| {
                    let entity = entity_of(text, row.charset, kind, row.url, settings);
                    rewrite(&entity, &settings.options.documents, &mut Report::default(), &mut values.bytes);
                });
                let message = "the program failed on this document, which is a bug; please report it";
                done.ok_or_else(|| PyRuntimeError::new_err(format!("row {}: {message}", row.number)))?;
            }
            (Some(text), None) => values.bytes.extend_from_slice(text.bytes),
            (None, _) => {}
        }
        values.ends.push(values.bytes.len());
    }
    Ok(values)
}

/// The columns of documents and what is to be done with them, as they were passed.
struct DocumentTable {
    html: Column,
    url: Cells,
    content_type: Cells,
    settings: Cow<'static, Settings>,
    threads: usize,
    invalid: InvalidUrl,
}

impl DocumentTable {
    fn of(
        html: &Bound<'_, PyAny>,
        url: Option<&Bound<'_, PyAny>>,
        content_type: Option<&Bound<'_, PyAny>>,
        threads: isize,
        errors: &str,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let settings = Settings::of_documents(options, &OWN)?;
        let threads = crate::options::threads(threads)?;
        let html = documents(html)?;
        let (url, content_type) = (Cells::of(url, "url")?, Cells::of(content_type, "content_type")?);
        Ok(Self { html, url, content_type, settings, threads, invalid: named("errors", errors, &ERRORS)? })
    }

    /// Returns the columns as rows of documents.
    fn rows(&self) -> PyResult<Vec<Row<'_>>> {
        let texts = self.html.rows("html")?;
        let urls = self.url.rows("url", texts.len())?;
        let types = self.content_type.rows("content_type", texts.len())?;
        let row = |(number, ((text, url), content_type))| {
            let url: Option<&str> = url;
            let checked = url.map(|url| retrieval_url(url, self.settings.options.documents.rules));
            let url = match (checked, self.invalid) {
                (Some(Err(error)), InvalidUrl::Raise) => {
                    return Err(BaseError::new_err(format!(
                        "row {number}: {error}; errors=\"keep\" leaves such rows unchanged"
                    )));
                }
                (Some(Err(_)), InvalidUrl::Keep) => None,
                _ => url,
            };
            let (kind, declared) = type_of(content_type);
            Ok(Row { number, text, kind, url, charset: declared.or(self.settings.charset) })
        };
        texts.into_iter().zip(urls).zip(types).enumerate().map(row).collect()
    }
}

/// Returns what a document is by its `Content-Type`, and the charset that is declared; `None` if it has no links.
fn type_of(content_type: Option<&str>) -> (Option<Kind>, Option<&'static str>) {
    let Some(declared) = content_type else { return (Some(Kind::HTML), None) };
    let Some(declared) = media_type(declared.as_bytes()) else { return (None, None) };
    let kind = match &*declared.name {
        "message/rfc822" | "multipart/related" => Some(Kind::Message),
        name => DocumentType::of_media_type(name).map(Kind::Document),
    };
    (kind, declared.charset.and_then(|label| charset(&label).ok()))
}

/// Returns the column of documents.
fn documents(html: &Bound<'_, PyAny>) -> PyResult<Column> {
    let type_name = html.get_type().name()?;
    let message =
        "html must be an Arrow array of string or binary, such as one of pyarrow or a column of polars or pandas, not";
    Column::of(html)?.ok_or_else(|| PyTypeError::new_err(format!("{message} {type_name}; pyarrow.array makes one")))
}

/// A column of texts, or one text for all rows.
enum Cells {
    One(Option<String>),
    Many(Column),
}

impl Cells {
    fn of(argument: Option<&Bound<'_, PyAny>>, name: &str) -> PyResult<Self> {
        let Some(argument) = argument else { return Ok(Self::One(None)) };
        if let Ok(text) = argument.cast::<PyString>() {
            return Ok(Self::One(Some(text.to_str()?.to_owned())));
        }
        match Column::of(argument)? {
            Some(column) => Ok(Self::Many(column)),
            None => Err(PyTypeError::new_err(format!(
                "{name} must be a str or an Arrow array of string, not {}; pyarrow.array makes one",
                argument.get_type().name()?
            ))),
        }
    }

    fn rows(&self, name: &str, length: usize) -> PyResult<Vec<Option<&str>>> {
        let column = match self {
            Self::One(text) => return Ok(vec![text.as_deref(); length]),
            Self::Many(column) => column.rows(name)?,
        };
        if column.len() != length {
            let message = format!("{name} has {} rows, and the documents {length}", column.len());
            return Err(PyValueError::new_err(message));
        }
        let mut texts = Vec::with_capacity(length);
        for (row, cell) in column.into_iter().enumerate() {
            let text = cell.map(|cell| str::from_utf8(cell.bytes)).transpose();
            texts.push(text.map_err(|_| PyValueError::new_err(format!("row {row}: {name} is not text in UTF-8")))?);
        }
        Ok(texts)
    }
}

/// Ends the work over rows when an exception was raised, such as that of Ctrl-C.
#[derive(Clone, Copy, Debug)]
struct Watch<'r> {
    /// `None` on the thread of the interpreter, which finds signals itself.
    raised: Option<&'r Raised>,
}

impl Watch<'_> {
    /// Returns an error if there was an exception. Looks before a few of the rows only.
    fn check(self, index: usize) -> PyResult<()> {
        const EVERY: usize = 64;
        match self.raised {
            _ if !index.is_multiple_of(EVERY) => Ok(()),
            None => Python::attach(|py| py.check_signals()),
            Some(raised) => Ok(raised.check()?),
        }
    }
}

/// Applies `work` to parts of the rows, on this number of threads. Returns the results in order.
fn in_chunks<T: Send>(
    rows: &[Row<'_>],
    threads: usize,
    work: impl Fn(&[Row<'_>], Watch<'_>) -> PyResult<T> + Sync,
) -> PyResult<Vec<T>> {
    if threads == 1 {
        return Ok(vec![work(rows, Watch { raised: None })?]);
    }
    /// Several for each thread, because documents differ in length.
    const CHUNKS_OF_THREAD: usize = 8;
    let length = rows.len().div_ceil(threads * CHUNKS_OF_THREAD).max(1);
    let raised = Raised::default();
    let watch = Watch { raised: Some(&raised) };
    let done: PyResult<Vec<T>> =
        in_threads(Some(threads), &raised, || rows.par_chunks(length).map(|rows| work(rows, watch)).collect())?;
    raised.take().map_or(done, Err)
}
