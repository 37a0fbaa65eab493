//! The base, prepared once for many references.

use alloc::string::String;
use core::fmt;

use crate::scheme::is_file;
use crate::{Components, Standard, hierarchical, partial, whatwg};

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
    standard: Standard,
    text: String,
    /// The path of `text` starts here, ...
    path_start: usize,
    /// ... and ends here.
    path_end: usize,
    /// What precedes a plain reference in its target; `None` when the base is opaque.
    directory: Option<String>,
}

/// The text cannot be a base.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NotABase {
    /// It has no scheme.
    NotAbsolute,
    /// Its scheme needs a host, and it has none.
    NoHost,
}

/// A reference has no target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unresolvable {
    /// It is relative and there is no base.
    NoBase,
    /// It is relative and the base has no hierarchy, as `mailto:x` has none.
    OpaqueBase,
    /// Its target would have a scheme that needs a host, and no host.
    NoHost,
    /// RFC 1630: the base has no run of as many slashes as the reference begins with.
    NoSuchSlashes,
}

impl BaseUrl {
    /// Prepares `text` as a base for resolution by `standard`.
    ///
    /// Under [`Standard::Whatwg`] the base is normalised as far as merging needs: a special scheme is
    /// written `scheme://`, and dot segments are removed.
    ///
    /// # Errors
    ///
    /// [`NotABase`] when `text` has no scheme, or lacks the host that its scheme needs.
    ///
    /// ```
    /// use absolve_resolver::{BaseUrl, NotABase, Standard};
    /// assert_eq!(BaseUrl::parse("b/c", Standard::Whatwg), Err(NotABase::NotAbsolute));
    /// assert!(BaseUrl::parse("http://a/b/", Standard::Whatwg).is_ok());
    /// ```
    pub fn parse(text: &str, standard: Standard) -> Result<Self, NotABase> {
        let text = match standard {
            Standard::Whatwg => whatwg::absolute_base(text)?,
            _ => String::from(text),
        };
        let components = Components::split(&text, standard);
        let scheme = components.scheme.ok_or(NotABase::NotAbsolute)?;
        let path_start = scheme.len() + 1 + components.authority.map_or(0, |authority| authority.len() + 2);
        let path_end = path_start + components.path.len();
        let mut base = Self { standard, text, path_start, path_end, directory: None };
        if !base.is_opaque() {
            // What every plain reference is appended to, found by resolving the plainest one.
            let mut target = String::new();
            if base.resolve_fully("x", &mut target).is_ok() {
                target.pop();
                base.directory = Some(target);
            }
        }
        Ok(base)
    }

    /// The base as it is used: for [`Standard::Whatwg`] normalised, otherwise as it was given.
    ///
    /// ```
    /// use absolve_resolver::{BaseUrl, Standard};
    /// assert_eq!(BaseUrl::parse("http:a/./b", Standard::Whatwg)?.as_str(), "http://a/b");
    /// # Ok::<(), absolve_resolver::NotABase>(())
    /// ```
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The standard that [`BaseUrl::resolve`] follows.
    ///
    /// ```
    /// use absolve_resolver::{BaseUrl, Standard};
    /// assert_eq!(BaseUrl::parse("http://a/", Standard::Rfc1808)?.standard(), Standard::Rfc1808);
    /// # Ok::<(), absolve_resolver::NotABase>(())
    /// ```
    pub const fn standard(&self) -> Standard {
        self.standard
    }

    /// The components of the base.
    ///
    /// ```
    /// use absolve_resolver::{BaseUrl, Standard};
    /// assert_eq!(BaseUrl::parse("http://a/b?q", Standard::Rfc3986)?.components().query, Some("q"));
    /// # Ok::<(), absolve_resolver::NotABase>(())
    /// ```
    pub fn components(&self) -> Components<'_> {
        Components::split(&self.text, self.standard)
    }

    /// Whether the base has no hierarchy: neither an authority nor a path that begins with a slash.
    ///
    /// Only empty and fragment-only references have a target then. RFC 3986 would resolve `g` at
    /// `mailto:x` to `mailto:g`; like the drafts, which call such a base unsuitable, we do not.
    ///
    /// ```
    /// use absolve_resolver::{BaseUrl, Standard};
    /// assert!(BaseUrl::parse("mailto:x@example.org", Standard::Rfc3986)?.is_opaque());
    /// # Ok::<(), absolve_resolver::NotABase>(())
    /// ```
    pub fn is_opaque(&self) -> bool {
        let after_scheme = self.text.find(':').map_or(0, |colon| colon + 1);
        after_scheme == self.path_start && !self.path().starts_with('/')
    }

    /// The target of `reference`.
    ///
    /// The target is spelled with the base's and the reference's own characters.
    ///
    /// # Errors
    ///
    /// [`Unresolvable`] when the reference has no target at this base.
    ///
    /// ```
    /// use absolve_resolver::{BaseUrl, Standard};
    /// let base = BaseUrl::parse("https://example.org/docs/", Standard::Whatwg)?;
    /// assert_eq!(base.resolve("img/a b.png")?, "https://example.org/docs/img/a b.png");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn resolve(&self, reference: &str) -> Result<String, Unresolvable> {
        let mut target = String::new();
        self.resolve_into(reference, &mut target)?;
        Ok(target)
    }

    /// Like [`BaseUrl::resolve`], but appends the target to `target`, which is unchanged on error.
    ///
    /// # Errors
    ///
    /// [`Unresolvable`] when the reference has no target at this base.
    ///
    /// ```
    /// use absolve_resolver::{BaseUrl, Standard};
    /// let base = BaseUrl::parse("https://example.org/", Standard::Whatwg)?;
    /// let mut target = String::new();
    /// base.resolve_into("a", &mut target)?;
    /// assert_eq!(target, "https://example.org/a");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn resolve_into(&self, reference: &str, target: &mut String) -> Result<(), Unresolvable> {
        if let Some(directory) = &self.directory
            && is_plain(reference)
        {
            target.push_str(directory);
            target.push_str(reference);
            return Ok(());
        }
        let length = target.len();
        self.resolve_fully(reference, target).inspect_err(|_| target.truncate(length))
    }

    /// Resolution without the short way for plain references.
    pub(crate) fn resolve_fully(&self, reference: &str, target: &mut String) -> Result<(), Unresolvable> {
        if self.standard == Standard::Whatwg {
            return whatwg::resolve(Some(self), reference, target);
        }
        if self.standard.scheme_of(reference).is_some() {
            target.push_str(reference);
            return Ok(());
        }
        if self.is_opaque() && !(reference.is_empty() || reference.starts_with('#')) {
            return Err(Unresolvable::OpaqueBase);
        }
        match self.standard {
            Standard::Rfc1630 => partial::resolve(self, reference, target),
            _ => {
                hierarchical::resolve(self, reference, target);
                Ok(())
            }
        }
    }

    pub(crate) fn path(&self) -> &str {
        &self.text[self.path_start..self.path_end]
    }

    pub(crate) const fn path_start(&self) -> usize {
        self.path_start
    }

    /// Everything before the query and the fragment; for the standards with parameters, these included.
    pub(crate) fn without_query(&self) -> &str {
        let end = self.text[self.path_end..].find(['?', '#']).map_or(self.text.len(), |at| self.path_end + at);
        &self.text[..end]
    }

    pub(crate) fn without_fragment(&self) -> &str {
        self.text.split_once('#').map_or(&*self.text, |(before, _)| before)
    }

    pub(crate) fn is_file(&self) -> bool {
        self.components().scheme.is_some_and(is_file)
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

/// Whether every standard resolves `reference` by appending it to the directory of the base: a path of
/// ordinary characters without dot segments, then perhaps a fragment.
fn is_plain(reference: &str) -> bool {
    let mut previous = b'/';
    for (index, byte) in reference.bytes().enumerate() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' => {}
            b'.' | b'/' if previous != b'/' => {}
            b'#' if index > 0 => return is_plain_fragment(&reference.as_bytes()[index + 1..]),
            _ => return false,
        }
        previous = byte;
    }
    !reference.is_empty()
}

fn is_plain_fragment(fragment: &[u8]) -> bool {
    !fragment.is_empty() && fragment.iter().all(u8::is_ascii_graphic)
}
