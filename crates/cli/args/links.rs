//! The arguments of `absolve links`.

use clap::{Args, ValueEnum};

use crate::args::list::ListArguments;

#[derive(Debug, Args)]
pub(crate) struct LinksArguments {
    #[command(flatten)]
    pub(crate) list: ListArguments,

    /// How to write the links; `--json` is short for `--format json`
    #[arg(long, value_name = "FORMAT", default_value = "text", conflicts_with = "json")]
    format: LinksFormat,
}

/// A format of links.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LinksFormat {
    /// One a line, for people
    Text,
    /// One JSON object a line
    Json,
}

impl LinksArguments {
    pub(crate) const fn format(&self) -> LinksFormat {
        if self.list.json { LinksFormat::Json } else { self.format }
    }
}
