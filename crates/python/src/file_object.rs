//! Binary file objects of Python, as readers and writers.

use std::io::{self, Read, Seek, SeekFrom, Write};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use pyo3::exceptions::{PyBlockingIOError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// The first exception that Python code raised while Rust called it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Raised {
    error: Arc<Mutex<Option<PyErr>>>,
    is_raised: Arc<AtomicBool>,
}

impl Raised {
    /// Keeps an exception, and returns the error that ends the work.
    pub(crate) fn keep(&self, error: PyErr) -> io::Error {
        self.error.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        self.is_raised.store(true, Ordering::Relaxed);
        io::Error::other("a Python function raised an exception")
    }

    /// Returns an error if there was an exception.
    pub(crate) fn check(&self) -> io::Result<()> {
        if self.flag().load(Ordering::Relaxed) {
            Err(io::Error::other("a Python function raised an exception"))
        } else {
            Ok(())
        }
    }

    /// Ends the work without an exception, because the interpreter ends.
    pub(crate) fn end(&self) {
        self.is_raised.store(true, Ordering::Relaxed);
    }

    /// Returns what is set when there was an exception.
    pub(crate) fn flag(&self) -> &AtomicBool {
        &self.is_raised
    }

    pub(crate) fn take(&self) -> Option<PyErr> {
        self.error.lock().unwrap_or_else(PoisonError::into_inner).take()
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

impl<R: Seek> Seek for Stoppable<R> {
    fn seek(&mut self, place: SeekFrom) -> io::Result<u64> {
        self.raised.check()?;
        self.input.seek(place)
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

const NOTHING_WRITTEN: &str = "write() returned None, which a raw file that does not block does if it takes no bytes now; \
                               pass a file that blocks";

/// Returns whether a file object is a raw stream of `io`.
fn is_raw(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    object.is_instance(&object.py().import("io")?.getattr("RawIOBase")?)
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
            if read.is_none() {
                let message = "read() returned None, which a file that does not block does if it has no bytes yet; \
                               pass a file that blocks";
                return Err(PyTypeError::new_err(message));
            }
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

impl Seek for FileObject {
    fn seek(&mut self, place: SeekFrom) -> io::Result<u64> {
        let (offset, whence) = match place {
            SeekFrom::Start(offset) => (i128::from(offset), 0),
            SeekFrom::Current(offset) => (i128::from(offset), 1),
            SeekFrom::End(offset) => (i128::from(offset), 2),
        };
        let place = Python::attach(|py| self.object.bind(py).call_method1("seek", (offset, whence))?.extract());
        place.map_err(|error| self.raised.keep(error))
    }
}

impl Write for FileObject {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = Python::attach(|py| -> PyResult<usize> {
            let object = self.object.bind(py);
            let written = object.call_method1("write", (PyBytes::new(py, bytes),))?;
            if written.is_none() {
                // By `io`, nothing was written. What does not follow `io` has written everything.
                return if is_raw(object)? {
                    Err(PyBlockingIOError::new_err(NOTHING_WRITTEN))
                } else {
                    Ok(bytes.len())
                };
            }
            let length: usize = written.extract()?;
            if length > bytes.len() {
                let message = format!("write() returned {length}, and was called with {} bytes", bytes.len());
                return Err(PyValueError::new_err(message));
            }
            Ok(length)
        });
        written.map_err(|error| self.raised.keep(error))
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
