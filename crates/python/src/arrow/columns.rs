//! Columns of documents and URLs.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{BinaryType, ByteArrayType, ByteViewType, LargeBinaryType, LargeUtf8Type, Utf8Type};
use arrow_array::{
    AnyDictionaryArray, Array, ArrayRef, BinaryViewArray, GenericByteArray, GenericByteViewArray, OffsetSizeTrait,
    StringViewArray,
};
use arrow_buffer::{ArrowNativeType, Buffer, NullBuffer, OffsetBuffer};
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
    /// Returns the column of an argument; `None` if it is no array and no chunked array.
    pub(crate) fn of(argument: &Bound<'_, PyAny>) -> PyResult<Option<Self>> {
        let is_arrow = argument.hasattr("__arrow_c_array__")? || argument.hasattr("__arrow_c_stream__")?;
        if is_arrow { Self::new(argument.extract()?).map(Some) } else { Ok(None) }
    }

    fn new(argument: AnyArray) -> PyResult<Self> {
        let is_stream = matches!(argument, AnyArray::Stream(_));
        let (chunks, field) = argument.into_chunked_array()?.into_inner();
        Ok(Self { chunks, field, is_stream })
    }

    /// Returns the values; `None` is null.
    ///
    /// The error names the argument `name` and the type it has.
    pub(crate) fn rows(&self, name: &str) -> PyResult<Vec<Option<Text<'_>>>> {
        let mut rows = Vec::with_capacity(self.chunks.iter().map(|chunk| chunk.len()).sum());
        self.chunks.iter().try_for_each(|chunk| add_array(chunk, &mut rows, name))?;
        Ok(rows)
    }

    /// Returns the column with other values, in chunks and of a type like its own. One of a dictionary becomes plain.
    pub(crate) fn with_values(&self, py: Python<'_>, Values { bytes, ends }: Values) -> PyResult<Py<PyAny>> {
        let values = Finished { bytes: Buffer::from_vec(bytes), ends };
        let mut start = 0;
        let mut chunks = Vec::with_capacity(self.chunks.len());
        for chunk in &self.chunks {
            chunks.push(values.array(start, chunk)?);
            start += chunk.len();
        }
        let field = Arc::new(self.field.as_ref().clone().with_data_type(plain(self.field.data_type()).clone()));
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

/// Adds the values of an array of any of these types.
fn add_array<'a>(array: &'a dyn Array, rows: &mut Vec<Option<Text<'a>>>, name: &str) -> PyResult<()> {
    match array.data_type() {
        DataType::Utf8 => add(array.as_bytes::<Utf8Type>(), text, rows, name),
        DataType::LargeUtf8 => add(array.as_bytes::<LargeUtf8Type>(), text, rows, name),
        DataType::Utf8View => add_views(array.as_string_view(), text, rows, name),
        DataType::Binary => add(array.as_bytes::<BinaryType>(), bytes, rows, name),
        DataType::LargeBinary => add(array.as_bytes::<LargeBinaryType>(), bytes, rows, name),
        DataType::BinaryView => add_views(array.as_binary_view(), bytes, rows, name),
        DataType::Dictionary(..) => add_dictionary(array.as_any_dictionary(), rows, name),
        DataType::Null => {
            rows.extend((0..array.len()).map(|_| None));
            Ok(())
        }
        other => Err(PyTypeError::new_err(format!(
            "{name} must be an array of string or binary (or large, or a view, or a dictionary of them), not {other}; cast it"
        ))),
    }
}

/// Adds the values that the keys of an array name.
fn add_dictionary<'a>(array: &'a dyn AnyDictionaryArray, rows: &mut Vec<Option<Text<'a>>>, name: &str) -> PyResult<()> {
    let mut values = Vec::new();
    add_array(array.values(), &mut values, name)?;
    if values.is_empty() {
        rows.extend((0..array.len()).map(|_| None));
    } else {
        let keys = array.normalized_keys().into_iter().enumerate();
        rows.extend(keys.map(|(row, key)| values[key].filter(|_| array.keys().is_valid(row))));
    }
    Ok(())
}

/// Returns the type of the values of a column.
fn plain(data_type: &DataType) -> &DataType {
    match data_type {
        DataType::Dictionary(_, value) => value,
        plain => plain,
    }
}

/// Adds the values of an array. Whoever made it may have put others in than UTF-8, and offsets that are none.
fn add<'a, T: ByteArrayType>(
    array: &'a GenericByteArray<T>,
    value: fn(&'a [u8]) -> Text<'a>,
    rows: &mut Vec<Option<Text<'a>>>,
    name: &str,
) -> PyResult<()> {
    let (data, offsets) = (array.value_data(), array.value_offsets());
    let start = rows.len();
    for row in 0..array.len() {
        let bytes = data.get(offsets[row].as_usize()..offsets[row + 1].as_usize());
        rows.push(match bytes {
            _ if array.is_null(row) => None,
            Some(bytes) => Some(value(bytes)),
            None => return Err(broken(start + row, name)),
        });
    }
    Ok(())
}

/// Adds the values of an array of views, in the same way.
fn add_views<'a, T: ByteViewType + ?Sized>(
    array: &'a GenericByteViewArray<T>,
    value: fn(&'a [u8]) -> Text<'a>,
    rows: &mut Vec<Option<Text<'a>>>,
    name: &str,
) -> PyResult<()> {
    let start = rows.len();
    let is_whole = |view: &u128| {
        /// A shorter value is in the view itself.
        const INLINE: usize = 12;
        // By the format, a view is a length, four bytes of the value, the index of a buffer, and the offset in that.
        let [length, _, buffer, offset] = [0, 32, 64, 96].map(|bit| (*view >> bit) as u32 as usize);
        let data = array.data_buffers().get(buffer);
        length <= INLINE || data.zip(offset.checked_add(length)).is_some_and(|(data, end)| end <= data.len())
    };
    // The bytes are read without a check.
    if let Some(row) = array.views().iter().position(|view| !is_whole(view)) {
        return Err(broken(start + row, name));
    }
    rows.extend(array.bytes_iter().enumerate().map(|(row, bytes)| array.is_valid(row).then(|| value(bytes))));
    Ok(())
}

fn broken(row: usize, name: &str) -> PyErr {
    PyValueError::new_err(format!("row {row}: {name}: the offsets of this array are not valid"))
}

fn text(bytes: &[u8]) -> Text<'_> {
    Text { bytes, is_text: true }
}

fn bytes(bytes: &[u8]) -> Text<'_> {
    Text { bytes, is_text: false }
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
        let data_type = plain(chunk.data_type());
        if matches!(data_type, DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View) {
            self.check_texts(start, chunk.len(), first)?;
        }
        let ends = &self.ends[start..start + chunk.len()];
        let nulls = chunk.logical_nulls();
        Ok(match data_type {
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

    /// Refuses texts that are not in UTF-8. The rows are looked at only if there is one.
    fn check_texts(&self, start: usize, length: usize, first: usize) -> PyResult<()> {
        let ends = &self.ends[start..start + length];
        let all = &self.bytes[first..ends.last().copied().unwrap_or(first)];
        if str::from_utf8(all).is_ok() {
            return Ok(());
        }
        let mut at = first;
        for (row, end) in ends.iter().enumerate() {
            if str::from_utf8(&self.bytes[at..*end]).is_err() {
                let message = format!("row {}: html is not text in UTF-8; cast the column to binary", start + row);
                return Err(PyValueError::new_err(message));
            }
            at = *end;
        }
        Ok(())
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
