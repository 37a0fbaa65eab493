//! The arguments of `absolve rewrite`.

use std::path::PathBuf;
use std::time::SystemTime;

use absolve_containers::{WarcOutput, record_date};
use clap::{ArgGroup, Args, ValueEnum};

use crate::args::in_place::InPlaceArguments;
use crate::args::input::InputArguments;
use crate::args::options::{OptionArguments, warc_outputs};

#[derive(Debug, Args)]
#[command(group = ArgGroup::new("written").args(["output", "summary", "report"]).multiple(true))]
pub(crate) struct RewriteArguments {
    #[command(flatten)]
    pub(crate) input: InputArguments,

    #[command(flatten)]
    pub(crate) options: OptionArguments,

    /// The output: a file, a new folder, or `-`
    ///
    /// For one file, it is a file, a folder to put it into, or `-` for standard output; otherwise a new folder with the same
    /// layout. Without it, one file goes to standard output, unless that is a terminal. A new folder is filled as PATH.partial
    /// and renamed at the end, so it is complete once it exists. An mbox is compressed as the name of the output says (.gz or
    /// not); so are web archives with --warc sidecar and --warc resource.
    #[arg(short, long, value_name = "PATH", help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,

    /// Change the input files themselves, each atomically
    #[arg(short, long, conflicts_with = "output", help_heading = "Output")]
    pub(crate) in_place: bool,

    #[command(flatten)]
    pub(crate) in_place_arguments: InPlaceArguments,

    /// Read and count, but write nothing
    #[arg(long, conflicts_with = "output", help_heading = "Output")]
    pub(crate) dry_run: bool,

    /// Print the changes as a unified diff
    ///
    /// It is for `patch -p0` and `git apply -p0`. Compressed files and web archives have no diff; stderr lists those that change.
    #[arg(long, help_heading = "Output")]
    pub(crate) diff: bool,

    /// Colour the diff; NO_COLOR turns `auto` off
    #[arg(
        long,
        value_name = "WHEN",
        default_value = "auto",
        requires = "diff",
        hide_short_help = true,
        help_heading = "Output"
    )]
    pub(crate) color: WhenArgument,

    /// Write into an existing output
    ///
    /// It replaces existing --summary and --report files, too.
    #[arg(long, requires = "written", help_heading = "Output")]
    pub(crate) force: bool,

    /// Continue an interrupted run
    ///
    /// Files that are done are skipped.
    #[arg(long, requires = "output", help_heading = "Output")]
    pub(crate) resume: bool,

    /// Leave unchanged files out of the output
    #[arg(long, requires = "output", hide_short_help = true, help_heading = "Output")]
    pub(crate) only_changed: bool,

    /// The output for a web archive (WARC)
    #[arg(long, value_name = "WHAT", default_value = "append", value_parser = warc_outputs(), hide_short_help = true)]
    #[arg(help_heading = "Web archives")]
    pub(crate) warc: WarcOutput,

    /// The date of records added to web archives: seconds since 1970, or as in 2024-01-01T00:00:00Z [default: SOURCE_DATE_EPOCH, or now]
    #[arg(long, value_name = "DATE", value_parser = date, help_heading = "Web archives", hide_short_help = true)]
    pub(crate) warc_date: Option<SystemTime>,

    /// Write counts and options as JSON, for `verify --like`
    ///
    /// `absolve verify --like FILE` reads it; `-` is stdout.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) summary: Option<PathBuf>,

    /// Write a page to look at (FILE.html), or a CSV row for each document
    ///
    /// FILE.html becomes one page that needs no network: figures, findings and what to do about them, and the documents with
    /// their bases and links. Any other name becomes CSV: a row has the base of the document, its links, and digests before and
    /// after; `-` is stdout.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) report: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) messages: MessageArguments,
}

#[derive(Debug, Args)]
pub(crate) struct MessageArguments {
    /// Print errors only
    #[arg(short, long, help_heading = "Messages")]
    pub(crate) quiet: bool,

    /// Print all warnings, not only the first 20
    #[arg(short, long, conflicts_with = "quiet", help_heading = "Messages")]
    pub(crate) verbose: bool,

    /// Show a progress bar on stderr
    #[arg(long, value_name = "WHEN", default_value = "auto", hide_short_help = true, help_heading = "Messages")]
    pub(crate) progress: ProgressArgument,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ProgressArgument {
    /// If stderr is a terminal
    Auto,
    Always,
    Never,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum WhenArgument {
    /// If stdout is a terminal
    Auto,
    Always,
    Never,
}

pub(crate) fn date(text: &str) -> Result<SystemTime, &'static str> {
    record_date(text).ok_or("not seconds since 1970, and not a date as in 2024-01-01T00:00:00Z, up to the year 9999")
}
