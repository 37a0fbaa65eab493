//! The arguments of `absolve revert`.

use std::path::PathBuf;

use clap::Args;

#[derive(Debug, Args)]
pub(crate) struct RevertArguments {
    /// The journal of one run or of several
    #[arg(value_name = "JOURNAL")]
    pub(crate) journal: PathBuf,

    /// Check which files can be reverted, but write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,

    /// Print errors and warnings only
    #[arg(short, long)]
    pub(crate) quiet: bool,
}
