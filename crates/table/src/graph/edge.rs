//! Edges, and what is counted of their links.

use std::collections::HashMap;

use absolve_containers::date_text;

use crate::cell::{Cell, Column, Kind};

/// The columns of edges.
pub const EDGE_COLUMNS: [Column; 6] = [
    Column::always("source", Kind::Text),
    Column::always("target", Kind::Text),
    Column::always("links", Kind::Number),
    Column::always("nofollow", Kind::Number),
    Column::nullable("first"),
    Column::nullable("last"),
];

/// Which links are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counted {
    /// All rows of a list; a URL without a host has the empty one.
    EveryRow,
    /// Links from one node to another.
    Between,
    /// Also those from a node to itself.
    BetweenAndWithin,
}

/// An edge: all links from one node to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The page, host or domain of the links.
    pub source: String,
    /// That of their targets.
    pub target: String,
    /// How many there are.
    pub sums: Sums,
}

impl Edge {
    /// Returns the cells of its row.
    pub fn cells(&self) -> [Cell<'_>; EDGE_COLUMNS.len()] {
        let Sums { links, nofollow, dates } = self.sums;
        let date = |date: Option<i64>| date.map_or(Cell::Null, |date| Cell::Text(date_text(date).into()));
        let (first, last) = dates.unzip();
        let (links, nofollow) = (Cell::Number(links), Cell::Number(nofollow));
        [Cell::text(&self.source), Cell::text(&self.target), links, nofollow, date(first), date(last)]
    }
}

/// What is counted of the links of an edge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sums {
    /// How many there are.
    pub links: u64,
    /// Those of them whose `rel` has the word `nofollow`.
    pub nofollow: u64,
    /// The first and the last date of the pages they are on, in seconds since 1970, if these have dates.
    pub dates: Option<(i64, i64)>,
}

impl Sums {
    /// Adds those of other links.
    pub fn add(&mut self, other: Self) {
        self.links += other.links;
        self.nofollow += other.nofollow;
        self.dates = match (self.dates, other.dates) {
            (Some((first, last)), Some((first_of, last_of))) => Some((first.min(first_of), last.max(last_of))),
            (one, other) => one.or(other),
        };
    }
}

/// Numbers of links that are in no edge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LeftOut {
    /// Those of pages whose URL is not known or has no host.
    pub without_source: u64,
    /// Those without a target, or to one without a host, as `mailto:` and `data:`.
    pub without_target: u64,
    /// Those from a node to itself.
    pub within: u64,
}

/// The edges of a record, by source and target.
#[derive(Clone, Debug, Default)]
pub struct Edges {
    pub(super) by_source: HashMap<String, HashMap<String, Sums>>,
    pub(super) left_out: LeftOut,
}
