//! The standards of resolution.

use core::fmt;

use crate::scheme::{is_special, scheme_of_1808, scheme_of_3986};
use crate::strip::strip;

/// A standard by which references are resolved.
///
/// ```
/// use absolve_resolver::Standard;
/// assert_eq!(Standard::named("rfc3986"), Some(Standard::Rfc3986));
/// assert_eq!(Standard::default().name(), "whatwg");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Standard {
    /// RFC 1630, "Partial (relative) form": the number of slashes decides the prefix.
    Rfc1630,
    /// draft-ietf-uri-relative-url-06 and RFC 1808: six components, an empty reference is the whole base.
    Rfc1808,
    /// draft-fielding-uri-url-00e: empty and fragment-only references mean the current document.
    Draft1996,
    /// RFC 2396: parameters are part of a path segment.
    Rfc2396,
    /// RFC 3986: excess `..` segments are dropped, and an absent component differs from an empty one.
    Rfc3986,
    /// The URL Standard of the WHATWG, as implemented by browsers.
    #[default]
    Whatwg,
}

/// The kind of a reference, independent of any base.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ReferenceKind {
    /// It has the same target at every base.
    Absolute,
    /// It is empty, or a fragment only.
    SameDocument,
    /// It needs a base.
    Relative,
}

impl Standard {
    /// All standards, oldest first.
    pub const ALL: [Self; 6] =
        [Self::Rfc1630, Self::Rfc1808, Self::Draft1996, Self::Rfc2396, Self::Rfc3986, Self::Whatwg];

    /// Returns the name used on the command line and in JSON.
    ///
    /// ```
    /// assert_eq!(absolve_resolver::Standard::Draft1996.name(), "draft1996");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Self::Rfc1630 => "rfc1630",
            Self::Rfc1808 => "rfc1808",
            Self::Draft1996 => "draft1996",
            Self::Rfc2396 => "rfc2396",
            Self::Rfc3986 => "rfc3986",
            Self::Whatwg => "whatwg",
        }
    }

    /// Returns the standard with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|standard| standard.name() == name)
    }

    /// Returns whether `reference` is absolute, same-document or relative.
    ///
    /// In [`Standard::Whatwg`] a special scheme without two slashes (`http:g`) is relative, because its target depends
    /// on the scheme of the base.
    ///
    /// ```
    /// use absolve_resolver::{ReferenceKind, Standard};
    /// assert_eq!(Standard::Whatwg.kind_of("//host/x"), ReferenceKind::Relative);
    /// assert_eq!(Standard::Whatwg.kind_of("#top"), ReferenceKind::SameDocument);
    /// assert_eq!(Standard::Rfc3986.kind_of("http:g"), ReferenceKind::Absolute);
    /// assert_eq!(Standard::Whatwg.kind_of("http:g"), ReferenceKind::Relative);
    /// ```
    pub fn kind_of(self, reference: &str) -> ReferenceKind {
        match reference.as_bytes() {
            [] | [b'#', ..] => return ReferenceKind::SameDocument,
            // By far the most frequent absolute references, in every standard.
            [b'h', b't', b't', b'p', b':', b'/', b'/', ..] | [b'h', b't', b't', b'p', b's', b':', b'/', b'/', ..] => {
                return ReferenceKind::Absolute;
            }
            _ => {}
        }
        let stripped;
        let (text, scheme) = match self {
            Self::Whatwg => {
                stripped = strip(reference);
                (&*stripped, scheme_of_3986(&stripped))
            }
            _ => (reference, self.scheme_of(reference)),
        };
        match scheme {
            Some(scheme) if self == Self::Whatwg && is_special(scheme) => {
                let rest = &text.as_bytes()[scheme.len() + 1..];
                match rest {
                    [b'/' | b'\\', b'/' | b'\\', ..] => ReferenceKind::Absolute,
                    _ => ReferenceKind::Relative,
                }
            }
            Some(_) => ReferenceKind::Absolute,
            None if text.is_empty() || text.starts_with('#') => ReferenceKind::SameDocument,
            None => ReferenceKind::Relative,
        }
    }

    /// Returns the scheme of `text`, by the rule of this standard for scheme names.
    pub(crate) fn scheme_of(self, text: &str) -> Option<&str> {
        match self {
            Self::Rfc1630 | Self::Rfc1808 | Self::Draft1996 => scheme_of_1808(text),
            Self::Rfc2396 | Self::Rfc3986 | Self::Whatwg => scheme_of_3986(text),
        }
    }

    /// Returns whether an empty component equals an absent one, as in the standards of 1995 and 1996.
    pub(crate) const fn joins_empty_and_absent(self) -> bool {
        matches!(self, Self::Rfc1808 | Self::Draft1996)
    }
}

impl fmt::Display for Standard {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}
