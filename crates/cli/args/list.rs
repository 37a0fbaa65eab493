//! The arguments of the commands that list: `absolve check`, `links` and `base`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::args::input::InputArguments;
use crate::args::options::OptionArguments;
use crate::args::report::ReportArguments;

#[derive(Debug, Args)]
pub(crate) struct CheckArguments {
    #[command(flatten)]
    pub(crate) list: ListArguments,

    /// How to write what is found
    #[arg(long, value_name = "FORMAT", default_value = "text", conflicts_with = "json", help_heading = "Output")]
    format: CheckFormat,

    #[command(flatten)]
    pub(crate) report: ReportArguments,
}

/// A format of what `check` finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum CheckFormat {
    /// `path:line:column: message`, as compilers print it
    Text,
    /// One JSON object a line, with all properties of the link; `--json` is short for it
    Json,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// Annotations of GitHub Actions
    Github,
}

impl CheckArguments {
    pub(crate) const fn format(&self) -> CheckFormat {
        if self.list.json { CheckFormat::Json } else { self.format }
    }
}

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

/// The arguments that they share.
#[derive(Debug, Args)]
pub(crate) struct ListArguments {
    #[command(flatten)]
    pub(crate) input: InputArguments,

    #[command(flatten)]
    pub(crate) options: OptionArguments,

    /// Print one JSON object a line instead of text
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,

    /// Print errors only
    #[arg(short, long, help_heading = "Messages")]
    pub(crate) quiet: bool,
}
