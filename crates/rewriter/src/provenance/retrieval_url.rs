//! The URL that a document was retrieved from, checked.

use std::{error, fmt};

use absolve_base::{Declaration, Layer, Rules, Verdict, establish};
use absolve_resolver::BaseUrl;

/// A URL against which links cannot be resolved. The message says why, and what to do.
///
/// ```
/// let error = absolve_rewriter::Rewriter::default().html("<a href=x>", "localhost:8080/d/").unwrap_err();
/// assert_eq!(error.to_string(), "links cannot be resolved against \"localhost:8080/d/\"; add https:// in front of it");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BaseError {
    url: String,
    fault: Fault,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    /// It begins with a host, a path or a drive.
    NoScheme,
    /// Its scheme has no hierarchy, as that of `mailto:x`.
    NoHierarchy,
    /// It has a query or a fragment.
    NoFolder,
    Rejected(Verdict),
}

impl BaseError {
    /// Returns the error of a URL whose scheme has no hierarchy.
    pub(crate) fn of_opaque(url: &BaseUrl) -> Self {
        Self { url: url.as_str().to_owned(), fault: fault_of_opaque(url.as_str()) }
    }

    /// Returns the error of a URL with a query or a fragment, where that of a folder is needed.
    pub(crate) fn of_no_folder(url: &str) -> Self {
        Self { url: url.to_owned(), fault: Fault::NoFolder }
    }

    /// Returns the URL as it was given.
    pub fn url(&self) -> &str {
        &self.url
    }
}

/// The URL that a document was retrieved from, if one is known.
///
/// ```
/// use absolve_rewriter::{BaseUrl, Rewriter, Standard};
/// let url = BaseUrl::parse("https://example.org/d/", Standard::Whatwg)?;
/// let of_text = Rewriter::default().html("<a href=x>", "https://example.org/d/")?;
/// assert_eq!(Rewriter::default().html("<a href=x>", &url)?.text(), of_text.text());
/// assert_eq!(Rewriter::default().html("<a href=x>", None)?.text(), "<a href=x>");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct RetrievedFrom<'u>(Given<'u>);

#[derive(Clone, Copy, Debug)]
enum Given<'u> {
    Nothing,
    Text(&'u str),
    Parsed(&'u BaseUrl),
}

impl<'u> RetrievedFrom<'u> {
    /// Returns the URL if links can be resolved against it; one that was parsed before is not parsed again.
    pub(crate) fn checked(self, rules: Rules) -> Result<Option<&'u str>, BaseError> {
        match self.0 {
            Given::Nothing => Ok(None),
            Given::Text(url) => retrieval_url(url, rules).map(|_| Some(url)),
            Given::Parsed(url) if url.is_opaque() => Err(BaseError::of_opaque(url)),
            Given::Parsed(url) => Ok(Some(url.as_str())),
        }
    }
}

impl<'u> From<&'u str> for RetrievedFrom<'u> {
    fn from(url: &'u str) -> Self {
        Self(Given::Text(url))
    }
}

impl<'u> From<&'u String> for RetrievedFrom<'u> {
    fn from(url: &'u String) -> Self {
        Self(Given::Text(url))
    }
}

impl<'u> From<&'u BaseUrl> for RetrievedFrom<'u> {
    fn from(url: &'u BaseUrl) -> Self {
        Self(Given::Parsed(url))
    }
}

impl<'u> From<Option<&'u str>> for RetrievedFrom<'u> {
    fn from(url: Option<&'u str>) -> Self {
        Self(url.map_or(Given::Nothing, Given::Text))
    }
}

/// Parses the URL that a document was retrieved from; a user name and a password are dropped.
///
/// # Errors
///
/// [`BaseError`] if links cannot be resolved against it.
///
/// ```
/// use absolve_rewriter::internal::retrieval_url;
/// use absolve_rewriter::settings::Rules;
/// assert_eq!(retrieval_url("https://me@example.org/d/", Rules::default())?.as_str(), "https://example.org/d/");
/// assert!(retrieval_url("C:\\pages\\x.html", Rules::default()).is_err());
/// # Ok::<(), absolve_rewriter::BaseError>(())
/// ```
pub fn retrieval_url(url: &str, rules: Rules) -> Result<BaseUrl, BaseError> {
    let base = establish(vec![Declaration::new(Layer::Retrieval, url, "")], rules);
    let verdict = base.declared.first().map_or(Verdict::Unreadable, |declared| declared.verdict);
    let fault = match base.url {
        None if !begins_without_scheme(url) => Fault::Rejected(verdict),
        Some(base) if !base.is_opaque() && !begins_without_scheme(url) => return Ok(base),
        _ => fault_of_opaque(url),
    };
    Err(BaseError { url: url.to_owned(), fault })
}

fn fault_of_opaque(url: &str) -> Fault {
    if begins_without_scheme(url) { Fault::NoScheme } else { Fault::NoHierarchy }
}

/// Returns whether a URL lacks a scheme. A host with a port (`localhost:8080`) and a drive (`C:\x`) only look like one.
fn begins_without_scheme(url: &str) -> bool {
    let url = url.trim();
    let scheme = url.split_once(':').filter(|(scheme, _)| !scheme.contains(['/', '?', '#', '\\']));
    let Some((scheme, rest)) = scheme else { return true };
    let is_host = || scheme.contains('.') || scheme.eq_ignore_ascii_case("localhost");
    scheme.len() <= 1
        || rest.starts_with(|first: char| first.is_ascii_digit())
        || (is_host() && !rest.starts_with("//"))
}

impl fmt::Display for BaseError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "links cannot be resolved against {:?}", self.url)?;
        match self.fault {
            Fault::NoScheme => formatter.write_str("; add https:// in front of it"),
            Fault::NoHierarchy => formatter.write_str(": its scheme has no paths; give an http or https URL"),
            Fault::NoFolder => formatter.write_str(": it has a query or a fragment; give the URL of a folder"),
            Fault::Rejected(verdict) => write!(formatter, ": {}", verdict.why()),
        }
    }
}

impl error::Error for BaseError {}
