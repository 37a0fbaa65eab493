//! The arguments of `absolve completions` and `absolve man`.

use std::path::PathBuf;

use clap::Args;
use clap_complete::Shell;

#[derive(Debug, Args)]
pub(crate) struct CompletionsArguments {
    /// The shell
    #[arg(value_name = "SHELL")]
    pub(crate) shell: Shell,
}

#[derive(Debug, Args)]
pub(crate) struct ManArguments {
    /// The folder to write them into; it is created
    #[arg(value_name = "FOLDER")]
    pub(crate) folder: PathBuf,
}
