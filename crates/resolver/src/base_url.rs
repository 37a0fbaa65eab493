//! A base URL and its components.

use alloc::string::String;
use core::fmt;
use core::ops::Range;

use crate::components::Components;
use crate::scheme::is_file;
use crate::standard::Standard;

/// An absolute URL that references are resolved against, under one standard.
///
/// ```
/// use absolve_resolver::{BaseUrl, Standard};
/// let base = BaseUrl::parse("http://a/b/c/d;p?q", Standard::Draft1996)?;
/// assert_eq!(base.resolve("../../../g")?, "http://a/../g");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BaseUrl {
    pub(crate) standard: Standard,
    pub(crate) text: String,
    /// The length of its scheme.
    pub(crate) scheme: usize,
    /// The range of its path in `text`.
    pub(crate) path: Range<usize>,
    /// The prefix of the target of a plain reference, or `None` if the base is opaque.
    pub(crate) directory: Option<String>,
}

/// Error: the text cannot be a base.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NotABase {
    /// It has no scheme.
    NotAbsolute,
    /// It lacks the host that its scheme requires.
    NoHost,
}

/// Error: the reference has no target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unresolvable {
    /// It is relative and there is no base.
    NoBase,
    /// It is relative and the base has no hierarchical path, as in `mailto:x`.
    OpaqueBase,
    /// Its target would lack the host that its scheme requires.
    NoHost,
    /// The base has no run of as many slashes as the reference begins with (RFC 1630).
    NoSuchSlashes,
}

impl BaseUrl {
    /// Returns the text of the base: normalised for [`Standard::Whatwg`], otherwise as given.
    ///
    /// ```
    /// use absolve_resolver::{BaseUrl, Standard};
    /// assert_eq!(BaseUrl::parse("http:a/./b", Standard::Whatwg)?.as_str(), "http://a/b");
    /// # Ok::<(), absolve_resolver::NotABase>(())
    /// ```
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns the standard that [`BaseUrl::resolve`] follows.
    ///
    /// ```
    /// use absolve_resolver::{BaseUrl, Standard};
    /// assert_eq!(BaseUrl::parse("http://a/", Standard::Rfc1808)?.standard(), Standard::Rfc1808);
    /// # Ok::<(), absolve_resolver::NotABase>(())
    /// ```
    pub const fn standard(&self) -> Standard {
        self.standard
    }

    /// Returns the scheme of the base, as it is written.
    ///
    /// ```
    /// use absolve_resolver::{BaseUrl, Standard};
    /// assert_eq!(BaseUrl::parse("http://a/b?q", Standard::Rfc3986)?.scheme(), "http");
    /// # Ok::<(), absolve_resolver::NotABase>(())
    /// ```
    pub fn scheme(&self) -> &str {
        &self.text[..self.scheme]
    }

    /// Returns the components of the base.
    ///
    /// ```
    /// use absolve_resolver::{BaseUrl, Standard};
    /// assert_eq!(BaseUrl::parse("http://a/b?q", Standard::Rfc3986)?.components().query, Some("q"));
    /// # Ok::<(), absolve_resolver::NotABase>(())
    /// ```
    pub fn components(&self) -> Components<'_> {
        Components::split(&self.text, self.standard)
    }

    /// Returns whether the base is not hierarchical: it has neither an authority nor a path that begins with a slash.
    ///
    /// Only empty and fragment-only references have a target then. RFC 3986 would resolve `g` at `mailto:x` to
    /// `mailto:g`. This crate follows the drafts, which call such a base unsuitable.
    ///
    /// ```
    /// use absolve_resolver::{BaseUrl, Standard};
    /// assert!(BaseUrl::parse("mailto:x@example.org", Standard::Rfc3986)?.is_opaque());
    /// # Ok::<(), absolve_resolver::NotABase>(())
    /// ```
    pub fn is_opaque(&self) -> bool {
        // An authority would be between its colon and its path.
        self.path.start == self.scheme + 1 && !self.path().starts_with('/')
    }

    pub(crate) fn path(&self) -> &str {
        &self.text[self.path.clone()]
    }

    /// Returns the base without query and fragment, but with parameters.
    pub(crate) fn without_query(&self) -> &str {
        let rest = &self.text[self.path.end..];
        &self.text[..self.path.end + rest.find(['?', '#']).unwrap_or(rest.len())]
    }

    pub(crate) fn without_fragment(&self) -> &str {
        self.text.split_once('#').map_or(&*self.text, |(before, _)| before)
    }

    pub(crate) fn is_file(&self) -> bool {
        is_file(self.scheme())
    }
}

impl fmt::Display for BaseUrl {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.text)
    }
}

impl fmt::Display for NotABase {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::NotAbsolute => "not an absolute URL",
            Self::NoHost => "no host in the URL",
        })
    }
}

impl core::error::Error for NotABase {}

impl fmt::Display for Unresolvable {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::NoBase => "the reference is relative and there is no base",
            Self::OpaqueBase => "the reference is relative and the base has no hierarchy",
            Self::NoHost => "the target would have no host",
            Self::NoSuchSlashes => "the base has no such run of slashes",
        })
    }
}

impl core::error::Error for Unresolvable {}
