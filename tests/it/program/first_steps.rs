//! What docs/first-steps.md shows is what happens.

use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::support::Outcome;
use crate::support::stops::gzip;
use absolve_testing::{files, print_line, root, temporary_folder};
use regex_lite::Regex;

/// A command of the page, and what it printed.
struct Step {
    line: String,
    printed: String,
}

#[test]
fn the_first_steps_go_as_they_are_written() -> Outcome {
    if Command::new("bash").arg("--version").output().is_err() {
        print_line("skipped: no bash");
        return Ok(());
    }
    let page = fs::read_to_string(root().join("docs/first-steps.md"))?;
    let steps: Vec<Step> =
        page.split("```console\n").skip(1).filter_map(|rest| rest.split("```").next()).flat_map(steps_of).collect();
    let folder = temporary_folder()?;
    let from = root().join("docs/first-steps");
    for file in files(&from)? {
        let to = folder.path().join(file.strip_prefix(&from)?);
        fs::create_dir_all(to.parent().ok_or("no folder")?)?;
        fs::copy(&file, to)?;
    }
    let seconds = Regex::new(r"\b\d+\.\d\d s\b")?;
    for Step { line, printed } in &steps {
        let out = typed(line, folder.path())?;
        assert_eq!(seconds.replace_all(&out, "0.00 s"), *printed, "{line}");
    }
    assert_eq!(page.matches("\n## ").count(), 6, "five tasks, and what stood in the way");
    assert_eq!(steps.len(), 16);
    Ok(())
}

/// The mirror is one by `wget -k`, whose links lead to copies.
#[test]
fn the_line_of_the_readme_for_a_mirror_makes_its_links_absolute() -> Outcome {
    let readme = fs::read_to_string(root().join("README.md"))?;
    let row = readme.lines().find(|line| line.contains("`wget -k`")).ok_or("no row for a mirror")?;
    let command = row.split('`').find(|code| code.starts_with("absolve ")).ok_or("no command")?;
    let folder = temporary_folder()?;
    std::os::unix::fs::symlink(root().join("docs/first-steps/mirror"), folder.path().join("mirror"))?;
    assert!(typed(command, folder.path())?.contains(": 3 made absolute, 2 absolute before"), "{command}");
    Ok(())
}

/// The table that `absolve --help` shows as well.
#[test]
fn each_line_of_the_readme_does_what_it_says() -> Outcome {
    let readme = fs::read_to_string(root().join("README.md"))?;
    let rows =
        readme.split("## What do you have?").nth(1).and_then(|rest| rest.split("\n## ").next()).ok_or("no table")?;
    let commands: Vec<&str> =
        rows.lines().flat_map(|row| row.split('`')).filter(|code| code.starts_with("absolve ")).collect();
    let steps = root().join("docs/first-steps");
    let folder = temporary_folder()?;
    std::os::unix::fs::symlink(steps.join("mirror"), folder.path().join("mirror"))?;
    fs::create_dir(folder.path().join("public"))?;
    let saved = "<!-- saved from url=(0023)https://example.org/d/x -->\n<a href=y>";
    for (name, text) in [("page.html", "<a href=x>"), ("saved.html", saved), ("public/a.html", "<a href=x>")] {
        fs::write(folder.path().join(name), text)?;
    }
    fs::copy(steps.join("newsletter.html"), folder.path().join("issue.html"))?;
    fs::copy(steps.join("list.mbox"), folder.path().join("inbox.mbox"))?;
    fs::write(folder.path().join("crawl.warc.gz"), gzip(&fs::read(steps.join("crawl.warc"))?)?)?;
    for command in &commands {
        let out = typed(command, folder.path())?;
        let is_done = out.contains(" made absolute") && !out.contains(" 0 made absolute");
        assert!(is_done || out.ends_with("1 link relative in 1 document\n"), "{command}: {out}");
    }
    assert_eq!(commands.len(), 7);
    let help = typed("absolve --help", folder.path())?;
    assert!(commands.iter().all(|command| help.replace("\n    ", " ").contains(command)), "{help}");
    Ok(())
}

fn steps_of(console: &str) -> Vec<Step> {
    let step = |text: &str| {
        let (line, printed) = text.split_once('\n').unwrap_or((text, ""));
        let printed =
            if printed.is_empty() || printed.ends_with('\n') { printed.to_owned() } else { format!("{printed}\n") };
        Step { line: line.to_owned(), printed }
    };
    let whole = format!("\n{console}");
    whole.split("\n$ ").skip(1).map(step).collect()
}

/// Types a line, and returns what a terminal would show.
fn typed(line: &str, folder: &Path) -> Result<String, Box<dyn std::error::Error>> {
    let program = Path::new(env!("CARGO_BIN_EXE_absolve")).parent().ok_or("no folder")?;
    let rest = env::var_os("PATH").unwrap_or_default();
    let path = env::join_paths([program.to_owned()].into_iter().chain(env::split_paths(&rest)))?;
    let mut command = Command::new("bash");
    command
        .args(["-c", &format!("exec 2>&1\n{line}")])
        .current_dir(folder)
        .env("PATH", path)
        .env_remove("GITHUB_WORKSPACE");
    Ok(String::from_utf8(command.output()?.stdout)?)
}
