//! How web archives are rewritten.

use std::time::SystemTime;

use absolve_rewriter::Options;

/// How web archives are rewritten, and the documents in them. The default is what the command does without flags.
///
/// ```
/// use absolve_containers::{ArchiveOptions, WarcOutput};
/// assert_eq!(ArchiveOptions::default().output, WarcOutput::Append);
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct ArchiveOptions {
    /// How the documents are rewritten.
    pub documents: Options,
    /// What is written of an archive.
    pub output: WarcOutput,
    /// The date of the records that are written; `None`: the time of the run.
    pub date: Option<SystemTime>,
    /// Whether header fields of HTTP responses may declare a base.
    pub http_headers: HttpHeaders,
    /// Whether records change whose digests do not match.
    pub digests: Digests,
}

impl From<Options> for ArchiveOptions {
    fn from(documents: Options) -> Self {
        Self { documents, ..Self::default() }
    }
}

/// What is written of a web archive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum WarcOutput {
    /// The archive byte for byte, and behind it conversions of the records whose links change.
    #[default]
    Append,
    /// The conversions only, as an archive of their own.
    Sidecar,
    /// An archive in which resources stand in the place of the responses whose links change.
    Resource,
}

/// Whether `Content-Base`, `Content-Location` and `Base` of an HTTP response declare the base of its document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum HttpHeaders {
    /// They do not, since RFC 7231 (appendix B).
    #[default]
    Ignore,
    /// They do, as RFC 2068 had it.
    Count,
}

/// What becomes of records of web archives that tell other digests than those of what they hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Digests {
    /// They are damaged, and stay as they are.
    #[default]
    Heed,
    /// They change like others.
    Ignore,
}
