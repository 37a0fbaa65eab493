//! What `--help` and the man pages say at their end: examples, and the exit status.

use std::fmt::Write;

use clap::builder::StyledStr;
use clap::builder::styling::{AnsiColor, Styles};

/// The one source of both: the page of the documentation, and the table of the README.
const COMMANDS: &str = include_str!("commands.md");
const README: &str = include_str!("../../../README.md");

/// The colours of the help and of errors. NO_COLOR turns them off.
pub(crate) const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Green.on_default().bold())
    .usage(AnsiColor::Green.on_default().bold())
    .literal(AnsiColor::Cyan.on_default().bold())
    .placeholder(AnsiColor::Cyan.on_default());

/// The end of the help of a command.
#[derive(Debug)]
pub struct Page {
    /// What the examples are, in words.
    pub title: &'static str,
    /// What somebody wants or has, and what to type for it.
    pub examples: Vec<(String, &'static str)>,
    /// The meaning of the exit status.
    pub exit_status: String,
}

impl Page {
    /// Returns the page of a subcommand, or of the command itself, whose name is empty.
    pub fn of(command: &str) -> Option<Self> {
        if command.is_empty() {
            let exit_status = "0 done; 1 something failed or was found; 2 usage error.".to_owned();
            return Some(Self { title: "What do you have?", examples: tasks().collect(), exit_status });
        }
        let is_of_command = |section: &&str| section.strip_prefix(command).is_some_and(|rest| rest.starts_with('\n'));
        let section = COMMANDS.split("\n## absolve ").find(is_of_command)?;
        let paragraphs: Vec<&str> = section.split("\n\n").collect();
        let example =
            |pair: &[&'static str]| Some((pair[0].strip_suffix(':')?.to_owned(), pair[1].strip_prefix("    ")?));
        let exit_status = paragraphs.last()?.strip_prefix("Exit status: ")?;
        let exit_status = exit_status.split_whitespace().collect::<Vec<_>>().join(" ");
        Some(Self { title: "Examples:", examples: paragraphs.windows(2).filter_map(example).collect(), exit_status })
    }

    /// Returns the text below the options.
    pub(crate) fn text(&self) -> StyledStr {
        let (header, literal) = (STYLES.get_header(), STYLES.get_literal());
        let mut text = StyledStr::new();
        let mut write = |part: &str| {
            let _ = text.write_str(part);
        };
        write(&format!("{header}{}{header:#}\n", self.title));
        for (purpose, line) in &self.examples {
            write(&format!("  {purpose}:\n    {literal}{line}{literal:#}\n"));
        }
        write(&format!("\n{header}Exit status:{header:#}\n  {}", self.exit_status));
        text
    }
}

/// Returns the rows of the table: `` | what you have | `what to type` | more | ``.
fn tasks() -> impl Iterator<Item = (String, &'static str)> {
    let section = README.split("\n## ").find(|section| section.starts_with("What do you have?")).unwrap_or_default();
    section.lines().filter_map(|line| {
        let (what, rest) = line.strip_prefix("| ")?.split_once(" | `")?;
        Some((what.replace('`', ""), rest.split('`').next()?))
    })
}
