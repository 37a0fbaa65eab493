//! What a reference means at a base, by the letter of the standards.
//!
//! Each module is one text, told in its order and its words, on strings and without regard to speed. Where a text
//! leaves a choice, or the project has made one against it (`docs/standards.md`), a comment says which.

mod decisions;
mod draft1996;
mod rfc1630;
mod rfc1808;
mod rfc2396;
mod rfc3986;

/// The texts that say what a reference means; that of today's browsers is not among them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

/// The absolute URL that a reference means at a base, spelled with the characters of both. `None`: it has no target,
/// because the base is none, or has no hierarchy, or the standard gives it none.
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

/// Whether a reference stands for itself, because it begins with a scheme. What only browsers read as one
/// (`java<newline>script:`) does not count here: no text but theirs drops newlines.
#[must_use]
pub fn is_absolute(standard: Standard, reference: &str) -> bool {
    match standard {
        Standard::Rfc1630 => rfc1630::is_absolute(reference),
        Standard::Rfc1808 | Standard::Draft1996 => rfc1808::is_absolute(reference),
        Standard::Rfc2396 => rfc2396::is_absolute(reference),
        Standard::Rfc3986 => rfc3986::is_absolute(reference),
    }
}
