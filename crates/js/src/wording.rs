//! How JavaScript words what the libraries report: with its options.

use std::borrow::Cow;

use absolve_base::{Place, UrlSource};
use absolve_rewriter::Finding;
use absolve_rewriter::results::Remedy;

/// Returns what a finding says, with the options that help.
pub(crate) fn sentence(finding: &Finding) -> Cow<'_, str> {
    finding.worded(hint, source_name)
}

/// Returns a place in the words of JavaScript.
pub(crate) fn place(place: &Place) -> String {
    match place {
        Place::Source(source) => source_name(*source).to_owned(),
        place => place.to_string(),
    }
}

/// Returns the option for what a user can do, if there is one.
fn hint(remedy: &Remedy) -> Option<Cow<'static, str>> {
    match remedy {
        Remedy::NameType => Some("type sets the type".into()),
        Remedy::NamePlace(place) => Some(format!("attributes: [\"{place}=url\"] reads it").into()),
        Remedy::GiveMessageUrl => Some("messageUrl gives one to those without a base".into()),
        _ => None,
    }
}

/// Returns the name of the source of a retrieval URL: the option, if one gives it.
const fn source_name(source: UrlSource) -> &'static str {
    match source {
        UrlSource::Caller | UrlSource::Url => "url",
        UrlSource::MessageUrl => "messageUrl",
        _ => source.name(),
    }
}
