//! Tables of documents, by the Arrow PyCapsule interface.

pub(crate) mod columns;
pub(crate) mod functions;
pub(crate) mod link_table;
