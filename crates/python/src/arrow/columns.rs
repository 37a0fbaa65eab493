//! Columns of documents and URLs.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{BinaryType, ByteArrayType, LargeBinaryType, LargeUtf8Type, Utf8Type};
use arrow_array::{
    Array, ArrayRef, BinaryViewArray, GenericByteArray, GenericStringArray, OffsetSizeTrait, StringViewArray,
};
use arrow_buffer::{Buffer, NullBuffer, OffsetBuffer};
use arrow_schema::{ArrowError, DataType, FieldRef};
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3_arrow::input::AnyArray;
use pyo3_arrow::{PyArray, PyChunkedArray};

use crate::text::Text;

/// A column of texts or bytes.
#[derive(Debug)]
pub(crate) struct Column {
    chunks: Vec<ArrayRef>,
    field: FieldRef,
    is_stream: bool,
}

impl Column {
    /// Returns the column of an argument, an array or a chunked array.
    pub(crate) fn new(argument: AnyArray) -> PyResult<Self> {
        let is_stream = matches!(argument, AnyArray::Stream(_));
        let (chunks, field) = argument.into_chunked_array()?.into_inner();
        Ok(Self { chunks, field, is_stream })
    }

    /// Returns the values; `None` is null.
    ///
    /// The error names the argument `name` and the type it has.
    pub(crate) fn rows(&self, name: &str) -> PyResult<Vec<Option<Text<'_>>>> {
        let mut rows = Vec::with_capacity(self.chunks.iter().map(|chunk| chunk.len()).sum());
        for chunk in &self.chunks {
            match chunk.data_type() {
                DataType::Utf8 => rows.extend(texts(chunk.as_string::<i32>())),
                DataType::LargeUtf8 => rows.extend(texts(chunk.as_string::<i64>())),
                DataType::Utf8View => {
                    let array = chunk.as_string_view();
                    let values = array.bytes_iter().enumerate();
                    rows.extend(values.map(|(row, value)| array.is_valid(row).then_some(text(value))));
                }
                DataType::Binary => rows.extend(chunk.as_binary::<i32>().iter().map(bytes)),
                DataType::LargeBinary => rows.extend(chunk.as_binary::<i64>().iter().map(bytes)),
                DataType::BinaryView => rows.extend(chunk.as_binary_view().iter().map(bytes)),
                DataType::Null => rows.extend((0..chunk.len()).map(|_| None)),
                other => {
                    return Err(PyTypeError::new_err(format!(
                        "{name} must be an array of string or binary (or large, or a view), not {other}; cast it"
                    )));
                }
            }
        }
        Ok(rows)
    }

    /// Returns the column with other values, in chunks and of a type like its own.
    pub(crate) fn with_values(&self, py: Python<'_>, Values { bytes, ends }: Values) -> PyResult<Py<PyAny>> {
        let values = Finished { bytes: Buffer::from_vec(bytes), ends };
        let mut start = 0;
        let mut chunks = Vec::with_capacity(self.chunks.len());
        for chunk in &self.chunks {
            chunks.push(values.array(start, chunk)?);
            start += chunk.len();
        }
        let field = Arc::clone(&self.field);
        match chunks.pop() {
            Some(array) if !self.is_stream => {
                Ok(Py::new(py, PyArray::try_new(array, field).map_err(invalid)?)?.into_any())
            }
            last => {
                chunks.extend(last);
                Ok(Py::new(py, PyChunkedArray::try_new(chunks, field)?)?.into_any())
            }
        }
    }
}

/// Returns the texts of an array as bytes: whoever made it may have put others in than UTF-8.
fn texts<O: OffsetSizeTrait>(array: &GenericStringArray<O>) -> impl Iterator<Item = Option<Text<'_>>> {
    let (bytes, offsets) = (array.value_data(), array.value_offsets());
    let value = move |row: usize| text(&bytes[offsets[row].as_usize()..offsets[row + 1].as_usize()]);
    (0..array.len()).map(move |row| array.is_valid(row).then(|| value(row)))
}

fn text(bytes: &[u8]) -> Text<'_> {
    Text { bytes, is_text: true }
}

fn bytes(value: Option<&[u8]>) -> Option<Text<'_>> {
    value.map(|bytes| Text { bytes, is_text: false })
}

/// The values of a new column, one after the other.
#[derive(Debug, Default)]
pub(crate) struct Values {
    pub(crate) bytes: Vec<u8>,
    /// The end of each value in `bytes`.
    pub(crate) ends: Vec<usize>,
}

impl Values {
    /// Appends other values.
    pub(crate) fn extend(&mut self, other: &Self) {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(&other.bytes);
        self.ends.extend(other.ends.iter().map(|end| start + end));
    }
}

/// All values of a new column, of which each chunk shares its part.
struct Finished {
    bytes: Buffer,
    ends: Vec<usize>,
}

impl Finished {
    /// Returns the values from `start` on as an array like `chunk`, with its type and its nulls.
    fn array(&self, start: usize, chunk: &ArrayRef) -> PyResult<ArrayRef> {
        let first = start.checked_sub(1).map_or(0, |before| self.ends[before]);
        let ends = &self.ends[start..start + chunk.len()];
        let nulls = chunk.nulls().cloned();
        Ok(match chunk.data_type() {
            DataType::Utf8 => Arc::new(self.byte_array::<Utf8Type>(first, ends, nulls)?),
            DataType::LargeUtf8 => Arc::new(self.byte_array::<LargeUtf8Type>(first, ends, nulls)?),
            DataType::Binary => Arc::new(self.byte_array::<BinaryType>(first, ends, nulls)?),
            DataType::LargeBinary => Arc::new(self.byte_array::<LargeBinaryType>(first, ends, nulls)?),
            DataType::Utf8View => {
                let array = self.byte_array::<LargeUtf8Type>(first, ends, nulls)?;
                Arc::new(StringViewArray::from(&array))
            }
            DataType::BinaryView => {
                let array = self.byte_array::<LargeBinaryType>(first, ends, nulls)?;
                Arc::new(BinaryViewArray::from(&array))
            }
            _ => Arc::clone(chunk),
        })
    }

    fn byte_array<T: ByteArrayType>(
        &self,
        first: usize,
        ends: &[usize],
        nulls: Option<NullBuffer>,
    ) -> PyResult<GenericByteArray<T>> {
        let last = ends.last().copied().unwrap_or(first);
        if last - first > T::Offset::MAX_OFFSET {
            let message =
                "the results are longer than 2 GiB; pass large_string or large_binary, or fewer rows at a time";
            return Err(PyOverflowError::new_err(message));
        }
        let mut at = first;
        let lengths = ends.iter().map(|end| {
            let length = end - at;
            at = *end;
            length
        });
        let offsets = OffsetBuffer::<T::Offset>::from_lengths(lengths);
        let bytes = self.bytes.slice_with_length(first, last - first);
        GenericByteArray::try_new(offsets, bytes, nulls).map_err(invalid)
    }
}

fn invalid(error: ArrowError) -> PyErr {
    PyValueError::new_err(error.to_string())
}
