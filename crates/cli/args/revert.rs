//! The arguments of `absolve revert`.

use std::path::PathBuf;

use clap::Args;

#[derive(Debug, Args)]
#[command(
    after_help = "Exit status: 0 done; 1 a file is neither as the run left it nor as it was before, and is skipped; 2 usage \
                  error, or the journal is damaged, and nothing was done."
)]
pub(crate) struct RevertArguments {
    /// The journal of one run or of several
    #[arg(value_name = "JOURNAL")]
    pub(crate) journal: PathBuf,

    /// Check which files can be reverted, but write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,

    /// Print errors only
    #[arg(short, long)]
    pub(crate) quiet: bool,
}
