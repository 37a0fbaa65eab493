//! The arguments of `absolve resolve`.

use absolve_resolver::Standard;
use clap::Args;
use clap::builder::PossibleValuesParser;

#[derive(Debug, Args)]
pub(crate) struct ResolveArguments {
    /// The references; without any, standard input is read, one reference a line
    #[arg(value_name = "REF")]
    pub(crate) references: Vec<String>,

    /// The base URL; without one, only absolute references have a target
    #[arg(long, value_name = "URL")]
    pub(crate) base: Option<String>,

    /// The standard to resolve by, or `all` for a table of all of them
    #[arg(long, value_name = "NAME", default_value = "whatwg", value_parser = standards_and_all())]
    pub(crate) standard: String,

    /// Show the components of each reference, and the productions of the grammars of 1995 and 1996 that it matches
    #[arg(long)]
    pub(crate) components: bool,

    /// Print one JSON object a line instead of text
    #[arg(long)]
    pub(crate) json: bool,
}

fn standards_and_all() -> PossibleValuesParser {
    PossibleValuesParser::new(Standard::ALL.map(Standard::name).into_iter().chain(["all"]))
}
