//! Options for web archives.

use std::time::{Duration, SystemTime};

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

/// Returns the date of new records that a text declares: seconds since 1970, or a date as in `WARC-Date` (RFC 3339, in UTC). Years have
/// four digits.
///
/// ```
/// use absolve_containers::record_date;
/// assert_eq!(record_date("2024-01-01T00:00:00Z"), record_date("1704067200"));
/// assert_eq!(record_date("2024-01-01"), None);
/// ```
pub fn record_date(text: &str) -> Option<SystemTime> {
    const END: Duration = Duration::from_secs(253_402_300_800);
    let date = match text.parse() {
        Ok(seconds) => SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(seconds))?,
        Err(_) => humantime::parse_rfc3339(text).ok()?,
    };
    date.duration_since(SystemTime::UNIX_EPOCH).is_ok_and(|since| since < END).then_some(date)
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

impl WarcOutput {
    /// All of them, with their names on the command line and in Python.
    pub const NAMED: [(&'static str, Self); 3] =
        [("append", Self::Append), ("sidecar", Self::Sidecar), ("resource", Self::Resource)];
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

impl HttpHeaders {
    /// All of them, with their names on the command line and in Python.
    pub const NAMED: [(&'static str, Self); 2] = [("ignore", Self::Ignore), ("count", Self::Count)];
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

impl Digests {
    /// All of them, with their names on the command line and in Python.
    pub const NAMED: [(&'static str, Self); 2] = [("heed", Self::Heed), ("ignore", Self::Ignore)];
}
