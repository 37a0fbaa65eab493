//! With its journal, a run in place can be taken back (law 8).

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::trees::{bytes_of, copy, snapshot};
use crate::support::{CORPORA, Outcome, argument, folder_with, run};
use absolve_testing::{IN_FULL, corpus, fixtures, print_line, temporary_folder};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde_json::Value;

const PAGE: &str = "<a href=b>";
const CHANGED: &str = "<a href=http://h/b>";

/// Rewrites a folder in place with a journal; returns the exit status and the messages.
fn rewrite(folder: &Path, journal: &Path, more: &[&str]) -> io::Result<(i32, String)> {
    let arguments = ["rewrite", argument(folder), "--in-place", "--journal", argument(journal), "--url", "http://h/"];
    let (status, _, told) = run(&[&arguments, more].concat())?;
    Ok((status, told))
}

fn revert(journal: &Path) -> io::Result<(i32, String)> {
    let (status, _, told) = run(&["revert", argument(journal)])?;
    Ok((status, told))
}

/// The originals of files, by their paths.
type Originals = BTreeMap<PathBuf, Vec<u8>>;

/// What a journal and the rewritten files say the originals were, by hand; and how many edits it took.
fn originals(journal: &Path) -> Result<(Originals, usize), Box<dyn std::error::Error>> {
    let lines: Vec<Value> = fs::read_to_string(journal)?.lines().map(serde_json::from_str).collect::<Result<_, _>>()?;
    let mut originals = BTreeMap::new();
    let mut count = 0;
    let (end, files) = lines[1..].split_last().ok_or("no end")?;
    assert_eq!(end["kind"], "end");
    let mut rest = files;
    while let Some((file, after)) = rest.split_first() {
        assert_eq!(file["kind"], "file");
        let (edits, after) = after.split_at(file["edits"].as_u64().ok_or("no edits")? as usize);
        let new = fs::read(file["new_path"].as_str().ok_or("no path")?)?;
        let (mut original, mut at) = (Vec::new(), 0);
        for edit in edits {
            let bytes = |name: &str| BASE64_STANDARD.decode(edit[name].as_str().unwrap_or("no text"));
            let (start, end) = (edit["start"].as_u64().ok_or("no start")?, edit["end"].as_u64().ok_or("no end")?);
            let between = start as usize - original.len();
            original.extend_from_slice(&new[at..at + between]);
            original.extend(bytes("old_base64")?);
            at += between;
            assert!(new[at..].starts_with(&bytes("new_base64")?), "{file}");
            at += bytes("new_base64")?.len();
            assert_eq!(original.len() as u64, end, "{file}");
        }
        original.extend_from_slice(&new[at..]);
        originals.insert(file["path"].as_str().ok_or("no path")?.into(), original);
        count += edits.len();
        rest = after;
    }
    assert_eq!(end["files"], originals.len());
    Ok((originals, count))
}

/// Files and edits that were taken back.
fn taken_back(from: &Path) -> Result<(usize, usize), Box<dyn std::error::Error>> {
    let folder = temporary_folder()?;
    let (tree, journal) = (folder.path().canonicalize()?.join("tree"), folder.path().join("journal"));
    copy(from, &tree, |_| true)?;
    let before = snapshot(&tree)?;
    let (status, printed) = rewrite(&tree, &journal, &[])?;
    let after = snapshot(&tree)?;
    if status == 2 {
        // Nothing is there to rewrite, or the run is refused: it keeps no journal.
        assert!(after == before && !journal.exists(), "{printed}");
        return Ok((0, 0));
    }
    let (originals, edits) = originals(&journal)?;
    for (path, original) in &originals {
        let name = path.strip_prefix(&tree)?;
        assert_eq!(&before[name].bytes, original, "{}", path.display());
    }
    let changed = after.iter().filter(|(name, file)| before.get(*name) != Some(file)).count();
    assert_eq!(changed, originals.len(), "{printed}");
    let (status, printed) = revert(&journal)?;
    assert_eq!(status, 0, "{printed}");
    assert!(snapshot(&tree)? == before, "{} is not as before: {printed}", from.display());
    Ok((changed, edits))
}

#[test]
fn fixtures_are_given_back() -> Outcome {
    let (files, edits) = taken_back(&fixtures())?;
    assert!(files > 20 && edits > 100, "{files} files, {edits} edits");
    Ok(())
}

#[test]
#[ignore = "long: corpora"]
fn corpora_are_given_back() -> Outcome {
    let (mut all_files, mut all_edits) = (0, 0);
    for known in CORPORA {
        if let Some(folder) = corpus(known.name) {
            let (files, edits) = taken_back(&folder).map_err(|error| format!("{}: {error}", known.name))?;
            (all_files, all_edits) = (all_files + files, all_edits + edits);
        }
    }
    print_line(&format!("{all_files} files of the corpora with {all_edits} edits were given back"));
    Ok(())
}

const MESSAGE: &str = "Content-Base: http://h/\nContent-Type: text/html\n\n<a href=x>\n";

#[test]
fn messages_get_their_names_back() -> Outcome {
    let folder = folder_with(&[
        ("in/cur/1.host,S=60,W=64:2,RS", MESSAGE),
        ("in/new/2.host", MESSAGE),
        ("in/cur/3.host,S=60:2,", MESSAGE),
        ("in/cur/3.host,S=69:2,", "another\n"),
    ])?;
    let (tree, journal) = (folder.path().join("in"), folder.path().join("journal"));
    let before = snapshot(&tree)?;
    let (status, told) = rewrite(&tree, &journal, &[])?;
    assert_eq!(status, 0, "{told}");
    assert!(tree.join("cur/1.host,S=69,W=73:2,RS").exists());
    assert!(!tree.join("cur/1.host,S=60,W=64:2,RS").exists());
    // As if the run had been killed between the two names.
    fs::write(tree.join("cur/1.host,S=60,W=64:2,RS"), MESSAGE)?;
    let file = fs::File::open(tree.join("cur/1.host,S=60,W=64:2,RS"))?;
    file.set_modified(before[Path::new("cur/1.host,S=60,W=64:2,RS")].modified)?;
    assert_eq!(revert(&journal)?, (0, "3 files reverted\n".to_owned()));
    assert!(snapshot(&tree)? == before);
    Ok(())
}

#[test]
fn several_runs_are_taken_back_at_once() -> Outcome {
    let folder = folder_with(&[("in/a.html", "<a href=b><a href=#s>"), ("in/c.html", PAGE)])?;
    let (tree, journal) = (folder.path().join("in"), folder.path().join("in/journal"));
    let before = snapshot(&tree)?;
    assert_eq!(rewrite(&tree, &journal, &["--exclude", "c.html"])?.0, 0);
    // The journal is no input, and itself does not change the next run.
    assert_eq!(rewrite(&tree, &journal, &["--same-document", "absolute", "--include", "*"])?.0, 0);
    assert_eq!(fs::read_to_string(tree.join("a.html"))?, "<a href=http://h/b><a href=http://h/a.html#s>");
    let again = folder.path().join("journal");
    fs::rename(&journal, &again)?;
    let (status, _, told) = run(&["revert", argument(&again), "--dry-run"])?;
    assert_eq!((status, &*told), (0, "2 files reverted (dry run: nothing was written)\n"));
    assert_eq!(revert(&again)?, (0, "2 files reverted\n".to_owned()));
    assert!(snapshot(&tree)? == before);
    assert_eq!(revert(&again)?, (0, "0 files reverted, 2 already unchanged\n".to_owned()));
    // A journal of what was taken back goes on as well.
    assert_eq!(rewrite(&tree, &again, &[])?.0, 0);
    assert_eq!(revert(&again)?, (0, "2 files reverted\n".to_owned()));
    assert!(snapshot(&tree)? == before);
    Ok(())
}

/// Whatever begins like the first line of a journal, but is shorter, is something else.
#[test]
fn a_small_file_is_taken_for_no_journal() -> Outcome {
    let folder = folder_with(&[("in/a.html", PAGE), ("small", "{")])?;
    let (tree, small) = (folder.path().join("in"), folder.path().join("small"));
    let (status, told) = rewrite(&tree, &small, &[])?;
    assert!(status == 2 && told.contains("is not a journal"), "{status}: {told}");
    assert_eq!((fs::read_to_string(&small)?, fs::read_to_string(tree.join("a.html"))?), ("{".into(), PAGE.into()));
    Ok(())
}

/// Not even the last of its changes is taken back, or it would be neither the one nor the other.
#[test]
fn what_somebody_has_changed_between_two_runs_is_left_alone() -> Outcome {
    let folder = folder_with(&[("in/a.html", "<a href=b><a href=#s>")])?;
    let (tree, journal) = (folder.path().join("in"), folder.path().join("journal"));
    let page = tree.join("a.html");
    assert_eq!(rewrite(&tree, &journal, &[])?.0, 0);
    fs::write(&page, fs::read_to_string(&page)? + "<a href=zz>")?;
    assert_eq!(rewrite(&tree, &journal, &[])?.0, 0);
    let now = fs::read_to_string(&page)?;
    let (status, told) = revert(&journal)?;
    assert!(status == 1 && told.contains("between two runs"), "{status}: {told}");
    assert_eq!(fs::read_to_string(&page)?, now);
    Ok(())
}

#[test]
fn what_somebody_has_changed_since_is_left_alone() -> Outcome {
    let folder = folder_with(&[("in/a.html", PAGE), ("in/b.html", PAGE), ("in/c.html", PAGE), ("in/d.html", PAGE)])?;
    let (tree, journal) = (folder.path().join("in"), folder.path().join("journal"));
    let before = snapshot(&tree)?;
    assert_eq!(rewrite(&tree, &journal, &[])?.0, 0);
    fs::write(tree.join("b.html"), "<p>newer")?;
    fs::remove_file(tree.join("c.html"))?;
    let (status, told) = revert(&journal)?;
    assert_eq!(status, 1);
    assert!(told.contains("b.html: it is neither the rewritten file nor the original"), "{told}");
    assert!(told.contains("c.html: it no longer exists"), "{told}");
    assert!(told.ends_with("2 files reverted, 2 skipped\n"), "{told}");
    let after = snapshot(&tree)?;
    assert_eq!(after[Path::new("b.html")].bytes, b"<p>newer");
    assert_eq!(
        (&after[Path::new("a.html")], &after[Path::new("d.html")]),
        (&before[Path::new("a.html")], &before[Path::new("d.html")])
    );
    Ok(())
}

/// It neither becomes a file of its own, nor is it reported as missing.
#[test]
fn a_symbolic_link_in_place_of_a_file_is_left_alone() -> Outcome {
    let pages = [("s/a.html", PAGE), ("s/b.html", PAGE), ("s/c.html", PAGE), ("s/d/e.html", PAGE)];
    let folder = folder_with(&[&pages[..], &[("other.html", CHANGED), ("other/e.html", CHANGED)]].concat())?;
    let (site, journal) = (folder.path().join("s"), folder.path().join("journal"));
    assert_eq!(rewrite(&site, &journal, &[])?.0, 0);
    for (name, target) in [("a.html", "../other.html"), ("b.html", "nowhere")] {
        fs::remove_file(site.join(name))?;
        std::os::unix::fs::symlink(target, site.join(name))?;
    }
    fs::remove_dir_all(site.join("d"))?;
    std::os::unix::fs::symlink("../other", site.join("d"))?;
    let (status, told) = revert(&journal)?;
    assert_eq!(
        (status, told.matches("has been replaced by a symbolic link; it is left unchanged").count()),
        (1, 3),
        "{told}"
    );
    assert_eq!(fs::read_to_string(folder.path().join("other/e.html"))?, CHANGED);
    assert!(site.join("a.html").is_symlink() && site.join("b.html").is_symlink());
    assert_eq!(
        (fs::read_to_string(site.join("c.html"))?.as_str(), fs::read_to_string(folder.path().join("other.html"))?),
        (PAGE, CHANGED.to_owned())
    );
    Ok(())
}

#[test]
fn names_that_are_no_text_and_other_folders() -> Outcome {
    let folder = folder_with(&[("in/a.html", PAGE), ("elsewhere/x", "")])?;
    let odd = folder.path().join("in").join(OsStr::from_bytes(b"caf\xe9 \"1\"\n.html"));
    fs::write(&odd, PAGE)?;
    let before = snapshot(&folder.path().join("in"))?;
    let program = |folder: PathBuf, arguments: &[&str]| {
        Command::new(env!("CARGO_BIN_EXE_absolve")).current_dir(folder).args(arguments).output()
    };
    let arguments = ["rewrite", "in", "--in-place", "--journal", "j.jsonl", "--url", "http://h/"];
    assert!(program(folder.path().to_owned(), &arguments)?.status.success());
    assert_eq!(fs::read_to_string(&odd)?, CHANGED);
    let journal = fs::read_to_string(folder.path().join("j.jsonl"))?;
    assert!(journal.contains("\"path_base64\":") && journal.contains("\"new_path_base64\":"), "{journal}");
    assert!(program(folder.path().join("elsewhere"), &["revert", "../j.jsonl"])?.status.success());
    assert!(snapshot(&folder.path().join("in"))? == before);
    Ok(())
}

#[test]
fn a_journal_that_breaks_off() -> Outcome {
    let folder = folder_with(&[("in/a.html", PAGE), ("in/b.html", "<a href=b><a href=c>")])?;
    let (tree, journal) = (folder.path().join("in"), folder.path().join("journal"));
    let before = snapshot(&tree)?;
    assert_eq!(rewrite(&tree, &journal, &["--jobs", "1"])?.0, 0);
    let (after, whole) = (snapshot(&tree)?, fs::read(&journal)?);
    let begin = |length: usize| -> Outcome {
        // A file whose lines are not whole was not renamed.
        for (name, file) in &after {
            let is_told = String::from_utf8_lossy(&whole[..length]).contains(&*name.to_string_lossy());
            let lines = whole[..length].iter().filter(|byte| **byte == b'\n').count();
            let is_whole = is_told && lines >= if name == Path::new("b.html") { 4 } else { 6 };
            fs::write(tree.join(name), if is_whole { &file.bytes } else { &before[name].bytes })?;
            fs::File::open(tree.join(name))?.set_modified(before[name].modified)?;
        }
        Ok(fs::write(&journal, &whole[..length])?)
    };
    let (cuts, runs) = if IN_FULL { (1, 29) } else { (7, 290) };
    for length in (0..whole.len()).step_by(cuts) {
        begin(length)?;
        let (status, told) = revert(&journal)?;
        assert_eq!(status, 0, "{length}: {told}");
        assert!(bytes_of(&snapshot(&tree)?) == bytes_of(&before), "{length}: {told}");
    }
    for length in (0..whole.len()).step_by(runs) {
        begin(length)?;
        assert_eq!(rewrite(&tree, &journal, &[])?.0, 0);
        assert!(bytes_of(&snapshot(&tree)?) == bytes_of(&after), "{length}");
        assert_eq!(revert(&journal)?.0, 0, "{length}");
        assert!(snapshot(&tree)? == before, "{length}");
    }
    fs::write(&journal, [&whole[..], b"garbage\n"].concat())?;
    let (status, says) = revert(&journal)?;
    assert!(status == 2 && says.contains("line 8 of the journal"), "{status}: {says}");
    Ok(())
}

#[test]
fn what_no_journal_can_record_stays() -> Outcome {
    let mbox = format!("From ann@example.org Thu Jan  1 00:00:00 1998\n{MESSAGE}\n");
    let folder = folder_with(&[("in/a.html", PAGE)])?;
    let (tree, journal) = (folder.path().join("in"), folder.path().join("journal"));
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    io::Write::write_all(&mut encoder, mbox.as_bytes())?;
    let compressed = encoder.finish()?;
    fs::write(tree.join("list.mbox.gz"), &compressed)?;
    let (status, told) = rewrite(&tree, &journal, &[])?;
    assert_eq!(status, 1);
    assert!(told.contains("list.mbox.gz: it is compressed") && told.contains("give --backup instead"), "{told}");
    assert_eq!(fs::read(tree.join("list.mbox.gz"))?, compressed);
    assert_eq!(revert(&journal)?, (0, "1 file reverted\n".to_owned()));
    let arguments = ["rewrite", argument(&tree), "--in-place", "--backup", ".orig", "--url", "http://h/"];
    assert_eq!(run(&arguments)?.0, 0);
    assert_eq!(fs::read(tree.join("list.mbox.gz.orig"))?, compressed);
    assert_ne!(fs::read(tree.join("list.mbox.gz"))?, compressed);
    // Where nothing is to be changed, nothing is to be reported.
    assert_eq!(rewrite(&tree, &journal, &[])?.0, 0);
    Ok(())
}

#[test]
fn one_run_at_a_time() -> Outcome {
    let folder = folder_with(&[("in/a.html", PAGE)])?;
    let (tree, journal) = (folder.path().join("in"), folder.path().join("journal"));
    assert_eq!(rewrite(&tree, &journal, &[])?.0, 0);
    let file = fs::File::open(&journal)?;
    file.lock()?;
    for (status, told) in [rewrite(&tree, &journal, &[])?, revert(&journal)?] {
        assert!(status == 2 && told.contains("another run uses the journal"), "{told}");
    }
    drop(file);
    assert_eq!(revert(&journal)?.0, 0);
    Ok(())
}

#[test]
fn an_mbox_of_many_batches_is_given_back() -> Outcome {
    let folder = temporary_folder()?;
    let (mbox, journal) = (folder.path().join("a.mbox"), folder.path().join("journal"));
    const MESSAGES: usize = if IN_FULL { 40_000 } else { 5_000 };
    let mut text = String::new();
    for number in 0..MESSAGES {
        let filler = "text\n".repeat(number % 200);
        text.push_str(&format!("From ann@example.org Thu Jan  1 00:00:00 1998\n{MESSAGE}{filler}\n"));
    }
    assert!(text.len() > MESSAGES << 9);
    fs::write(&mbox, &text)?;
    let before = snapshot(folder.path())?;
    let (status, _, told) = run(&["rewrite", argument(&mbox), "--in-place", "--journal", argument(&journal)])?;
    assert_eq!(status, 0, "{told}");
    assert_eq!(fs::metadata(&mbox)?.len() as usize, text.len() + MESSAGES * "http://h/".len());
    assert_eq!(fs::read_to_string(&journal)?.lines().count(), 3 + MESSAGES);
    assert_eq!(revert(&journal)?.0, 0);
    fs::remove_file(&journal)?;
    assert!(snapshot(folder.path())? == before);
    Ok(())
}

/// Lines are taken out of a journal of five files: of the third one edit, or all; or all from there on.
#[test]
fn a_journal_that_lacks_lines_reports_what_stays() -> Outcome {
    const CUT_OFF: &str =
        ": the run was stopped, or the journal is cut off; files that are not in it stay as they are\n";
    let pages: Vec<_> = ["a", "b", "c", "d", "e"].map(|name| (format!("in/{name}.html"), PAGE.repeat(2))).to_vec();
    let pages: Vec<_> = pages.iter().map(|(path, page)| (&**path, &**page)).collect();
    let incomplete = "c.html: some of its edits are not in the journal; it stays rewritten\n";
    // The line of the run, then three for each file.
    for (lost, status, says, stays, closing) in [
        (8..9, 1, incomplete, &["c"][..], "4 files reverted, 1 skipped\n"),
        (7..10, 1, "it lacks 1 of the files that its runs have changed", &["c"], "4 files reverted, 1 skipped\n"),
        (9..17, 1, incomplete, &["c", "d", "e"], "2 files reverted, 1 skipped\n"),
        (7..17, 0, CUT_OFF, &["c", "d", "e"], "2 files reverted\n"),
        // As the journals of old versions, and one that is cut off in its last line.
        (16..17, 0, CUT_OFF, &[], "5 files reverted\n"),
    ] {
        let folder = folder_with(&pages)?;
        let (tree, journal) = (folder.path().join("in"), folder.path().join("journal"));
        assert_eq!(rewrite(&tree, &journal, &["--jobs", "1"])?.0, 0);
        let mut lines: Vec<String> = fs::read_to_string(&journal)?.lines().map(str::to_owned).collect();
        assert!(lines.len() == 17 && lines[16] == r#"{"kind":"end","files":5}"#, "{lines:?}");
        let is_cut_off = lost.end == lines.len();
        lines.drain(lost);
        fs::write(&journal, lines.join("\n") + "\n")?;
        let (found, _, counted) = run(&["revert", argument(&journal), "--dry-run"])?;
        assert!(found == status && counted.ends_with(&closing.replace('\n', " (dry run: nothing was written)\n")));
        let (found, stderr) = revert(&journal)?;
        assert!(found == status && stderr.contains(says) && stderr.ends_with(closing), "{found}: {stderr}");
        assert_eq!(stderr.contains(CUT_OFF), is_cut_off, "{stderr}");
        for (path, page) in &pages {
            let is_rewritten = fs::read_to_string(folder.path().join(path))? != *page;
            assert_eq!(
                is_rewritten,
                stays.iter().any(|name| path.ends_with(&format!("{name}.html"))),
                "{path}: {stderr}"
            );
        }
    }
    Ok(())
}
