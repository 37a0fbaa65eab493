//! A run in place that is killed leaves each file old or new, is ended by the next one, and can be taken back.

use std::fs;
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::support::trees::{bytes_of, copy, snapshot};
use crate::support::{Outcome, argument, run};
use absolve_testing::{IN_FULL, corpus, print_line, rounds};

const MESSAGE: &str = "Content-Base: http://h/\nContent-Type: text/html\n\n<a href=x>\n";

/// Pages, an mbox, a Maildir and a web archive; where laws run in full, pages of a corpus too.
fn tree(folder: &Path) -> Outcome {
    for number in 0..60 {
        let page = folder.join(format!("pages/{}/{number}.html", number % 7));
        page.parent().map_or(Ok(()), fs::create_dir_all)?;
        fs::write(page, "<a href=b>text\n".repeat(number * 20 + 1))?;
    }
    let messages = (0..5_000)
        .map(|number| format!("From a@b Thu Jan  1 00:00:00 1998\n{MESSAGE}{}\n", "text\n".repeat(number % 100)));
    fs::write(folder.join("list.mbox"), messages.collect::<String>())?;
    for name in ["mail/cur", "mail/new", "mail/tmp"] {
        fs::create_dir_all(folder.join(name))?;
    }
    for number in 0..20 {
        let name = format!("mail/cur/{number}.host,S={}:2,S", MESSAGE.len());
        fs::write(folder.join(name), MESSAGE)?;
    }
    let record = |number: usize| {
        let block = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<a href=x{number}>");
        format!(
            "WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:3f7c3b1e-0b0e-4b8e-9a51-{number:012}>\r\n\
             WARC-Date: 2020-01-01T00:00:00Z\r\nWARC-Target-URI: http://h/d/\r\nContent-Type: application/http\r\n\
             Content-Length: {}\r\n\r\n{block}\r\n\r\n",
            block.len()
        )
    };
    fs::write(folder.join("a.warc"), (0..500).map(record).collect::<String>())?;
    match IN_FULL.then(|| corpus("html-postgresql-doc")).flatten() {
        Some(pages) => Ok(copy(&pages, &folder.join("corpus"), |index| index % 24 == 0)?),
        None => Ok(()),
    }
}

/// Runs the program, and kills it after a while if it has not ended; answers whether it was killed.
fn killed_after(arguments: &[&str], delay: Duration) -> io::Result<bool> {
    let mut child = Command::new(env!("CARGO_BIN_EXE_absolve"))
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    sleep(delay);
    let was_running = child.try_wait()?.is_none();
    child.kill()?;
    child.wait()?;
    Ok(was_running)
}

#[test]
fn killed_at_any_moment() -> Outcome {
    const ROUNDS: usize = rounds(50);
    let folder = tempfile::tempdir()?;
    let (original, work, journal) =
        (folder.path().join("original"), folder.path().join("work"), folder.path().join("journal"));
    tree(&original)?;
    let arguments = ["rewrite", argument(&work), "--in-place", "--journal", argument(&journal), "--url", "http://h/"];
    let arguments = [&arguments[..], &["--warc-date", "0", "--quiet"]].concat();
    let revert = ["revert", argument(&journal), "--quiet"];
    let anew = || -> Outcome {
        for old in [fs::remove_dir_all(&work), fs::remove_file(&journal)] {
            old.or_else(|error| if error.kind() == io::ErrorKind::NotFound { Ok(()) } else { Err(error) })?;
        }
        Ok(copy(&original, &work, |_| true)?)
    };
    anew()?;
    let before = snapshot(&work)?;
    let start = Instant::now();
    assert_eq!(run(&arguments)?, (0, String::new(), String::new()));
    let mut whole = start.elapsed();
    let after = snapshot(&work)?;
    let mut random = fastrand::Rng::with_seed(90);
    let (mut killed, mut killed_reverts) = (0, 0);
    for round in 0..ROUNDS {
        anew()?;
        let longest = if round % 5 == 4 { whole / 20 } else { whole };
        match killed_after(&arguments, longest.mul_f64(random.f64()))? {
            true => killed += 1,
            // The machine was busier when the time was taken.
            false => whole = whole.mul_f64(0.9),
        }
        let now = snapshot(&work)?;
        for (name, file) in &now {
            let is_old_or_new = [&before, &after]
                .iter()
                .any(|tree| tree.get(name).is_some_and(|known| known.bytes == file.bytes && known.mode == file.mode));
            assert!(is_old_or_new, "round {round}: {} is neither old nor new", name.display());
        }
        for name in before.keys().filter(|name| !now.contains_key(*name)) {
            assert!(!after.contains_key(name), "round {round}: {} is gone", name.display());
        }
        assert!(now.len() >= before.len(), "round {round}");
        if round % 2 == 1 {
            assert_eq!(run(&arguments)?, (0, String::new(), String::new()), "round {round}");
            assert!(bytes_of(&snapshot(&work)?) == bytes_of(&after), "round {round}: the next run does not end it");
        }
        if round % 3 == 0 {
            killed_reverts += usize::from(killed_after(&revert, whole.mul_f64(random.f64() / 2.0))?);
        }
        if journal.exists() {
            assert_eq!(run(&revert)?, (0, String::new(), String::new()), "round {round}");
        }
        let back = snapshot(&work)?;
        let differs = |name: &&std::path::PathBuf| back.get(*name) != before.get(*name);
        let different: Vec<_> = before.keys().chain(back.keys()).filter(differs).collect();
        assert!(different.is_empty(), "round {round}: {different:?} are not as before");
    }
    assert!(killed > ROUNDS / 4, "only {killed} runs of {ROUNDS} were killed");
    print_line(&format!("{killed} runs of {ROUNDS} and {killed_reverts} reverts were killed; one run takes {whole:?}"));
    Ok(())
}
