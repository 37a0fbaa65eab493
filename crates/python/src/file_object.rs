//! Binary file objects of Python, as readers and writers.

use std::io::{self, Read, Write};
use std::sync::atomic::{AtomicU64, Ordering};
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
    pub(crate) fn check(&self) -> io::Result<()> {
        let is_raised = self.0.lock().unwrap_or_else(PoisonError::into_inner).is_some();
        if is_raised { Err(io::Error::other("a Python function raised an exception")) } else { Ok(()) }
    }

    pub(crate) fn take(&self) -> Option<PyErr> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// A number of bytes that went through a reader or writer.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bytes(Arc<AtomicU64>);

impl Bytes {
    fn add(&self, bytes: usize) {
        self.0.fetch_add(bytes as u64, Ordering::Relaxed);
    }

    pub(crate) fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// A reader that stops when an exception was raised.
#[derive(Debug)]
pub(crate) struct Stoppable<R> {
    pub(crate) input: R,
    pub(crate) raised: Raised,
    pub(crate) bytes: Bytes,
}

impl<R: Read> Read for Stoppable<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.raised.check()?;
        let length = self.input.read(buffer)?;
        self.bytes.add(length);
        Ok(length)
    }
}

/// A writer that counts.
#[derive(Debug)]
pub(crate) struct Counted<W> {
    pub(crate) output: W,
    pub(crate) bytes: Bytes,
}

impl<W: Write> Write for Counted<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let length = self.output.write(bytes)?;
        self.bytes.add(length);
        Ok(length)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
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
