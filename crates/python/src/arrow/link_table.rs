//! Links as a table.

use std::sync::Arc;

use absolve_rewriter::ListedLink;
use arrow_array::builder::{Int64Builder, StringBuilder};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{ArrowError, DataType, Field, Schema};

/// The columns of a link.
#[derive(Debug, Default)]
pub(crate) struct LinkTable {
    rows: Int64Builder,
    texts: [StringBuilder; 7],
    starts: Int64Builder,
    ends: Int64Builder,
}

/// The texts of a link. A target and a base can be null.
const TEXTS: [&str; 7] = ["element", "attribute", "reference", "target", "status", "base", "layer"];

impl LinkTable {
    /// Adds a link of a row.
    pub(crate) fn add(&mut self, row: usize, link: &ListedLink) {
        let texts = [
            Some(&*link.element),
            Some(&*link.attribute),
            Some(&*link.reference),
            link.target.as_deref(),
            Some(link.status.name()),
            link.base.as_deref(),
            Some(link.layer.name()),
        ];
        self.rows.append_value(row as i64);
        self.texts.iter_mut().zip(texts).for_each(|(column, text)| column.append_option(text));
        self.starts.append_value(link.start as i64);
        self.ends.append_value(link.end as i64);
    }

    /// Returns the table, and begins a new one.
    pub(crate) fn finish(&mut self) -> Result<RecordBatch, ArrowError> {
        let mut columns = vec![Arc::new(self.rows.finish()) as ArrayRef];
        columns.extend(self.texts.iter_mut().map(|column| Arc::new(column.finish()) as ArrayRef));
        columns.push(Arc::new(self.starts.finish()));
        columns.push(Arc::new(self.ends.finish()));
        RecordBatch::try_new(Arc::new(schema()), columns)
    }
}

/// Returns the schema of a table of links.
pub(crate) fn schema() -> Schema {
    let number = |name: &str| Field::new(name, DataType::Int64, false);
    let text = |name: &&str| Field::new(*name, DataType::Utf8, matches!(*name, "target" | "base"));
    let fields = [number("row")].into_iter().chain(TEXTS.iter().map(text)).chain([number("start"), number("end")]);
    Schema::new(fields.collect::<Vec<_>>())
}
