//! Charsets by their labels.

use std::error;
use std::fmt;

use encoding_rs::Encoding;

/// Returns the name of the encoding with this label, by the Encoding Standard.
///
/// # Errors
///
/// [`UnknownCharset`] if there is none.
///
/// ```
/// assert_eq!(absolve_rewriter::settings::charset("latin1"), Ok("windows-1252"));
/// ```
pub fn charset(label: &str) -> Result<&'static str, UnknownCharset> {
    Encoding::for_label(label.as_bytes()).map(Encoding::name).ok_or_else(|| UnknownCharset(label.to_owned()))
}

/// A label that is not one of the Encoding Standard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownCharset(String);

impl fmt::Display for UnknownCharset {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "no charset has the name {:?}; give one as in windows-1252 or shift_jis", self.0)
    }
}

impl error::Error for UnknownCharset {}
