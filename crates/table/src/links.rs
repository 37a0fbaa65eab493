//! The columns of links.

use std::path::Path;

use absolve_rewriter::internal::LinkRow;
use absolve_rewriter::results::Position;
use absolve_rewriter::settings::Annotations;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;

use crate::cell::{Cell, Column, Kind, Presence};
use crate::host::host_of;

/// The document of links, and where it is.
#[derive(Clone, Copy, Debug)]
pub struct Page<'p> {
    /// The file.
    pub path: &'p Path,
    /// The record it is in, or the unique name of a message in a Maildir; empty for a document that is a file.
    pub record: &'p str,
    /// The part of the message.
    pub part: &'p str,
    /// The URL that it was retrieved from.
    pub url: Option<&'p str>,
    /// The date of the record.
    pub date: Option<&'p str>,
    /// The id of the record.
    pub record_id: Option<&'p str>,
}

/// Finds the line and the column of a link, if something needs them.
pub trait Locate {
    /// Returns its place in its document.
    fn in_document(&mut self) -> Position;

    /// Returns its place in the file or the record around that.
    fn in_file(&mut self) -> Position;
}

/// A column of links.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "they have the names of the columns")]
pub enum LinkColumn {
    Path,
    PathBase64,
    Record,
    Part,
    Start,
    End,
    Written,
    Line,
    Column,
    Element,
    Attribute,
    Reference,
    Target,
    Status,
    Base,
    Layer,
    OutOfReach,
    Url,
    Date,
    RecordId,
    Text,
    Rel,
    Anchor,
    SourceHost,
    TargetHost,
}

/// All columns in their order. Their names are stable: some may be added at the end, none renamed.
const ALL: [(LinkColumn, Column); 25] = {
    use LinkColumn as Link;
    const fn text(name: &'static str) -> Column {
        Column::always(name, Kind::Text)
    }
    const fn number(name: &'static str) -> Column {
        Column::always(name, Kind::Number)
    }
    const fn rare(name: &'static str, kind: Kind) -> Column {
        Column { name, kind, presence: Presence::Rare }
    }
    [
        (Link::Path, text("path")),
        (Link::PathBase64, rare("path_base64", Kind::Text)),
        (Link::Record, text("record")),
        (Link::Part, text("part")),
        (Link::Start, number("start")),
        (Link::End, number("end")),
        (Link::Written, text("written")),
        (Link::Line, number("line")),
        (Link::Column, number("column")),
        (Link::Element, text("element")),
        (Link::Attribute, text("attribute")),
        (Link::Reference, text("reference")),
        (Link::Target, Column::nullable("target")),
        (Link::Status, text("status")),
        (Link::Base, Column::nullable("base")),
        (Link::Layer, text("layer")),
        (Link::OutOfReach, rare("out_of_reach", Kind::Flag)),
        (Link::Url, Column::nullable("url")),
        (Link::Date, Column::nullable("date")),
        (Link::RecordId, Column::nullable("record_id")),
        (Link::Text, Column::nullable("text")),
        (Link::Rel, Column::nullable("rel")),
        (Link::Anchor, Column::nullable("anchor")),
        (Link::SourceHost, Column::nullable("source_host")),
        (Link::TargetHost, Column::nullable("target_host")),
    ]
};

/// Columns of links, in an order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkColumns(Vec<LinkColumn>);

impl Default for LinkColumns {
    /// Returns all columns.
    fn default() -> Self {
        Self(ALL.iter().map(|(column, _)| *column).collect())
    }
}

impl LinkColumns {
    /// Returns the columns of a link of which no text, `rel` or record is read.
    pub fn without_annotations() -> Self {
        Self(Self::default().0[..=LinkColumn::OutOfReach as usize].to_vec())
    }

    /// Returns the columns of the links of documents without files: all that do not name a file or a record.
    pub fn of_documents() -> Self {
        let of_files = |column: &LinkColumn| {
            column.is_of_page() && !matches!(column, LinkColumn::Part | LinkColumn::Url | LinkColumn::SourceHost)
        };
        Self(Self::default().iter().filter(|column| !of_files(column)).collect())
    }

    /// Returns the columns of these names.
    ///
    /// # Errors
    ///
    /// A message that names what is not a column or appears twice, and all columns there are.
    ///
    /// ```
    /// use absolve_table::LinkColumns;
    /// let columns = LinkColumns::named(["url", "target"])?;
    /// assert_eq!(columns.columns()[1].name, "target");
    /// assert!(LinkColumns::named(["href"]).is_err());
    /// # Ok::<(), String>(())
    /// ```
    pub fn named<'n>(names: impl IntoIterator<Item = &'n str>) -> Result<Self, String> {
        let mut columns = Vec::new();
        for name in names {
            let Some((column, _)) = ALL.iter().find(|(_, column)| column.name == name) else {
                let all: Vec<&str> = ALL.iter().map(|(_, column)| column.name).collect();
                return Err(format!("no column is named {name:?}; there are {}", all.join(", ")));
            };
            if columns.contains(column) {
                return Err(format!("the column {name} appears twice"));
            }
            columns.push(*column);
        }
        if columns.is_empty() { Err("no column is named".to_owned()) } else { Ok(Self(columns)) }
    }

    /// Returns their names and types.
    pub fn columns(&self) -> Vec<Column> {
        self.0.iter().map(|column| ALL[*column as usize].1).collect()
    }

    /// Returns what has to be read beside the links for them: texts and relations only if they are columns.
    pub fn annotations(&self) -> Annotations {
        let is_read = |column: &LinkColumn| matches!(column, LinkColumn::Text | LinkColumn::Rel);
        if self.0.iter().any(is_read) { Annotations::List } else { Annotations::Captures }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = LinkColumn> {
        self.0.iter().copied()
    }
}

impl LinkColumn {
    /// Returns whether all links of a page have the same cell in this column.
    pub(crate) const fn is_of_page(self) -> bool {
        matches!(
            self,
            Self::Path
                | Self::PathBase64
                | Self::Record
                | Self::Part
                | Self::Url
                | Self::Date
                | Self::RecordId
                | Self::SourceHost
        )
    }

    /// Returns the cell of all links of a page.
    pub(crate) fn of_page<'p>(self, page: &Page<'p>) -> Cell<'p> {
        match self {
            Self::Path => Cell::Text(page.path.to_string_lossy()),
            Self::PathBase64 if page.path.to_str().is_some() => Cell::Null,
            Self::PathBase64 => Cell::Text(BASE64_STANDARD.encode(page.path.as_os_str().as_encoded_bytes()).into()),
            Self::Record => Cell::text(page.record),
            Self::Part => Cell::text(page.part),
            Self::Url => Cell::optional(page.url),
            Self::Date => Cell::optional(page.date),
            Self::RecordId => Cell::optional(page.record_id),
            Self::SourceHost => page.url.and_then(host_of).map_or(Cell::Null, Cell::Text),
            _ => Cell::Null,
        }
    }

    /// Returns the cell of a link.
    pub(crate) fn of_link<'l>(self, link: &'l LinkRow<'_>, at: &mut dyn Locate) -> Cell<'l> {
        let number = |number: usize| Cell::Number(number as u64);
        match self {
            Self::Start => number(link.start),
            Self::End => number(link.end),
            Self::Written => Cell::text(&link.written),
            Self::Line => number(at.in_document().line),
            Self::Column => number(at.in_document().column),
            Self::Element => Cell::text(&link.element),
            Self::Attribute => Cell::text(link.attribute),
            Self::Reference => Cell::text(link.reference),
            Self::Target => Cell::optional(link.target),
            Self::Status => Cell::text(link.status.name()),
            Self::Base => Cell::optional(link.base),
            Self::Layer => Cell::text(link.layer.name()),
            Self::OutOfReach => Cell::Flag(link.out_of_reach.is_some()),
            Self::Text => Cell::optional(link.text),
            Self::Rel => Cell::optional(link.rel),
            Self::Anchor => Cell::optional(link.anchor),
            Self::TargetHost => link.target.and_then(host_of).map_or(Cell::Null, Cell::Text),
            _ => Cell::Null,
        }
    }
}
