//! The arguments of `absolve unpack`.

use std::num::NonZeroU64;
use std::path::PathBuf;

use absolve_rewriter::settings::MessageUrl;
use clap::Args;

use crate::args::options::{LinkArguments, PurposeArguments};
use crate::args::values::trimmed;

#[derive(Debug, Args)]
pub(crate) struct UnpackArguments {
    /// The message: .eml, .mhtml or an mbox; `-` is standard input
    #[arg(value_name = "MESSAGE")]
    pub(crate) message: PathBuf,

    /// A new folder for the files
    #[arg(short, long, value_name = "FOLDER", help_heading = "Output", required_unless_present = "single")]
    pub(crate) output: Option<PathBuf>,

    /// Make one page instead, with all that it shows within it
    #[arg(long, value_name = "FILE.html", help_heading = "Output", conflicts_with = "output")]
    pub(crate) single: Option<PathBuf>,

    /// Write a list of the files as JSON
    ///
    /// With the part, the media type, the URL and the Content-ID of each, and what could not be unpacked.
    #[arg(long, value_name = "FILE", help_heading = "Output", conflicts_with = "single")]
    pub(crate) summary: Option<PathBuf>,

    /// Write into an existing folder, or replace an existing file
    #[arg(long, help_heading = "Output")]
    pub(crate) force: bool,

    /// The number of the message in an mbox, from 1
    #[arg(long = "message", value_name = "N", help_heading = "Input")]
    pub(crate) number: Option<NonZeroU64>,

    /// The URL that the message was retrieved from, for parts without a base of their own
    #[arg(long, value_name = "URL", value_parser = trimmed, help_heading = "Base")]
    pub(crate) url: Option<String>,

    /// The URL of a message that declares no base, or `archived-at`: that in its `Archived-At` field
    #[arg(long, value_name = "URL", help_heading = "Base")]
    pub(crate) message_url: Option<MessageUrl>,

    #[command(flatten)]
    pub(crate) links: LinkArguments,

    #[command(flatten)]
    pub(crate) purpose: PurposeArguments,

    /// Print errors only
    #[arg(short, long, help_heading = "Messages")]
    pub(crate) quiet: bool,
}
