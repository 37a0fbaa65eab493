//! The base, prepared once for many references.

use alloc::string::String;
use core::fmt;
use core::ops::Range;

use crate::plain::plain_base;
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
    pub(crate) standard: Standard,
    pub(crate) text: String,
    /// The bytes of `text` that are the scheme, the authority, the path and so on.
    pub(crate) parts: Parts,
    /// What precedes a plain reference in its target; `None` when the base is opaque.
    pub(crate) directory: Option<String>,
}

/// Where the components of a text stand in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Parts {
    pub(crate) scheme: Range<usize>,
    pub(crate) authority: Option<Range<usize>>,
    pub(crate) path: Range<usize>,
    pub(crate) params: Option<Range<usize>>,
    pub(crate) query: Option<Range<usize>>,
    pub(crate) fragment: Option<Range<usize>>,
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
        if let Some((parts, directory_end)) = plain_base(text) {
            let (text, directory) = (String::from(text), Some(String::from(&text[..directory_end])));
            return Ok(Self { standard, text, parts, directory });
        }
        let text = match standard {
            Standard::Whatwg => whatwg::absolute_base(text)?,
            _ => String::from(text),
        };
        let parts = Parts::of(&Components::split(&text, standard)).ok_or(NotABase::NotAbsolute)?;
        let mut base = Self { standard, text, parts, directory: None };
        if !base.is_opaque() {
            // What every plain reference is appended to, found by resolving the plainest one.
            let mut target = String::with_capacity(base.text.len() + 1);
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
        let part = |range: &Option<Range<usize>>| range.clone().map(|range| &self.text[range]);
        Components {
            scheme: Some(&self.text[self.parts.scheme.clone()]),
            authority: part(&self.parts.authority),
            path: self.path(),
            params: part(&self.parts.params),
            query: part(&self.parts.query),
            fragment: part(&self.parts.fragment),
        }
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
        self.parts.authority.is_none() && !self.path().starts_with('/')
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
        if let Some((prefix, kept)) = self.plain_prefix(reference.as_bytes()) {
            target.push_str(prefix);
            target.push_str(&reference[kept..]);
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
        &self.text[self.parts.path.clone()]
    }

    pub(crate) const fn path_start(&self) -> usize {
        self.parts.path.start
    }

    /// Everything before the query and the fragment; for the standards with parameters, these included.
    pub(crate) fn without_query(&self) -> &str {
        let end = self.parts.params.as_ref().map_or(self.parts.path.end, |params| params.end);
        &self.text[..end]
    }

    pub(crate) fn without_fragment(&self) -> &str {
        self.text.split_once('#').map_or(&*self.text, |(before, _)| before)
    }

    pub(crate) fn is_file(&self) -> bool {
        is_file(&self.text[self.parts.scheme.clone()])
    }
}

impl Parts {
    /// `None` without a scheme.
    pub(crate) fn of(components: &Components<'_>) -> Option<Self> {
        let mut at = 0;
        let mut next = |separator: usize, component: &str| {
            let start = at + separator;
            at = start + component.len();
            start..at
        };
        Some(Self {
            scheme: next(0, components.scheme?),
            authority: components.authority.map(|authority| next("://".len(), authority)),
            path: next(usize::from(components.authority.is_none()), components.path),
            params: components.params.map(|params| next(1, params)),
            query: components.query.map(|query| next(1, query)),
            fragment: components.fragment.map(|fragment| next(1, fragment)),
        })
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
