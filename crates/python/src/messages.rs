//! How Python words what the libraries report: with its keyword arguments.

use std::borrow::Cow;
use std::io;

use absolve_files::{FileError, Refusal};
use absolve_rewriter::Finding;
use absolve_rewriter::internal::UrlSource;
use absolve_rewriter::results::{Done, Remedy};

/// Returns what a finding says, with the keyword arguments that help.
pub(crate) fn sentence(finding: &Finding) -> Cow<'_, str> {
    finding.worded(hint, source_name)
}

/// Returns a finding in one line, with its place.
pub(crate) fn line(finding: &Finding) -> String {
    Finding { message: sentence(finding).into_owned(), done: Done::AsSaid, ..finding.clone() }.to_string()
}

/// Returns the keyword argument for what a user can do, if there is one.
fn hint(remedy: &Remedy) -> Option<Cow<'static, str>> {
    match remedy {
        Remedy::NameType => Some("type sets the type".into()),
        Remedy::NamePlace(place) => Some(format!("attributes=[\"{place}=url\"] reads it").into()),
        Remedy::IgnoreDigests => Some("digests=\"ignore\" changes it".into()),
        Remedy::GiveMessageUrl => Some("message_url gives one to those without a base".into()),
        _ => None,
    }
}

/// Returns the name of the source of a retrieval URL: the keyword argument, if one gives it.
const fn source_name(source: UrlSource) -> &'static str {
    match source {
        UrlSource::Caller | UrlSource::Url => "url",
        UrlSource::MessageUrl => "message_url",
        _ => source.name(),
    }
}

/// Returns what the error of a file says, with the keyword arguments that help.
pub(crate) fn file_error(error: &FileError) -> String {
    error.worded(refusal)
}

/// Returns what an error says, with the keyword arguments that help.
pub(crate) fn error(error: &io::Error) -> String {
    Refusal::of(error).map_or_else(|| error.to_string(), refusal)
}

/// Returns why something is not written, with the keyword arguments that help.
fn refusal(refusal: &Refusal) -> String {
    let hint = match refusal {
        Refusal::ArcResources => "warc=\"sidecar\" writes its conversions",
        Refusal::WaczConversions => "warc=\"resource\" writes a derived WACZ",
        Refusal::AppendAfterBroken(_) => "warc=\"sidecar\" writes them",
        _ => return refusal.to_string(),
    };
    format!("{refusal}; {hint}")
}
