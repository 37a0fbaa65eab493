//! Tables of documents, by the Arrow PyCapsule interface.

pub(crate) mod columns;
pub(crate) mod edge_table;
pub(crate) mod functions;
pub(crate) mod link_table;
pub(crate) mod read_ahead;
pub(crate) mod reader;
pub(crate) mod record_table;
pub(crate) mod table;
