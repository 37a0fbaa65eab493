//! An archive that another program changes while `unpack` reads it twice makes a whole site, or an error that names the archive.

use std::fs::{self, File};
use std::process::Command;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use absolve_containers::{ArchiveOptions, Reading};
use absolve_files::{Selection, collect};
use absolve_rewriter::internal::WaybackLinks;
use absolve_site::{Indexing, index, unpack};

use crate::support::warc::{HTML, response};
use crate::support::{Outcome, argument, run};
use absolve_testing::{print_line, rounds, temporary_folder};

fn archive(pages: u32) -> Vec<u8> {
    let page = |number| response(number, &format!("http://h/{number}"), "200 OK", HTML, b"<a href=1>");
    (1..=pages).flat_map(page).collect()
}

#[test]
fn an_archive_that_is_cut_and_restored_is_unpacked_whole_or_reported() -> Outcome {
    let (whole, mut reported) = (archive(2_000), 0);
    for round in 0..rounds(200) {
        let outer = temporary_folder()?;
        let (path, site) = (outer.path().join("a.warc"), outer.path().join("site"));
        fs::write(&path, &whole)?;
        let (status, _, says) = thread::scope(|scope| {
            let other = scope.spawn(|| {
                thread::sleep(Duration::from_millis(round as u64 % 20 * 10));
                File::options().write(true).open(&path)?.set_len(whole.len() as u64 / 2)?;
                thread::sleep(Duration::from_millis(10));
                fs::write(&path, &whole)
            });
            let done = run(&["unpack", argument(&path), "-o", argument(&site), "--quiet"]);
            other.join().expect("it does not panic").and(done)
        })?;
        if status == 0 {
            let (status, differs, _) = run(&["verify", argument(&path), argument(&site)])?;
            assert_eq!(status, 0, "{differs}");
        } else {
            assert!(says.contains(argument(&path)), "{says}");
            reported += 1;
        }
    }
    print_line(&format!("{reported} changed archives reported"));
    Ok(())
}

/// The size and the time say nothing, but other records were seen.
#[test]
fn an_archive_that_holds_other_records_the_second_time_is_reported() -> Outcome {
    let outer = temporary_folder()?;
    let path = outer.path().join("a.warc");
    fs::write(&path, archive(3))?;
    let modified = fs::metadata(&path)?.modified()?;
    let archives = collect(&path, &Selection::default()).entries;
    let indexing = Indexing { at: None, reading: Reading::Whole, wayback: &WaybackLinks::Keep };
    let site = Arc::new(index(&archives, indexing, &mut |_, _| {}, &|_| {})?.0);
    let options = ArchiveOptions::default();
    let errors = || -> Result<Vec<String>, std::io::Error> {
        let done =
            unpack(&archives, &site, &options, ((0, 0, 0), &|_| false, &|_, _| Ok(())), &mut |_| Ok(()), &|_| {})?;
        Ok(done.errors.iter().map(ToString::to_string).collect())
    };
    assert!(errors()?.is_empty());
    fs::write(&path, String::from_utf8(archive(3))?.replace("http://h/2", "http://h/9"))?;
    File::options().write(true).open(&path)?.set_modified(modified)?;
    let expected = format!("cannot read {}: another program changed it during the run", path.display());
    assert_eq!(errors()?, [expected]);
    Ok(())
}

/// A file that cannot be opened was taken for one that another run has.
#[test]
fn too_few_file_descriptors_are_named_as_the_cause() -> Outcome {
    let outer = temporary_folder()?;
    let (path, site) = (outer.path().join("a.warc"), outer.path().join("site"));
    fs::write(&path, archive(3))?;
    for descriptors in 5..9 {
        let program = env!("CARGO_BIN_EXE_absolve");
        let line =
            format!("ulimit -n {descriptors}; exec {program} unpack '{}' -o '{}'", path.display(), site.display());
        let done = Command::new("sh").args(["-c", &line]).output()?;
        let says = String::from_utf8_lossy(&done.stderr).into_owned();
        assert!(!done.status.success() && says.contains("Too many open files"), "{descriptors}: {says}");
        absolve_testing::files(outer.path())?.iter().filter(|file| **file != path).try_for_each(fs::remove_file)?;
        let _ = fs::remove_dir_all(outer.path().join("site.partial"));
    }
    Ok(())
}
