//! Limits of unpacked sites; `docs/limits.md` explains each.

/// Bytes of the values of a table that stay in memory.
pub(crate) const TABLE_BYTES: u64 = 16 << 20;

/// How many redirects are followed, as browsers do.
pub(crate) const REDIRECTS: usize = 20;

/// How many revisits are followed from one to another.
pub(crate) const REVISITS: usize = 20;

/// The most pages to begin with that the first page lists.
pub(crate) const STARTS: usize = 1_000;

/// The most hosts that the first page lists.
pub(crate) const HOSTS: usize = 10_000;
