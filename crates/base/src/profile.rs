//! Profiles: which declarations count.

use std::fmt;
use std::str::FromStr;

/// A named set of the declarations that count. BASE elements and the retrieval URL count in every profile.
///
/// ```
/// use absolve_base::Profile;
/// assert_eq!("rfc2557".parse(), Ok(Profile::Rfc2557));
/// assert_eq!(Profile::default().name(), "layered");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Profile {
    /// All fields of all enclosing headers, as in the drafts.
    #[default]
    Layered,
    /// RFC 2557 section 5: only an absolute `Content-Location`, no `Content-Base`.
    Rfc2557,
    /// No header fields and no `xml:base`, as in browsers.
    Browser,
}

impl Profile {
    /// All profiles.
    pub const ALL: [Self; 3] = [Self::Layered, Self::Rfc2557, Self::Browser];

    /// Returns the name used on the command line.
    ///
    /// ```
    /// assert_eq!(absolve_base::Profile::Browser.name(), "browser");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Self::Layered => "layered",
            Self::Rfc2557 => "rfc2557",
            Self::Browser => "browser",
        }
    }
}

/// Error: the text is not the name of a profile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownProfile;

impl fmt::Display for UnknownProfile {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a precedence profile is one of layered, rfc2557, browser")
    }
}

impl std::error::Error for UnknownProfile {}

impl FromStr for Profile {
    type Err = UnknownProfile;

    fn from_str(name: &str) -> Result<Self, UnknownProfile> {
        Self::ALL.into_iter().find(|profile| profile.name() == name).ok_or(UnknownProfile)
    }
}
