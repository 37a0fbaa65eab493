//! URLs that the user gives as the bases of some references.

use std::str::FromStr;

use absolve_base::Rules;

use crate::provenance::retrieval_url::{BaseError, retrieval_url};

/// A URL below which references that begin with one slash resolve: `/x` is this URL and `x`.
///
/// It replaces the URL of the server that the document was retrieved from. A declared base with another server wins.
///
/// ```
/// use absolve_rewriter::{Options, Rewriter};
/// let rewriter = Rewriter::from(Options { root: Some("https://example.org/app".parse()?), ..Options::default() });
/// assert_eq!(rewriter.html("<a href=/x?q>", None)?.text(), "<a href=https://example.org/app/x?q>");
/// # Ok::<(), absolve_rewriter::BaseError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RootUrl(String);

/// The URL of a folder that embedded images resolve against in place of the retrieval URL.
///
/// ```
/// use absolve_rewriter::{Options, Rewriter};
/// let rewriter = Rewriter::from(Options { images_url: Some("https://raw.example/main".parse()?), ..Options::default() });
/// let page = rewriter.html("<a href=x><img src=y.png>", "https://example.org/")?;
/// assert_eq!(page.text(), "<a href=https://example.org/x><img src=https://raw.example/main/y.png>");
/// # Ok::<(), absolve_rewriter::BaseError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImagesUrl {
    folder: String,
    /// The retrieval URL of the folder whose images are there, if documents are below it.
    of_folder: Option<String>,
}

impl RootUrl {
    /// Returns the URL, which ends with a slash.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl ImagesUrl {
    /// Returns the same URL for all documents retrieved from below this folder: each has the part of it that is as far below.
    ///
    /// ```
    /// use absolve_rewriter::settings::ImagesUrl;
    /// use absolve_rewriter::{Options, Rewriter};
    /// let images: ImagesUrl = "https://raw.example/".parse()?;
    /// let rewriter = Rewriter::from(Options { images_url: Some(images.of_folder("https://example.org/")), ..Options::default() });
    /// let page = rewriter.html("<img src=y.png>", "https://example.org/docs/")?;
    /// assert_eq!(page.text(), "<img src=https://raw.example/docs/y.png>");
    /// # Ok::<(), absolve_rewriter::BaseError>(())
    /// ```
    #[must_use]
    pub fn of_folder(self, url: &str) -> Self {
        Self { of_folder: Some(with_slash(url)), ..self }
    }

    /// Returns the URL, and the retrieval URL of the folder that it is for.
    pub fn as_urls(&self) -> (&str, Option<&str>) {
        (&self.folder, self.of_folder.as_deref())
    }

    /// Returns the base of the images of a document with this retrieval URL.
    pub(crate) fn base_of(&self, retrieval: Option<&str>) -> Option<String> {
        match &self.of_folder {
            None => Some(self.folder.clone()),
            Some(folder) => Some([&*self.folder, retrieval?.strip_prefix(&**folder)?].concat()),
        }
    }

    /// Returns the root of the images, where that of all references is `root`: what `root` is to the retrieval URL.
    pub(crate) fn root(&self, root: &RootUrl, retrieval: Option<&str>) -> RootUrl {
        let folder = self.of_folder.as_deref().or(retrieval).map_or("", folder);
        let below = folder.strip_prefix(root.as_str()).unwrap_or_default();
        let above = self.folder.strip_suffix(below).filter(|above| above.ends_with('/'));
        RootUrl(above.unwrap_or(&self.folder).to_owned())
    }
}

/// Returns a URL up to the last slash of its path.
fn folder(url: &str) -> &str {
    let end = url.find(['?', '#']).unwrap_or(url.len());
    &url[..url[..end].rfind('/').map_or(end, |slash| slash + 1)]
}

fn with_slash(url: &str) -> String {
    if url.ends_with('/') { url.to_owned() } else { format!("{url}/") }
}

/// Returns the URL of a folder.
fn folder_url(text: &str) -> Result<String, BaseError> {
    let url = retrieval_url(text.trim(), Rules::default())?;
    match url.as_str().contains(['?', '#']) {
        true => Err(BaseError::of_no_folder(text)),
        false => Ok(with_slash(url.as_str())),
    }
}

impl FromStr for RootUrl {
    type Err = BaseError;

    fn from_str(text: &str) -> Result<Self, BaseError> {
        folder_url(text).map(Self)
    }
}

impl FromStr for ImagesUrl {
    type Err = BaseError;

    fn from_str(text: &str) -> Result<Self, BaseError> {
        Ok(Self { folder: folder_url(text)?, of_folder: None })
    }
}
