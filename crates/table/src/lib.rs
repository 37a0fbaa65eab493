#![doc = include_str!("../README.md")]

mod cell;
mod graph;
mod host;
mod limits;
mod links;
#[cfg(feature = "parquet")]
mod parquet;
mod record;
mod rows;
mod spreadsheet;
mod text;
mod values;

pub use cell::{Cell, Column, Kind, Presence, TableWriter};
pub use graph::{
    Counted, EDGE_COLUMNS, Edge, EdgeRows, Edges, Graph, LeftOut, Nodes, SortedEdges, Sums, write_edges, write_graphml,
    write_webgraph,
};
pub use host::host_of;
pub use links::{LinkColumn, LinkColumns, Locate, Page};
#[cfg(feature = "parquet")]
pub use parquet::ParquetTable;
pub use record::{At, Found, Visited, add_record, visit_record};
pub use rows::{ColumnRows, LinkRows, TextRows};
pub use spreadsheet::as_text;
pub use text::{TextFormat, TextTable};
pub use values::ColumnValues;
