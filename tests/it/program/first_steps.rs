//! What docs/first-steps.md and docs/recipes.md show is what happens.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::Outcome;
use crate::support::stops::gzip;
use absolve_testing::{files, print_line, root, temporary_folder};
use regex_lite::Regex;
use tempfile::TempDir;

/// The folders of the recipes, in their order.
const RECIPES: [&str; 13] = [
    "readme",
    "readme",
    "readme",
    "readme",
    "readme",
    "newsletter",
    "hugo",
    "eleventy",
    "site",
    "site",
    "archive",
    "text",
    "text",
];

/// What recipes need besides the program: a word of their commands, and a command that fails where it is not there.
const TOOLS: [(&str, &str); 10] = [
    ("cargo ", "cargo --version"),
    ("cmark-gfm ", "cmark-gfm --version"),
    ("hugo ", "hugo version"),
    ("markitdown", "markitdown --version"),
    ("npm ", "npm --version"),
    ("npx ", r#"ln -s "${ABSOLVE_NPM:?}/node_modules" . && test -d node_modules/@11ty/eleventy"#),
    ("pre-commit ", "git --version && pre-commit --version"),
    ("python -m build ", "python -c 'import absolve, build, hatchling, hatch_fancy_pypi_readme'"),
    ("trafilatura ", "trafilatura --version"),
    ("unzip ", "command -v unzip"),
];

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
    let steps: Vec<Step> = consoles(&page).flat_map(steps_of).collect();
    let folder = temporary_folder()?;
    check(&steps, &copied(&root().join("docs/first-steps"), &folder)?)?;
    assert_eq!(page.matches("\n## ").count(), 6, "five tasks, and what stood in the way");
    assert_eq!(steps.len(), 16);
    Ok(())
}

/// Each console of a recipe is typed in a folder of its own, which has the files that the recipe shows.
#[test]
fn the_recipes_go_as_they_are_written() -> Outcome {
    let page = fs::read_to_string(root().join("docs/recipes.md"))?;
    let recipes: Vec<&str> = page.split("\n## ").skip(1).collect();
    assert_eq!(recipes.len(), RECIPES.len());
    let file = Regex::new(r"```(?:python|toml|yaml)\n# (\S+)\n([^`]*)```")?;
    for (recipe, name) in recipes.into_iter().zip(RECIPES) {
        for console in consoles(recipe) {
            let folder = temporary_folder()?;
            let copy = copied(&root().join("docs/recipes").join(name), &folder)?;
            for shown in file.captures_iter(recipe) {
                let path = copy.join(&shown[1]);
                fs::create_dir_all(path.parent().ok_or("no folder")?)?;
                fs::write(path, &shown[2])?;
            }
            let is_there =
                |needs: &str| typed(&format!("({needs}) >/dev/null && echo there"), &copy).map(|out| out == "there\n");
            let mut missing = None;
            for (word, needs) in TOOLS {
                if console.contains(word) && !is_there(needs)? {
                    missing = Some(needs);
                }
            }
            match missing {
                Some(needs) => print_line(&format!("skipped: {}: {needs}", recipe.lines().next().unwrap_or_default())),
                None => check(&steps_of(console), &copy)?,
            }
        }
    }
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
    assert_eq!(commands.len(), 8);
    let help = typed("absolve --help", folder.path())?;
    assert!(commands.iter().all(|command| help.replace("\n    ", " ").contains(command)), "{help}");
    Ok(())
}

fn consoles(page: &str) -> impl Iterator<Item = &str> {
    page.split("```console\n").skip(1).filter_map(|rest| rest.split("```").next())
}

/// Copies files to where commands may write beside their folder.
fn copied(from: &Path, into: &TempDir) -> Result<PathBuf, Box<dyn std::error::Error>> {
    let copy = into.path().join("copy");
    for file in files(from)? {
        let to = copy.join(file.strip_prefix(from)?);
        fs::create_dir_all(to.parent().ok_or("no folder")?)?;
        fs::copy(&file, to)?;
    }
    Ok(copy)
}

/// Types the steps one after the other, and compares what they print.
fn check(steps: &[Step], folder: &Path) -> Outcome {
    let seconds = Regex::new(r"\b\d+\.\d\d s\b")?;
    for Step { line, printed } in steps {
        // No test uses the network: what curl would fetch is a file.
        let out = typed(&format!("curl() {{ cat page.html; }}\n{line}"), folder)?;
        assert_eq!(seconds.replace_all(&out, "0.00 s"), *printed, "{line}");
    }
    Ok(())
}

fn steps_of(console: &str) -> Vec<Step> {
    let step = |text: &str| {
        let text = text.replace("\\\n", "");
        let (line, printed) = text.split_once('\n').unwrap_or((&text, ""));
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
        .env("PRE_COMMIT_HOME", folder.join("../.pre-commit"))
        .env_remove("CARGO_TARGET_DIR")
        .env_remove("GITHUB_WORKSPACE");
    Ok(String::from_utf8(command.output()?.stdout)?)
}
