//! Binary file objects of Python, as readers and writers.

use std::io::{self, Read, Write};
use std::sync::{Arc, Mutex, PoisonError};

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// The first exception that Python code raised while Rust called it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Raised(Arc<Mutex<Option<PyErr>>>);

impl Raised {
    /// Keeps an exception, and returns the error that ends the work.
    pub(crate) fn keep(&self, error: PyErr) -> io::Error {
        let mut slot = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        slot.get_or_insert(error);
        io::Error::other("a Python function raised an exception")
    }

    /// Returns an error if there was an exception.
    fn check(&self) -> io::Result<()> {
        let is_raised = self.0.lock().unwrap_or_else(PoisonError::into_inner).is_some();
        if is_raised { Err(io::Error::other("a Python function raised an exception")) } else { Ok(()) }
    }

    pub(crate) fn take(&self) -> Option<PyErr> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// A reader that stops when an exception was raised.
#[derive(Debug)]
pub(crate) struct Stoppable<R> {
    pub(crate) input: R,
    pub(crate) raised: Raised,
}

impl<R: Read> Read for Stoppable<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.raised.check()?;
        self.input.read(buffer)
    }
}

/// A binary file object.
#[derive(Debug)]
pub(crate) struct FileObject {
    pub(crate) object: Py<PyAny>,
    pub(crate) raised: Raised,
}

impl Read for FileObject {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = Python::attach(|py| -> PyResult<usize> {
            let read = self.object.bind(py).call_method1("read", (buffer.len(),))?;
            let bytes = read.cast::<PyBytes>().map_err(|_| {
                let name = read.get_type().name().map(|name| name.to_string()).unwrap_or_default();
                PyTypeError::new_err(format!("read() must return bytes, not {name}; open the file in binary mode"))
            })?;
            let bytes = bytes.as_bytes();
            let room = buffer
                .get_mut(..bytes.len())
                .ok_or_else(|| PyValueError::new_err("read() returned more bytes than it was called for"))?;
            room.copy_from_slice(bytes);
            Ok(bytes.len())
        });
        read.map_err(|error| self.raised.keep(error))
    }
}

impl Write for FileObject {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = Python::attach(|py| -> PyResult<usize> {
            let written = self.object.bind(py).call_method1("write", (PyBytes::new(py, bytes),))?;
            // Buffered files write everything; some others return nothing.
            if written.is_none() { Ok(bytes.len()) } else { Ok(written.extract::<usize>()?.min(bytes.len())) }
        });
        written.map_err(|error| self.raised.keep(error))
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
