//! A run that is stopped at any moment, killed or failed by the system, leaves in place each file old or new, and of a new
//! folder nothing that looks complete and is not. The next run ends its work.

use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::path::PathBuf;
use std::time::{Duration, Instant, SystemTime};

use crate::support::stops::{Stop, tree_of_all_kinds};
use crate::support::trees::{bytes_of, copy, snapshot};
use crate::support::{Outcome, argument, run};
use absolve_testing::{IN_FULL, corpus, print_line, rounds, temporary_folder};

const MESSAGE: &str = "Content-Base: http://h/\nContent-Type: text/html\n\n<a href=x>\n";

/// Pages, an mbox, a Maildir and a web archive; where laws run in full, pages of a corpus too.
fn tree(folder: &Path) -> Outcome {
    for number in 0..60 {
        let page = folder.join(format!("pages/{}/{number}.html", number % 7));
        page.parent().map_or(Ok(()), fs::create_dir_all)?;
        fs::write(page, "<a href=b>text\n".repeat(number * 20 + 1))?;
    }
    let messages = (0..rounds(5_000).max(1_000))
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

/// What stops the run of a round, some time before it would end.
fn stop(round: usize, random: &mut fastrand::Rng, whole: Duration) -> Stop {
    match round % 5 {
        0 | 1 => Stop::Killed(whole.mul_f64(random.f64())),
        2 => Stop::ShortFiles(random.u32(..300)),
        3 => Stop::KilledByShortFiles(random.u32(..300)),
        _ => Stop::NoTemporaryFolder,
    }
}

#[test]
fn killed_at_any_moment() -> Outcome {
    const ROUNDS: usize = rounds(100);
    let folder = temporary_folder()?;
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
    let (mut stopped, mut killed_reverts) = (0, 0);
    for round in 0..ROUNDS {
        anew()?;
        let longest = if round % 10 == 1 { whole / 20 } else { whole };
        let stop = stop(round, &mut random, longest);
        let (status, told) = stop.run(&arguments)?;
        match status {
            // The machine was busier when the time was taken.
            Some(0) => whole = whole.mul_f64(0.9),
            _ => stopped += 1,
        }
        let now = snapshot(&work)?;
        assert!(status != Some(0) || bytes_of(&now) == bytes_of(&after), "round {round}, {stop:?}: {told}");
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
            let (status, _) = Stop::Killed(whole.mul_f64(random.f64() / 2.0)).run(&revert)?;
            killed_reverts += usize::from(status.is_none());
        }
        if journal.exists() {
            let (reverted, _, stderr) = run(&revert)?;
            let has_warned = stderr.contains(": the run was stopped, or the journal is cut off;");
            assert!(reverted == 0 && (has_warned || stderr.is_empty()), "round {round}: {stderr}");
            let has_ended = status == Some(0) || round % 2 == 1;
            assert!(!(has_warned && has_ended), "round {round}, {stop:?}: {stderr}");
        }
        let back = snapshot(&work)?;
        let differs = |name: &&PathBuf| back.get(*name) != before.get(*name);
        let different: Vec<_> = before.keys().chain(back.keys()).filter(differs).collect();
        assert!(different.is_empty(), "round {round}: {different:?} are not as before");
    }
    assert!(stopped > ROUNDS / 4, "only {stopped} runs of {ROUNDS} were stopped");
    print_line(&format!(
        "{stopped} runs of {ROUNDS} and {killed_reverts} reverts were stopped; one run takes {whole:?}"
    ));
    Ok(())
}

/// The folders below a folder, and itself, with their modes and times.
fn folders(folder: &Path) -> io::Result<Vec<(PathBuf, u32, SystemTime)>> {
    let mut found = Vec::new();
    for entry in walkdir::WalkDir::new(folder).sort_by_file_name() {
        let entry = entry?;
        if entry.file_type().is_dir() {
            let metadata = entry.metadata()?;
            let name = entry.path().strip_prefix(folder).unwrap_or(folder).to_owned();
            found.push((name, metadata.permissions().mode(), metadata.modified()?));
        }
    }
    Ok(found)
}

/// Stopped twice and resumed, a run makes the tree of one that nothing disturbs, or says by its exit status that it has not.
#[test]
fn a_stopped_run_is_resumed() -> Outcome {
    const ROUNDS: usize = rounds(60);
    let folder = temporary_folder()?;
    let (original, output, whole) =
        (folder.path().join("original"), folder.path().join("out"), folder.path().join("whole"));
    tree(&original)?;
    // A WACZ without conversions fails in each run.
    tree_of_all_kinds(&original.join("kinds"), 60)?;
    fs::remove_file(original.join("kinds/a.wacz"))?;
    fs::set_permissions(original.join("kinds"), fs::Permissions::from_mode(0o710))?;
    let mut random = fastrand::Rng::with_seed(91);
    let mut stopped = 0;
    for (warc, seed) in [("append", 0), ("sidecar", 1), ("resource", 2)] {
        if warc == "resource" {
            // An ARC holds none.
            fs::remove_file(original.join("kinds/a.arc"))?;
        }
        let common =
            ["rewrite", argument(&original), "--url", "http://h/", "--warc-date", "0", "--quiet", "--warc", warc];
        let start = Instant::now();
        assert_eq!(run(&[&common[..], &["-o", argument(&whole)]].concat())?, (0, String::new(), String::new()));
        let mut longest = start.elapsed();
        let expected = (snapshot(&whole)?, folders(&whole)?);
        let arguments = [&common[..], &["-o", argument(&output)]].concat();
        let resumed = [&arguments[..], &["--resume"]].concat();
        for round in (seed..ROUNDS).step_by(3) {
            for (attempt, arguments) in [&arguments, &resumed].into_iter().enumerate() {
                let stop = stop(round * 2 + attempt, &mut random, longest);
                let (status, told) = stop.run(arguments)?;
                stopped += usize::from(status != Some(0));
                if status == Some(0) {
                    longest = longest.mul_f64(0.9);
                }
                let is_there = output.exists();
                assert!(is_there || status != Some(0), "{warc}, round {round}, {stop:?}: {told}");
                let is_whole = || Ok::<_, io::Error>((snapshot(&output)?, folders(&output)?) == expected);
                assert!(!is_there || is_whole()?, "{warc}, round {round}, {stop:?}: not as without a stop: {told}");
            }
            assert_eq!(run(&resumed)?.0, 0, "{warc}, round {round}");
            let found = (snapshot(&output)?, folders(&output)?);
            let names: Vec<_> = expected.0.keys().filter(|name| found.0.get(*name) != expected.0.get(*name)).collect();
            assert!(found == expected, "{warc}, round {round}: {names:?} are not as without a stop");
            fs::remove_dir_all(&output)?;
        }
        fs::remove_dir_all(&whole)?;
    }
    assert!(stopped > ROUNDS, "only {stopped} runs of {} were stopped", 2 * ROUNDS);
    print_line(&format!("{stopped} runs of {} were stopped, and resumed", 2 * ROUNDS));
    Ok(())
}
