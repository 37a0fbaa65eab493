//! What other services run: the action, the hooks, and the pages that describe them.

use std::env;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use crate::support::{Outcome, folder_with};
use absolve_testing::{print_line, root};

/// Runs a step of the action in a folder, with `absolve` on the path.
fn action(folder: &Path, step: &str, paths: &str, options: &str) -> Result<Output, Box<dyn std::error::Error>> {
    let program = Path::new(env!("CARGO_BIN_EXE_absolve")).parent().ok_or("no folder")?;
    let path = env::join_paths(
        [program.to_owned()].into_iter().chain(env::split_paths(&env::var_os("PATH").unwrap_or_default())),
    )?;
    let mut command = Command::new("bash");
    command.arg(root().join("scripts/action.sh")).arg(step).current_dir(folder).env("PATH", path);
    Ok(command.env("CHECK_PATHS", paths).env("CHECK_OPTIONS", options).env_remove("GITHUB_WORKSPACE").output()?)
}

#[test]
fn the_action_checks_the_paths_it_is_given() -> Outcome {
    if Command::new("bash").arg("--version").output().is_err() {
        print_line("skipped: no bash");
        return Ok(());
    }
    let folder = folder_with(&[
        ("a b.html", "<a href=x>"),
        ("$(touch owned).html", "<a href='%%y'>"),
        ("--json", "<a href=z>"),
        ("c.html", "<a href=http://h/>"),
    ])?;
    let text = |output: &Output| String::from_utf8_lossy(&output.stdout).into_owned();
    for (paths, options, status, expected) in [
        ("a b.html\n", "", 1, "::error file=a b.html,line=1,col=9,title=relative-link::a@href: x\n"),
        ("  c.html \r\n\r\n", "", 0, ""),
        ("c.html\n$(touch owned).html", "--keep\n^%%", 0, ""),
        ("--json", "--type\nhtml", 1, "::error file=--json,line=1,col=9,title=relative-link::a@href: z\n"),
        ("", "", 2, "::error::absolve: the input `paths` of the action is empty\n"),
        ("nothing", "", 2, ""),
    ] {
        let output = action(folder.path(), "check", paths, options)?;
        assert_eq!((output.status.code(), &*text(&output)), (Some(status), expected), "{paths:?}: {output:?}");
    }
    assert!(!folder.path().join("owned").exists());
    assert!(text(&action(folder.path(), "install", "", "")?).starts_with("absolve "));
    Ok(())
}

/// The action runs what the test above runs, and its inputs reach the shell as variables only.
#[test]
fn no_input_of_the_action_is_shell() -> Outcome {
    let action = fs::read_to_string(root().join("action.yml"))?;
    let runs: Vec<&str> = action.lines().filter_map(|line| line.trim().strip_prefix("run: ")).collect();
    assert_eq!(
        runs,
        [r#"bash "$ACTION_PATH/scripts/action.sh" install"#, r#"bash "$ACTION_PATH/scripts/action.sh" check"#]
    );
    assert!(
        action.contains("CHECK_PATHS: ${{ inputs.paths }}") && action.contains("CHECK_OPTIONS: ${{ inputs.options }}")
    );
    Ok(())
}

/// The console of the page is what the program prints.
#[test]
fn the_page_about_integration_shows_what_happens() -> Outcome {
    let page = fs::read_to_string(root().join("docs/ci.md"))?;
    let shown =
        page.split("```console\n$ absolve ").nth(1).and_then(|rest| rest.split("```").next()).ok_or("no console")?;
    let (command, printed) = shown.split_once('\n').ok_or("no output")?;
    let mut files: Vec<(String, &str)> = (0..29).map(|number| (format!("public/{number}.html"), "<p>")).collect();
    let guide = format!("{}<p><p><a href=../prices.html>", "\n".repeat(11)).replace("<p><p>", "");
    files.push(("public/guide.html".into(), &guide));
    files.push(("newsletter.eml".into(), "Content-Type: text/html\n\n<p>"));
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (&**path, *text)).collect();
    let folder = folder_with(&files)?;
    let arguments: Vec<&str> = command.split(' ').collect();
    let (status, out, errors) = crate::support::run_in(folder.path(), &arguments)?;
    assert_eq!((status, out + &errors), (1, printed.to_owned()));
    for option in ["text", "json", "sarif", "github"] {
        assert!(page.contains(&format!("| `{option}` |")), "{option}");
    }
    let hooks = fs::read_to_string(root().join(".pre-commit-hooks.yaml"))?;
    assert!(["- id: absolve-check\n", "- id: absolve-check-system\n"].iter().all(|id| hooks.contains(id)));
    Ok(())
}
