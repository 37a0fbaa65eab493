//! The arguments of `absolve rewrite`.

use std::path::PathBuf;

use clap::{ArgGroup, Args, ValueEnum};

use crate::args::in_place::InPlaceArguments;
use crate::args::input::InputArguments;
use crate::args::options::{LAST_SECOND, OptionArguments, WarcArgument};

#[derive(Debug, Args)]
#[command(
    after_help = "Exit status: 0 done; 1 a document could not be read or written, or no link was made absolute because no \
                  base is known; 2 usage error, or the run could not go on. Warnings go to stderr; they do not affect the \
                  exit status."
)]
#[command(group = ArgGroup::new("written").args(["output", "summary", "report"]).multiple(true))]
pub(crate) struct RewriteArguments {
    #[command(flatten)]
    pub(crate) input: InputArguments,

    #[command(flatten)]
    pub(crate) options: OptionArguments,

    /// The output: for one file, a file, a folder to put it into, or `-`; otherwise a new folder with the same layout
    ///
    /// A new folder is filled as PATH.partial and renamed at the end, so it is complete once it exists. An mbox is compressed
    /// as the name of the output says (.gz or not); so are web archives with --warc sidecar and --warc resource.
    #[arg(short, long, value_name = "PATH")]
    pub(crate) output: Option<PathBuf>,

    /// Change the input files themselves, each atomically
    #[arg(long, conflicts_with = "output")]
    pub(crate) in_place: bool,

    #[command(flatten)]
    pub(crate) in_place_arguments: InPlaceArguments,

    /// Read and count, but write nothing
    #[arg(long, conflicts_with = "output")]
    pub(crate) dry_run: bool,

    /// Print the changes as a unified diff, for `patch -p0` and `git apply -p0`
    ///
    /// Compressed files and archives have no diff; stderr lists those that change.
    #[arg(long)]
    pub(crate) diff: bool,

    /// Colour the diff; NO_COLOR turns `auto` off
    #[arg(long, value_name = "WHEN", default_value = "auto", requires = "diff")]
    pub(crate) color: WhenArgument,

    /// Write into an existing output, and replace existing --summary and --report files
    #[arg(long, requires = "written")]
    pub(crate) force: bool,

    /// Continue an interrupted run; files that are done are skipped
    #[arg(long, requires = "output")]
    pub(crate) resume: bool,

    /// Leave unchanged files out of the output
    #[arg(long, requires = "output")]
    pub(crate) only_changed: bool,

    /// The output for a web archive (WARC)
    #[arg(long, value_name = "WHAT", default_value = "append")]
    pub(crate) warc: WarcArgument,

    /// The date of records added to web archives, in seconds since 1970 [default: SOURCE_DATE_EPOCH, or now]
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(0..=LAST_SECOND))]
    pub(crate) warc_date: Option<u64>,

    /// Write the counts and the options of the run to FILE as JSON, which `absolve verify --like FILE` reads; `-` is stdout
    #[arg(long, value_name = "FILE")]
    pub(crate) summary: Option<PathBuf>,

    /// Write a CSV row for each document to FILE: its base, its links, and digests before and after; `-` is stdout
    #[arg(long, value_name = "FILE.csv")]
    pub(crate) report: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) messages: MessageArguments,
}

#[derive(Debug, Args)]
pub(crate) struct MessageArguments {
    /// Print errors only
    #[arg(short, long)]
    pub(crate) quiet: bool,

    /// Print all warnings, not only the first 20
    #[arg(short, long, conflicts_with = "quiet")]
    pub(crate) verbose: bool,

    /// Show a progress bar on stderr
    #[arg(long, value_name = "WHEN", default_value = "auto")]
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
