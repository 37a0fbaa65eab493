//! Types of options that few programs set.

pub use absolve_base::Rules;
pub use absolve_links::{InvalidPattern, Patterns, Row, Table};

pub use crate::options::{Annotations, Detail};
pub use crate::provenance::local_files::LocalFiles;
pub use crate::provenance::message_url::MessageUrl;
pub use crate::provenance::retrieval_url::RetrievedFrom;
pub use crate::rewriter::{UnknownCharset, charset};
