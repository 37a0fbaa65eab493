//! URLs that the user gives as the bases of some references.

use std::str::FromStr;

use absolve_base::Rules;

use crate::provenance::retrieval_url::{BaseError, retrieval_url};

/// The URL of a folder; it ends with a slash, has no query and no fragment.
///
/// ```
/// use absolve_rewriter::settings::FolderUrl;
/// let root: FolderUrl = "https://example.org/app".parse()?;
/// assert_eq!(root.as_str(), "https://example.org/app/");
/// assert!("https://example.org/?q".parse::<FolderUrl>().is_err());
/// # Ok::<(), absolve_rewriter::BaseError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FolderUrl(String);

impl FolderUrl {
    /// Returns the URL, which ends with a slash.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the folder that is as far above this one as this path is long, or this one if it does not end so.
    pub(crate) fn above(&self, path: &str) -> Self {
        let above = self.0.strip_suffix(path).filter(|above| above.ends_with('/'));
        Self(above.unwrap_or(&self.0).to_owned())
    }
}

impl FromStr for FolderUrl {
    type Err = BaseError;

    fn from_str(text: &str) -> Result<Self, BaseError> {
        let url = retrieval_url(text.trim(), Rules::default())?;
        match url.as_str() {
            url if url.contains(['?', '#']) => Err(BaseError::of_no_folder(text)),
            url => Ok(Self(format!("{}/", url.strip_suffix('/').unwrap_or(url)))),
        }
    }
}
