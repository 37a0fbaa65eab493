//! What is collected for the page, and how much of it.

use std::collections::BTreeMap;

use crate::hosts::Hosts;
use crate::prefix::Prefix;
use crate::totals::Totals;

/// The longest page in bytes.
pub const PAGE_BYTES: usize = 5_000_000;

/// The rows of documents, in bytes of the page.
const ROW_BYTES: usize = 4_500_000;
/// What rows open, in bytes, while the run goes on: of documents with something to see, and of others.
const DETAIL_BYTES: [usize; 2] = [1_500_000, 500_000];
/// What rows open has at least this room in the page.
pub(crate) const LEAST_DETAIL_BYTES: usize = 250_000;
/// The places of findings, in bytes and for each code.
pub(crate) const PLACE_BYTES: usize = 250_000;
pub(crate) const PLACES: usize = 12;

/// The bytes around the name and the cells of a row, and around what it opens.
const ROW_MARKUP: usize = "<tr><td>\n".len();
const DETAIL_MARKUP: usize = "<details><summary></summary></details>".len();

/// What was collected.
#[derive(Debug)]
pub(crate) struct State {
    pub(crate) totals: Totals,
    /// The rows of documents: their names, and the other cells.
    pub(crate) rows: Prefix,
    /// What the rows open of documents with something to see, and of the others.
    pub(crate) details: [Prefix; 2],
    pub(crate) hosts: Hosts,
    /// The first places of each finding, with its message.
    pub(crate) places: BTreeMap<String, Vec<Place>>,
    pub(crate) place_bytes: usize,
}

/// Where a finding is, and what it says.
#[derive(Debug)]
pub(crate) struct Place {
    pub(crate) place: String,
    pub(crate) message: String,
}

impl Default for State {
    fn default() -> Self {
        Self {
            totals: Totals::default(),
            rows: Prefix::new(ROW_BYTES, ROW_MARKUP),
            details: DETAIL_BYTES.map(|room| Prefix::new(room, DETAIL_MARKUP)),
            hosts: Hosts::default(),
            places: BTreeMap::new(),
            place_bytes: 0,
        }
    }
}
