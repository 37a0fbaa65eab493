//! Options for web archives.

use std::time::SystemTime;

use absolve_rewriter::Options;

/// Options for web archives and the documents in them. The defaults are those of the command line.
///
/// ```
/// use absolve_containers::{ArchiveOptions, WarcOutput};
/// assert_eq!(ArchiveOptions::default().output, WarcOutput::Append);
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct ArchiveOptions {
    /// Options for the documents.
    pub documents: Options,
    /// Form of the output.
    pub output: WarcOutput,
    /// `WARC-Date` of new records. `None` means the current time.
    pub date: Option<SystemTime>,
    /// Whether header fields of HTTP responses can declare a base.
    pub http_headers: HttpHeaders,
    /// Whether records with a wrong digest change.
    pub digests: Digests,
}

impl From<Options> for ArchiveOptions {
    fn from(documents: Options) -> Self {
        Self { documents, ..Self::default() }
    }
}

/// Form of the output for a web archive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum WarcOutput {
    /// The archive byte for byte, followed by `conversion` records (ISO 28500, section 6.8) of the changed documents.
    #[default]
    Append,
    /// The conversions only, as a separate archive.
    Sidecar,
    /// A derived archive: `resource` records (ISO 28500, section 6.4) replace the responses whose links change.
    Resource,
}

/// Whether `Content-Base`, `Content-Location` and `Base` of an HTTP response declare the base of its document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum HttpHeaders {
    /// They do not (RFC 7231, appendix B).
    #[default]
    Ignore,
    /// They do (RFC 2068, sections 14.11 and 14.15).
    Count,
}

/// Treatment of records whose content does not match their digest (ISO 28500, sections 5.8 and 5.9).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Digests {
    /// They are damaged, and are left unchanged.
    #[default]
    Heed,
    /// They change like other records.
    Ignore,
}
