//! Profiles: which declarations count.

/// A named set of the declarations that count. BASE elements and the retrieval URL count in every profile.
///
/// ```
/// use absolve_options::Profile;
/// assert_eq!(Profile::named("rfc2557"), Some(Profile::Rfc2557));
/// assert_eq!(Profile::default().name(), "layered");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Profile {
    /// All fields of all enclosing headers, as in the drafts. What browsers load before they read the BASE has the base around the
    /// document.
    #[default]
    Layered,
    /// The same, and the BASE applies to the whole document, as in the drafts.
    Drafts,
    /// RFC 2557 section 5: only an absolute `Content-Location`, no `Content-Base`.
    Rfc2557,
    /// Of header fields only an absolute `Content-Location` of the part itself, and no `xml:base`, as in browsers.
    Browser,
}

impl Profile {
    /// All profiles.
    pub const ALL: [Self; 4] = [Self::Layered, Self::Drafts, Self::Rfc2557, Self::Browser];

    /// Returns the name used on the command line.
    ///
    /// ```
    /// assert_eq!(absolve_options::Profile::Browser.name(), "browser");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Self::Layered => "layered",
            Self::Drafts => "drafts",
            Self::Rfc2557 => "rfc2557",
            Self::Browser => "browser",
        }
    }

    /// Returns the profile with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|profile| profile.name() == name)
    }
}
