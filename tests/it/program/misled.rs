//! What misled who ran the program: each test is named after what was wrong.

use std::fs;

use crate::support::{Outcome, folder_with, run, run_in};

#[test]
fn resolve_did_not_say_what_a_base_without_a_scheme_lacks() -> Outcome {
    for base in ["ex.org", "//ex.org/", ""] {
        let (status, _, stderr) = run(&["resolve", "--base", base, "x"])?;
        assert!(status == 2 && stderr.contains("--base: links cannot be resolved against"), "{base}: {stderr}");
        assert!(stderr.contains("add https:// in front of it"), "{base}: {stderr}");
    }
    Ok(())
}

#[test]
fn a_run_in_place_could_not_be_tried() -> Outcome {
    let folder = folder_with(&[("in/a.html", "<a href=b>")])?;
    let arguments = ["rewrite", "in", "--in-place", "--url", "http://h/", "--journal", "j"];
    let (status, out, stderr) = run_in(folder.path(), &[&arguments[..], &["--dry-run", "--diff"]].concat())?;
    assert!(status == 0 && out.contains("+<a href=http://h/b>") && stderr.contains("(dry run"), "{status} {stderr}");
    assert_eq!(fs::read_to_string(folder.path().join("in/a.html"))?, "<a href=b>");
    assert!(!folder.path().join("j").exists());
    Ok(())
}

#[test]
fn keep_local_did_not_take_the_urls_of_a_list() -> Outcome {
    let folder = folder_with(&[
        ("in/d/a.html", "<a href=b.html><a href=missing>"),
        ("in/d/b.html", ""),
        ("u.csv", "path,url\nd/b.html,http://h/s/d/?x\nd/a.html,http://h/s/d/a.html\n"),
        ("other.csv", "path,url\nd/a.html,http://h/\n"),
    ])?;
    let options = ["--urls", "u.csv", "--keep-local"];
    let (status, _, stderr) = run_in(folder.path(), &[&["rewrite", "in", "-o", "out"], &options[..]].concat())?;
    assert_eq!(status, 0, "{stderr}");
    let written = fs::read_to_string(folder.path().join("out/d/a.html"))?;
    assert_eq!(written, "<a href=b.html><a href=http://h/s/d/missing>");
    let (status, out, _) = run_in(folder.path(), &[&["verify", "in", "out"], &options[..]].concat())?;
    assert_eq!((status, &*out), (0, ""));
    for urls in [&["--urls", "other.csv"][..], &[]] {
        let (status, _, stderr) = run_in(folder.path(), &[&["check", "in", "--keep-local"], urls].concat())?;
        assert!(status == 2 && stderr.contains("--url"), "{stderr}");
    }
    Ok(())
}
