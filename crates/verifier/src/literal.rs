//! Resolution of references by the letter of the standards.
//!
//! Each module follows one text in its order and its words, on strings and without regard to speed. Where a text leaves
//! a choice, or the project has decided against it (`docs/standards.md`), a comment names the decision.

mod decisions;
mod draft1996;
mod rfc1630;
mod rfc1808;
mod rfc2396;
mod rfc3986;

/// The standards of resolution, except for the one of today's browsers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Standard {
    /// RFC 1630, "Partial (relative) form".
    Rfc1630,
    /// draft-ietf-uri-relative-url-06, which became RFC 1808.
    Rfc1808,
    /// draft-fielding-uri-url-00e of 1996.
    Draft1996,
    /// RFC 2396.
    Rfc2396,
    /// RFC 3986.
    Rfc3986,
}

/// Resolves a reference to an absolute URL, spelled with the characters of both. Returns `None` if it has no target:
/// the base is no URL or has no hierarchy, or the standard gives it none.
///
/// ```
/// use absolve_verifier::literal::{Standard, target};
/// assert_eq!(target(Standard::Rfc3986, "http://a/b/c", "../d").as_deref(), Some("http://a/d"));
/// ```
#[must_use]
pub fn target(standard: Standard, base: &str, reference: &str) -> Option<String> {
    if is_absolute(standard, reference) {
        return Some(reference.to_owned());
    }
    if !is_absolute(standard, base) {
        return None;
    }
    match standard {
        Standard::Rfc1630 => rfc1630::target(base, reference),
        Standard::Rfc1808 => rfc1808::target(base, reference),
        Standard::Draft1996 => draft1996::target(base, reference),
        Standard::Rfc2396 => rfc2396::target(base, reference),
        Standard::Rfc3986 => rfc3986::target(base, reference),
    }
}

/// Reports whether a reference begins with a scheme. One that only browsers read (`java<newline>script:`) does not
/// count: no other standard drops line breaks.
///
/// ```
/// use absolve_verifier::literal::{Standard, is_absolute};
/// assert!(is_absolute(Standard::Rfc3986, "mailto:a@b") && !is_absolute(Standard::Rfc3986, "//a/b"));
/// ```
#[must_use]
pub fn is_absolute(standard: Standard, reference: &str) -> bool {
    match standard {
        Standard::Rfc1630 => rfc1630::is_absolute(reference),
        Standard::Rfc1808 | Standard::Draft1996 => rfc1808::is_absolute(reference),
        Standard::Rfc2396 => rfc2396::is_absolute(reference),
        Standard::Rfc3986 => rfc3986::is_absolute(reference),
    }
}
