//! Web archives: WARC (ISO 28500) and ARC.

pub(crate) mod append;
pub(crate) mod archive;
pub(crate) mod capture;
pub(crate) mod derive;
pub(crate) mod digester;
pub(crate) mod findings;
pub(crate) mod options;
pub(crate) mod originals;
pub(crate) mod payload;
pub(crate) mod record;
pub(crate) mod records;
pub(crate) mod replacement;
pub(crate) mod snapshot;
pub(crate) mod source;
pub(crate) mod write;
