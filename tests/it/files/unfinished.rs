//! What the system did not let be done does not look done: not to who looks, not to a run that is resumed.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::stops::{Stop, containers, tree_of_all_kinds, with_mounts};
use crate::support::trees::{Snapshot, snapshot};
use crate::support::{Outcome, argument, folder_with, run};
use absolve_testing::{print_line, temporary_folder};

const FAILURES: [Stop; 3] = [Stop::NoTemporaryFolder, Stop::ShortFiles(4), Stop::KilledByShortFiles(4)];

/// A container that fails is copied without the time of its source, which is the mark of what is complete.
#[test]
fn resume_does_not_take_an_unrewritten_container_for_done() -> Outcome {
    for warc in ["append", "sidecar", "resource"] {
        let folder = temporary_folder()?;
        let path = |name: &str| folder.path().join(name);
        let (input, output, whole) = (path("in"), path("out"), path("whole"));
        tree_of_all_kinds(&input, 60)?;
        let common = ["--url", "http://h/", "--warc-date", "0", "--verbose", "--warc", warc];
        let to = |output| [&["rewrite", argument(&input), "-o", argument(output)], &common[..]].concat();
        // A WACZ holds no conversions, and an ARC no resources.
        assert_eq!(run(&to(&whole))?.0, 1, "{warc}");
        for stop in FAILURES {
            let (first, told) = stop.run(&to(&output))?;
            assert!(first != Some(0) && !output.exists(), "{warc}, {stop:?}: {told}");
            if matches!(stop, Stop::NoTemporaryFolder) {
                let is_named = told.contains("/no/folder/for/temporary/files") && told.contains("TMPDIR");
                assert!(is_named && told.contains("out.partial is kept"), "{warc}: {told}");
            }
            let again = [to(&output), vec!["--resume"]].concat();
            let (second, told) = stop.run(&again)?;
            assert!(second != Some(0) && !output.exists(), "{warc}, {stop:?}, resumed: {told}");
            let (third, _, told) = run(&again)?;
            assert_eq!(third, 1, "{warc}, {stop:?}, at last: {told}");
            assert!(snapshot(&output)? == expected(&output, &whole)?, "{warc}, {stop:?}: {told}");
            fs::remove_dir_all(&output)?;
        }
    }
    Ok(())
}

/// What could not be done as data is copied without the time of its source, which then is that of the run.
fn expected(output: &Path, whole: &Path) -> io::Result<BTreeMap<PathBuf, Snapshot>> {
    let mut expected = snapshot(whole)?;
    for name in ["a.wacz", "a.arc"] {
        if let Some(copied) = expected.get_mut(Path::new(name)) {
            copied.modified = fs::metadata(output.join(name))?.modified()?;
        }
    }
    Ok(expected)
}

/// Half of a tree would hold conversions and the other half resources.
#[test]
fn a_run_is_not_resumed_with_another_form_of_archives() -> Outcome {
    let folder = temporary_folder()?;
    let (input, output) = (folder.path().join("in"), folder.path().join("out"));
    tree_of_all_kinds(&input, 2)?;
    // An ARC holds no resources.
    fs::remove_file(input.join("a.arc"))?;
    let common = ["rewrite", argument(&input), "-o", argument(&output), "--warc-date", "0", "--quiet"];
    let (status, told) = Stop::NoTemporaryFolder.run(&[&common[..], &["--warc", "resource"]].concat())?;
    assert_eq!(status, Some(1), "{told}");
    for other in [&["--warc", "append"][..], &["--warc", "resource", "--only-changed"]] {
        let (status, _, told) = run(&[&common[..], other, &["--resume"]].concat())?;
        assert!(status == 2 && told.contains("begun with other options") && !output.exists(), "{told}");
    }
    let (status, _, told) = run(&[&common[..], &["--warc", "resource", "--resume"]].concat())?;
    assert!(status == 0 && output.exists(), "{told}");
    Ok(())
}

/// The original does not take the name of the output.
#[test]
fn a_single_file_that_fails_leaves_no_output() -> Outcome {
    let folder = folder_with(&[("long.html", &"<a href=x>".repeat(2_000))])?;
    let mut inputs = vec![("long.html", Vec::new())];
    inputs.extend(containers(60)?);
    for (name, bytes) in inputs {
        let (input, output) = (folder.path().join(name), folder.path().join("output"));
        if !bytes.is_empty() {
            fs::write(&input, bytes)?;
        }
        for warc in ["append", "sidecar", "resource"] {
            for stop in FAILURES {
                let arguments =
                    ["rewrite", argument(&input), "-o", argument(&output), "--warc", warc, "--url", "http://h/"];
                let (status, told) = stop.run(&arguments)?;
                // Not all need a temporary file.
                let is_done = status == Some(0);
                assert_eq!(output.exists(), is_done, "{name}, {warc}, {stop:?}: {told}");
                assert!(!is_done || matches!(stop, Stop::NoTemporaryFolder), "{name}, {warc}, {stop:?}: {told}");
                if is_done {
                    fs::remove_file(&output)?;
                }
            }
        }
    }
    Ok(())
}

#[test]
fn nothing_changes_in_place_when_the_system_fails() -> Outcome {
    let folder = temporary_folder()?;
    let (input, journal) = (folder.path().join("in"), folder.path().join("journal"));
    tree_of_all_kinds(&input, 60)?;
    let before = snapshot(&input)?;
    for stop in FAILURES {
        for more in [&[][..], &["--backup", ".orig"], &["--journal", argument(&journal)]] {
            let arguments = [&["rewrite", argument(&input), "--in-place"], more].concat();
            let (status, told) = stop.run(&arguments)?;
            assert_ne!(status, Some(0), "{stop:?} {more:?}: {told}");
            for (name, file) in snapshot(&input)? {
                let Some(old) = before.get(&name) else { continue };
                let is_old = old.bytes == file.bytes && old.mode == file.mode && old.modified == file.modified;
                let is_new = file.bytes.len() > old.bytes.len() && old.mode == file.mode;
                assert!(is_old || is_new, "{stop:?} {more:?}: {}", name.display());
            }
        }
    }
    Ok(())
}

#[test]
fn verify_names_the_folder_for_temporary_files() -> Outcome {
    let folder = folder_with(&[])?;
    for (name, bytes) in containers(60)?.into_iter().filter(|(name, _)| name.ends_with(".wacz")) {
        let (input, output) = (folder.path().join(name), folder.path().join("output"));
        fs::write(&input, bytes)?;
        let flags = ["--warc", "resource"];
        let (status, _, told) = run(&[&["rewrite", argument(&input), "-o", argument(&output)], &flags[..]].concat())?;
        assert_eq!(status, 0, "{name}: {told}");
        let verify = [&["verify", argument(&input), argument(&output)], &flags[..]].concat();
        assert_eq!(run(&verify)?.0, 0, "{name}");
        let (status, out) = run_to_standard_output(&verify)?;
        assert!(status == 1 && out.contains("/no/folder/for/temporary/files"), "{name}: {out}");
        fs::remove_file(&output)?;
    }
    Ok(())
}

fn run_to_standard_output(arguments: &[&str]) -> io::Result<(i32, String)> {
    let program = env!("CARGO_BIN_EXE_absolve");
    let output = Command::new(program).args(arguments).env("TMPDIR", "/no/folder/for/temporary/files").output()?;
    Ok((output.status.code().unwrap_or(-1), String::from_utf8_lossy(&output.stdout).into_owned()))
}

/// Not only where nothing can be written: also when reading fails.
#[test]
fn what_cannot_be_read_leaves_no_output() -> Outcome {
    // Linux answers EIO to who reads the first byte of its own memory.
    let input = Path::new("/proc/self/mem");
    let is_unreadable = fs::read(input).is_err_and(|error| error.raw_os_error() == Some(5));
    if !is_unreadable {
        print_line("skipped: no file that cannot be read (/proc/self/mem)");
        return Ok(());
    }
    let folder = folder_with(&[])?;
    let output = folder.path().join("output");
    for kind in ["html", "message", "mbox", "warc", "arc", "wacz"] {
        for warc in ["append", "sidecar", "resource"] {
            let arguments = ["rewrite", argument(input), "-o", argument(&output), "--type", kind, "--warc", warc];
            let (status, _, told) = run(&arguments)?;
            assert!(status == 1 && told.contains("/proc/self/mem: "), "{kind}, {warc}: {told}");
            assert_eq!(fs::read_dir(folder.path())?.count(), 0, "{kind}, {warc}: {told}");
        }
        for command in ["check", "links", "base"] {
            let (status, _, told) = run(&[command, argument(input), "--type", kind])?;
            assert!(status == 1 && told.contains("cannot read /proc/self/mem"), "{command} {kind}: {told}");
        }
    }
    Ok(())
}

/// A full file system of its own for each: for temporary files, then for the output.
#[test]
fn a_full_file_system_is_named_and_the_run_resumed() -> Outcome {
    let folder = temporary_folder()?;
    let (input, whole, mount) = (folder.path().join("in"), folder.path().join("whole"), folder.path().join("mount"));
    tree_of_all_kinds(&input, 60)?;
    // An ARC holds no resources.
    fs::remove_file(input.join("a.arc"))?;
    fs::create_dir(&mount)?;
    let flags = ["--warc", "resource", "--warc-date", "0", "--quiet", "--url", "http://h/"];
    assert_eq!(run(&[&["rewrite", argument(&input), "-o", argument(&whole)], &flags[..]].concat())?.0, 0);
    for (place, name) in [("TMPDIR=$mount", "$folder/out"), ("TMPDIR=$folder", "$mount/out")] {
        for size in [8, 32, 64] {
            let script = format!(
                "folder=$1; mount=$folder/mount; mount -t tmpfs -o size={size}k none $mount; cd $folder; export {place}
                 run() {{ \"$0\" rewrite in -o {name} {} \"$@\"; }}
                 run; echo first $?; ls {name} 2>&1; run --resume; echo second $?
                 mount -o remount,size=16m $mount; run --resume; echo third $?; cp -a {name} $folder/copy",
                flags.join(" ")
            );
            let Some(output) = with_mounts(&script, &[argument(folder.path())])? else { return Ok(()) };
            let (out, told) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
            let copy = folder.path().join("copy");
            assert!(out.contains("third 0"), "{place}, {size}: {out}{told}");
            assert!(snapshot(&copy)? == snapshot(&whole)?, "{place}, {size}: {out}{told}");
            // Only what is large enough is done at once.
            if !out.contains("first 0") {
                assert!(out.contains("No such file"), "{place}, {size}: {out}{told}");
                assert!(
                    told.contains("No space left") && told.contains("out.partial is kept"),
                    "{place}, {size}: {told}"
                );
                let is_named = told.contains("in the folder for temporary files, ");
                assert_eq!(is_named, place == "TMPDIR=$mount", "{place}, {size}: {told}");
            }
            assert!(size > 8 || out.contains("first 2\n"), "{place}, {size}: {out}{told}");
            fs::remove_dir_all(copy)?;
            for left in ["out", "out.partial"] {
                let _ = fs::remove_dir_all(folder.path().join(left));
            }
        }
    }
    Ok(())
}
