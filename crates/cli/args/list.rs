//! The arguments of `absolve check`, `links` and `base`.

use clap::Args;

use crate::args::input::InputArguments;
use crate::args::options::OptionArguments;

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
