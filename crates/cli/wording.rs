//! How the command words what the libraries report: with its options.

use std::borrow::Cow;

use absolve_base::{Place, UrlSource};
use absolve_files::{FileError, OutputError, Refusal};
use absolve_packer::PackError;
use absolve_rewriter::Finding;
use absolve_rewriter::results::Remedy;

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

/// Returns what a finding says, with the options that help.
pub(crate) fn sentence(finding: &Finding) -> Cow<'_, str> {
    finding.worded(|remedy| Some(hint(remedy)), source_name)
}

/// Returns the option for what a user can do.
fn hint(remedy: &Remedy) -> Cow<'static, str> {
    let hint = match remedy {
        Remedy::NameType => "--type sets the type",
        Remedy::NamePlace(place) => return format!("--attr '{place}=url' reads it").into(),
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

/// Returns what the error of a file says, with the options that help.
pub(crate) fn file_error(error: &FileError) -> String {
    error.worded(refusal)
}

/// Returns why no folder is written, with the options that help.
pub(crate) fn output_error(error: &OutputError) -> String {
    match error {
        OutputError::Exists(_) => format!("{error}; --force writes into it, or name another output"),
        OutputError::Interrupted(_) => format!("{error}; --resume continues it, or remove it"),
        _ => error.to_string(),
    }
}

/// Returns why something is not written, with the options that help.
pub fn refusal(refusal: &Refusal) -> String {
    let hint = match refusal {
        Refusal::IndexedMaildirInPlace => "name an output folder instead of --in-place",
        Refusal::MaildirBackup => "give --journal instead of --backup",
        Refusal::CompressedJournal | Refusal::BundleJournal => "give --backup instead of --journal, or name an output",
        Refusal::ArcResources => {
            "--warc sidecar writes its conversions, or convert it to a WARC first (warcio recompress)"
        }
        Refusal::WaczConversions => "--warc resource writes a derived WACZ",
        Refusal::OtherCompression => "give it the extension of the input, or choose --warc sidecar or --warc resource",
        Refusal::AppendAfterBroken(_) => "--warc sidecar writes them",
        Refusal::BackupExists(_) => "move it away, or name another --backup",
        Refusal::TooManyCopies => "use --symlinks keep",
        _ => return by_option(refusal).map_or_else(|| refusal.to_string(), str::to_owned),
    };
    format!("{refusal}; {hint}")
}

/// Returns why an option refuses something by itself.
const fn by_option(refusal: &Refusal) -> Option<&'static str> {
    Some(match refusal {
        Refusal::CopiedLinksInPlace => "--symlinks copy writes new files, but --in-place changes existing ones; use -o",
        Refusal::CopiedLinksInDiff => {
            "--symlinks copy writes new files, so a diff would change the files that the links point to"
        }
        Refusal::CopiedLinksInArchive => {
            "--symlinks copy goes with folders; the links of an archive stay. Unpack it, and name the folder"
        }
        Refusal::ConversionsInPlace => "--warc sidecar would take the place of the archive; name an output",
        Refusal::DerivedInPlace => "--warc resource cannot replace the archive in place; give -o FILE",
        _ => return None,
    })
}
