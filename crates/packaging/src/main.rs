//! Writes what packages install besides the program: `cargo run -p absolve-packaging -- FOLDER` fills `FOLDER/man` with a man page
//! for each command, and `FOLDER/completions` with a script for each shell.

#![allow(clippy::disallowed_methods)]

use std::path::{Path, PathBuf};
use std::{env, fs, io};

use absolve::packaging::{Page, command};
use clap::Command;
use clap_complete::{Shell, generate_to};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};

const SHELLS: [Shell; 5] = [Shell::Bash, Shell::Zsh, Shell::Fish, Shell::Elvish, Shell::PowerShell];

fn main() -> io::Result<()> {
    let arguments: Vec<PathBuf> = env::args_os().skip(1).map(PathBuf::from).collect();
    match &arguments[..] {
        [folder] => write_all(folder),
        _ => Err(io::Error::other("usage: absolve-packaging FOLDER")),
    }
}

fn write_all(folder: &Path) -> io::Result<()> {
    let (pages, completions) = (folder.join("man"), folder.join("completions"));
    fs::create_dir_all(&completions)?;
    for shell in SHELLS {
        generate_to(shell, &mut command(), "absolve", &completions)?;
    }
    fs::create_dir_all(&pages)?;
    let mut whole = command();
    whole.build();
    let subcommands = whole.get_subcommands().filter(|subcommand| subcommand.get_name() != "help");
    let all = subcommands.map(|subcommand| (subcommand.get_name().to_owned(), subcommand.clone()));
    let mut all = all.chain([(String::new(), whole.clone())]);
    all.try_for_each(|(name, command)| write_page(&pages, &name, command))
}

/// Writes the man page of a subcommand, or of the command itself, whose name is empty.
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
    end_of(name).to_writer(&mut text)?;
    fs::write(folder.join(format!("{title}.1")), text)
}

/// Returns the sections behind the options. Those of clap_mangen would run the lines of the examples together.
fn end_of(name: &str) -> Roff {
    let mut roff = Roff::new();
    let Some(Page { title, examples, exit_status }) = Page::of(name) else { return roff };
    roff.control("SH", [&*title.trim_end_matches(':').to_uppercase()]);
    for (purpose, line) in examples {
        roff.control("PP", []).text([roman(format!("{purpose}:"))]);
        roff.control("PP", []).control("RS", ["4"]).control("nf", []);
        roff.text([roman(line)]).control("fi", []).control("RE", []);
    }
    roff.control("SH", ["EXIT STATUS"]).text([roman(exit_status)]);
    roff
}

#[cfg(test)]
mod tests {
    use std::{fs, io};

    use absolve_testing::temporary_folder;

    use super::{SHELLS, write_all};

    /// Every shell gets each command, and each option of it.
    #[test]
    fn completions_know_every_command() -> io::Result<()> {
        let folder = temporary_folder()?;
        write_all(folder.path())?;
        let mut seen = 0;
        for script in fs::read_dir(folder.path().join("completions"))? {
            let script = fs::read_to_string(script?.path())?;
            for word in ["rewrite", "check", "unpack", "same-document", "break-signatures"] {
                assert!(script.contains(word), "a script lacks {word}: {script}");
            }
            seen += 1;
        }
        assert_eq!(seen, SHELLS.len());
        Ok(())
    }

    #[test]
    fn man_pages_have_the_options_and_the_examples() -> io::Result<()> {
        const PARTS: [&str; 3] = [".TH ABSOLVE", ".SH NAME", ".SH \"EXIT STATUS\""];
        let folder = temporary_folder()?;
        // Twice: they are replaced.
        write_all(folder.path())?;
        write_all(folder.path())?;
        let pages: Vec<_> = fs::read_dir(folder.path().join("man"))?.collect::<Result<_, _>>()?;
        assert_eq!(pages.len(), 10);
        for page in pages {
            let text = fs::read_to_string(page.path())?;
            assert!(PARTS.iter().all(|part| text.contains(part)), "{text}");
        }
        let page = fs::read_to_string(folder.path().join("man/absolve-rewrite.1"))?;
        assert!(
            page.contains(".SH EXAMPLES")
                && page.contains("same\\-document")
                && page.contains("absolve rewrite site \\-o out"),
            "{page}"
        );
        fs::write(folder.path().join("file"), "")?;
        assert!(write_all(&folder.path().join("file")).is_err());
        Ok(())
    }
}
