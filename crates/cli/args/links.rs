//! The arguments of `absolve links`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::args::list::ListArguments;

#[derive(Debug, Args)]
pub(crate) struct LinksArguments {
    #[command(flatten)]
    pub(crate) list: ListArguments,

    /// How to write the links; `--json` is short for `--format json`
    #[arg(long, value_name = "FORMAT", default_value = "text", conflicts_with = "json", help_heading = "Output")]
    format: LinksFormat,

    /// Write to this file instead of standard output
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,

    /// Replace an existing output
    #[arg(long, requires = "output", help_heading = "Output")]
    pub(crate) force: bool,

    /// Count the links between hosts instead of listing them
    ///
    /// The host of a page is that of the URL it was retrieved from. Memory grows with the number of pairs of hosts.
    #[arg(long, help_heading = "Output")]
    pub(crate) unique_hosts: bool,
}

/// A format of links.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LinksFormat {
    /// One a line, for people
    Text,
    /// One JSON object a line
    Json,
    /// A table for spreadsheets; a cell that could be a formula begins with an apostrophe
    Csv,
    /// A table for data frames and databases
    Parquet,
}

impl LinksArguments {
    pub(crate) const fn format(&self) -> LinksFormat {
        if self.list.json { LinksFormat::Json } else { self.format }
    }
}
