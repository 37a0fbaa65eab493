//! A newsletter is made ready to be mailed: its links lead somewhere from any mailbox, and not a byte else changes.

use std::fs;
use std::path::PathBuf;

use crate::support::{Outcome, argument, folder_with, run};
use absolve_links::DocumentType;
use absolve_rewriter::Options;
use absolve_rewriter::internal::{Entity, Report, Retrieval, edits_of};
use absolve_testing::fixtures;

const URL: [&str; 2] = ["--url", "https://news.example/2026/11/issue.html"];
const FOR_MAIL: [&str; 2] = ["--for", "mail"];
const NO_READER: &str = " (no reader elsewhere can follow it: ";

const PLACEHOLDER: &str = ": placeholder: ";
const UNSUBSCRIBE: &str = "93:57: placeholder: *|UNSUB|* stays for the mail service to replace (1 reference)";

type Failure = Box<dyn std::error::Error>;

fn fixture(name: &str) -> PathBuf {
    fixtures().join("newsletter").join(name)
}

/// What becomes of a page, and the findings: the lines of standard error without the path and the counts.
fn rewrite(page: &str, flags: &[&str]) -> Result<(String, Vec<String>), Failure> {
    let folder = folder_with(&[("in.html", page)])?;
    let (input, output) = (folder.path().join("in.html"), folder.path().join("out.html"));
    let (status, _, stderr) = run(&[&["rewrite", argument(&input), "-o", argument(&output)], flags].concat())?;
    assert_eq!(status, 0, "{stderr}");
    let path = format!("{}:", input.display());
    let findings = stderr.lines().filter_map(|line| line.strip_prefix(&path)).map(|line| line.trim_start().to_owned());
    let findings = findings.collect();
    Ok((fs::read_to_string(output)?, findings))
}

/// The lines of `check`, without the path, and the last line of its messages.
fn check(page: &str, flags: &[&str]) -> Result<(i32, Vec<String>, String), Failure> {
    let folder = folder_with(&[("in.html", page)])?;
    let input = folder.path().join("in.html");
    let (status, out, stderr) = run(&[&["check", argument(&input)], flags].concat())?;
    let path = format!("{}:", input.display());
    let lines = out.lines().map(|line| without_column(line.strip_prefix(&path).unwrap_or(line))).collect();
    Ok((status, lines, stderr.lines().last().unwrap_or_default().to_owned()))
}

/// `3: a@href` of `3:17: a@href`.
fn without_column(line: &str) -> String {
    let place = line.split_once(": ").and_then(|(place, rest)| Some((place.split_once(':')?.0, rest)));
    place.map_or_else(|| line.to_owned(), |(number, rest)| format!("{number}: {rest}"))
}

#[test]
fn exactly_the_links_change() -> Outcome {
    let (before, after) = (fs::read_to_string(fixture("before.html"))?, fs::read_to_string(fixture("after.html"))?);
    let flags = [URL, FOR_MAIL].concat();
    let (out, findings) = rewrite(&before, &flags)?;
    let (placeholders, findings): (Vec<_>, Vec<_>) = findings.into_iter().partition(|line| line.contains(PLACEHOLDER));
    assert_eq!((placeholders.len(), &*placeholders[8]), (10, UNSUBSCRIBE));
    for (number, (line, expected)) in out.lines().zip(after.lines()).enumerate() {
        assert_eq!(line, expected, "line {}", number + 1);
    }
    assert_eq!(out, after);
    let expected = [
        "89:13: out-of-reach: 1 reference that no reader elsewhere can follow: a file of one computer".to_owned(),
        "90:12: out-of-reach: 1 reference that no reader elsewhere can follow: the computer of the reader".to_owned(),
        "fragment-moves: 3 references led to the base, and lead to the document itself without it".to_owned(),
    ];
    assert_eq!(findings, expected);
    // Made absolute again, nothing changes, at whatever URL.
    let (again, findings) = rewrite(&out, &["--url", "https://other.example/a/", "--for", "mail"])?;
    assert_eq!((again, findings.len()), (after, 12), "{findings:?}");
    Ok(())
}

#[test]
fn each_link_is_one_edit() -> Outcome {
    let before = fs::read(fixture("before.html"))?;
    let entity = Entity::bare_file(&before, DocumentType::Html).retrieved_from(Retrieval::given(URL[1]));
    let mut report = Report::default();
    let edits = edits_of(&entity, &Options::default().for_mail(), &mut report);
    let counts = report.counts;
    assert_eq!((counts.links, counts.rewritten, counts.absolute), (57, 36, 8));
    assert_eq!((counts.same_document, counts.kept, counts.unresolved), (3, 10, 0));
    // One of them takes the BASE out of force.
    assert_eq!(edits.iter().count(), 36);
    Ok(())
}

#[test]
fn placeholders_are_the_same_before_and_after() -> Outcome {
    const MARKS: [&str; 14] =
        ["{{", "}}", "{%", "%}", "<%", "%>", "*|", "|*", "%%", "${", "@2x", "%2C", "%7E", "&amp;"];
    let (before, after) = (fs::read_to_string(fixture("before.html"))?, fs::read_to_string(fixture("after.html"))?);
    for mark in MARKS {
        let count = before.matches(mark).count();
        assert!(count > 0 && after.matches(mark).count() == count, "{mark}");
    }
    let lower = after.to_ascii_lowercase();
    for escaped in ["%7b", "%7d", "%7c", "%3c%25", "%25%25", "%2a"] {
        assert!(!lower.contains(escaped), "{escaped}");
    }
    Ok(())
}

#[test]
fn check_lists_what_is_to_do_and_what_nobody_can_follow() -> Outcome {
    let (before, after) = (fs::read_to_string(fixture("before.html"))?, fs::read_to_string(fixture("after.html"))?);
    let lost = [
        format!("89: img@src: file:///C:/Users/ada/Desktop/lamp%20draft.png{NO_READER}a file of one computer)"),
        format!("90: a@href: http://localhost:3000/preview?issue=11{NO_READER}the computer of the reader)"),
    ];
    let (status, lines, stderr) = check(&before, &FOR_MAIL)?;
    assert_eq!(
        (status, lines.len(), &*stderr),
        (1, 38, "36 links relative in 1 document; 2 links that no reader elsewhere can follow")
    );
    assert_eq!(lines.iter().filter(|line| line.contains(NO_READER)).collect::<Vec<_>>(), lost.each_ref());
    for expected in ["10: style: img/lamp-mso.gif", "70: v:roundrect@href: offer/", "75: v:image@src: img/seal.gif"] {
        assert!(lines.iter().any(|line| line == expected), "{expected}: {lines:?}");
    }
    let (status, lines, stderr) = check(&after, &FOR_MAIL)?;
    assert_eq!(
        (status, &lines[..], &*stderr),
        (1, &lost[..], "0 links relative in 1 document; 2 links that no reader elsewhere can follow")
    );
    let (_, objects, _) = check(&after, &["--for", "mail", "--json"])?;
    assert!(objects.len() == 2 && objects[1].contains("\"status\":\"absolute\""), "{objects:?}");
    let mended =
        after.replace("file:///C:/Users/ada", "https://news.example").replace("localhost:3000", "news.example");
    assert_eq!(check(&mended, &FOR_MAIL)?, (0, vec![], "0 links relative in 1 document".to_owned()));
    Ok(())
}

#[test]
fn verify_proves_it() -> Outcome {
    let (before, after) = (fixture("before.html"), fixture("after.html"));
    let arguments = [&["verify", argument(&before), argument(&after)], &URL[..]].concat();
    let (status, out, stderr) = run(&[&arguments[..], &FOR_MAIL].concat())?;
    assert_eq!((status, &*out), (0, ""), "{stderr}");
    assert!(stderr.contains("57 links: 36 changed, each proven to mean what it meant"), "{stderr}");
    // What stands in for a placeholder might need the BASE if it were not mailed.
    let (status, out, _) = run(&[&arguments[..], &["--spelling", "ascii", "--base", "remove"]].concat())?;
    assert!(status == 1 && out.contains("the BASE was removed, but links that stayed relative need it"), "{out}");
    Ok(())
}

#[test]
fn without_the_purpose_nothing_of_it_happens() -> Outcome {
    let before = fs::read_to_string(fixture("before.html"))?;
    let (out, findings) = rewrite(&before, &URL)?;
    assert_eq!(findings, [""; 0]);
    for expected in [
        "<base href=\"https://news.example/2026/11/autumn/\">",
        "https://news.example/2026/11/autumn/lamps/first night.html",
        "https://news.example/2026/11/autumn/angebote/frühstück.html?größe=1",
    ] {
        assert!(out.contains(expected), "{expected}");
    }
    let (status, lines, stderr) = check(&before, &[])?;
    assert_eq!((status, lines.len(), &*stderr), (1, 36, "36 links relative in 1 document"));
    assert_eq!(check("<a href=http://localhost/>", &[])?.0, 0);
    Ok(())
}

#[test]
fn an_option_beside_the_purpose_wins() -> Outcome {
    let page = "<base href=d/><a href='ü'>";
    for (flags, expected) in [
        (&[][..], "<base><a href='http://h/d/%C3%BC'>"),
        (&["--base", "keep"], "<base href=http://h/d/><a href='http://h/d/%C3%BC'>"),
        (&["--base", "comment"], "<!--<base href=d/>--><a href='http://h/d/%C3%BC'>"),
        (&["--spelling", "as-written"], "<base><a href='http://h/d/ü'>"),
    ] {
        let flags = [&["--url", "http://h/", "--for", "mail"], flags].concat();
        assert_eq!(rewrite(page, &flags)?.0, expected, "{flags:?}");
    }
    let (status, _, stderr) = run(&["rewrite", "x.html", "-o", "y.html", "--for", "print"])?;
    assert!(status == 2 && stderr.contains("[possible values: mail]"), "{stderr}");
    Ok(())
}

/// They are not links that need it: a newsletter, which always has some, would keep its BASE.
#[test]
fn placeholders_hold_no_base_in_mail() -> Outcome {
    let page = "<base href=\"http://h.example/d/\"><a href=\"{{x}}\"><a href=\"[y]\"><a href=z>";
    let flags = ["--for", "mail", "--keep", r"^\["];
    let (out, findings) = rewrite(page, &flags)?;
    assert_eq!((&*out, findings.len()), ("<base><a href=\"{{x}}\"><a href=\"[y]\"><a href=http://h.example/d/z>", 2));
    assert!(findings.iter().all(|finding| finding.contains(PLACEHOLDER)), "{findings:?}");
    let (out, findings) = rewrite(page, &["--base", "remove", "--keep", r"^\["])?;
    assert!(
        out.starts_with("<base href=\"http://h.example/d/\">") && findings[0].starts_with("base-needed: "),
        "{findings:?}"
    );
    // What has no target still needs it.
    let (out, findings) = rewrite("<base href=\"mailto:x@h\"><a href=y>", &FOR_MAIL)?;
    assert_eq!((&*out, findings.len()), ("<base href=\"mailto:x@h\"><a href=y>", 3), "{findings:?}");
    Ok(())
}

#[test]
fn a_base_at_home_is_reported() -> Outcome {
    let page = "<a href='#x'><img src=a.png><img src=b.png><a href=http://h.example/>";
    let (out, findings) = rewrite(page, &["--url", "http://localhost:3000/", "--for", "mail"])?;
    assert!(out.contains("<img src=http://localhost:3000/a.png>"));
    let expected = "1:23: out-of-reach: 2 references that no reader elsewhere can follow: the computer of the reader";
    assert_eq!(findings, [expected]);
    let (status, lines, stderr) = check(page, &["--url", "http://localhost:3000/", "--for", "mail"])?;
    assert_eq!((status, lines.len()), (1, 2));
    assert!(
        lines[0] == format!("1: img@src: a.png{NO_READER}the computer of the reader)")
            && stderr.contains("2 links relative"),
        "{lines:?}"
    );
    // The BASE leads nowhere itself, and goes.
    let (out, findings) = rewrite("<base href=http://localhost/><a href=http://h.example/>", &FOR_MAIL)?;
    assert_eq!((&*out, findings.len()), ("<base><a href=http://h.example/>", 0), "{findings:?}");
    Ok(())
}

#[test]
fn the_page_about_email_is_true() -> Outcome {
    let page = fs::read_to_string(fixtures().join("../docs/email.md"))?;
    let blocks: Vec<&str> = page.split("```html\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    let (out, findings) = rewrite(blocks[0], &[URL, FOR_MAIL].concat())?;
    assert_eq!((&*out, findings.len()), (blocks[1], 2), "{findings:?}");
    let listed = page.split("```console\n").nth(1).and_then(|rest| rest.split("```").next()).ok_or("no list")?;
    assert_eq!(listed.lines().filter(|line| line.contains(NO_READER)).count(), 1);
    Ok(())
}

/// Twenty other findings leave a line for each.
#[test]
fn each_placeholder_has_a_line_beside_other_findings() -> Outcome {
    let pages: Vec<(String, String)> = (10..40)
        .map(|number| {
            (format!("{number}.html"), format!("<a href={{{{x}}}}><a href=[y{number}]><a href=http://localhost/>"))
        })
        .collect();
    let files: Vec<(&str, &str)> = pages.iter().map(|(name, page)| (&**name, &**page)).collect();
    let folder = folder_with(&files)?;
    let run_of = ["rewrite", argument(folder.path()), "--dry-run", "--for", "mail", "--url", "http://h.example/"];
    let (_, _, messages) = run(&run_of)?;
    assert_eq!(messages.matches(": placeholder: [y").count(), 30, "{messages}");
    assert!(
        messages.contains(": placeholder: {{x}} stays for the mail service to replace (30 references in 30 documents)")
    );
    assert!(messages.contains("\n10 more findings (30 out-of-reach, 60 placeholder in all)"), "{messages}");
    let (_, _, messages) = run(&[&run_of[..], &["--quiet"]].concat())?;
    assert_eq!(messages, "");
    Ok(())
}
