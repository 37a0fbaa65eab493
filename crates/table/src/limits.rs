//! Limits of tables and graphs; `docs/limits.md` explains each.

/// Bytes of edges that are summed in memory.
pub(crate) const GRAPH_BYTES: usize = 64 << 20;

/// What an edge takes in memory beside the names of its nodes.
pub(crate) const EDGE_BYTES: usize = 96;
