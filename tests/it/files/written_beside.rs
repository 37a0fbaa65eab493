//! A summary, a report and a journal never take the place of an input, nor of any file unless that is asked for.

use std::collections::BTreeMap;
use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use crate::support::stops::{Stop, with_mounts};
use crate::support::{Outcome, argument, folder_with, run};
use absolve_testing::{files, print_line};

const PAGE: &str = "<a href=x>";

fn bytes(folder: &Path) -> io::Result<BTreeMap<PathBuf, Vec<u8>>> {
    files(folder)?.into_iter().map(|path| Ok((path.clone(), fs::read(&path).unwrap_or_default()))).collect()
}

/// The input, files that describe it, and links that lead there.
fn inputs() -> Result<tempfile::TempDir, Box<dyn std::error::Error>> {
    let folder = folder_with(&[
        ("in/page.html", PAGE),
        ("in/empty.html", ""),
        ("in/image.png", "GIF89a"),
        ("in/d/list.mbox", "From a@b Thu Jan  1 00:00:00 1998\n\n"),
        ("urls.csv", "path,url\npage.html,http://h/\n"),
    ])?;
    symlink("in/page.html", folder.path().join("link.html"))?;
    symlink("in", folder.path().join("folder"))?;
    symlink("../urls.csv", folder.path().join("in/inner"))?;
    Ok(folder)
}

/// Also through symbolic links, in a dry run, and with `--force`.
#[test]
fn a_summary_or_a_report_does_not_overwrite_an_input() -> Outcome {
    let folder = inputs()?;
    let path = |name: &str| folder.path().join(name);
    let (input, output, urls) = (path("in"), path("out"), path("urls.csv"));
    let before = bytes(folder.path())?;
    let modes = [&["--dry-run"][..], &["-o", argument(&output)], &["--in-place"]];
    let names = [
        "in/page.html",
        "in/empty.html",
        "in/image.png",
        "in/d/list.mbox",
        "link.html",
        "folder/page.html",
        "urls.csv",
        "in/inner",
    ];
    for mode in modes {
        for option in ["--summary", "--report", "--journal"] {
            if option == "--journal" && mode != ["--in-place"] {
                continue;
            }
            for name in names {
                for force in [&[][..], &["--force"]] {
                    let place = path(name);
                    let common = ["rewrite", argument(&input), "--urls", argument(&urls), option, argument(&place)];
                    let force = if option == "--journal" { &[] } else { force };
                    let (status, _, told) = run(&[&common[..], mode, force].concat())?;
                    assert_eq!(status, 2, "{mode:?} {option} {name} {force:?}: {told}");
                    let why =
                        if told.contains("exists and is not a journal") { "is not a journal" } else { "is an input" };
                    assert!(told.contains(why) && told.contains(name), "{mode:?} {option} {name} {force:?}: {told}");
                    assert!(bytes(folder.path())? == before, "{mode:?} {option} {name} {force:?}: {told}");
                }
            }
        }
    }
    // A file that is named itself, by another of its names.
    let (page, link) = (path("in/page.html"), path("link.html"));
    for (input, place) in [(&page, &link), (&link, &page), (&page, &page)] {
        let arguments = ["rewrite", argument(input), "--dry-run", "--force", "--summary", argument(place)];
        let (status, _, told) = run(&arguments)?;
        assert!(status == 2 && told.contains("is an input"), "{told}");
    }
    assert!(bytes(folder.path())? == before);
    Ok(())
}

/// Without `--force` all that exists stays; with it, a link stays a link, and permissions stay as they were.
#[test]
fn an_existing_file_is_not_overwritten_without_force() -> Outcome {
    let folder = inputs()?;
    let path = |name: &str| folder.path().join(name);
    let (input, precious, link) = (path("in"), path("precious"), path("named"));
    symlink("precious", &link)?;
    symlink("nowhere", path("dangling"))?;
    for option in ["--summary", "--report"] {
        for place in [&precious, &link] {
            fs::write(&precious, "precious")?;
            fs::set_permissions(&precious, Permissions::from_mode(0o604))?;
            let arguments = ["rewrite", argument(&input), "--dry-run", option, argument(place), "--url", "http://h/"];
            let (status, _, told) = run(&arguments)?;
            assert!(status == 2 && told.contains("exists; --force replaces it"), "{told}");
            assert_eq!(fs::read_to_string(&precious)?, "precious");
            let (status, _, told) = run(&[&arguments[..], &["--force"]].concat())?;
            assert_eq!(status, 0, "{told}");
            let (text, mode) = (fs::read_to_string(&precious)?, fs::metadata(&precious)?.permissions().mode());
            assert!(text.starts_with(['{', 'p']) && text != "precious" && link.is_symlink(), "{text}");
            assert_eq!(mode & 0o777, 0o604);
        }
        for force in [&[][..], &["--force"]] {
            let dangling = path("dangling");
            let arguments = ["rewrite", argument(&input), "--dry-run", option, argument(&dangling)];
            assert_eq!(run(&[&arguments[..], force].concat())?.0, 2);
            assert!(dangling.is_symlink() && !path("nowhere").exists());
        }
        // A device is written into.
        assert_eq!(run(&["rewrite", argument(&input), "--dry-run", option, "/dev/null", "--url", "http://h/"])?.0, 0);
    }
    let left = files(folder.path())?.len();
    assert_eq!(
        left,
        inputs().map(|folder| files(folder.path()).map_or(0, |all| all.len()))? + 3,
        "nothing else is left"
    );
    Ok(())
}

#[test]
fn one_file_cannot_be_two_outputs() -> Outcome {
    let folder = inputs()?;
    let path = |name: &str| folder.path().join(name);
    let (input, output, one, two) = (path("in"), path("out"), path("one"), path("folder/../one"));
    for (options, message) in [
        (
            ["--summary", argument(&one), "--report", argument(&two), "--dry-run"],
            "the summary and the report are one file",
        ),
        (
            ["--journal", argument(&one), "--report", argument(&two), "--in-place"],
            "the report and the journal are one file",
        ),
        (
            ["--summary", argument(&one), "--journal", argument(&two), "--in-place"],
            "the summary and the journal are one file",
        ),
    ] {
        let (status, _, told) = run(&[&["rewrite", argument(&input)], &options[..]].concat())?;
        assert!(status == 2 && told.contains(message) && !one.exists(), "{told}");
    }
    fs::create_dir_all(&output)?;
    for place in [output.clone(), output.join("page.html"), output.join("d/list.mbox")] {
        let arguments =
            ["rewrite", argument(&input), "-o", argument(&output), "--force", "--summary", argument(&place)];
        let (status, _, told) = run(&arguments)?;
        assert!(status == 2 && told.contains("belongs to the output"), "{told}");
        assert_eq!(fs::read_dir(&output)?.count(), 0);
    }
    Ok(())
}

/// Whatever is written beside is there as a whole or not at all.
#[test]
fn a_full_disk_leaves_no_half_summary() -> Outcome {
    let folder = inputs()?;
    let (input, place) = (folder.path().join("in"), folder.path().join("written"));
    let before = bytes(folder.path())?;
    let arguments = ["rewrite", argument(&input), "--dry-run", "--summary"];
    let (status, told) = Stop::ShortFiles(0).run(&[&arguments[..], &[argument(&place)]].concat())?;
    assert!(status == Some(2) && told.contains("cannot write") && told.contains("File too large"), "{told}");
    assert!(bytes(folder.path())? == before, "{told}");
    for option in ["--summary", "--report"] {
        if Path::new("/dev/full").exists() {
            let (status, _, told) = run(&["rewrite", argument(&input), "--dry-run", option, "/dev/full"])?;
            assert!(status == 2 && told.contains("cannot write /dev/full: No space left"), "{told}");
        } else {
            print_line("skipped: no /dev/full");
        }
        let script = format!(
            "mkdir $1/mount; mount -t tmpfs -o size=4k none $1/mount; cd $1; echo full > mount/full
             \"$0\" rewrite in --dry-run {option} mount/written; echo status $?; ls -A mount; umount $1/mount; rmdir $1/mount"
        );
        let Some(output) = with_mounts(&script, &[argument(folder.path())])? else { return Ok(()) };
        let (out, told) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert_eq!(out, "status 2\nfull\n", "{told}");
        assert!(told.contains("cannot write mount/written: No space left"), "{told}");
    }
    Ok(())
}
