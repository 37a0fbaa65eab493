//! The arguments of `absolve rewrite --in-place`.

use std::path::PathBuf;

use clap::Args;

#[derive(Debug, Args)]
pub(crate) struct InPlaceArguments {
    /// Keep the original of each changed file beside it, with SUFFIX appended to its name
    ///
    /// A file that has a backup from another run is skipped. Backups are not input.
    #[arg(long, value_name = "SUFFIX", value_parser = suffix, hide_short_help = true, help_heading = "Output")]
    pub(crate) backup: Option<String>,

    /// Record each edit in FILE, for `absolve revert FILE`
    ///
    /// An existing journal is continued, so that reverting undoes an interrupted run together with the one that finished it.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) journal: Option<PathBuf>,

    /// Sync each new file to disk before it replaces the original, so that a power failure loses neither
    #[arg(long, hide_short_help = true, help_heading = "Output")]
    pub(crate) sync: bool,
}

fn suffix(text: &str) -> Result<String, String> {
    let is_name = !text.is_empty() && !text.contains(['/', '\\', '\0']);
    is_name.then(|| text.to_owned()).ok_or_else(|| "it is appended to file names, as in `.orig`".to_owned())
}
