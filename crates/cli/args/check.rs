//! The arguments of `absolve check`.

use clap::{Args, ValueEnum};

use crate::args::list::ListArguments;
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
