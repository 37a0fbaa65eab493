//! Text and bytes of Python: what goes in as one comes out as the same.

use std::borrow::Cow;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

/// A document as Python passes it.
pub(crate) enum Data<'py> {
    Text(Bound<'py, PyString>),
    Bytes(Bound<'py, PyBytes>),
}

impl<'py> FromPyObject<'_, 'py> for Data<'py> {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(text) = object.cast::<PyString>() {
            return Ok(Self::Text(text.to_owned()));
        }
        if let Ok(bytes) = object.cast::<PyBytes>() {
            return Ok(Self::Bytes(bytes.to_owned()));
        }
        Err(PyTypeError::new_err(format!("a document must be str or bytes, not {}", object.get_type().name()?)))
    }
}

/// Returns the argument `url`. The exception names it, which that of the conversion does not.
pub(crate) fn url_of(argument: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
    if argument.is_none() {
        return Ok(None);
    }
    match argument.cast::<PyString>() {
        Ok(text) => Ok(Some(text.to_str()?.to_owned())),
        Err(_) => Err(PyTypeError::new_err(format!("url must be a str or None, not {}", argument.get_type().name()?))),
    }
}

impl<'py> Data<'py> {
    /// Returns its bytes.
    ///
    /// A text with a lone surrogate has none; the error names its place.
    pub(crate) fn text(&self) -> PyResult<Text<'_>> {
        match self {
            Self::Text(text) => Ok(Text { bytes: text.to_str()?.as_bytes(), is_text: true }),
            Self::Bytes(bytes) => Ok(Text { bytes: bytes.as_bytes(), is_text: false }),
        }
    }

    /// Returns the object of a result: this one if nothing changed, else a new one of its type.
    pub(crate) fn result(&self, py: Python<'py>, content: Cow<'_, [u8]>) -> PyResult<Bound<'py, PyAny>> {
        match (self, content) {
            (Self::Text(text), Cow::Borrowed(_)) => Ok(text.clone().into_any()),
            (Self::Bytes(bytes), Cow::Borrowed(_)) => Ok(bytes.clone().into_any()),
            (Self::Text(_), Cow::Owned(content)) => Ok(PyString::from_bytes(py, &content)?.into_any()),
            (Self::Bytes(_), Cow::Owned(content)) => Ok(PyBytes::new(py, &content).into_any()),
        }
    }
}

/// The bytes of a document: those of a text in UTF-8, or bytes whose encoding is yet to be found.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Text<'d> {
    pub(crate) bytes: &'d [u8],
    pub(crate) is_text: bool,
}

/// Offsets in a text, in characters as Python counts them, of offsets in its UTF-8. They are looked up in rising order.
pub(crate) struct Offsets<'t> {
    text: Option<&'t str>,
    byte: usize,
    character: usize,
}

impl<'t> Offsets<'t> {
    /// Returns the offsets in a text, or in bytes, where they stay the same.
    pub(crate) fn new(text: Option<&'t str>) -> Self {
        Self { text: text.filter(|text| !text.is_ascii()), byte: 0, character: 0 }
    }

    /// Returns the offset of a byte.
    pub(crate) fn of(&mut self, byte: usize) -> usize {
        let Some(text) = self.text else { return byte };
        if byte < self.byte {
            (self.byte, self.character) = (0, 0);
        }
        let between = text.as_bytes().get(self.byte..byte).unwrap_or_default();
        // Each character has one byte that is no continuation.
        self.character += between.iter().filter(|byte| **byte & 0xc0 != 0x80).count();
        self.byte = byte;
        self.character
    }
}
