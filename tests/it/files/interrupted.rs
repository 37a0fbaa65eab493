//! A run that is interrupted says what was done and how to go on, and leaves no temporary file.

use std::fs;
use std::io::{self, Read};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use crate::support::Outcome;
use crate::support::warc::{HTML, response};
use absolve_files::is_temporary;
use absolve_testing::{print_line, temporary_folder};

const INTERRUPT: i32 = 2;

/// Interrupts a run some time after a file of its output is there. Returns what it said; `None` if it has ended before.
fn interrupted(line: &str, folder: &Path, begins_with: &str) -> io::Result<Option<String>> {
    let mut command = Command::new("env");
    command.args(["--default-signal=INT", env!("CARGO_BIN_EXE_absolve")]).args(line.split(' ')).current_dir(folder);
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn()?;
    while !folder.join(begins_with).exists() && child.try_wait()?.is_none() {
        sleep(Duration::from_millis(1));
    }
    sleep(Duration::from_millis(100));
    Command::new("kill").args(["-INT", &child.id().to_string()]).stderr(Stdio::null()).status()?;
    let status = child.wait()?;
    let mut says = String::new();
    child.stderr.take().map_or(Ok(0), |mut errors| errors.read_to_string(&mut says))?;
    Ok((status.signal() == Some(INTERRUPT)).then_some(says))
}

#[test]
fn an_interrupted_run_says_how_to_go_on_and_leaves_no_temporary_file() -> Outcome {
    let outer = temporary_folder()?;
    let path = |name: &str| outer.path().join(name);
    fs::create_dir(path("in"))?;
    let message =
        "From a@b Thu Jan  1 00:00:00 1998\nContent-Type: text/html\nContent-Base: http://h/\n\n<a href=x>\n\n";
    fs::write(path("in/list.mbox"), message.repeat(200_000))?;
    let page = |number| response(number, &format!("http://h/{number}"), "200 OK", HTML, b"<a href=1>");
    fs::write(path("a.warc"), (0..20_000).flat_map(page).collect::<Vec<u8>>())?;
    let rewrite = "interrupted after 0 of 1 files; ";
    let in_place =
        format!("{rewrite}each file is as it was or complete, and the same command goes on; absolve revert journal");
    for (line, begins_with, expected) in [
        ("rewrite in --in-place --journal journal", "journal", &*in_place),
        ("rewrite in/list.mbox -o one", "", &format!("{rewrite}one is not written")),
        ("rewrite in -o out", "out.partial/list.mbox", &format!("{rewrite}out.partial is kept; --resume continues it")),
        ("unpack a.warc -o site", "site.partial/urls.csv", "interrupted; site.partial is kept; --resume continues it"),
    ] {
        match interrupted(line, outer.path(), begins_with)? {
            Some(says) => assert!(says.contains(expected), "{line}: {says}"),
            None => print_line(&format!("{line} ended before the signal")),
        }
        for folder in [outer.path(), &path("in")] {
            let left = fs::read_dir(folder)?.filter_map(Result::ok).find(|found| is_temporary(&found.path()));
            assert!(left.is_none() && !path("one").exists(), "{line}: {left:?}");
        }
    }
    Ok(())
}

/// As shells let what they run in the background.
#[test]
fn an_ignored_signal_stays_ignored() -> Outcome {
    let program = env!("CARGO_BIN_EXE_absolve");
    let background = format!("'{program}' links - --quiet <&3 & sleep 0.3; kill -INT $!; wait $!");
    let line =
        format!("{{ sleep 1; echo '<base href=http://h/><a href=x>'; }} | {{ trap '' INT; exec 3<&0; {background}; }}");
    let done = Command::new("sh").args(["-c", &line]).output()?;
    let text = String::from_utf8_lossy(&done.stdout).into_owned();
    assert!(done.status.success() && text.contains("http://h/x"), "{text}{}", String::from_utf8_lossy(&done.stderr));
    Ok(())
}
