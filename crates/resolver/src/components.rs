//! The components of a reference.

use core::fmt;

use crate::standard::Standard;

/// The components of a reference. An absent component is `None`; an empty one is `Some("")`.
///
/// `Display` recomposes them. Splitting and recomposing returns the same text, for every text and standard.
///
/// ```
/// use absolve_resolver::{Components, Standard};
/// let components = Components::split("http://a/b/c/d;p?q#f", Standard::Rfc1808);
/// assert_eq!(components.path, "/b/c/d");
/// assert_eq!(components.params, Some("p"));
/// assert_eq!(components.to_string(), "http://a/b/c/d;p?q#f");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Components<'a> {
    /// The scheme, without its colon.
    pub scheme: Option<&'a str>,
    /// The authority (net_loc, server), without its two slashes.
    pub authority: Option<&'a str>,
    /// The path, with its leading slash if it has one.
    pub path: &'a str,
    /// The parameters after the first semicolon, in standards that define them.
    pub params: Option<&'a str>,
    /// The query, without its question mark.
    pub query: Option<&'a str>,
    /// The fragment, without its number sign.
    pub fragment: Option<&'a str>,
}

impl<'a> Components<'a> {
    /// Splits any `reference` in the parsing order of `standard`.
    ///
    /// RFC 1808 (section 2.4) and the draft of 1996 (section 4.3) split off the authority up to the next slash, and
    /// then the query. `//a?x/b` has the authority `a?x`. RFC 2396 and RFC 3986 use the regular expression of their
    /// appendix B, with one deviation: the text before a colon must be a scheme name. RFC 1630 and the URL Standard
    /// define no components of a reference, and are treated like RFC 3986.
    ///
    /// ```
    /// use absolve_resolver::{Components, Standard};
    /// assert_eq!(Components::split("//a?x/b", Standard::Rfc1808).authority, Some("a?x"));
    /// assert_eq!(Components::split("//a?x/b", Standard::Rfc3986).authority, Some("a"));
    /// ```
    pub fn split(reference: &'a str, standard: Standard) -> Self {
        let (rest, fragment) = cut(reference, '#');
        let (scheme, rest) = match standard.scheme_of(rest) {
            Some(scheme) => (Some(scheme), &rest[scheme.len() + 1..]),
            None => (None, rest),
        };
        let ends_authority: &[char] = match standard {
            Standard::Rfc1808 | Standard::Draft1996 => &['/'],
            _ => &['/', '?'],
        };
        let (authority, rest) = match rest.strip_prefix("//") {
            Some(after) => {
                let end = after.find(ends_authority).unwrap_or(after.len());
                (Some(&after[..end]), &after[end..])
            }
            None => (None, rest),
        };
        let (rest, query) = cut(rest, '?');
        let (path, params) = match standard {
            Standard::Rfc1808 | Standard::Draft1996 => cut(rest, ';'),
            _ => (rest, None),
        };
        Self { scheme, authority, path, params, query, fragment }
    }
}

impl fmt::Display for Components<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(scheme) = self.scheme {
            write!(formatter, "{scheme}:")?;
        }
        if let Some(authority) = self.authority {
            write!(formatter, "//{authority}")?;
        }
        formatter.write_str(self.path)?;
        for (separator, component) in [(';', self.params), ('?', self.query), ('#', self.fragment)] {
            if let Some(component) = component {
                write!(formatter, "{separator}{component}")?;
            }
        }
        Ok(())
    }
}

fn cut(text: &str, separator: char) -> (&str, Option<&str>) {
    match text.split_once(separator) {
        Some((before, after)) => (before, Some(after)),
        None => (text, None),
    }
}
