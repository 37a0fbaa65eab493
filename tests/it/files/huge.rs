//! A file that is longer than any document does not end the run, and takes no memory.

use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use std::process::Command;

use crate::support::stops::Stop;
use crate::support::{Outcome, argument, folder_with};

const LITTLE_MEMORY: Stop = Stop::LittleMemory(900);

/// Makes a file that says it is long, with nothing in it but its first bytes.
fn sparse(path: &Path, start: &str, mebibytes: u64) -> std::io::Result<()> {
    let mut file = File::create(path)?;
    file.write_all(start.as_bytes())?;
    file.set_len(mebibytes << 20)
}

/// Runs the program with little memory; returns its exit status and its messages.
fn run(arguments: &[&str]) -> std::io::Result<(i32, String)> {
    let (status, told) = LITTLE_MEMORY.run(&[arguments, &["--jobs", "2"]].concat())?;
    Ok((status.unwrap_or(-1), told))
}

/// A program that reserves as much memory as the length of a file promises, and gets none, aborts.
#[test]
fn one_huge_file_does_not_end_the_run() -> Outcome {
    let folder = folder_with(&[("in/page.html", "<a href=x>"), ("in/cur/.x", ""), ("in/new/.x", "")])?;
    let input = folder.path().join("in");
    let page = "<!DOCTYPE html><a href=x>";
    let documents = [("a.html", page), ("b.css", "a{}"), ("c.svg", "<svg/>"), ("d.txt", "x"), ("e.php", page)];
    let messages = [("f.eml", "Subject: x\n\n"), ("cur/1.host,S=12:2,", "Subject: x\n\n")];
    let others = [("g.png", ""), ("h", "")];
    for (name, start) in documents.into_iter().chain(messages).chain(others) {
        sparse(&input.join(name), start, 6 << 10)?;
    }
    let (status, told) = run(&["rewrite", argument(&input), "--dry-run", "--url", "http://h/", "--verbose"])?;
    assert_eq!((status, told.matches(": document-too-long: it is longer than 128 MiB").count()), (0, 5), "{told}");
    assert_eq!(told.matches(": message-too-long: it is longer than 1024 MiB").count(), 2, "{told}");
    assert!(told.contains("1 document, 1 link: 1 made absolute"), "{told}");
    for (command, expected) in [("check", 1), ("links", 0), ("base", 0)] {
        let (status, told) = run(&[command, argument(&input), "--url", "http://h/"])?;
        assert_eq!((status, told.matches("-too-long: ").count()), (expected, 7), "{command}: {told}");
    }
    let (long, output) = (input.join("a.html"), folder.path().join("a.eml"));
    let (status, told) = LITTLE_MEMORY.run(&["pack", argument(&long), "-o", argument(&output)])?;
    assert!(status == Some(1) && told.contains("document-too-long") && !output.exists(), "{told}");
    let (status, told) = LITTLE_MEMORY.run(&["revert", argument(&long)])?;
    assert!(status == Some(2) && told.contains("is not a journal"), "{told}");
    // Changing it in place is not tried.
    let (status, told) = run(&["rewrite", argument(&long), "--in-place", "--url", "http://h/"])?;
    assert!(status == 0 && told.contains("0 files changed") && fs::metadata(&long)?.len() == 6 << 30, "{told}");
    Ok(())
}

#[test]
fn a_huge_file_is_copied_and_verified_without_being_read_at_once() -> Outcome {
    let folder = folder_with(&[("in/page.html", "<a href=x>")])?;
    let path = |name: &str| folder.path().join(name);
    let (input, output, long) = (path("in"), path("out"), path("in/long.html"));
    sparse(&long, "<a href=x>", 200)?;
    // So much fits the memory, were it read once.
    let little = |arguments: &[&str]| Stop::LittleMemory(180).run(&[arguments, &["--jobs", "1"]].concat());
    let (status, told) = little(&["rewrite", argument(&input), "-o", argument(&output), "--url", "http://h/"])?;
    assert!(status == Some(0) && told.contains("long.html: document-too-long"), "{told}");
    let verify = ["verify", argument(&input), argument(&output), "--url", "http://h/"];
    let (status, told) = little(&verify)?;
    assert!(status == Some(0) && told.contains("1 changed, each proven"), "{told}");
    File::options().write(true).open(output.join("long.html"))?.write_all(b"<a href=y>")?;
    assert_eq!(little(&verify)?.0, Some(1));
    // Standard input waits in a file; what goes to standard output is the very same.
    let copy = path("copy");
    let status = Command::new("sh")
        .args(["-c", "ulimit -v 180000; exec \"$0\" rewrite - -o - --type html --url http://h/ --jobs 1"])
        .arg(env!("CARGO_BIN_EXE_absolve"))
        .stdin(File::open(&long)?)
        .stdout(File::create(&copy)?)
        .status()?;
    let compared = Command::new("cmp").args([&long, &copy]).status()?;
    assert!(status.success() && compared.success());
    Ok(())
}

/// `verify` does not read a line that never ends as a whole.
#[test]
#[ignore = "long: 300 MiB"]
fn a_huge_message_of_an_mbox_is_compared_and_not_kept() -> Outcome {
    let folder = folder_with(&[])?;
    let (input, output) = (folder.path().join("a.mbox"), folder.path().join("out"));
    const MESSAGE: &str = "From a@b Thu Jan  1 00:00:00 1998\nContent-Base: http://h/\nContent-Type: text/html\n\n";
    sparse(&input, MESSAGE, 300)?;
    let end = format!("\n\n{MESSAGE}<a href=x>\n\n");
    File::options().append(true).open(&input)?.write_all(end.as_bytes())?;
    let (status, told) = run(&["rewrite", argument(&input), "-o", argument(&output)])?;
    assert!(status == 0 && told.contains("record 1: message-too-long") && told.contains("1 made absolute"), "{told}");
    let (status, told) = run(&["verify", argument(&input), argument(&output)])?;
    assert!(status == 0 && told.starts_with("2 records") && told.contains("1 changed"), "{told}");
    let mut changed = fs::OpenOptions::new().write(true).open(&output)?;
    std::io::Seek::seek(&mut changed, std::io::SeekFrom::Start(290 << 20))?;
    changed.write_all(b"x")?;
    let (status, told) = run(&["verify", argument(&input), argument(&output)])?;
    assert!(status == 1 && told.contains("1 difference"), "{told}");
    Ok(())
}
