//! A file changed in place is the old or the new one at any moment, and what was there before can be kept.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::Path;
use std::time::{Duration, SystemTime};

use crate::support::{Outcome, argument, folder_with, run};
use absolve_testing::files;

const URL: &str = "http://h/";
const PAGE: &str = "<a href=b>";
const CHANGED: &str = "<a href=http://h/b>";

fn names(folder: &Path) -> std::io::Result<Vec<String>> {
    let name = |path: &std::path::PathBuf| path.strip_prefix(folder).unwrap_or(path).to_string_lossy().into_owned();
    Ok(files(folder)?.iter().map(name).collect())
}

#[test]
fn the_original_stays_beside_what_changes() -> Outcome {
    let folder = folder_with(&[("a.html", PAGE), ("d/b.html", PAGE), ("same.html", "<a href=#s>")])?;
    let page = folder.path().join("a.html");
    let time = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
    fs::File::open(&page)?.set_modified(time)?;
    fs::set_permissions(&page, fs::Permissions::from_mode(0o604))?;
    let arguments = ["rewrite", argument(folder.path()), "--in-place", "--url", URL, "--backup", ".old.html", "--sync"];
    let (status, _, told) = run(&arguments)?;
    assert_eq!(status, 0, "{told}");
    assert!(!told.contains("hard-link"), "{told}");
    let backup = folder.path().join("a.html.old.html");
    assert_eq!(fs::read_to_string(&backup)?, PAGE);
    assert_eq!(
        (fs::metadata(&backup)?.modified()?, fs::metadata(&backup)?.permissions().mode() & 0o777),
        (time, 0o604)
    );
    assert_eq!(
        (fs::read_to_string(&page)?, fs::metadata(&page)?.permissions().mode() & 0o777),
        (CHANGED.into(), 0o604)
    );
    let all = ["a.html", "a.html.old.html", "d/b.html", "d/b.html.old.html", "same.html"];
    assert_eq!(names(folder.path())?, all);
    // A second run takes no backup for a page, whether it is found or named.
    let (status, _, told) = run(&arguments)?;
    assert!(status == 0 && told.starts_with("3 documents, "), "{told}");
    let named = ["rewrite", "--in-place", "--backup", ".old.html", argument(&page), argument(&backup)];
    let (status, _, told) = run(&named)?;
    assert!(status == 0 && told.starts_with("1 document, "), "{told}");
    assert_eq!(names(folder.path())?, all);
    Ok(())
}

#[test]
fn a_backup_never_takes_the_place_of_another_file() -> Outcome {
    let folder = folder_with(&[("a.html", PAGE), ("a.html~", "precious"), ("b.html", PAGE)])?;
    let arguments = ["rewrite", argument(folder.path()), "--in-place", "--url", URL, "--backup", "~"];
    let (status, _, told) = run(&arguments)?;
    assert_eq!(status, 1, "{told}");
    assert!(told.contains("a.html~ exists; move it away, or name another --backup"), "{told}");
    let read = |name: &str| fs::read_to_string(folder.path().join(name));
    assert_eq!((read("a.html")?, read("a.html~")?), (PAGE.into(), "precious".into()));
    assert_eq!((read("b.html")?, read("b.html~")?), (CHANGED.into(), PAGE.into()));
    assert_eq!(files(folder.path())?.len(), 4, "no temporary file is left");
    Ok(())
}

/// Killed between the backup and the renaming, a run leaves one file with two names.
#[test]
fn a_run_that_was_killed_behind_its_backup_is_continued() -> Outcome {
    let folder = folder_with(&[("a.html", PAGE), (".absolve-x1Y2z3.tmp", "half a page <a href=b>")])?;
    let (page, backup) = (folder.path().join("a.html"), folder.path().join("a.html.orig"));
    fs::hard_link(&page, &backup)?;
    let (status, _, told) =
        run(&["rewrite", argument(folder.path()), "--in-place", "--url", URL, "--backup", ".orig"])?;
    assert!(status == 0 && told.starts_with("1 document, ") && !told.contains("hard-link"), "{told}");
    assert_eq!((fs::read_to_string(&page)?, fs::read_to_string(&backup)?), (CHANGED.into(), PAGE.into()));
    let output = folder.path().with_extension("out");
    let (status, ..) = run(&["rewrite", argument(folder.path()), "-o", argument(&output), "--url", URL])?;
    assert_eq!((status, names(&output)?), (0, vec!["a.html".to_owned(), "a.html.orig".to_owned()]));
    fs::remove_dir_all(output)?;
    Ok(())
}

#[test]
fn suffixes_and_flags_that_cannot_be_meant() -> Outcome {
    let folder = folder_with(&[("a.html", PAGE)])?;
    let input = argument(folder.path());
    let page = folder.path().join("a.html");
    for (arguments, message) in [
        (vec!["rewrite", input, "--in-place", "--backup", ""], "it is appended to file names"),
        (vec!["rewrite", input, "--in-place", "--backup", "old/"], "it is appended to file names"),
        (vec!["rewrite", input, "--dry-run", "--backup", ".orig"], "--in-place"),
        (vec!["rewrite", input, "-o", "out", "--sync"], "--in-place"),
        (vec!["rewrite", input, "-o", "out", "--journal", "j"], "--in-place"),
        (vec!["rewrite", input, "--in-place", "--journal", argument(&page)], "exists and is not a journal"),
        (vec!["rewrite", input, "--in-place", "--journal", "/no/such/folder/j"], "cannot use the journal"),
        (vec!["revert", argument(&page)], "is not a journal"),
        (vec!["revert", "/no/such/journal"], "cannot use the journal /no/such/journal"),
    ] {
        let (status, out, errors) = run(&arguments)?;
        assert_eq!((status, &*out), (2, ""), "{arguments:?}: {errors}");
        assert!(errors.contains(message), "{arguments:?}: {errors}");
    }
    assert_eq!(fs::read_to_string(page)?, PAGE);
    Ok(())
}

#[test]
fn other_names_of_a_file_are_reported() -> Outcome {
    let folder = folder_with(&[("in/a.html", PAGE), ("in/same.html", "<a href=#s>")])?;
    let (input, other) = (folder.path().join("in"), folder.path().join("other.html"));
    fs::hard_link(input.join("a.html"), &other)?;
    fs::hard_link(input.join("same.html"), folder.path().join("other-same.html"))?;
    let (status, _, told) = run(&["rewrite", argument(&input), "--in-place", "--url", URL])?;
    assert_eq!((status, told.matches(": hard-link: ").count()), (0, 1), "{told}");
    assert!(told.contains("a.html: hard-link: the file has another hard link"), "{told}");
    assert_eq!((fs::read_to_string(input.join("a.html"))?, fs::read_to_string(other)?), (CHANGED.into(), PAGE.into()));
    // Both names within the input become two files, each right where it stands.
    fs::create_dir(input.join("d"))?;
    fs::write(input.join("x.html"), PAGE)?;
    fs::hard_link(input.join("x.html"), input.join("d/x.html"))?;
    assert_eq!(run(&["rewrite", argument(&input), "--in-place", "--url", URL, "--jobs", "1"])?.0, 0);
    assert_eq!(fs::read_to_string(input.join("x.html"))?, CHANGED);
    assert_eq!(fs::read_to_string(input.join("d/x.html"))?, "<a href=http://h/d/b>");
    Ok(())
}

#[test]
fn symbolic_links_stay_links() -> Outcome {
    let folder = folder_with(&[("real/a.html", PAGE), ("in/b.html", PAGE)])?;
    let (named, within) = (folder.path().join("named.html"), folder.path().join("in/within.html"));
    symlink("real/a.html", &named)?;
    symlink("../real/a.html", &within)?;
    let (status, _, told) = run(&["rewrite", argument(&folder.path().join("in")), "--in-place", "--url", URL])?;
    assert_eq!(status, 0, "{told}");
    assert_eq!(fs::read_to_string(&within)?, PAGE, "what a link within a folder leads to is not of that folder");
    let (status, _, told) =
        run(&["rewrite", argument(&named), "--in-place", "--url", "http://h/named.html", "--backup", ".orig"])?;
    assert_eq!(status, 0, "{told}");
    assert!(named.is_symlink() && within.is_symlink());
    assert_eq!(fs::read_to_string(&named)?, CHANGED);
    assert_eq!(fs::read_to_string(folder.path().join("real/a.html.orig"))?, PAGE);
    assert_eq!(fs::metadata(folder.path().join("real/a.html"))?.nlink(), 1);
    Ok(())
}

#[test]
fn a_message_gets_no_backup_beside_it() -> Outcome {
    const MESSAGE: &str = "Content-Base: http://h/\nContent-Type: text/html\n\n<a href=x>\n";
    let folder = folder_with(&[("in/cur/1.host:2,S", MESSAGE), ("in/new/.keep", "")])?;
    let input = folder.path().join("in");
    let (status, _, told) = run(&["rewrite", argument(&input), "--in-place", "--backup", ".orig"])?;
    assert_eq!(status, 1);
    assert!(told.contains("would be one more message; give --journal instead"), "{told}");
    assert_eq!(names(&input)?, ["cur/1.host:2,S", "new/.keep"]);
    assert_eq!(fs::read_to_string(input.join("cur/1.host:2,S"))?, MESSAGE);
    Ok(())
}
