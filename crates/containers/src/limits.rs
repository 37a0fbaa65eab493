//! Limits against hostile input in containers. A record that exceeds one is left unchanged, with a finding.

/// Maximum bytes of a `datapackage.json` that are read into memory.
pub(crate) const DESCRIPTION_BYTES: u64 = 64 << 20;

/// Maximum bytes of a line in the list of the pages of a WACZ.
pub(crate) const PAGE_BYTES: u64 = 1 << 20;

/// Number of records of a web archive whose links are listed in memory at once.
pub(crate) const LISTED_AT_ONCE: usize = 8;

/// Bytes of rows that are sorted in memory.
pub(crate) const SORTED_BYTES: usize = 8 << 20;

/// How many sorted runs are merged at once.
pub(crate) const MERGED_RUNS: usize = 64;
