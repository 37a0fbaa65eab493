//! `absolve completions` and `absolve man`: what packages install besides the program.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use absolve_files::{Existing, NewFile};
use clap::Command;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};

use crate::args;
use crate::args::generate::{CompletionsArguments, ManArguments};
use crate::args::pages::{Example, Page};
use crate::outcome::{Outcome, Stop, usage_error};
use crate::streams::Streams;

/// Prints a completion script.
pub(crate) fn completions(arguments: &CompletionsArguments, streams: &Streams<'_>) -> Result<Outcome, Stop> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut args::command(), "absolve", &mut script);
    (&streams.output).write_all(&script)?;
    Ok(Outcome::Done)
}

/// Writes a man page for the command, and for each of its subcommands.
pub(crate) fn man(arguments: &ManArguments) -> Result<Outcome, Stop> {
    let folder = &*arguments.folder;
    let mut command = args::command();
    command.build();
    let subcommands = command.get_subcommands().filter(|subcommand| subcommand.get_name() != "help");
    let all = subcommands.map(|subcommand| (subcommand.get_name().to_owned(), subcommand.clone()));
    let all: Vec<(String, Command)> = all.chain([(String::new(), command.clone())]).collect();
    let written = fs::create_dir_all(folder)
        .and_then(|()| all.into_iter().try_for_each(|(name, command)| write_page(folder, &name, command)));
    written.or_else(|error| usage_error(format!("cannot write {}: {error}", folder.display())))?;
    Ok(Outcome::Done)
}

fn write_page(folder: &Path, name: &str, command: Command) -> io::Result<()> {
    let title = if name.is_empty() { "absolve".to_owned() } else { format!("absolve-{name}") };
    let source = concat!("absolve ", env!("CARGO_PKG_VERSION"));
    let page = Man::new(command.version(env!("CARGO_PKG_VERSION"))).title(title.to_uppercase()).source(source);
    let mut text = Vec::new();
    page.render_title(&mut text)?;
    page.render_name_section(&mut text)?;
    page.render_synopsis_section(&mut text)?;
    page.render_description_section(&mut text)?;
    page.render_options_section(&mut text)?;
    if name.is_empty() {
        page.render_subcommands_section(&mut text)?;
    }
    if let Some(page) = Page::of(name) {
        end_of(page).to_writer(&mut text)?;
    }
    let file = NewFile::begin(&folder.join(format!("{title}.1")), Existing::Replace)?;
    file.write(|output| output.write_all(&text))
}

/// Returns the sections behind the options. Those of clap_mangen would run the lines of the examples together.
fn end_of(page: &Page) -> Roff {
    let mut roff = Roff::new();
    roff.control("SH", ["EXAMPLES"]);
    for Example { purpose, line } in &page.examples {
        roff.control("PP", []).text([roman(format!("{purpose}:"))]);
        roff.control("PP", []).control("RS", ["4"]).control("nf", []);
        roff.text([roman(*line)]).control("fi", []).control("RE", []);
    }
    roff.control("SH", ["EXIT STATUS"]).text([roman(page.exit_status)]);
    roff
}
