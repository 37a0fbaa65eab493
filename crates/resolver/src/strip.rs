//! The characters that the URL Standard ignores in a URL.

use alloc::borrow::Cow;

/// Returns `text` without leading and trailing controls and spaces, and without any tab or newline: the URL Standard
/// ignores them (section 4.4).
///
/// ```
/// assert_eq!(absolve_resolver::strip(" http://a/\n b "), "http://a/ b");
/// ```
pub fn strip(text: &str) -> Cow<'_, str> {
    if text.bytes().all(|byte| byte > b' ') {
        return Cow::Borrowed(text);
    }
    let trimmed = text.trim_matches(|character| character <= ' ');
    if trimmed.bytes().any(|byte| matches!(byte, b'\t' | b'\n' | b'\r')) {
        Cow::Owned(trimmed.replace(['\t', '\n', '\r'], ""))
    } else {
        Cow::Borrowed(trimmed)
    }
}
