//! Options for web archives.

use std::time::{Duration, SystemTime};

pub use absolve_options::{Digests, HttpHeaders, WarcOutput};
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
