//! Resolves references by the fast path or the algorithm of the standard.

use alloc::string::String;

use crate::base_url::{BaseUrl, NotABase, Unresolvable};
use crate::components::Components;
use crate::plain::plain_base;
use crate::standard::Standard;
use crate::{hierarchical, partial, whatwg};

impl BaseUrl {
    /// Prepares `text` as a base for resolution by `standard`.
    ///
    /// [`Standard::Whatwg`] normalises the base as far as merging requires: it writes a special scheme as `scheme://`
    /// and removes dot segments.
    ///
    /// # Errors
    ///
    /// Returns [`NotABase`] if `text` has no scheme, or lacks the host that its scheme requires.
    ///
    /// ```
    /// use absolve_resolver::{BaseUrl, NotABase, Standard};
    /// assert_eq!(BaseUrl::parse("b/c", Standard::Whatwg), Err(NotABase::NotAbsolute));
    /// assert!(BaseUrl::parse("http://a/b/", Standard::Whatwg).is_ok());
    /// ```
    pub fn parse(text: &str, standard: Standard) -> Result<Self, NotABase> {
        if let Some((scheme, path, directory)) = plain_base(text) {
            let (text, directory) = (String::from(text), Some(String::from(directory)));
            return Ok(Self { standard, text, scheme, path, directory });
        }
        let text = match standard {
            Standard::Whatwg => whatwg::absolute_base(text)?,
            _ => String::from(text),
        };
        let Components { scheme, authority, path, .. } = Components::split(&text, standard);
        let scheme = scheme.ok_or(NotABase::NotAbsolute)?.len();
        let start = scheme + 1 + authority.map_or(0, |authority| "//".len() + authority.len());
        let path = start..start + path.len();
        let mut base = Self { standard, text, scheme, path, directory: None };
        if !base.is_opaque() {
            // The target of the plainest reference, without that reference, is the prefix of all.
            let mut target = String::with_capacity(base.text.len() + 1);
            if base.resolve_fully("x", &mut target).is_ok() {
                target.pop();
                base.directory = Some(target);
            }
        }
        Ok(base)
    }

    /// Returns the target of `reference`.
    ///
    /// The target keeps the spelling of the base and the reference: no character is escaped or changed in case.
    ///
    /// # Errors
    ///
    /// Returns [`Unresolvable`] if the reference has no target at this base.
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
    /// Returns [`Unresolvable`] if the reference has no target at this base.
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

    /// Resolves a reference without the fast path.
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
}

/// Returns the target of `reference` without a base. Every reference is then interpreted as an absolute URL.
///
/// # Errors
///
/// Returns [`Unresolvable::NoBase`] if the reference is not absolute.
///
/// ```
/// use absolve_resolver::{Standard, Unresolvable, resolve_without_base};
/// assert_eq!(resolve_without_base("http:g", Standard::Whatwg)?, "http://g");
/// assert_eq!(resolve_without_base("g", Standard::Whatwg), Err(Unresolvable::NoBase));
/// # Ok::<(), Unresolvable>(())
/// ```
pub fn resolve_without_base(reference: &str, standard: Standard) -> Result<String, Unresolvable> {
    let mut target = String::new();
    match standard {
        Standard::Whatwg => whatwg::resolve(None, reference, &mut target)?,
        _ if standard.scheme_of(reference).is_some() => target.push_str(reference),
        _ => return Err(Unresolvable::NoBase),
    }
    Ok(target)
}
