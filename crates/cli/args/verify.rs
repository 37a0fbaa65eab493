//! The arguments of `absolve verify`.

use std::path::PathBuf;
use std::time::SystemTime;

use absolve_containers::{ArchiveOptions, WarcOutput};
use clap::Args;

use crate::args::input::SourceArguments;
use crate::args::options::{OptionArguments, warc_outputs};
use crate::args::report::ReportArguments;
use crate::args::rewrite::date;
use crate::args::unpack::at;

#[derive(Debug, Args)]
pub(crate) struct VerifyArguments {
    /// The input of `absolve rewrite`, or the web archives of `absolve unpack`: a file or a folder
    #[arg(value_name = "ORIGINAL")]
    pub(crate) original: PathBuf,

    /// Its output
    #[arg(value_name = "REWRITTEN")]
    pub(crate) rewritten: PathBuf,

    /// Use the options recorded by `rewrite --summary`
    ///
    /// Without it, give the options of the `absolve rewrite` run. Options given here override recorded ones.
    #[arg(long, value_name = "SUMMARY", help_heading = "Input")]
    pub(crate) like: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) source: SourceArguments,

    #[command(flatten)]
    pub(crate) options: OptionArguments,

    /// The date that `absolve unpack` was given with web archives
    #[arg(long, value_name = "DATE", value_parser = at, allow_hyphen_values = true, help_heading = "Web archives")]
    #[arg(hide_short_help = true)]
    pub(crate) at: Option<i64>,

    /// The output holds changed files only
    #[arg(long, help_heading = "Input")]
    pub(crate) only_changed: bool,

    /// The output for web archives (WARC)
    #[arg(long, value_name = "WHAT", default_value = "append", value_parser = warc_outputs(), hide_short_help = true)]
    #[arg(help_heading = "Web archives")]
    pub(crate) warc: WarcOutput,

    /// The date of records added to web archives, if the run was given one
    #[arg(long, value_name = "DATE", value_parser = date, help_heading = "Web archives", hide_short_help = true)]
    pub(crate) warc_date: Option<SystemTime>,

    /// Print one JSON object for each difference instead of text
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) report: ReportArguments,

    /// Print errors only
    #[arg(short, long, help_heading = "Messages")]
    pub(crate) quiet: bool,
}

impl VerifyArguments {
    /// Returns the options of the run.
    pub(crate) fn archive_options(&self) -> ArchiveOptions {
        let mut options = self.options.options();
        options.output = self.warc;
        options.date = self.warc_date;
        options
    }
}
