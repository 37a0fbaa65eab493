//! What the man pages and completions of packages are made of.

use crate::args::pages::{Example, Page};

/// Returns the command line.
pub fn command() -> clap::Command {
    crate::args::command()
}

/// Returns the examples of a subcommand, each with its purpose, and the meaning of its exit status. The name of the command itself is
/// empty.
pub fn example_pages(name: &str) -> Option<(Vec<(&'static str, &'static str)>, &'static str)> {
    let page = Page::of(name)?;
    let example = |Example { purpose, line }: &Example| (*purpose, *line);
    Some((page.examples.iter().map(example).collect(), page.exit_status))
}
