//! How Python words what the libraries report: with its keyword arguments.

use std::borrow::Cow;

use absolve_rewriter::Finding;
use absolve_rewriter::internal::UrlSource;
use absolve_rewriter::results::{Done, Remedy, Values};

/// Returns what a finding says, with the keyword arguments that help.
pub(crate) fn sentence(finding: &Finding) -> Cow<'_, str> {
    match finding.values.as_deref() {
        Some(Values::Conflict(conflict)) => conflict.message(source_name).into(),
        Some(Values::Remedy(remedy)) => match hint(remedy) {
            Some(hint) => format!("{}; {hint}", finding.sentence()).into(),
            None => finding.sentence(),
        },
        _ => finding.sentence(),
    }
}

/// Returns a finding in one line, with its place.
pub(crate) fn line(finding: &Finding) -> String {
    Finding { message: sentence(finding).into_owned(), done: Done::AsSaid, ..finding.clone() }.to_string()
}

/// Returns the keyword argument for what a user can do, if there is one.
const fn hint(remedy: &Remedy) -> Option<&'static str> {
    match remedy {
        Remedy::NameType => Some("type sets the type"),
        Remedy::IgnoreDigests => Some("digests=\"ignore\" changes it"),
        Remedy::GiveMessageUrl => Some("message_url gives one to those without a base"),
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

/// Options of the command line as errors of files name them, and what they are in Python.
const OPTIONS: [(&str, &str); 2] = [("--warc sidecar", "warc=\"sidecar\""), ("--warc resource", "warc=\"resource\"")];

/// Returns the message of an error with the options of Python.
pub(crate) fn in_python(message: String) -> String {
    // Most messages name none.
    if !message.contains("--") {
        return message;
    }
    OPTIONS.iter().fold(message, |message, (option, argument)| message.replace(option, argument))
}
