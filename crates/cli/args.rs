//! The command line.

pub(crate) mod in_place;
pub(crate) mod input;
pub(crate) mod links;
pub(crate) mod list;
pub(crate) mod options;
pub(crate) mod pack;
pub(crate) mod resolve;
pub(crate) mod revert;
pub(crate) mod rewrite;
pub(crate) mod verify;

use clap::{Parser, Subcommand};

use crate::args::links::LinksArguments;
use crate::args::list::ListArguments;
use crate::args::pack::PackArguments;
use crate::args::resolve::ResolveArguments;
use crate::args::revert::RevertArguments;
use crate::args::rewrite::RewriteArguments;
use crate::args::verify::VerifyArguments;

/// Make every relative link of a body of documents absolute, and change no other byte.
///
/// absolve first establishes the base URL of each document: its own BASE element, else the URL it was retrieved from.
/// Then it resolves each reference and changes the bytes of those references, and no others.
#[derive(Debug, Parser)]
#[command(name = "absolve", version, max_term_width = 100)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Make links absolute
    Rewrite(RewriteArguments),
    /// List the links that are relative; exit 1 if there are any
    Check(ListArguments),
    /// List all links with their targets and bases
    Links(LinksArguments),
    /// Show why each document has the base it has
    Base(ListArguments),
    /// Prove that only links changed, and that each means what it meant
    Verify(VerifyArguments),
    /// Resolve references given as arguments, or one a line on standard input
    Resolve(ResolveArguments),
    /// Undo in-place runs from the journal that --journal wrote
    Revert(RevertArguments),
    /// Pack a document with its images, styles and fonts into one message, for mail programs or browsers
    Pack(PackArguments),
}
