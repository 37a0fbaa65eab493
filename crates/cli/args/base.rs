//! The arguments of `absolve base`.

use clap::Args;

use crate::args::list::ListArguments;

#[derive(Debug, Args)]
pub(crate) struct BaseArguments {
    #[command(flatten)]
    pub(crate) list: ListArguments,

    /// Draw the base of each document, not only counts
    ///
    /// For one file, that is so in any case.
    #[arg(long, help_heading = "Output", conflicts_with = "json")]
    pub(crate) all: bool,
}
