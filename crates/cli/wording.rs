//! How the command words what the libraries report: with its options.

use std::borrow::Cow;

use absolve_base::{Declared, Place, UrlSource};
use absolve_packer::PackError;
use absolve_rewriter::Finding;
use absolve_rewriter::results::{Remedy, Values};

/// Returns the name of the source of a retrieval URL: the option, if an option gives it.
pub(crate) const fn source_name(source: UrlSource) -> &'static str {
    match source {
        UrlSource::Urls => "--urls",
        UrlSource::Log => "the log in --urls",
        UrlSource::Url => "--url",
        UrlSource::MessageUrl => "--message-url",
        _ => source.name(),
    }
}

/// Returns a place in the words of the command.
pub(crate) fn place(place: &Place) -> Place {
    match place {
        Place::Source(source) => source_name(*source).into(),
        place => place.clone(),
    }
}

/// Returns declarations with their places in the words of the command.
pub(crate) fn declarations(declared: &[Declared]) -> Vec<Declared> {
    let mut declared = declared.to_vec();
    declared.iter_mut().for_each(|declared| declared.declaration.place = place(&declared.declaration.place));
    declared
}

/// Returns what a finding says, with the options that help.
pub(crate) fn sentence(finding: &Finding) -> Cow<'_, str> {
    match finding.values.as_deref() {
        Some(Values::Conflict(conflict)) => conflict.message(source_name).into(),
        Some(Values::Remedy(remedy)) => format!("{}; {}", finding.sentence(), hint(remedy)).into(),
        _ => finding.sentence(),
    }
}

/// Returns the option for what a user can do.
fn hint(remedy: &Remedy) -> Cow<'static, str> {
    let hint = match remedy {
        Remedy::NameType => "--type sets the type",
        Remedy::IgnoreDigests => "--ignore-digests changes it",
        Remedy::NameScheme => "pass --scheme",
        Remedy::GiveMessageUrl => "--message-url gives one to those without a base",
        Remedy::GiveUrl(url) => return format!("if the files are from there, pass --url with {url}").into(),
        Remedy::GiveUrlOfHost => "for the folder of one host, add its --url",
        Remedy::GiveLog => "pass its log with --urls",
        Remedy::ReadAsWritten => "--layout root reads them as they are written",
        Remedy::ReadAsConverted => {
            "if wget has made them lead to the copies (-k), pass --layout wget, or its log with --urls"
        }
        Remedy::CopySymlinks => "--symlinks copy writes separate files",
        Remedy::UnpackAndCopySymlinks => "unpacked, --symlinks copy writes separate files",
        _ => "see the documentation of its code",
    };
    hint.into()
}

/// Returns why no message is made, with the options that help.
pub(crate) fn pack_error(error: &PackError) -> String {
    match error {
        PackError::NoUrl => "--content-base needs the URL of the document; pass --url".to_owned(),
        PackError::TooLong { .. } => format!("{error}; --max-size allows more, and --embed leaves files out"),
        _ => error.to_string(),
    }
}
