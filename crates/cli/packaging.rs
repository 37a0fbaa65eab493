//! What the man pages and completions of packages are made of.

pub use crate::args::pages::Page;

/// Returns the command line.
pub fn command() -> clap::Command {
    crate::args::command()
}
