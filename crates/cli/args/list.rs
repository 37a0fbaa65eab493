//! The arguments of `absolve check`, `links` and `base`.

use clap::Args;

use crate::args::input::InputArguments;
use crate::args::options::OptionArguments;

#[derive(Debug, Args)]
#[command(
    after_help = "Exit status: 0 done; 1 a document could not be read, or `check` found a relative link, or, with \
                        --for mail, one that recipients cannot follow; 2 usage error, or no input is a document."
)]
pub(crate) struct ListArguments {
    #[command(flatten)]
    pub(crate) input: InputArguments,

    #[command(flatten)]
    pub(crate) options: OptionArguments,

    /// Print one JSON object a line instead of text
    #[arg(long)]
    pub(crate) json: bool,

    /// Print errors only
    #[arg(short, long)]
    pub(crate) quiet: bool,
}
