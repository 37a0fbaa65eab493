//! `absolve verify` finds no difference in what any honest run of `absolve rewrite` has written: whatever the input, the output
//! and the standard.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::support::warc::{archive, member};
use crate::support::{CORPORA, Outcome, argument, folder_with, on_all_processors, run};
use absolve_testing::{IN_FULL, corpus, files, fixtures, print_line, temporary_folder};

const STANDARDS: [&str; 6] = ["whatwg", "rfc3986", "rfc2396", "draft1996", "rfc1808", "rfc1630"];

const URL: [&str; 2] = ["--url", "https://example.org/archive/2026/"];

/// Where the output goes and what is written of web archives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    Append,
    Sidecar,
    Resource,
    InPlace,
    OnlyChanged,
}

const MODES: [Mode; 5] = [Mode::Append, Mode::Sidecar, Mode::Resource, Mode::InPlace, Mode::OnlyChanged];

impl Mode {
    /// The options of both commands.
    const fn flags(self) -> &'static [&'static str] {
        match self {
            Self::Append | Self::InPlace => &["--warc", "append"],
            Self::Sidecar => &["--warc", "sidecar"],
            Self::Resource => &["--warc", "resource"],
            Self::OnlyChanged => &["--only-changed"],
        }
    }
}

#[test]
fn fixtures_in_all_modes() -> Outcome {
    let runs: Vec<_> = MODES.into_iter().map(|mode| (fixtures(), mode, "whatwg")).collect();
    all_hold(runs)
}

#[test]
fn fixtures_by_all_standards() -> Outcome {
    // By the first one they are in all modes above; `documents::verified` has all of them in both tiers.
    let older = &STANDARDS[1..if IN_FULL { STANDARDS.len() } else { 2 }];
    all_hold(older.iter().map(|standard| (fixtures(), Mode::Resource, *standard)).collect())
}

#[test]
#[ignore = "long: corpora"]
fn corpora_in_all_modes_by_all_standards() -> Outcome {
    let inputs: Vec<PathBuf> = CORPORA.iter().filter_map(|held| corpus(held.name)).chain([fixtures()]).collect();
    let of_input = |input: &PathBuf| {
        let modes = MODES.into_iter().map(|mode| (input.clone(), mode, STANDARDS[0]));
        let standards = STANDARDS.into_iter().skip(1).map(|standard| (input.clone(), Mode::Append, standard));
        modes.chain(standards).collect::<Vec<_>>()
    };
    all_hold(inputs.iter().flat_map(of_input).collect())
}

/// Mailboxes, archives and messages, each by itself.
#[test]
#[ignore = "long: corpora"]
fn containers_of_corpora_one_by_one() -> Outcome {
    let mut runs = Vec::new();
    for input in CORPORA.iter().filter_map(|held| corpus(held.name)).chain([fixtures()]) {
        for file in files(&input)? {
            let ending = file.extension().unwrap_or_default().to_string_lossy().into_owned();
            let modes: &[Mode] = match &*ending {
                "warc" | "gz" | "zst" => &MODES[..3],
                "wacz" => &[Mode::Resource],
                "arc" | "mbox" | "eml" | "mhtml" | "mht" => &[Mode::Append],
                _ => &[],
            };
            runs.extend(modes.iter().map(|mode| (file.clone(), *mode, STANDARDS[0])));
        }
    }
    all_hold(runs)
}

fn all_hold(runs: Vec<(PathBuf, Mode, &'static str)>) -> Outcome {
    assert!(!runs.is_empty(), "nothing was looked at");
    let failures = on_all_processors(&runs, |(input, mode, standard)| match differences(input, *mode, standard) {
        Ok(found) if found.is_empty() => None,
        Ok(found) => Some(format!("{} {mode:?} {standard}:\n{found}", input.display())),
        Err(error) => Some(format!("{} {mode:?} {standard}: {error}", input.display())),
    });
    let failures: Vec<String> = failures.into_iter().flatten().collect();
    assert!(failures.is_empty(), "{} runs:\n{}", failures.len(), failures.join("\n"));
    Ok(())
}

/// What `verify` finds; what breaks off or is refused is reported by both, and no difference.
fn differences(input: &Path, mode: Mode, standard: &str) -> Result<String, Box<dyn std::error::Error>> {
    let folder = temporary_folder()?;
    let output = folder.path().join("out");
    let flags = [&URL[..], &["--standard", standard], mode.flags()].concat();
    let target = match mode {
        Mode::InPlace => {
            copy(input, &output)?;
            vec![argument(&output), "--in-place"]
        }
        _ => vec![argument(input), "-o", argument(&output)],
    };
    let (rewritten, _, refused) = run(&[&["rewrite", "--quiet"], &target[..], &flags].concat())?;
    // An ARC holds no resources, which is refused before any work.
    if rewritten == 2 && refused.contains("an ARC holds no resources") && !output.exists() {
        return Ok(String::new());
    }
    let is_empty =
        ["no file of it is a document", "nothing could be read in"].iter().any(|words| refused.contains(words));
    if rewritten == 2 && !is_empty {
        return Ok(format!("rewrite: {refused}"));
    }
    let verify = [&["verify", argument(input), argument(&output)], &flags[..]].concat();
    let (status, found, told) = run(&verify)?;
    // In place it is the copy that was refused.
    let below = |name: &str| name.strip_prefix(argument(input)).unwrap_or(name).trim_start_matches('/').to_owned();
    let is_refused = |line: &str| line.split(": ").next().is_some_and(|name| refused.contains(&below(name)));
    let is_told = |line: &&str| rewritten == 1 && (line.contains(": unread: ") || is_refused(line));
    let found: Vec<&str> = found.lines().filter(|line| !is_told(line)).take(5).collect();
    let last = told.lines().last().unwrap_or_default();
    print_line(&format!("{} {mode:?} {standard}: {last}", input.display()));
    // A folder without documents is no difference either.
    let is_empty = status == 2 && last.contains("no document was compared");
    Ok(if status == 0 || is_empty || (rewritten == 1 && found.is_empty()) {
        String::new()
    } else {
        format!("{}\n{told}", found.join("\n"))
    })
}

/// A copy of a folder or a file, that may be changed.
fn copy(from: &Path, to: &Path) -> Outcome {
    if !from.is_dir() {
        fs::copy(from, to)?;
        return Ok(());
    }
    for entry in walkdir::WalkDir::new(from) {
        let entry = entry?;
        let target = to.join(entry.path().strip_prefix(from)?);
        if entry.file_type().is_dir() {
            fs::create_dir_all(target)?;
        } else if entry.file_type().is_symlink() {
            std::os::unix::fs::symlink(fs::read_link(entry.path())?, target)?;
        } else {
            fs::copy(entry.path(), &target)?;
            filetime(entry.path(), &target)?;
        }
    }
    Ok(())
}

fn filetime(from: &Path, to: &Path) -> Outcome {
    let modified = fs::metadata(from)?.modified()?;
    fs::File::options().write(true).open(to)?.set_modified(modified)?;
    Ok(())
}

const ARC: &str = "filedesc://a.arc 0.0.0.0 20140216050221 text/plain 2\n1\n\n";

fn arc(page: &str) -> String {
    let page = format!("HTTP/1.0 200 OK\nContent-Type: text/html\n\n{page}");
    format!("{ARC}http://h/d/ 127.0.0.1 20140216050221 text/html {}\n{page}\n", page.len())
}

#[test]
fn the_sidecar_of_an_arc_of_any_name_is_expected() -> Outcome {
    let (changing, same) = (arc("<a href=x>"), arc("<a href=http://h/>"));
    let folder = folder_with(&[
        ("in/UPPER.ARC", &changing),
        ("in/archive", &changing),
        ("in/same", &same),
        ("in/a.arc", &changing),
        ("in/same.arc", &same),
    ])?;
    let (input, output) = (folder.path().join("in"), folder.path().join("out"));
    let (status, _, told) = run(&["rewrite", argument(&input), "-o", argument(&output)])?;
    assert!(status == 0 && output.join("UPPER.ARC.warc").exists() && output.join("archive.warc").exists(), "{told}");
    let (status, found, told) = run(&["verify", argument(&input), argument(&output)])?;
    assert_eq!((status, &*found), (0, ""), "{told}");
    fs::write(output.join("same.arc.warc"), "WARC/1.1\r\n")?;
    let (status, found, _) = run(&["verify", argument(&input), argument(&output)])?;
    assert!(status == 1 && !found.is_empty());
    Ok(())
}

#[test]
fn records_that_are_packed_anew_are_not_a_difference() -> Outcome {
    let (records, _) = archive()?;
    let folder = folder_with(&[])?;
    let (input, output) = (folder.path().join("a.warc"), folder.path().join("b.warc.gz"));
    fs::write(&input, records.concat())?;
    let (status, _, told) = run(&["rewrite", argument(&input), "-o", argument(&output), "--warc", "resource"])?;
    assert_eq!(status, 0, "{told}");
    let (status, found, _) = run(&["verify", argument(&input), argument(&output), "--warc", "resource"])?;
    assert_eq!(status, 0, "{found}");
    Ok(())
}

/// Tapes leave them.
#[test]
fn zeros_behind_a_compressed_mbox_are_accepted() -> Outcome {
    let mbox = "From a@b Thu Jan  1 00:00:00 1998\nContent-Base: http://h/\nContent-Type: text/html\n\n<a href=x>\n";
    let folder = folder_with(&[])?;
    let (input, output) = (folder.path().join("a.mbox.gz"), folder.path().join("b.mbox.gz"));
    fs::write(&input, [member(mbox.as_bytes())?, vec![0; 100]].concat())?;
    assert_eq!(run(&["rewrite", argument(&input), "-o", argument(&output)])?.0, 0);
    let (status, found, told) = run(&["verify", argument(&input), argument(&output)])?;
    assert!(status == 0 && told.contains("1 changed"), "{found}{told}");
    Ok(())
}

/// Conversions are not looked for beside the original.
#[test]
fn the_sidecar_of_an_arc_that_is_left_out_is_found() -> Outcome {
    let folder = folder_with(&[("in/a.arc", &*arc("<a href=x>"))])?;
    let (input, output) = (folder.path().join("in"), folder.path().join("out"));
    let rewrite = ["rewrite", argument(&input), "-o", argument(&output), "--only-changed"];
    let (status, _, told) = run(&rewrite)?;
    assert_eq!((status, fs::read_dir(&output)?.count()), (0, 1), "{told}");
    let (status, found, _) = run(&["verify", argument(&input), argument(&output), "--only-changed"])?;
    assert_eq!(status, 0, "{found}");
    Ok(())
}

#[test]
fn an_arc_of_which_nothing_is_written_is_verified() -> Outcome {
    let folder = folder_with(&[("same.arc", &arc("<a href=http://h/>")), ("a.arc", &arc("<a href=x>"))])?;
    let [same, changing, output] = ["same.arc", "a.arc", "out"].map(|name| folder.path().join(name));
    let (status, _, told) = run(&["rewrite", argument(&same), "-o", argument(&output)])?;
    assert!(status == 0 && !output.exists(), "{told}");
    let (status, found, told) = run(&["verify", argument(&same), argument(&output)])?;
    assert_eq!((status, &*found), (0, ""), "{told}");
    let (status, found, _) = run(&["verify", argument(&changing), argument(&output)])?;
    assert!(status == 1 && found.contains("relative"), "{found}");
    Ok(())
}

/// Nothing is left unread: there is only no use for the URL.
#[test]
fn a_url_that_is_not_used_does_not_fail_a_check() -> Outcome {
    let mbox = "From a@b Thu Jan  1 00:00:00 1998\nSubject: x\n\n<URL:http://h/>\n\n";
    let folder =
        folder_with(&[("a.mbox", mbox), ("page.html", "<a href=http://h/>"), ("urls.csv", "gone.html,http://h/\n")])?;
    let [mbox, page, urls] = ["a.mbox", "page.html", "urls.csv"].map(|name| folder.path().join(name));
    for arguments in [
        vec!["check", argument(&mbox), "--url", "http://h/"],
        vec!["check", argument(&page), "--urls", argument(&urls)],
    ] {
        let (status, found, told) = run(&arguments)?;
        assert!(status == 0 && found.is_empty() && told.contains("url-not-used"), "{arguments:?}: {status}: {told}");
    }
    Ok(())
}

/// Who wants a summary or a page relies on it, and the output is not whole.
#[test]
fn a_closed_pipe_is_a_failure_if_the_run_is_recorded() -> Outcome {
    let folder = folder_with(&[("a.html", &"<a href=x>\n".repeat(50_000))])?;
    let path = |name: &str| folder.path().join(name);
    let (page, summary, report) = (path("a.html"), path("s.json"), path("r.html"));
    let [page, summary, report] = [&page, &summary, &report].map(|path| argument(path));
    let rewrite = ["rewrite", page, "-o", "-", "--url", "http://h/"];
    for (arguments, recorded, status) in [
        (rewrite.to_vec(), None, 0),
        ([&rewrite[..], &["--summary", summary]].concat(), Some(summary), 1),
        ([&rewrite[..], &["--report", report]].concat(), Some(report), 1),
        (vec!["check", page], None, 0),
        (vec!["check", page, "--report", report, "--force"], None, 2),
    ] {
        let command = Command::new(env!("CARGO_BIN_EXE_absolve")).args(&arguments).stdout(Stdio::piped()).spawn();
        let mut child = command?;
        drop(child.stdout.take());
        assert_eq!(child.wait()?.code(), Some(status), "{arguments:?}");
        assert!(recorded.is_none_or(|file| Path::new(file).exists()), "{arguments:?}");
    }
    let counts: serde_json::Value = serde_json::from_slice(&fs::read(summary)?)?;
    assert_eq!((&counts["errors"], &counts["links"], &counts["rewritten"]), (&1.into(), &50_000.into(), &0.into()));
    Ok(())
}

#[test]
fn an_endless_input_ends_at_the_limit_of_a_document() -> Outcome {
    for command in [&["check"][..], &["rewrite", "-o", "-"]] {
        let (status, out, says) = run(&[command, &["/dev/zero", "--type", "html"]].concat())?;
        assert_ne!(status, 0);
        assert!(out.is_empty() && says.contains("cannot read /dev/zero: it is longer than 128 MiB"), "{says}");
    }
    Ok(())
}
