//! What was typed of what a run leaves behind: backups, journals, diffs.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

#[derive(Debug, Args)]
pub(crate) struct InPlaceArguments {
    /// Keep the original of each file that changes beside it, with SUFFIX behind its name
    ///
    /// A file whose backup exists already, from another run, is left as it is. Backups are not taken as input.
    #[arg(long, value_name = "SUFFIX", value_parser = suffix)]
    pub(crate) backup: Option<String>,

    /// Keep in FILE what is changed, edit by edit; `absolve revert FILE` takes it back
    ///
    /// A journal that exists is continued, so that an interrupted run and the one that ends its work are taken back together.
    #[arg(long, value_name = "FILE")]
    pub(crate) journal: Option<PathBuf>,

    /// Let each file reach the disk before it takes the place of the original, so that a loss of power loses neither
    #[arg(long)]
    pub(crate) sync: bool,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Exit status: 0 done; 1 a file is neither what the run has left nor what it was before, and stays \
                        as it is; 2 wrong use, or the journal is damaged, and nothing was done."
)]
pub(crate) struct RevertArguments {
    /// The journal of one run, or of several
    #[arg(value_name = "JOURNAL")]
    pub(crate) journal: PathBuf,

    /// Find out which files can be given back, and write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,

    /// Tell errors only
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum WhenArgument {
    /// When standard output is a terminal
    Auto,
    Always,
    Never,
}

fn suffix(text: &str) -> Result<String, String> {
    let is_name = !text.is_empty() && !text.contains(['/', '\\', '\0']);
    is_name.then(|| text.to_owned()).ok_or_else(|| "it goes behind the names of files, as in `.orig`".to_owned())
}
