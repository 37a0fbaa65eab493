//! Links as a table.

use std::mem;
use std::sync::Arc;

use absolve_table::{Column, ColumnValues, Kind, LinkColumns, Presence};
use arrow_array::builder::StringBuilder;
use arrow_array::{ArrayRef, BooleanArray, Int64Array, RecordBatch};
use arrow_schema::{ArrowError, DataType, Field, Schema};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::arrow::table::Table;

/// Returns the columns of these names, all by default.
pub(crate) fn columns_of_files(names: Option<Vec<String>>) -> PyResult<LinkColumns> {
    let Some(names) = names else { return Ok(LinkColumns::default()) };
    LinkColumns::named(names.iter().map(String::as_str)).map_err(PyValueError::new_err)
}

/// Returns the columns of these names, by default all that links of a table of documents have.
pub(crate) fn columns_of_documents(names: Option<Vec<String>>) -> PyResult<LinkColumns> {
    names.map_or_else(|| Ok(LinkColumns::of_documents()), |names| columns_of_files(Some(names)))
}

/// Returns the field of a column.
pub(crate) fn field(column: &Column) -> Field {
    let data_type = match column.kind {
        Kind::Text => DataType::Utf8,
        Kind::Number => DataType::Int64,
        Kind::Flag => DataType::Boolean,
    };
    Field::new(column.name, data_type, column.kind == Kind::Text && column.presence != Presence::Always)
}

/// Returns an array of the values of a column.
pub(crate) fn array(kind: Kind, chunks: Vec<ColumnValues>) -> ArrayRef {
    match kind {
        Kind::Number => Arc::new(Int64Array::from_iter_values(chunks.into_iter().flat_map(|values| values.numbers))),
        Kind::Flag => {
            let flags: Vec<bool> = chunks.into_iter().flat_map(|values| values.flags).collect();
            Arc::new(BooleanArray::from(flags))
        }
        Kind::Text => {
            let mut builder = StringBuilder::new();
            for values in &chunks {
                let mut keys = values.keys.iter();
                for has_value in &values.has_value {
                    let key = if *has_value { keys.next() } else { None };
                    builder.append_option(key.map(|key| values.text(*key as usize)));
                }
            }
            Arc::new(builder.finish())
        }
    }
}

/// Columns of rows that become record batches.
#[derive(Debug)]
pub(crate) struct ColumnTable {
    columns: Vec<(Column, Vec<ColumnValues>)>,
    rows: usize,
}

impl ColumnTable {
    pub(crate) fn new(columns: &[Column]) -> Self {
        Self { columns: columns.iter().map(|column| (*column, Vec::new())).collect(), rows: 0 }
    }
}

impl Table<Vec<ColumnValues>> for ColumnTable {
    fn schema(&self) -> Schema {
        Schema::new(self.columns.iter().map(|(column, _)| field(column)).collect::<Vec<_>>())
    }

    fn add(&mut self, rows: Vec<ColumnValues>) {
        self.rows += rows.first().map_or(0, |values| values.has_value.len());
        self.columns.iter_mut().zip(rows).for_each(|((_, chunks), values)| chunks.push(values));
    }

    fn is_full(&self) -> bool {
        const ROWS: usize = 16 << 10;
        self.rows >= ROWS
    }

    fn is_empty(&self) -> bool {
        self.rows == 0
    }

    fn finish(&mut self) -> Result<RecordBatch, ArrowError> {
        self.rows = 0;
        let arrays = self.columns.iter_mut().map(|(column, chunks)| array(column.kind, mem::take(chunks)));
        let arrays = arrays.collect();
        RecordBatch::try_new(Arc::new(self.schema()), arrays)
    }
}
