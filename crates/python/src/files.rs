//! Files and file objects.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

use absolve_containers::{FileType, StreamError, WarcOutput};
use absolve_files::Existing;
use pyo3::exceptions::{PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::documents::check_url;
use crate::error::{self, Place};
use crate::file_object::{Bytes, Counted, Raised};
use crate::listener::Listener;
use crate::messages::file_error;
use crate::options::{Settings, named};
use crate::results::{Done, FileReport};
use crate::source::{Sink, Source};
use crate::stream::{Request, rewrite_source};
use crate::text::url_of;

/// The arguments of `rewrite_file` that are not options of a rewriter.
const OWN: [&str; 8] = ["url", "type", "name", "warc", "date", "threads", "on_finding", "overwrite"];

/// Rewrites a file of any type: a document, a message, an mbox, a web archive. Returns a `FileReport`.
///
/// `input` and `output` are paths or binary file objects. A path is written under a temporary name and renamed when it is whole;
/// one that exists is replaced only with `overwrite=True`. An mbox and a web archive are streamed; with `warc="resource"`, and for a
/// WACZ, input and output go through temporary files.
///
/// The type of the input is `type`, else by the extension of `name` (or of the path), else by its first bytes. `date` is that of
/// records added to web archives, in seconds since 1970 or like `"2024-01-01T00:00:00Z"` (default: now). `on_finding` is called with each `Finding`. `threads` is
/// the number of threads (default: one for each processor). All other options are those of `Rewriter`, with `http_headers` and `digests`
/// besides.
///
/// Raises `FileError` if the input could not be read completely, such as a web archive that is cut off. If an output was written in
/// spite of that, `error.report` says what is in it.
///
/// >>> import io
/// >>> mbox = b"From a@b Thu Jan  1 00:00:00 1998\nContent-Base: http://h/\nContent-Type: text/html\n\n<a href=x>\n\n"
/// >>> output = io.BytesIO()
/// >>> absolve.rewrite_file(io.BytesIO(mbox), output, type="mbox").changed
/// 1
/// >>> b"<a href=http://h/x>" in output.getvalue()
/// True
#[pyfunction]
#[pyo3(signature = (input, output, *, url=None, r#type=None, name=None, warc="append", date=None, threads=None,
                    on_finding=None, overwrite=false, **options))]
#[expect(clippy::too_many_arguments, reason = "they are keyword arguments of Python")]
pub(crate) fn rewrite_file(
    py: Python<'_>,
    input: &Bound<'_, PyAny>,
    output: &Bound<'_, PyAny>,
    #[pyo3(from_py_with = url_of)] url: Option<String>,
    r#type: Option<&str>,
    name: Option<PathBuf>,
    warc: &str,
    date: Option<&Bound<'_, PyAny>>,
    threads: Option<isize>,
    on_finding: Option<Py<PyAny>>,
    overwrite: bool,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<FileReport> {
    let mut settings = Settings::of_files(options, &OWN)?;
    settings.options.output = named("warc", warc, &WarcOutput::NAMED)?;
    settings.options.date = date.map(crate::options::date).transpose()?;
    let threads = threads.map(crate::options::threads).transpose()?;
    check_url(url.as_deref(), &settings)?;
    let file_type = file_type(r#type)?;
    if on_finding.as_ref().is_some_and(|function| !function.bind(py).is_callable()) {
        return Err(PyTypeError::new_err("on_finding must be a function"));
    }
    let raised = Raised::default();
    let source = Source::of(input, &raised)?;
    let name = name.or_else(|| source.name(input)).unwrap_or_else(|| PathBuf::from("-"));
    let existing = if overwrite { Existing::Replace } else { Existing::Refuse };
    let sink = Sink::of(output, existing, &raised)?;
    let listener = Listener::new(on_finding, &name, raised.clone());
    if sink.path().is_some_and(|path| FileType::of_name(&path) == Some(FileType::ARC)) {
        let message =
            "no ARC is written: its conversions are a WARC; give the output a name that ends in .warc or .warc.gz";
        return Err(PyValueError::new_err(message));
    }
    let (input_path, output_path) = (source.path(), sink.path());
    let output_name = output_path.as_deref();
    let (settings, listener) = (&settings, &listener);
    let request = Request { name: &name, output_name, file_type, url, share: None, settings, listener };
    let bytes_out = Bytes::default();
    let work = || {
        sink.write(&raised, |output| {
            rewrite_source(source, &request, &mut Counted { output, bytes: bytes_out.clone() })
        })
    };
    let done = py.detach(|| in_threads(threads, &raised, work))?;
    if let Some(error) = raised.take() {
        return Err(error);
    }
    match done {
        Ok(done) => report(py, &input_path.unwrap_or(name), done, bytes_out.get(), listener),
        Err(StreamError::Read(error)) => Err(error::file_error(py, input_path.as_deref(), error)),
        Err(StreamError::Write(error)) => Err(error::file_error(py, output_path.as_deref(), error)),
    }
}

/// Returns the report, or the exception for records that could not be read.
fn report(py: Python<'_>, path: &Path, done: Done, bytes_out: u64, listener: &Listener) -> PyResult<FileReport> {
    let Done { counts, records, changed, bytes_in, errors, .. } = done;
    let findings = listener.counts();
    let first = errors.first().map(|error| (file_error(error), error.record, error.byte));
    let errors = errors.iter().map(file_error).collect();
    let report = FileReport { counts: counts.into(), records, changed, bytes_in, bytes_out, findings, errors };
    match first {
        None => Ok(report),
        Some((message, record, byte)) => {
            let report = Py::new(py, report)?.into_any();
            Err(error::new(py, &Place { path: Some(path), record, byte }, message, Some(report)))
        }
    }
}

pub(crate) fn file_type(name: Option<&str>) -> PyResult<Option<FileType>> {
    name.map(|name| named("type", name, &FileType::named().collect::<Vec<_>>())).transpose()
}

/// Runs `work` on a pool of this number of threads, or of one for each processor. Ctrl-C is kept as an exception.
///
/// The pool is of this call: one of the process would not work in processes that are forked.
pub(crate) fn in_threads<T: Send>(
    threads: Option<usize>,
    raised: &Raised,
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    const BETWEEN_SIGNALS: Duration = Duration::from_millis(100);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.unwrap_or_default()).build();
    let pool = pool.map_err(|error| PyValueError::new_err(format!("threads: {error}")))?;
    let (sender, receiver) = sync_channel(1);
    thread::scope(|scope| {
        scope.spawn(|| sender.send(pool.install(work)));
        loop {
            match receiver.recv_timeout(BETWEEN_SIGNALS) {
                Ok(result) => return Ok(result),
                Err(RecvTimeoutError::Timeout) => {
                    if let Err(error) = Python::attach(|py| py.check_signals()) {
                        raised.keep(error);
                    }
                }
                Err(RecvTimeoutError::Disconnected) => return Err(PyRuntimeError::new_err("a thread failed")),
            }
        }
    })
}
