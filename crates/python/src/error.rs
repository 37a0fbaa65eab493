//! Exceptions.

use std::io;
use std::path::Path;

use pyo3::exceptions::{PyFileExistsError, PyIsADirectoryError, PyOSError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyType};
use pyo3::{create_exception, intern};

use crate::messages;

create_exception!(absolve, BaseError, PyValueError, "A URL cannot be a base: links cannot be resolved against it.");
create_exception!(
    absolve,
    FileError,
    PyOSError,
    "A file could not be rewritten, or not completely.\n\n\
     Attributes: `path` (str or None), `record` (str or None) and `byte` (int or None) say where; `report` is the \
     `FileReport` if a file was written in spite of the error, else None."
);

/// The attributes of a [`FileError`].
const FILE_ERROR: [&str; 4] = ["path", "record", "byte", "report"];

/// Adds what the exceptions need that their declarations do not say.
pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add("OptionError", option_error_type(py)?)?;
    // One that Python code makes has the attributes as well.
    FILE_ERROR.into_iter().try_for_each(|name| py.get_type::<FileError>().setattr(name, py.None()))
}

/// Returns the exception for a wrong option.
pub(crate) fn option_error(message: String) -> PyErr {
    Python::attach(|py| match option_error_type(py) {
        Ok(exception) => PyErr::from_type(exception.clone(), (message,)),
        Err(error) => error,
    })
}

/// Returns the class of the exception for a wrong option. [`create_exception`] gives one base class only.
fn option_error_type(py: Python<'_>) -> PyResult<&Bound<'_, PyType>> {
    const DOC: &str = "An option has an unknown name or a wrong value; the message lists the right ones.\n\n\
         It is a `ValueError`, and a `TypeError` as Python raises it for an unknown keyword argument.";
    static TYPE: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let new = || -> PyResult<Py<PyType>> {
        let bases = (py.get_type::<PyValueError>(), py.get_type::<PyTypeError>());
        let namespace = PyDict::new(py);
        namespace.set_item("__module__", "absolve")?;
        namespace.set_item("__doc__", DOC)?;
        Ok(py.get_type::<PyType>().call1(("OptionError", bases, namespace))?.cast_into::<PyType>()?.unbind())
    };
    TYPE.get_or_try_init(py, new).map(|exception| exception.bind(py))
}

// The numbers of POSIX, which are the same wherever Python runs.
const ENOENT: i32 = 2;
const EACCES: i32 = 13;
const EEXIST: i32 = 17;
const ENOTDIR: i32 = 20;
pub(crate) const EISDIR: i32 = 21;
const ENOSPC: i32 = 28;
const EROFS: i32 = 30;

/// Where an error is.
#[derive(Debug, Default)]
pub(crate) struct Place<'p> {
    pub(crate) path: Option<&'p Path>,
    pub(crate) record: Option<u64>,
    pub(crate) byte: Option<u64>,
}

/// Returns the exception for an error of a file: of the system, what Python raises for it; else a [`FileError`].
pub(crate) fn file_error(py: Python<'_>, path: Option<&Path>, error: io::Error) -> PyErr {
    // As a str: a path of pathlib would import that module, which can fail.
    let filename = path.map(|path| path.as_os_str().to_owned());
    if let Some((code, text)) = system_error(&error) {
        // OSError becomes FileNotFoundError or another by the code.
        return PyOSError::new_err((code, text, filename));
    }
    let shown = path.map(|path| format!("{}: ", path.display())).unwrap_or_default();
    match error.kind() {
        io::ErrorKind::AlreadyExists => {
            PyFileExistsError::new_err((EEXIST, "the output exists; overwrite=True replaces it", filename))
        }
        io::ErrorKind::IsADirectory => PyIsADirectoryError::new_err((EISDIR, "the output is a folder", filename)),
        _ => new(py, &Place { path, record: None, byte: None }, format!("{shown}{}", messages::error(&error)), None),
    }
}

/// Returns the number and the text of an error of the system.
fn system_error(error: &io::Error) -> Option<(i32, String)> {
    let by_kind = match error.kind() {
        io::ErrorKind::NotFound => Some(ENOENT),
        io::ErrorKind::PermissionDenied => Some(EACCES),
        io::ErrorKind::NotADirectory => Some(ENOTDIR),
        io::ErrorKind::StorageFull => Some(ENOSPC),
        io::ErrorKind::ReadOnlyFilesystem => Some(EROFS),
        _ => None,
    };
    // That of a temporary file has the kind only, and a name that nobody knows.
    let code = error.raw_os_error().or(by_kind)?;
    let text = io::Error::from_raw_os_error(code).to_string();
    Some((code, text.split(" (os error").next().unwrap_or_default().to_owned()))
}

/// Returns a [`FileError`] with its attributes.
pub(crate) fn new(py: Python<'_>, place: &Place<'_>, message: String, report: Option<Py<PyAny>>) -> PyErr {
    let error = FileError::new_err(message);
    let value = error.value(py);
    let path = place.path.map(|path| path.to_string_lossy().into_owned());
    // A new exception has room for any attribute.
    let _ = value.setattr(intern!(py, "path"), path);
    let _ = value.setattr(intern!(py, "record"), place.record.map(|record| record.to_string()));
    let _ = value.setattr(intern!(py, "byte"), place.byte);
    let _ = value.setattr(intern!(py, "report"), report);
    error
}
