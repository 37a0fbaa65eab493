//! Marks and lists that nobody would write on purpose, or somebody would.

use std::fs;
use std::process::{Command, Stdio};

use crate::support::targets::{links, targets};
use crate::support::{Outcome, argument, folder_with, run, run_with};
use absolve_testing::temporary_folder;

const MARKED: &str = "<!-- saved from url=(0014)http://h.ex/a/ --><body>";

#[test]
fn marks_that_are_not_well_written() -> Outcome {
    for (page, expected) in [
        // In characters, in bytes, of another length, of none.
        ("<!-- saved from url=(0014)http://h.ex/\u{e9}/ --><a href=/x>", "http://h.ex/x"),
        ("<!-- saved from url=(0015)http://h.ex/\u{e9}/ --><a href=/x>", "http://h.ex/x"),
        ("<!-- saved from url=(0012)http://h.ex/\u{e9}/ --><a href=/x>", "-"),
        ("<!-- saved from url=(0013)http://h.ex/\u{e9}/ --><a href=/x>", "-"),
        ("<!-- saved from url=(0000)http://h.ex/ --><a href=/x>", "-"),
        ("<!-- saved from url=()http://h.ex/ --><a href=/x>", "-"),
        ("<!-- saved from url=(-1)http://h.ex/ --><a href=/x>", "-"),
        ("<!-- saved from url=(99999999999999999999999)http://h.ex/ --><a href=/x>", "-"),
        ("<!-- saved from url=(0012)http://h.ex/", ""),
        ("<!-- saved from url=(0012", ""),
        ("<html data-scrapbook-source=\"http://h.ex/><a href=/x>", ""),
        ("<html data-scrapbook-source=http://h.ex/><a href=/x>", "-"),
        ("<meta name=\"savepage-url\" content=\"><a href=/x>", ""),
        ("<!--\n Page saved with SingleFile \n-->\n<a href=/x>", "-"),
        ("<!--\n Page saved with SingleFile \n url: http:// \n--><a href=/x>", "-"),
        ("<!--\n Page saved with SingleFile \n url: http://h.ex/a b \n--><a href=/x>", "-"),
        ("<!-- Mirrored from http://h.ex/ by HTTrack", ""),
        ("<script>__wm.wombat(</script><a href=/x>", "-"),
        ("<script>__wm.wombat(\"http://h.ex/\",\"never\")</script><a href=/x>", "-"),
        ("<!--><a href=/x>", "-"),
    ] {
        for page in [page.to_owned(), format!("\u{feff}{page}")] {
            let (status, out, errors) = run_with(&["links", "--json", "--type", "html", "-"], page.as_bytes())?;
            assert_eq!((status, targets(&out)?.join(" ")), (0, expected.to_owned()), "{page}: {errors}");
        }
    }
    Ok(())
}

#[test]
fn a_quote_in_the_url_of_a_copy_does_not_hide_the_script_of_the_wayback_machine() -> Outcome {
    let page =
        "<script>__wm.wombat(\"http://h.ex/it's\",\"20080102030405\",\"https://web.archive.org/\")</script><a href=/x>";
    let out = run_with(&["links", "--json", "--type", "html", "-"], page.as_bytes())?.1;
    assert_eq!(targets(&out)?, ["https://web.archive.org/x"]);
    Ok(())
}

#[test]
fn a_mark_in_latin_1_counts() -> Outcome {
    let folder = temporary_folder()?;
    let file = folder.path().join("a.html");
    fs::write(&file, b"<!-- Mirrored from h.ex/caf\xe9/ by HTTrack Website Copier/3.x [x], x --><a href=b.html>")?;
    assert_eq!(links(&file, &["--scheme", "http", "--url", "http://h.ex/"])?, "-");
    Ok(())
}

#[test]
fn a_conflict_does_not_fail_a_check_where_all_links_are_absolute() -> Outcome {
    let folder = folder_with(&[("a.html", &format!("{MARKED}<a href=http://h.ex/>"))])?;
    let (status, _, told) = run(&["check", argument(folder.path()), "--url", "http://other.ex/"])?;
    assert_eq!((status, told.matches("url-conflict").count()), (0, 1), "{told}");
    Ok(())
}

#[cfg(unix)]
#[test]
fn no_list_is_read_through_a_symbolic_link() -> Outcome {
    let row = "1\t1/1\t-\t200\tadded ('OK')\ttext/html\td\thttp://h.ex/\tm/a.html\t(from )\n";
    let folder = folder_with(&[("new.txt", row), ("in/a.html", "<a href=/x>"), ("in/hts-cache/x", "")])?;
    std::os::unix::fs::symlink("../../new.txt", folder.path().join("in/hts-cache/new.txt"))?;
    assert_eq!(links(&folder.path().join("in"), &[])?, "-");
    let zone = folder_with(&[("zone", "HostUrl=http://h.ex/\n"), ("in/a.html", "<a href=/x>")])?;
    std::os::unix::fs::symlink("../zone", zone.path().join("in/a.html:Zone.Identifier"))?;
    assert_eq!(links(&zone.path().join("in"), &["--discover", "attributes"])?, "-");
    Ok(())
}

#[test]
fn standard_input_has_no_attributes_of_a_file_called_minus() -> Outcome {
    let folder = folder_with(&[("-:Zone.Identifier", "HostUrl=http://h.ex/\n"), ("page", "<a href=/x>")])?;
    let arguments = ["links", "--json", "--type", "html", "--discover", "attributes", "-"];
    let input = Stdio::from(fs::File::open(folder.path().join("page"))?);
    let mut command = Command::new(env!("CARGO_BIN_EXE_absolve"));
    let output = command.args(arguments).current_dir(folder.path()).stdin(input).output()?;
    assert_eq!(targets(&String::from_utf8(output.stdout)?)?, ["-"]);
    Ok(())
}

#[test]
fn lists_that_are_not_as_they_should_be() -> Outcome {
    let page = "<a href=/x>";
    let row = |url: &str, file: &str| format!("1\t1/1\t-\t200\tadded ('OK')\ttext/html\td\t{url}\t{file}\t(from )");
    let good = row("http://h.ex/", "m/a.html");
    for (list, expected) in [
        (good.clone(), "http://h.ex/x"),
        (good.clone() + "\r\n", "http://h.ex/x"),
        (good.clone() + "\n" + &row("http://h.ex/b", "/etc/passwd"), "http://h.ex/x"),
        (row("http://h.ex/", "../../../a.html"), "http://h.ex/x"),
        (row("http://h.ex/", "m/a%2Ehtml"), "http://h.ex/x"),
        (row("javascript:x", "m/a.html"), "-"),
        (row("http://h.ex/ x", "m/a.html"), "-"),
        (row("http://h.ex/", ""), "-"),
        ("\t".repeat(10_000), "-"),
        (row("http://h.ex/", &"../".repeat(10_000)), "-"),
        ("\0\n".repeat(1000) + &good, "http://h.ex/x"),
    ] {
        let folder = folder_with(&[("a.html", page), ("hts-cache/new.txt", &list)])?;
        assert_eq!(links(folder.path(), &[])?, expected, "{:.200}", list);
    }
    let folder = folder_with(&[("a.html", page)])?;
    fs::create_dir(folder.path().join("hts-cache"))?;
    let list =
        [b"caf\xe9\n1\t1/1\t-\t200\tx\ttext/html\td\thttp://h.ex/\xe9\tm/\xe9.html\t\n", good.as_bytes()].concat();
    fs::write(folder.path().join("hts-cache/new.txt"), list)?;
    assert_eq!(links(folder.path(), &[])?, "http://h.ex/x");
    Ok(())
}

/// Which rows are tried is no matter of chance.
#[test]
fn a_list_of_much_more_than_the_input_gives_its_urls() -> Outcome {
    let rows: String = (0..5000).map(|number| format!("far/away/{number}.html,http://other.ex/{number}\n")).collect();
    let rows = rows + "far/away/site/a.html,http://h.ex/a\nfar/away/site/b.html,http://h.ex/b\n";
    let pages = [("site/a.html", "<a href=x>"), ("site/b.html", "<a href=y>"), ("urls.csv", &*rows)];
    let folder = folder_with(&pages)?;
    let urls = folder.path().join("urls.csv");
    let found = links(&folder.path().join("site"), &["--urls", argument(&urls)])?;
    assert_eq!(found, "http://h.ex/x http://h.ex/y");
    Ok(())
}

#[test]
fn a_table_with_a_mark_before_it_and_a_log_with_a_second_try() -> Outcome {
    let log = "--2026-11-20 20:10:06--  (try: 2)  http://h.ex/d/\nSaving to: \u{2018}a.html\u{2019}\n";
    for urls in ["\u{feff}path,url\r\na.html,http://h.ex/d/\r\n", log] {
        let folder = folder_with(&[("in/a.html", "<a href=x>"), ("urls", urls)])?;
        let urls = folder.path().join("urls");
        assert_eq!(links(&folder.path().join("in"), &["--urls", argument(&urls)])?, "http://h.ex/d/x");
    }
    Ok(())
}

#[test]
fn marks_in_messages_are_none_of_theirs() -> Outcome {
    let message = format!("Content-Type: text/html\r\n\r\n{MARKED}<a href=/x>");
    let folder =
        folder_with(&[("a.eml", &message), ("mail/cur/1:2,S", &message), ("mail/new/x", ""), ("mail/tmp/x", "")])?;
    assert_eq!(links(folder.path(), &[])?, "- -");
    Ok(())
}

/// Chrome puts the BASE into a comment, and `.` in its place.
#[test]
fn verify_knows_the_base_in_a_comment() -> Outcome {
    let page = "<!-- saved from url=(0014)http://h.ex/a/ --><head><!--<base href=\"http://other.ex/b/\">--><base href=\".\"></head><a href=x>";
    let folder = folder_with(&[("in/a.html", page)])?;
    let (input, output) = (folder.path().join("in"), folder.path().join("out"));
    assert_eq!(run(&["rewrite", argument(&input), "-o", argument(&output)])?.0, 0);
    assert!(fs::read_to_string(output.join("a.html"))?.ends_with("<a href=http://other.ex/b/x>"));
    let (status, _, says) = run(&["verify", argument(&input), argument(&output)])?;
    assert!(status == 0 && says.contains("1 by the URL in a mark"), "{says}");
    Ok(())
}
