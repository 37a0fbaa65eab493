//! `--dry-run --diff` shows what would change, and other programs can apply it.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::support::trees::{bytes_of, copy, snapshot};
use crate::support::{CORPORA, Outcome, argument, folder_with, run};
use absolve_testing::{corpus, fixtures, print_line, rounds, temporary_folder};

const URL: &str = "http://h/";

fn absolve_in(folder: &Path, arguments: &[&str]) -> std::io::Result<Output> {
    Command::new(env!("CARGO_BIN_EXE_absolve")).current_dir(folder).args(arguments).output()
}

/// The diff of `tree`, a folder in `folder`.
fn diff_of(folder: &Path, more: &[&str]) -> std::io::Result<Vec<u8>> {
    let arguments = ["rewrite", "tree", "--dry-run", "--diff", "--url", URL, "--quiet"];
    Ok(absolve_in(folder, &[&arguments, more].concat())?.stdout)
}

type Files = BTreeMap<PathBuf, Vec<u8>>;

/// Applies a diff by hand: every line of it has to stand where it says.
fn applied(diff: &[u8], files: &mut Files) -> Outcome {
    let mut lines = diff.split_inclusive(|byte| *byte == b'\n').peekable();
    while let Some(heading) = lines.next() {
        let name = heading.strip_prefix(b"--- ").ok_or("no heading")?.strip_suffix(b"\n").ok_or("no line")?;
        let name = name.strip_suffix(b"\t").unwrap_or(name);
        assert!(lines.next().ok_or("no second heading")?.starts_with(b"+++ "));
        let name = PathBuf::from(OsStr::from_bytes(name));
        let old = files.remove(&name).ok_or_else(|| format!("{} is no file", name.display()))?;
        let old: Vec<&[u8]> = old.split_inclusive(|byte| *byte == b'\n').collect();
        let (mut new, mut at) = (Vec::new(), 0);
        while let Some(hunk) = lines.next_if(|line| line.starts_with(b"@@ -")) {
            let numbers: Vec<usize> = String::from_utf8_lossy(hunk)
                .split(|letter: char| !letter.is_ascii_digit())
                .filter_map(|number| number.parse().ok())
                .collect();
            let [start, mut goes, _, mut comes] = numbers[..] else { return Err("no numbers".into()) };
            let start = if goes == 0 { start } else { start - 1 };
            new.extend(old[at..start].concat());
            at = start;
            while goes > 0 || comes > 0 {
                let line = lines.next().ok_or("a hunk is too short")?;
                let text = match lines.next_if(|next| next.starts_with(b"\\ No newline")) {
                    Some(_) => &line[1..line.len() - 1],
                    None => &line[1..],
                };
                if line[0] != b'+' {
                    assert_eq!(old[at], text, "{}", name.display());
                    (at, goes) = (at + 1, goes - 1);
                }
                if line[0] != b'-' {
                    new.extend_from_slice(text);
                    comes -= 1;
                }
            }
        }
        new.extend(old[at..].concat());
        files.insert(name, new);
    }
    Ok(())
}

/// Checks the diff of a tree against what is written; answers how many files it changes.
fn checked(from: &Path) -> Result<usize, Box<dyn std::error::Error>> {
    let folder = temporary_folder()?;
    let (tree, output) = (folder.path().join("tree"), folder.path().join("output"));
    copy(from, &tree, |_| true)?;
    let diff = diff_of(folder.path(), &["--jobs", "1"])?;
    assert!(diff == diff_of(folder.path(), &["--jobs", "4"])?, "{} depends on the threads", from.display());
    absolve_in(folder.path(), &["rewrite", "tree", "-o", "output", "--url", URL, "--quiet"])?;
    let (before, after) = (snapshot(&tree)?, snapshot(&output)?);
    let named = |name: &Path| Path::new("tree").join(name);
    let mut files: Files = before.iter().map(|(name, file)| (named(name), file.bytes.clone())).collect();
    applied(&diff, &mut files)?;
    let names: Vec<&[u8]> = diff
        .split(|byte| *byte == b'\n')
        .filter_map(|line| line.strip_prefix(b"+++ tree/"))
        .map(|name| name.strip_suffix(b"\t").unwrap_or(name))
        .collect();
    let mut changed = 0;
    for (name, file) in &after {
        let is_shown = names.contains(&name.as_os_str().as_encoded_bytes());
        changed += usize::from(is_shown);
        if is_shown {
            assert!(files[&named(name)] == file.bytes, "{} differs", name.display());
        }
    }
    // All that changes and has its old name is shown, but for archives and what is compressed.
    let is_hidden =
        |name: &Path| [".gz", ".zst", ".warc", ".arc", ".wacz"].iter().any(|end| name.to_string_lossy().ends_with(end));
    for (name, file) in before.iter().filter(|(name, _)| !is_hidden(name)) {
        let is_changed = after.get(name).is_some_and(|after| after.bytes != file.bytes);
        assert!(!is_changed || names.contains(&name.as_os_str().as_encoded_bytes()), "{} is not shown", name.display());
    }
    for (program, arguments) in
        [("patch", &["-p0", "-s", "-f", "-i", "diff"][..]), ("git", &["apply", "-p0", "--whitespace=nowarn", "diff"])]
    {
        if Command::new(program).arg("--version").output().is_err() {
            print_line(&format!("skipped: {program} is absent"));
            continue;
        }
        let place = temporary_folder()?;
        copy(from, &place.path().join("tree"), |_| true)?;
        fs::write(place.path().join("diff"), &diff)?;
        // git takes minutes for a file with very many hunks.
        let hunks = memchr::memmem::find_iter(&diff, b"\n@@ -").count();
        if diff.is_empty() || (program == "git" && hunks > 1_000 * names.len()) {
            continue;
        }
        let output = Command::new(program).current_dir(place.path()).args(arguments).output()?;
        let told = String::from_utf8_lossy(&output.stderr).into_owned() + &String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{program} of {}: {told}", from.display());
        let patched = snapshot(&place.path().join("tree"))?;
        for (name, bytes) in bytes_of(&patched) {
            assert!(files[&named(name)] == bytes, "{program} has made something else of {}", name.display());
        }
    }
    Ok(changed)
}

#[test]
fn diffs_of_fixtures_are_what_changes() -> Outcome {
    let changed = checked(&fixtures())?;
    assert!(changed > 20, "{changed}");
    Ok(())
}

#[test]
#[ignore = "long: corpora"]
fn diffs_of_corpora_are_what_changes() -> Outcome {
    let mut changed = 0;
    for known in CORPORA {
        if let Some(folder) = corpus(known.name) {
            changed += checked(&folder).map_err(|error| format!("{}: {error}", known.name))?;
        }
    }
    print_line(&format!("{changed} diffs of the corpora were applied"));
    Ok(())
}

/// Lines near to each other and far, CRLF, ends without a line end, bytes that are no UTF-8.
#[test]
fn diffs_of_generated_pages_are_what_changes() -> Outcome {
    const PIECES: [&[u8]; 12] = [
        b"<a href=b>",
        b"<a href=\nb>",
        b"<a href='",
        b"x\ny",
        b"'>",
        b"text",
        b"\n",
        b"\n",
        b"\r\n",
        b"\n\n\n\n\n\n\n\n",
        b"caf\xe9",
        b"<base href=d/>\n",
    ];
    let folder = temporary_folder()?;
    let mut random = fastrand::Rng::with_seed(80);
    for number in 0..rounds(400) {
        let page: Vec<u8> =
            (0..random.usize(..40)).flat_map(|_| PIECES[random.usize(..PIECES.len())]).copied().collect();
        fs::write(folder.path().join(format!("{number}.html")), page)?;
    }
    let changed = checked(folder.path())?;
    assert!(changed > rounds(200), "{changed}");
    Ok(())
}

#[test]
fn an_mbox_of_many_batches_is_shown() -> Outcome {
    const MESSAGE: &str = "Content-Base: http://h/\nContent-Type: text/html\n\n<a href=x>\n";
    let folder = temporary_folder()?;
    let mut text = String::new();
    for number in 0..rounds(20_000).max(5_000) {
        let filler = "text\n".repeat(number % 200);
        text.push_str(&format!("From ann@example.org Thu Jan  1 00:00:00 1998\n{MESSAGE}{filler}\n"));
    }
    fs::write(folder.path().join("a.mbox"), text)?;
    assert_eq!(checked(folder.path())?, 1);
    Ok(())
}

#[test]
fn colours_and_what_is_not_shown() -> Outcome {
    let folder = folder_with(&[("tree/a b.html", "<p>\n<a href=b>\n"), ("tree/same.html", "<p>")])?;
    let plain = "--- tree/a b.html\t\n+++ tree/a b.html\t\n@@ -1,2 +1,2 @@\n <p>\n-<a href=b>\n+<a href=http://h/b>\n";
    assert_eq!(String::from_utf8(diff_of(folder.path(), &[])?)?, plain);
    let coloured = String::from_utf8(diff_of(folder.path(), &["--color", "always"])?)?;
    assert!(coloured.contains("\x1b[31m-<a href=b>\x1b[m\n\x1b[32m+<a href=http://h/b>\x1b[m\n"), "{coloured}");
    let mbox = b"From ann@example.org Thu Jan  1 00:00:00 1998\nContent-Base: http://h/\n\n<URL:x>\n";
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    std::io::Write::write_all(&mut encoder, mbox)?;
    fs::write(folder.path().join("tree/list.mbox.gz"), encoder.finish()?)?;
    let tree = folder.path().join("tree");
    let (status, out, stderr) = run(&["rewrite", argument(&tree), "--dry-run", "--diff", "--url", URL])?;
    assert!(
        status == 0 && out.starts_with("--- ") && stderr.contains("list.mbox.gz: changes, but web archives"),
        "{stderr}"
    );
    for wrong in [vec!["-o", "x", "--diff"], vec!["--in-place", "--diff"], vec!["--dry-run", "--color", "always"]] {
        assert_eq!(run(&[&["rewrite", argument(&tree)], &wrong[..]].concat())?.0, 2, "{wrong:?}");
    }
    Ok(())
}
