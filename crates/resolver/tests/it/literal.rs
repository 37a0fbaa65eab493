//! Resolution of references by the letter of the older standards: a second opinion on the resolver.
//!
//! Each module follows one text in its order and its words, on strings and without regard to speed. Where a text leaves
//! a choice, or the project has decided against it (`docs/standards.md`), a comment names the decision.

mod decisions;
mod draft1996;
mod rfc1630;
mod rfc1808;
mod rfc2396;
mod rfc3986;

use absolve_resolver::Standard;

/// Resolves a reference to an absolute URL, spelled with the characters of both. Returns `None` if it has no target:
/// the base is no URL or has no hierarchy, or the standard gives it none.
pub(crate) fn target(standard: Standard, base: &str, reference: &str) -> Option<String> {
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
        Standard::Whatwg => None,
    }
}

/// Reports whether a reference begins with a scheme. One that only browsers read (`java<newline>script:`) does not
/// count: no other standard drops line breaks.
pub(crate) fn is_absolute(standard: Standard, reference: &str) -> bool {
    match standard {
        Standard::Rfc1630 => rfc1630::is_absolute(reference),
        Standard::Rfc1808 | Standard::Draft1996 => rfc1808::is_absolute(reference),
        Standard::Rfc2396 => rfc2396::is_absolute(reference),
        Standard::Rfc3986 => rfc3986::is_absolute(reference),
        Standard::Whatwg => false,
    }
}
