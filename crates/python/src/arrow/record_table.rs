//! The documents of a file as a table.

use std::sync::Arc;

use absolve_rewriter::internal::{Entity, Part, base_of, links_of};
use absolve_rewriter::{DocumentType, Options};
use arrow_array::builder::{BinaryBuilder, ListBuilder, StringBuilder};
use arrow_array::{ArrayRef, RecordBatch, RecordBatchOptions};
use arrow_schema::{ArrowError, DataType, Field, Schema};

use crate::arrow::table::Table;
use crate::messages::line;

/// A column of a table of documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RecordColumn {
    /// The name of the record; empty for a file that is one document.
    Record,
    /// The part of a message; empty for other documents.
    Part,
    /// The URL that it was retrieved from.
    Url,
    /// Its base.
    Base,
    /// The source of its base.
    Layer,
    MediaType,
    /// Its bytes, without transfer and content codings.
    Content,
    /// What was found in it, as the command prints it.
    Findings,
}

/// All columns by their names, in their order.
pub(crate) const COLUMNS: [(&str, RecordColumn); 8] = [
    ("record", RecordColumn::Record),
    ("part", RecordColumn::Part),
    ("url", RecordColumn::Url),
    ("base", RecordColumn::Base),
    ("layer", RecordColumn::Layer),
    ("media_type", RecordColumn::MediaType),
    ("content", RecordColumn::Content),
    ("findings", RecordColumn::Findings),
];

/// A document, with the columns that are wanted.
#[derive(Debug, Default)]
pub(crate) struct RecordRow {
    record: String,
    part: String,
    url: Option<String>,
    base: Option<String>,
    layer: &'static str,
    media_type: &'static str,
    content: Vec<u8>,
    findings: Vec<String>,
}

/// Returns the documents of a record. A record that was left unread is a row with findings.
pub(crate) fn rows(record: &str, entity: &Entity<'_>, columns: &[RecordColumn], options: &Options) -> Vec<RecordRow> {
    let is_document = |part: &&Part| part.document_type != DocumentType::Field;
    let of_entity = || entity.findings.iter().map(line).collect();
    let mut rows: Vec<RecordRow> =
        entity.parts.iter().filter(is_document).map(|part| row(record, entity, part, columns, options)).collect();
    match rows.first_mut() {
        Some(first) => first.findings.splice(0..0, of_entity()).for_each(drop),
        None if entity.findings.is_empty() => {}
        None => rows.push(RecordRow { record: record.to_owned(), findings: of_entity(), ..RecordRow::default() }),
    }
    rows
}

fn row(record: &str, entity: &Entity<'_>, part: &Part, columns: &[RecordColumn], options: &Options) -> RecordRow {
    let is_wanted = |column| columns.contains(&column);
    let mut row = RecordRow {
        record: record.to_owned(),
        part: part.path.clone(),
        media_type: part.document_type.media_type(),
        url: part.retrieval_url().map(str::to_owned),
        ..RecordRow::default()
    };
    if is_wanted(RecordColumn::Base) || is_wanted(RecordColumn::Layer) {
        let base = base_of(entity, part, options);
        (row.base, row.layer) = (base.url.map(|url| url.to_string()), base.layer.name());
    }
    if is_wanted(RecordColumn::Content) {
        row.content = entity.document(part).bytes().to_vec();
    }
    if is_wanted(RecordColumn::Findings) {
        row.findings = links_of(entity, part, options).findings.iter().map(line).collect();
    }
    row
}

/// Rows that become a record batch.
#[derive(Debug)]
pub(crate) struct RecordTable {
    columns: Vec<(&'static str, RecordColumn)>,
    rows: Vec<RecordRow>,
    bytes: usize,
}

impl RecordTable {
    pub(crate) fn new(columns: Vec<(&'static str, RecordColumn)>) -> Self {
        Self { columns, rows: Vec::new(), bytes: 0 }
    }
}

impl Table<Vec<RecordRow>> for RecordTable {
    fn schema(&self) -> Schema {
        let field = |(name, column): &(&'static str, RecordColumn)| {
            let data_type = match column {
                RecordColumn::Content => DataType::Binary,
                RecordColumn::Findings => DataType::new_list(DataType::Utf8, true),
                _ => DataType::Utf8,
            };
            Field::new(*name, data_type, matches!(column, RecordColumn::Url | RecordColumn::Base))
        };
        Schema::new(self.columns.iter().map(field).collect::<Vec<_>>())
    }

    fn add(&mut self, rows: Vec<RecordRow>) {
        self.bytes += rows.iter().map(|row| row.content.len()).sum::<usize>();
        self.rows.extend(rows);
    }

    fn is_full(&self) -> bool {
        const ROWS: usize = 1024;
        const BYTES: usize = 8 << 20;
        self.rows.len() >= ROWS || self.bytes >= BYTES
    }

    fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    fn finish(&mut self) -> Result<RecordBatch, ArrowError> {
        self.bytes = 0;
        let rows = std::mem::take(&mut self.rows);
        let array = |(_, column): &(&'static str, RecordColumn)| array(*column, &rows);
        // Without columns, a batch has a number of rows still.
        let options = RecordBatchOptions::new().with_row_count(Some(rows.len()));
        RecordBatch::try_new_with_options(Arc::new(self.schema()), self.columns.iter().map(array).collect(), &options)
    }
}

fn array(column: RecordColumn, rows: &[RecordRow]) -> ArrayRef {
    let texts = |text: fn(&RecordRow) -> Option<&str>| -> ArrayRef {
        let mut builder = StringBuilder::new();
        rows.iter().for_each(|row| builder.append_option(text(row)));
        Arc::new(builder.finish())
    };
    match column {
        RecordColumn::Record => texts(|row| Some(&row.record)),
        RecordColumn::Part => texts(|row| Some(&row.part)),
        RecordColumn::Url => texts(|row| row.url.as_deref()),
        RecordColumn::Base => texts(|row| row.base.as_deref()),
        RecordColumn::Layer => texts(|row| Some(row.layer)),
        RecordColumn::MediaType => texts(|row| Some(row.media_type)),
        RecordColumn::Content => {
            let mut builder = BinaryBuilder::new();
            rows.iter().for_each(|row| builder.append_value(&row.content));
            Arc::new(builder.finish())
        }
        RecordColumn::Findings => {
            let mut builder = ListBuilder::new(StringBuilder::new());
            rows.iter().for_each(|row| builder.append_value(row.findings.iter().map(Some)));
            Arc::new(builder.finish())
        }
    }
}
