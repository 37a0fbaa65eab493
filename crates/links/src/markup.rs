//! What HTML and XML write alike: tags, names and attributes, on bytes.

pub(crate) mod attributes;
pub(crate) mod find;
pub(crate) mod name;
pub(crate) mod space;
pub(crate) mod tag;
