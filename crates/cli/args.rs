//! The command line.

pub(crate) mod in_place;
pub(crate) mod input;
pub(crate) mod list;
pub(crate) mod options;
pub(crate) mod pack;
pub(crate) mod pages;
pub(crate) mod report;
pub(crate) mod resolve;
pub(crate) mod revert;
pub(crate) mod rewrite;
pub(crate) mod unpack;
pub(crate) mod urls;
pub(crate) mod values;
pub(crate) mod verify;

use clap::{Arg, ArgAction, CommandFactory, Parser, Subcommand};

use crate::args::list::{BaseArguments, CheckArguments, LinksArguments};
use crate::args::pack::PackArguments;
use crate::args::pages::{Page, STYLES};
use crate::args::resolve::ResolveArguments;
use crate::args::revert::RevertArguments;
use crate::args::rewrite::RewriteArguments;
use crate::args::unpack::UnpackArguments;
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
    Check(CheckArguments),
    /// List all links with their targets and bases
    Links(LinksArguments),
    /// Show why each document has the base it has
    Base(BaseArguments),
    /// Prove that only links changed, and that each means what it meant
    Verify(VerifyArguments),
    /// Resolve references given as arguments, or one a line on standard input
    Resolve(ResolveArguments),
    /// Undo in-place runs from the journal that --journal wrote
    Revert(RevertArguments),
    /// Pack a document with its images, styles and fonts into one message, for mail programs or browsers
    Pack(PackArguments),
    /// Unpack a message or web archives into files, with links between them local and all others absolute
    Unpack(UnpackArguments),
}

/// Returns the command line, with examples at the end of each `--help`.
pub(crate) fn command() -> clap::Command {
    with_page(Arguments::command(), "").styles(STYLES).mut_subcommands(|subcommand| {
        let name = subcommand.get_name().to_owned();
        with_page(with_help_in_group(subcommand), &name)
    })
}

fn with_page(command: clap::Command, name: &str) -> clap::Command {
    match Page::of(name) {
        Some(page) => command.after_long_help(page.text()),
        None => command,
    }
}

/// Puts `--help` among the messages, if the options are in groups.
fn with_help_in_group(command: clap::Command) -> clap::Command {
    if command.get_arguments().all(|argument| argument.get_help_heading().is_none()) {
        return command;
    }
    let help = Arg::new("help").short('h').long("help").action(ArgAction::Help).help_heading("Messages");
    let help = help.help("Print help (see more with '--help')").long_help("Print help (see a summary with '-h')");
    command.disable_help_flag(true).arg(help)
}

#[cfg(test)]
mod tests {
    use clap::Command;

    use super::command;

    /// Splits a line as a shell does, but for what examples do not use.
    fn words(line: &str) -> Vec<String> {
        let line = line.split(" > ").next().unwrap_or_default();
        line.split(' ').map(|word| word.trim_matches('\'').to_owned()).collect()
    }

    fn commands() -> Vec<Command> {
        let mut whole = command();
        whole.build();
        let each = whole.get_subcommands().filter(|command| command.get_name() != "help").cloned();
        each.chain([command()]).collect()
    }

    #[test]
    fn the_short_help_fits_one_screen() {
        for command in commands() {
            let name = command.get_name().to_owned();
            let text = command.term_width(80).max_term_width(80).render_help().to_string();
            let widest = text.lines().map(|line| line.chars().count()).max();
            assert!(text.lines().count() <= 40 && widest <= Some(80), "{name}: {} lines\n{text}", text.lines().count());
            assert!(text.contains("see more with '--help'"), "{text}");
        }
    }

    #[test]
    fn each_help_ends_with_examples_that_parse() {
        for mut command in commands() {
            let text = command.render_long_help().to_string();
            let (title, number) =
                if command.get_name() == "absolve" { ("What do you have?", 10) } else { ("Examples:", 3) };
            let after = text.split(&format!("{title}\n")).nth(1).unwrap_or_default();
            let lines: Vec<&str> = after.lines().filter_map(|line| line.strip_prefix("    ")).collect();
            assert_eq!(lines.len(), number, "{text}");
            // What begins otherwise is Python or JavaScript.
            for line in lines.into_iter().filter(|line| line.starts_with("absolve ")) {
                let parsed = super::command().try_get_matches_from(words(line));
                assert!(parsed.is_ok(), "{line}: {}", parsed.err().map(|error| error.to_string()).unwrap_or_default());
            }
            assert!(after.contains("Exit status:\n  0 "), "{text}");
        }
    }

    #[test]
    fn all_options_are_in_groups() {
        for command in commands() {
            let alone = command.get_arguments().filter(|argument| {
                let is_general = matches!(argument.get_id().as_str(), "help" | "version");
                !argument.is_positional()
                    && !argument.is_hide_set()
                    && !is_general
                    && argument.get_help_heading().is_none()
            });
            let alone: Vec<_> = alone.map(|argument| argument.get_id()).collect();
            // The commands with few options have no groups.
            let few = ["resolve", "revert"].contains(&command.get_name());
            assert!(few || alone.is_empty(), "{}: {alone:?}", command.get_name());
        }
    }
}
