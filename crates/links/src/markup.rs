//! The tags, names and attributes of HTML and XML, on bytes.

pub(crate) mod attributes;
pub(crate) mod commentable;
pub(crate) mod find;
pub(crate) mod name;
pub(crate) mod space;
pub(crate) mod tag;
