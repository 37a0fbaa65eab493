//! The arguments for a page on a run that writes nothing else: `check` and `verify`.

use std::path::PathBuf;

use clap::Args;

#[derive(Clone, Debug, Default, Args)]
pub(crate) struct ReportArguments {
    /// Write a page to look at
    ///
    /// One HTML file that needs no network: what was found, what to do about it, and where.
    #[arg(long, value_name = "FILE.html", help_heading = "Output")]
    pub(crate) report: Option<PathBuf>,

    /// Replace an existing --report file
    #[arg(long, requires = "report", help_heading = "Output")]
    pub(crate) force: bool,
}
