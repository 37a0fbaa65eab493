//! Files as streams of record batches.

use std::path::{Path, PathBuf};
use std::sync::mpsc::SyncSender;
use std::{error, io};

use absolve_containers::{Share, StreamError};
use absolve_rewriter::Options;
use absolve_rewriter::internal::Entity;
use absolve_rewriter::settings::Annotations;
use absolve_table::{ColumnRows, Counted, EdgeRows, LinkRows, Nodes, add_record};
use arrow_array::RecordBatch;
use arrow_schema::{ArrowError, SchemaRef};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use pyo3_arrow::PyRecordBatchReader;

use crate::arrow::edge_table::EdgeTable;
use crate::arrow::link_table::{ColumnTable, columns_of_files};
use crate::arrow::read_ahead::{Batch, Batches};
use crate::arrow::record_table::{COLUMNS, RecordColumn, RecordTable, rows};
use crate::arrow::table::Table;
use crate::documents::check_url;
use crate::error::file_error;
use crate::file_object::Raised;
use crate::files::file_type;
use crate::listener::Listener;
use crate::messages;
use crate::options::{Settings, named};
use crate::source::Source;
use crate::stream::{Request, inspect_source};
use crate::text::url_of;

/// Returns the documents of a file of any type as a stream of record batches.
///
/// Its columns are record, part, url, base, layer, media_type, content and findings; `columns` chooses some of them. `content` has the
/// bytes of the document without its transfer and content codings. The other arguments are those of `rewrite_file`. A record that
/// could not be read is an error after the last batch.
///
/// >>> import io, absolve.arrow, pyarrow
/// >>> mail = io.BytesIO(b"Content-Base: https://example.org/\nContent-Type: text/html\n\n<a href=x>")
/// >>> stream = absolve.arrow.read(mail, "message", columns=["base", "content"])
/// >>> pyarrow.RecordBatchReader.from_stream(stream).read_all().to_pylist()
/// [{'base': 'https://example.org/', 'content': b'<a href=x>'}]
#[pyfunction]
#[pyo3(signature = (input, r#type=None, *, url=None, name=None, columns=None, threads=1, **options))]
pub(crate) fn arrow_read(
    input: &Bound<'_, PyAny>,
    r#type: Option<&str>,
    #[pyo3(from_py_with = url_of)] url: Option<String>,
    name: Option<PathBuf>,
    columns: Option<Vec<String>>,
    threads: isize,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<PyRecordBatchReader> {
    let settings = Settings::of_files(options, &["type", "url", "name", "columns", "threads"])?;
    let threads = crate::options::threads(threads)?;
    let file = InputFile::new(input, r#type, url, name, None, settings)?;
    let chosen = match columns {
        None => COLUMNS.to_vec(),
        Some(names) => {
            let columns = COLUMNS.map(|column| (column.0, column));
            let column = |name: &String| named("columns", name, &columns);
            names.iter().map(column).collect::<PyResult<_>>()?
        }
    };
    let wanted: Vec<RecordColumn> = chosen.iter().map(|(_, column)| *column).collect();
    let documents = file.settings.options.documents.clone();
    let inspect = move |record: &str, entity: &Entity<'_>, _: &Listener| rows(record, entity, &wanted, &documents);
    Ok(file.stream(threads, RecordTable::new(chosen), inspect))
}

/// Returns the links of a file of any type as a stream of record batches.
///
/// Its columns are those of `absolve links`; `columns` chooses some of them. `on_finding` is called with each `Finding`. The other
/// arguments are those of `rewrite_file`.
///
/// >>> import io, absolve.arrow, pyarrow
/// >>> mail = io.BytesIO(b"Content-Base: https://example.org/\nContent-Type: text/html\n\n<a href=x>")
/// >>> stream = absolve.arrow.file_links(mail, "message")
/// >>> pyarrow.RecordBatchReader.from_stream(stream).read_all().select(["reference", "target"]).to_pylist()
/// [{'reference': 'x', 'target': 'https://example.org/x'}]
#[pyfunction]
#[pyo3(signature = (input, r#type=None, *, url=None, name=None, columns=None, on_finding=None, threads=1, **options))]
#[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
pub(crate) fn arrow_file_links(
    input: &Bound<'_, PyAny>,
    r#type: Option<&str>,
    #[pyo3(from_py_with = url_of)] url: Option<String>,
    name: Option<PathBuf>,
    columns: Option<Vec<String>>,
    on_finding: Option<Py<PyAny>>,
    threads: isize,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<PyRecordBatchReader> {
    let columns = columns_of_files(columns)?;
    let mut settings = Settings::of_files(options, &["type", "url", "name", "columns", "on_finding", "threads"])?;
    settings.options.documents.annotations = columns.annotations();
    let threads = crate::options::threads(threads)?;
    let file = InputFile::new(input, r#type, url, name, on_finding, settings)?;
    let (documents, path) = (file.settings.options.documents.clone(), file.name.clone());
    let table = ColumnTable::new(&columns.columns());
    let inspect = move |record: &str, entity: &Entity<'_>, listener: &Listener| {
        rows_of(&path, record, entity, &documents, ColumnRows::new(&columns), listener)
    };
    Ok(file.stream(threads, table, inspect))
}

/// Returns the links of a file of any type as the edges of a graph, in a stream of record batches.
///
/// Its columns are source, target, links, nofollow, first and last, those of `absolve links --graph`. `nodes` is "pages", "hosts" or
/// "domains"; `internal` counts links from a node to itself as well. An edge can be in several batches: add them up. `piece` is the number of a
/// piece, from 0, and how many there are: of a large WARC, ARC or mbox, plain or in members of gzip, only the records that begin in it are read. The edges of
/// all pieces are those of the file, if none is an error; one that does not end where a record begins is. Of other files the first piece is all. The
/// other arguments are those of `file_links`.
///
/// >>> import io, absolve.arrow, pyarrow
/// >>> page = io.BytesIO(b"<a href=//example.com/>")
/// >>> stream = absolve.arrow.file_edges(page, "html", nodes="hosts", url="https://example.org/")
/// >>> pyarrow.RecordBatchReader.from_stream(stream).read_all().select(["source", "target", "links"]).to_pylist()
/// [{'source': 'example.org', 'target': 'example.com', 'links': 1}]
#[pyfunction]
#[pyo3(signature = (input, r#type=None, *, nodes, internal=false, piece=None, url=None, name=None, on_finding=None, threads=1, **options))]
#[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
pub(crate) fn arrow_file_edges(
    input: &Bound<'_, PyAny>,
    r#type: Option<&str>,
    nodes: &str,
    internal: bool,
    piece: Option<(u64, u64)>,
    #[pyo3(from_py_with = url_of)] url: Option<String>,
    name: Option<PathBuf>,
    on_finding: Option<Py<PyAny>>,
    threads: isize,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<PyRecordBatchReader> {
    let nodes = named("nodes", nodes, &Nodes::ALL.map(|nodes| (nodes.name(), nodes)))?;
    let counted = if internal { Counted::BetweenAndWithin } else { Counted::Between };
    let share = piece.map(share_of).transpose()?;
    let own = ["type", "nodes", "internal", "piece", "url", "name", "on_finding", "threads"];
    let mut settings = Settings::of_files(options, &own)?;
    settings.options.documents.annotations = Annotations::List;
    let threads = crate::options::threads(threads)?;
    let file = InputFile { share, ..InputFile::new(input, r#type, url, name, on_finding, settings)? };
    let (documents, path) = (file.settings.options.documents.clone(), file.name.clone());
    let inspect = move |record: &str, entity: &Entity<'_>, listener: &Listener| {
        rows_of(&path, record, entity, &documents, EdgeRows::new(nodes, counted), listener)
    };
    Ok(file.stream(threads, EdgeTable::default(), inspect))
}

/// Returns the share of a file that a number and a count name.
fn share_of((number, count): (u64, u64)) -> PyResult<Share> {
    let message =
        || PyValueError::new_err(format!("piece=({number}, {count}): the number is from 0 to one less than the count"));
    (number < count).then_some(Share { number, count }).ok_or_else(message)
}

/// Returns rows of the links of a record.
fn rows_of<R: LinkRows>(
    path: &Path,
    record: &str,
    entity: &Entity<'_>,
    options: &Options,
    mut rows: R,
    listener: &Listener,
) -> R::Rows {
    let visited = add_record(&mut rows, path, record, entity, options);
    visited.findings.iter().for_each(|finding| listener.add_in(record, finding));
    rows.finish()
}

/// A file to read on a thread of its own.
struct InputFile {
    source: Source,
    name: PathBuf,
    file_type: Option<absolve_containers::FileType>,
    url: Option<String>,
    share: Option<Share>,
    settings: Settings,
    listener: Listener,
    raised: Raised,
}

impl InputFile {
    fn new(
        input: &Bound<'_, PyAny>,
        type_name: Option<&str>,
        url: Option<String>,
        name: Option<PathBuf>,
        on_finding: Option<Py<PyAny>>,
        settings: Settings,
    ) -> PyResult<Self> {
        check_url(url.as_deref(), &settings)?;
        let raised = Raised::default();
        let source = Source::of(input, &raised)?;
        let name = name.or_else(|| source.name(input)).unwrap_or_else(|| PathBuf::from("-"));
        let listener = Listener::new(on_finding, &name, raised.clone());
        let file_type = file_type(type_name)?;
        let path = source.path();
        let source = source.begun().map_err(|error| file_error(input.py(), path.as_deref(), error))?;
        Ok(Self { source, name, file_type, url, share: None, settings, listener, raised })
    }

    /// Returns the batches of a table. They are read ahead, but not more than a few.
    fn stream<T: Send + 'static>(
        self,
        threads: usize,
        table: impl Table<T> + Send + 'static,
        inspect: impl Fn(&str, &Entity<'_>, &Listener) -> T + Send + Sync + 'static,
    ) -> PyRecordBatchReader {
        let schema = SchemaRef::new(table.schema());
        let raised = self.raised.clone();
        let batches = Batches::read_by(schema, raised, move |sender| {
            let failed = |error: &dyn error::Error| ArrowError::ExternalError(error.to_string().into());
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            let read = pool
                .map_err(|error| failed(&error))
                .and_then(|pool| pool.install(|| self.read(table, inspect, sender)));
            if let Err(error) = read {
                // Without a reader of the stream, nobody wants to know.
                let _ = sender.send(Err(error));
            }
        });
        PyRecordBatchReader::new(Box::new(batches))
    }

    fn read<T: Send>(
        self,
        mut table: impl Table<T>,
        inspect: impl Fn(&str, &Entity<'_>, &Listener) -> T + Sync,
        sender: &SyncSender<Batch>,
    ) -> Result<(), ArrowError> {
        let Self { source, name, file_type, url, share, settings, listener, .. } = self;
        let (settings, listener) = (&settings, &listener);
        let request = Request { name: &name, output_name: None, file_type, url, share, settings, listener };
        let send = |batch: RecordBatch| sender.send(Ok(batch)).map_err(|_| io::ErrorKind::BrokenPipe.into());
        let mut found = |rows: T| -> io::Result<()> {
            table.add(rows);
            if table.is_full() { send(table.finish().map_err(io::Error::other)?) } else { Ok(()) }
        };
        let inspect = |record: &str, entity: &Entity<'_>| inspect(record, entity, listener);
        let errors = inspect_source(source, &request, &inspect, &mut found);
        let external = |message: String| ArrowError::ExternalError(format!("{}: {message}", name.display()).into());
        if let Some(error) = listener.raised() {
            return Err(ArrowError::ExternalError(error.to_string().into()));
        }
        // The last rows come before an error.
        if errors.is_ok() || !table.is_empty() {
            send(table.finish()?)?;
        }
        let errors = errors.map_err(|error| match error {
            StreamError::Read(error) | StreamError::Write(error) => external(messages::error(&error)),
        })?;
        match errors.first() {
            Some(first) => Err(ArrowError::ExternalError(messages::file_error(first).into())),
            None => Ok(()),
        }
    }
}
