//! What `verify` finds does not depend on how many links a document has, or on how long a row of a map is.

use std::fs;

use crate::support::{Outcome, argument, folder_with, run};

/// Returns the status of `verify` after one change of the rewritten document.
fn status_of(page: &str, flags: &[&str], (from, to): (&str, &str)) -> Result<i32, Box<dyn std::error::Error>> {
    let folder = folder_with(&[("p.html", page)])?;
    let [old, new] = ["p.html", "q.html"].map(|name| folder.path().join(name));
    assert_eq!(run(&[&["rewrite", argument(&old), "-o", argument(&new)], flags].concat())?.0, 0);
    let rewritten = fs::read_to_string(&new)?;
    let changed = rewritten.replacen(from, to, 1);
    assert_eq!(changed == rewritten, from == to, "{from}");
    fs::write(&new, changed)?;
    Ok(run(&[&["verify", argument(&old), argument(&new)], flags].concat())?.0)
}

#[test]
fn answers_are_equal_for_few_links_and_for_more_than_are_described() -> Outcome {
    let copy = "https://web.archive.org/web/20200101000000/http://h.example/d/p.html";
    let saved = format!("<!-- saved from url=({:04}){copy} -->\n", copy.len());
    let link =
        |number: usize| format!("<a href=\"p{number}\">x</a><a href=\"/web/2020/http://h.example/q{number}\">y</a>\n");
    let faults = [
        ("", ""),
        ("h.example/d/p7\"", "h.example/d/p8\""),
        ("http://h.example/d/p7\"", "p7\""),
        ("h.example/q7\"", "h.example/q7?\""),
    ];
    let found: [&[&str]; 2] = [&["--unwrap-wayback"], &["--unwrap-wayback", "--url", copy]];
    for (fault, flags) in faults.into_iter().flat_map(|fault| found.map(|flags| (fault, flags))) {
        for links in [10, 500, 501, 2_500] {
            let page = saved.clone() + &(0..links).map(link).collect::<String>();
            assert_eq!(status_of(&page, flags, fault)?, i32::from(fault.0 != fault.1), "{links} {fault:?} {flags:?}");
        }
    }
    Ok(())
}

#[test]
fn hosts_without_a_path_are_mapped_and_proven() -> Outcome {
    let flags = ["--url", "http://h.example/", "--map", "http://old.example/=http://new.example/n/"];
    for (reference, expected) in [
        ("//old.example", ""),
        ("//old.example?q", "?q"),
        ("//old.example#f", "#f"),
        ("//old.example/x", "x"),
        ("http://old.example", ""),
    ] {
        let page = format!("<a href=\"{reference}\">x</a>");
        let target = format!("http://new.example/n/{expected}\"");
        assert_eq!(status_of(&page, &flags, (&target, &target))?, 0, "{reference}");
        assert_eq!(status_of(&page, &flags, ("/n/", "/m/"))?, 1, "{reference}");
    }
    Ok(())
}

#[test]
fn a_base_within_a_conditional_comment_is_another_one_than_that_which_is_gone() -> Outcome {
    for base in ["<base>", "<base href>", "<base href=''>", "<base href=x>"] {
        for element in ["keep", "remove", "comment"] {
            let page = format!("{base}<!--[if IE]>{base}<a href=\"z\"></a><![endif]--><a href=\"y\">y</a>");
            let flags = ["--url", "http://h.example/d/", "--base-element", element];
            assert_eq!(status_of(&page, &flags, ("", ""))?, 0, "{base} {element}");
            assert_eq!(status_of(&page, &flags, ("/z\"", "/q\""))?, 1, "{base} {element}");
        }
    }
    Ok(())
}
