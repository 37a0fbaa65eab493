//! The arguments of `absolve verify`.

use std::path::PathBuf;

use clap::Args;

use crate::args::input::SourceArguments;
use crate::args::options::{OptionArguments, WarcArgument};

#[derive(Debug, Args)]
#[command(
    after_help = "Give the options of the `absolve rewrite` run, or let --like read them from its summary. Exit status: 0 all of \
                  it holds; 1 something differs or could not be read; 2 usage error, or no file is a document."
)]
pub(crate) struct VerifyArguments {
    /// The input of `absolve rewrite`: a file or a folder
    #[arg(value_name = "ORIGINAL")]
    pub(crate) original: PathBuf,

    /// Its output
    #[arg(value_name = "REWRITTEN")]
    pub(crate) rewritten: PathBuf,

    /// Use the options recorded in the JSON file of `absolve rewrite --summary`
    ///
    /// Options given here override recorded ones.
    #[arg(long, value_name = "SUMMARY")]
    pub(crate) like: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) source: SourceArguments,

    #[command(flatten)]
    pub(crate) options: OptionArguments,

    /// The output holds changed files only
    #[arg(long)]
    pub(crate) only_changed: bool,

    /// The output for web archives (WARC)
    #[arg(long, value_name = "WHAT", default_value = "append")]
    pub(crate) warc: WarcArgument,

    /// Print one JSON object for each difference instead of text
    #[arg(long)]
    pub(crate) json: bool,

    /// Print errors only
    #[arg(short, long)]
    pub(crate) quiet: bool,
}
