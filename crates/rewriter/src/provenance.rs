//! Where documents come from, and what programs that saved them made of their links.

pub(crate) mod copy_names;
pub(crate) mod local_copies;
pub(crate) mod local_files;
pub(crate) mod marks;
pub(crate) mod message_url;
pub(crate) mod origin;
pub(crate) mod retrieval;
pub(crate) mod retrieval_url;
pub(crate) mod saved_page;
pub(crate) mod teleport;
pub(crate) mod urls;
pub(crate) mod wayback;
pub(crate) mod zim;
