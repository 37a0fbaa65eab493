//! The arguments of `absolve unpack`.

use std::num::NonZeroU64;
use std::path::{Path, PathBuf};

use absolve_containers::milliseconds;
use absolve_rewriter::internal::{ArchivePrefix, WaybackLinks};
use absolve_rewriter::settings::MessageUrl;
use clap::Args;

use crate::args::input::archive_prefix;
use crate::args::options::{LinkArguments, PurposeArguments};
use crate::args::rewrite::MessageArguments;
use crate::args::values::trimmed;

/// Returns the milliseconds since 1970 of a date.
pub(crate) fn at(text: &str) -> Result<i64, &'static str> {
    milliseconds(text).ok_or("not a date as in 2019, 2019-05, 2019-05-01T12:00:00Z or 20190501120000, from 1970 on")
}

#[derive(Debug, Args)]
pub(crate) struct UnpackArguments {
    /// A message (.eml, .mhtml or an mbox; `-` is standard input), or web archives (WARC, ARC, WACZ, folders of them)
    #[arg(value_name = "INPUT", required = true)]
    pub(crate) inputs: Vec<PathBuf>,

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

    /// Complete the output of an interrupted run over web archives
    #[arg(long, help_heading = "Output")]
    pub(crate) resume: bool,

    /// Snapshots of web archives nearest to a date (2019-05), not the latest
    ///
    /// The date is as in 2019, 2019-05-01T12:00:00Z or 20190501120000; what it leaves out is the least.
    #[arg(long, value_name = "DATE", value_parser = at, allow_hyphen_values = true, help_heading = "Input")]
    pub(crate) at: Option<i64>,

    /// Take pages of web archives that were archived again as those of the archived sites
    ///
    /// Captures of the Wayback Machine and other archives count as those of the URL and the time in their own URLs, and so do their links. PREFIX is
    /// what precedes the timestamp in the URLs of another archive, such as https://archive.example/coll/.
    #[arg(long, value_name = "PREFIX", num_args = 0..=1, require_equals = true, value_parser = archive_prefix)]
    #[arg(help_heading = "Input", hide_short_help = true)]
    pub(crate) unwrap_wayback: Option<Option<ArchivePrefix>>,

    /// Number of threads, 1 to 256 [default: one for each processor]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    #[arg(help_heading = "Input", hide_short_help = true)]
    pub(crate) jobs: Option<u16>,

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

    #[command(flatten)]
    pub(crate) messages: MessageArguments,
}

impl UnpackArguments {
    /// Returns how copies of other archives are read.
    pub(crate) fn wayback(&self) -> WaybackLinks {
        self.unwrap_wayback.clone().map_or(WaybackLinks::Keep, WaybackLinks::Unwrap)
    }

    /// Returns the message to unpack.
    pub(crate) fn message(&self) -> &Path {
        self.inputs.first().map_or(Path::new("-"), PathBuf::as_path)
    }
}
