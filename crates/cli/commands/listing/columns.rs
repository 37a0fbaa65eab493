//! Links as rows of a table.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;

use crate::commands::listing::row::{Event, Row, Writer};
use crate::commands::table::{Cell, Column, Kind, Presence, TableWriter};

/// The columns of a link. Their names are stable: some may be added at the end, none renamed.
pub(crate) const COLUMNS: &[Column] = &[
    always("path", Kind::Text),
    Column { name: "path_base64", kind: Kind::Text, presence: Presence::Rare },
    always("record", Kind::Text),
    always("part", Kind::Text),
    always("start", Kind::Number),
    always("end", Kind::Number),
    always("written", Kind::Text),
    always("line", Kind::Number),
    always("column", Kind::Number),
    always("element", Kind::Text),
    always("attribute", Kind::Text),
    always("reference", Kind::Text),
    nullable("target"),
    always("status", Kind::Text),
    nullable("base"),
    always("layer", Kind::Text),
    Column { name: "out_of_reach", kind: Kind::Flag, presence: Presence::Rare },
    nullable("url"),
    nullable("date"),
    nullable("record_id"),
    nullable("text"),
    nullable("rel"),
    nullable("anchor"),
];

/// The columns of a link of which no text, `rel` or record is read.
pub(crate) const COLUMNS_WITHOUT_ANNOTATIONS: &[Column] = COLUMNS.split_at(17).0;

const fn always(name: &'static str, kind: Kind) -> Column {
    Column { name, kind, presence: Presence::Always }
}

const fn nullable(name: &'static str) -> Column {
    Column { name, kind: Kind::Text, presence: Presence::Nullable }
}

/// Returns a writer of links as rows of a table with [`COLUMNS`], or the first of them.
pub(crate) fn link_table<'w>(mut table: Box<dyn TableWriter + 'w>) -> Box<Writer<'w>> {
    Box::new(move |event| match event {
        Event::Link(row) => table.write(&cells(row)),
        Event::End => table.finish(),
        _ => Ok(()),
    })
}

fn cells<'r>(row: &Row<'r>) -> [Cell<'r>; COLUMNS.len()] {
    let link = row.link;
    let number = |number: usize| Cell::Number(number as u64);
    let path_base64 =
        row.path.to_str().is_none().then(|| BASE64_STANDARD.encode(row.path.as_os_str().as_encoded_bytes()));
    [
        Cell::Text(row.path.to_string_lossy()),
        path_base64.map_or(Cell::Null, |path| Cell::Text(path.into())),
        Cell::text(row.record),
        Cell::text(&link.part),
        number(link.start),
        number(link.end),
        Cell::text(&link.written),
        number(link.line),
        number(link.column),
        Cell::text(&link.element),
        Cell::text(&link.attribute),
        Cell::text(&link.reference),
        Cell::optional(link.target.as_deref()),
        Cell::text(link.status.name()),
        Cell::optional(link.base.as_deref()),
        Cell::text(link.layer.name()),
        Cell::Flag(link.out_of_reach.is_some()),
        Cell::optional(row.url),
        Cell::optional(row.date),
        Cell::optional(row.record_id),
        Cell::optional(link.text.as_deref()),
        Cell::optional(link.rel.as_deref()),
        Cell::optional(link.anchor.as_deref()),
    ]
}
