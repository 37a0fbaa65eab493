//! Links as a table.

use std::sync::Arc;

use absolve_rewriter::ListedLink;
use arrow_array::builder::{ArrayBuilder, Int64Builder, StringBuilder};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{ArrowError, DataType, Field, Schema};

use crate::arrow::table::Table;

/// The texts of a link. A target and a base can be null.
const TEXTS: [&str; 7] = ["element", "attribute", "reference", "target", "status", "base", "layer"];

/// The columns of a link.
#[derive(Debug, Default)]
struct LinkColumns {
    texts: [StringBuilder; TEXTS.len()],
    starts: Int64Builder,
    ends: Int64Builder,
}

impl LinkColumns {
    fn fields() -> impl Iterator<Item = Field> {
        let text = |name: &str| Field::new(name, DataType::Utf8, matches!(name, "target" | "base"));
        let number = |name: &str| Field::new(name, DataType::Int64, false);
        TEXTS.into_iter().map(text).chain(["start", "end"].into_iter().map(number))
    }

    fn add(&mut self, link: &ListedLink) {
        let texts = [
            Some(&*link.element),
            Some(&*link.attribute),
            Some(&*link.reference),
            link.target.as_deref(),
            Some(link.status.name()),
            link.base.as_deref(),
            Some(link.layer.name()),
        ];
        self.texts.iter_mut().zip(texts).for_each(|(column, text)| column.append_option(text));
        self.starts.append_value(link.start as i64);
        self.ends.append_value(link.end as i64);
    }

    fn finish(&mut self) -> impl Iterator<Item = ArrayRef> {
        let numbers = [self.starts.finish(), self.ends.finish()].map(|column| Arc::new(column) as ArrayRef);
        self.texts.iter_mut().map(|column| Arc::new(column.finish()) as ArrayRef).chain(numbers)
    }
}

/// The links of a column of documents, with the rows of the documents.
#[derive(Debug, Default)]
pub(crate) struct LinksOfRows {
    rows: Int64Builder,
    links: LinkColumns,
}

impl LinksOfRows {
    /// Adds a link of a row.
    pub(crate) fn add(&mut self, row: usize, link: &ListedLink) {
        self.rows.append_value(row as i64);
        self.links.add(link);
    }

    /// Returns the table.
    pub(crate) fn finish(mut self) -> Result<RecordBatch, ArrowError> {
        let row = Field::new("row", DataType::Int64, false);
        let schema = Schema::new([row].into_iter().chain(LinkColumns::fields()).collect::<Vec<_>>());
        let rows = Arc::new(self.rows.finish()) as ArrayRef;
        RecordBatch::try_new(Arc::new(schema), [rows].into_iter().chain(self.links.finish()).collect())
    }
}

/// The links of a part of a record.
#[derive(Debug)]
pub(crate) struct PartLinks {
    pub(crate) record: String,
    pub(crate) part: String,
    pub(crate) url: Option<String>,
    pub(crate) links: Vec<ListedLink>,
}

/// The links of a file, with the records, the parts and the URLs of the documents.
#[derive(Debug, Default)]
pub(crate) struct LinksOfRecords {
    places: [StringBuilder; 3],
    links: LinkColumns,
}

impl Table<Vec<PartLinks>> for LinksOfRecords {
    fn schema(&self) -> Schema {
        let place = |name: &str| Field::new(name, DataType::Utf8, name == "url");
        let places = ["record", "part", "url"].into_iter().map(place);
        Schema::new(places.chain(LinkColumns::fields()).collect::<Vec<_>>())
    }

    fn add(&mut self, parts: Vec<PartLinks>) {
        for PartLinks { record, part, url, links } in &parts {
            for link in links {
                let places = [Some(&**record), Some(&**part), url.as_deref()];
                self.places.iter_mut().zip(places).for_each(|(column, text)| column.append_option(text));
                self.links.add(link);
            }
        }
    }

    fn is_full(&self) -> bool {
        const LINKS: usize = 16 << 10;
        self.places[0].len() >= LINKS
    }

    fn is_empty(&self) -> bool {
        self.places[0].is_empty()
    }

    fn finish(&mut self) -> Result<RecordBatch, ArrowError> {
        let schema = Arc::new(self.schema());
        let places: Vec<_> = self.places.iter_mut().map(|column| Arc::new(column.finish()) as ArrayRef).collect();
        RecordBatch::try_new(schema, places.into_iter().chain(self.links.finish()).collect())
    }
}
