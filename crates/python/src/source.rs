//! Where a file comes from and goes to: paths and file objects.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use absolve_containers::{ReadSeek, StreamError};
use absolve_files::{Existing, NewFile};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::error::EISDIR;
use crate::file_object::{Bytes, FileObject, Raised, Stoppable};
use crate::results::Done;

const BUFFER: usize = 1 << 20;

/// A file to read.
#[derive(Debug)]
pub(crate) enum Source {
    /// A path, and the file if it is open already.
    Path(PathBuf, Option<File>, Raised),
    Object(FileObject),
}

impl Source {
    /// Returns the source of an argument.
    pub(crate) fn of(argument: &Bound<'_, PyAny>, raised: &Raised) -> PyResult<Self> {
        match place(argument, "read", "input")? {
            Some(path) => Ok(Self::Path(path, None, raised.clone())),
            None => Ok(Self::Object(FileObject { object: argument.clone().unbind(), raised: raised.clone() })),
        }
    }

    pub(crate) fn path(&self) -> Option<PathBuf> {
        match self {
            Self::Path(path, ..) => Some(path.clone()),
            Self::Object(_) => None,
        }
    }

    /// Opens the file of a path, so that one that cannot be read is an error before any work.
    pub(crate) fn begun(self) -> io::Result<Self> {
        match self {
            Self::Path(path, None, raised) => {
                let file = File::open(&path)?;
                let is_folder = file.metadata()?.is_dir();
                if is_folder {
                    Err(io::Error::from_raw_os_error(EISDIR))
                } else {
                    Ok(Self::Path(path, Some(file), raised))
                }
            }
            begun => Ok(begun),
        }
    }

    /// Returns its name: that of the path, or the attribute `name` of the file object.
    pub(crate) fn name(&self, argument: &Bound<'_, PyAny>) -> Option<PathBuf> {
        match self {
            Self::Path(path, ..) => Some(path.clone()),
            Self::Object(_) => argument.getattr("name").ok()?.extract().ok(),
        }
    }

    /// Opens it, and counts the bytes that are read. Reading stops when an exception was raised, such as that of Ctrl-C.
    pub(crate) fn open(self, bytes: Bytes) -> io::Result<Box<dyn Read + Send>> {
        Ok(match self {
            Self::Path(path, file, raised) => {
                let input = file.map_or_else(|| File::open(path), Ok)?;
                Box::new(Stoppable { input, raised, bytes })
            }
            Self::Object(object) => {
                let raised = object.raised.clone();
                Box::new(BufReader::with_capacity(BUFFER, Stoppable { input: object, raised, bytes }))
            }
        })
    }

    /// Opens it once more, to read it in any order. Of a file object, it is the object itself.
    pub(crate) fn seekable(&self) -> io::Result<Box<dyn ReadSeek + Send>> {
        let bytes = Bytes::default();
        Ok(match self {
            Self::Path(path, _, raised) => {
                Box::new(Stoppable { input: File::open(path)?, raised: raised.clone(), bytes })
            }
            Self::Object(FileObject { object, raised }) => {
                let object = Python::attach(|py| object.clone_ref(py));
                let input = FileObject { object, raised: raised.clone() };
                let input = Stoppable { input, raised: raised.clone(), bytes };
                Box::new(BufReader::with_capacity(BUFFER, input))
            }
        })
    }
}

/// A file to write.
#[derive(Debug)]
pub(crate) enum Sink {
    Path(PathBuf, NewFile),
    Object(FileObject),
}

impl Sink {
    /// Returns the sink of an argument. A path that cannot be written is an error before any work.
    pub(crate) fn of(argument: &Bound<'_, PyAny>, existing: Existing, raised: &Raised) -> PyResult<Self> {
        match place(argument, "write", "output")? {
            Some(path) => {
                let begun = NewFile::begin(&path, existing);
                let begun = begun.map_err(|error| crate::error::file_error(argument.py(), Some(&path), error))?;
                Ok(Self::Path(path, begun))
            }
            None => Ok(Self::Object(FileObject { object: argument.clone().unbind(), raised: raised.clone() })),
        }
    }

    pub(crate) fn path(&self) -> Option<PathBuf> {
        match self {
            Self::Path(path, _) => Some(path.clone()),
            Self::Object(_) => None,
        }
    }

    /// Writes the file; `write` writes its contents. What was written to a path is discarded on an error, if an exception was raised,
    /// and if it is a sidecar without conversions.
    pub(crate) fn write(
        self,
        raised: &Raised,
        write: impl FnOnce(&mut dyn Write) -> Result<Done, StreamError>,
    ) -> Result<Done, StreamError> {
        match self {
            Self::Object(object) => {
                let mut output = BufWriter::with_capacity(BUFFER, object);
                let done = write(&mut output)?;
                output.flush().map_err(StreamError::Write)?;
                Ok(done)
            }
            Self::Path(_, file) => {
                let mut result = None;
                let written = file.write(|output| {
                    // An exception after the last byte was read ends the run as well: Ctrl-C, or one of `on_finding`.
                    let done = write(output).and_then(|done| raised.check().map(|()| done).map_err(StreamError::Read));
                    match result.insert(done) {
                        Ok(done) if !done.is_empty_sidecar => Ok(()),
                        _ => Err(io::Error::other("the file has no contents")),
                    }
                });
                match result {
                    Some(Ok(done)) if done.is_empty_sidecar => Ok(done),
                    Some(Err(error)) => Err(error),
                    Some(Ok(done)) => written.map(|()| done).map_err(StreamError::Write),
                    None => Err(StreamError::Write(written.expect_err("a file that was written was begun"))),
                }
            }
        }
    }
}

/// Returns the path of an argument; `None` if it is a file object with this method.
fn place(argument: &Bound<'_, PyAny>, method: &str, name: &str) -> PyResult<Option<PathBuf>> {
    if argument.hasattr(method)? {
        return Ok(None);
    }
    let type_name = argument.get_type().name()?;
    let invalid = |_| PyTypeError::new_err(format!("{name} must be a path or a binary file object, not {type_name}"));
    let path: PathBuf = argument.extract().map_err(invalid)?;
    // The command takes this for its standard input and output; here it is a file like others.
    Ok(Some(if path.as_os_str() == "-" { Path::new(".").join(path) } else { path }))
}
