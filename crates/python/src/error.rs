//! Exceptions.

use std::io;
use std::path::Path;

use pyo3::exceptions::{PyFileExistsError, PyIsADirectoryError, PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::{create_exception, intern};

create_exception!(absolve, BaseError, PyValueError, "A URL cannot be a base: links cannot be resolved against it.");
create_exception!(
    absolve,
    FileError,
    PyOSError,
    "A file could not be rewritten, or not completely.\n\n\
     Attributes: `path` (str or None), `record` (str or None) and `byte` (int or None) say where; `report` is the \
     `FileReport` if a file was written in spite of the error, else None."
);

/// Where an error is.
#[derive(Debug, Default)]
pub(crate) struct Place<'p> {
    pub(crate) path: Option<&'p Path>,
    pub(crate) record: Option<u64>,
}

/// Returns the exception for an error of a file: of the system, what Python raises for it; else a [`FileError`].
pub(crate) fn file_error(py: Python<'_>, path: Option<&Path>, error: io::Error) -> PyErr {
    if let Some(code) = error.raw_os_error() {
        let text = error.to_string();
        let text = text.split(" (os error").next().unwrap_or_default().to_owned();
        // OSError becomes FileNotFoundError or another by the code.
        return PyOSError::new_err((code, text, path.map(Path::to_owned)));
    }
    let shown = path.map(|path| format!("{}: ", path.display())).unwrap_or_default();
    match error.kind() {
        io::ErrorKind::AlreadyExists => {
            PyFileExistsError::new_err(format!("{shown}the output exists; overwrite=True replaces it"))
        }
        io::ErrorKind::IsADirectory => PyIsADirectoryError::new_err(format!("{shown}the output is a folder")),
        _ => new(py, &Place { path, record: None }, format!("{shown}{error}"), None),
    }
}

/// Returns a [`FileError`] with its attributes.
pub(crate) fn new(py: Python<'_>, place: &Place<'_>, message: String, report: Option<Py<PyAny>>) -> PyErr {
    let error = FileError::new_err(message);
    let value = error.value(py);
    let path = place.path.map(|path| path.to_string_lossy().into_owned());
    // A new exception has room for any attribute.
    let _ = value.setattr(intern!(py, "path"), path);
    let _ = value.setattr(intern!(py, "record"), place.record.map(|record| record.to_string()));
    let _ = value.setattr(intern!(py, "byte"), None::<u64>);
    let _ = value.setattr(intern!(py, "report"), report);
    error
}
