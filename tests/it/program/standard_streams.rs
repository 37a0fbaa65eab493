//! What goes to standard output or standard error: it is not lost where they are closed, and does not control a terminal.

use std::io;
use std::path::Path;
use std::process::Command;

use crate::support::{Outcome, folder_with};
use absolve_testing::print_line;

/// Runs a line of a shell in a folder; `absolve` is the program.
fn typed(line: &str, folder: &Path) -> io::Result<(i32, String, String)> {
    let line = format!("absolve() {{ '{}' \"$@\"; }}\n{line}", env!("CARGO_BIN_EXE_absolve"));
    let done = Command::new("sh").args(["-c", &line]).current_dir(folder).output()?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Ok((done.status.code().unwrap_or(-1), text(&done.stdout), text(&done.stderr)))
}

#[test]
fn a_closed_standard_stream_is_an_error() -> Outcome {
    let rewrite = "absolve rewrite a.html --url http://h/";
    for line in [
        format!("{rewrite} -o - >&-"),
        "absolve rewrite - --url http://h/ < a.html >&-".to_owned(),
        format!("{rewrite} -o /dev/stdout >&-"),
        format!("{rewrite} -o b.html --summary - >&-"),
        format!("{rewrite} -o b.html --report - >&-"),
        format!("{rewrite} -o b.html --summary /dev/stdout >&-"),
        format!("{rewrite} -o b.html --report /dev/fd/1 >&-"),
        format!("{rewrite} --in-place --journal /dev/stdout >&-"),
        format!("{rewrite} -o b.html --summary /dev/fd/9 9>&-"),
        "absolve pack a.html -o - >&-".to_owned(),
        "absolve unpack a.eml --single - >&-".to_owned(),
    ] {
        let folder = folder_with(&[("a.html", "<a href=x>"), ("a.eml", "Content-Type: text/html\n\n<a href=x>")])?;
        let (status, _, says) = typed(&line, folder.path())?;
        let name = ["/dev/fd/9", "/dev/stdout"].into_iter().find(|name| line.contains(name));
        let is_named = says.contains("standard output is closed") || name.is_some_and(|name| says.contains(name));
        assert!(status > 0 && is_named && !folder.path().join("b.html").exists(), "{line}: {status}: {says}");
    }
    let folder = folder_with(&[("a.html", "<a href=x>")])?;
    let (status, _, _) = typed(&format!("{rewrite} -o b.html --summary /dev/stderr 2>&-"), folder.path())?;
    assert!(status == 2 && !folder.path().join("b.html").exists());
    // It is no file that would be lost.
    for line in [format!("{rewrite} -o - > /dev/null"), "absolve check a.html --quiet >&-; test $? = 1".to_owned()] {
        assert_eq!(typed(&line, folder.path())?.0, 0, "{line}");
    }
    Ok(())
}

#[cfg(target_os = "linux")]
#[test]
fn csv_does_not_control_a_terminal() -> Outcome {
    let folder = folder_with(&[("a\u{7}.html", "<a href='x\u{1b}]0;t\u{7}y'>")])?;
    if Command::new("script").arg("--version").output().is_err() {
        print_line("without script, there is no terminal");
        return Ok(());
    }
    for command in
        ["links a*.html --url http://h/ --format csv", "rewrite a*.html --url http://h/ --dry-run --report -"]
    {
        let program = env!("CARGO_BIN_EXE_absolve");
        let (status, on_terminal, says) =
            typed(&format!("script -qec \"'{program}' {command} 2>/dev/null\" /dev/null"), folder.path())?;
        assert!(
            status == 0 && on_terminal.contains("a\\u{7}.html") && !on_terminal.contains(['\u{1b}', '\u{7}']),
            "{on_terminal:?}{says}"
        );
    }
    let (_, piped, _) = typed("absolve links a*.html --url http://h/ --format csv", folder.path())?;
    assert!(piped.contains('\u{1b}'), "{piped}");
    Ok(())
}
