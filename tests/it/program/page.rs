//! `--report FILE.html` is one page to look at.

use std::fs;
use std::path::Path;

use crate::support::stops::{Stop, gzip, mbox};
use crate::support::{CORPORA, Outcome, argument, folder_with, run, run_in};
use absolve_report::PAGE_BYTES;
use absolve_testing::{corpus, fixtures, temporary_folder};

/// What a page must not contain if nothing of others is markup: names, URLs and references that are.
const MARKUP: [&str; 4] = ["<img", "<b>", "<svg onload", "onerror=\""];

fn page_of(arguments: &[&str], page: &Path) -> Result<String, Box<dyn std::error::Error>> {
    let (status, _, said) = run(&[arguments, &["--report", argument(page), "--force"]].concat())?;
    assert!(status < 2 || said.contains("no file of it is a document"), "{said}");
    Ok(fs::read_to_string(page)?)
}

#[test]
fn a_page_says_what_was_done() -> Outcome {
    let folder = folder_with(&[
        ("in/a.html", "<base href='sub/'><a href=x><a href=http://other/><a href=#s>"),
        ("in/b.html", "<a href=//[><a href=Talk:Foo>"),
        ("in/c.html", "{\"a\": 1}"),
    ])?;
    let (input, page) = (folder.path().join("in"), folder.path().join("page.html"));
    let page = page_of(&["rewrite", argument(&input), "--dry-run", "--url", "http://h/d/"], &page)?;
    for part in [
        "<h1>",
        "2 documents, 6 links: 2 were relative and would become absolute.",
        "1 link without a target stayed relative",
        "this was a dry run: nothing was written",
        "absolve rewrite",
        // The figures, by number and share.
        "<th scope=\"row\">made absolute</th>",
        "<th scope=\"row\">BASE</th>",
        "<th scope=\"row\">left unread</th>",
        // The findings, with what the documentation says of them.
        "<code>unreadable-target</code>",
        "The reference has an invalid host, as ",
        "An absolute URL would be as invalid.",
        "<code>b.html:1:9</code>",
        // The hosts.
        "<th scope=\"row\">h <em class=\"new\">new</em></th>",
        "<th scope=\"row\">other</th>",
        // The rows, the boxes, the links before and after.
        "<tr><td><details><summary>a.html</summary>",
        "1 · embedded in the document",
        "<b>used: </b>element at byte 12: <code>sub/</code> = <code>http://h/d/sub/</code>",
        "<i> not used: a layer further in declares a base</i>",
        "<li><code>x</code> → <code>http://h/d/sub/x</code></li>",
        "default-src 'none'; style-src 'sha256-",
    ] {
        assert!(page.contains(part), "{part} is not in\n{page}");
    }
    assert!(!page.contains("http://www.w3.org") && !page.contains(" src="), "{page}");
    Ok(())
}

#[test]
fn each_row_has_a_cell_for_each_head() -> Outcome {
    let folder = folder_with(&[("in/a.html", "<a href=x>"), ("in/b.html", "<a href=//[>")])?;
    let (input, page) = (folder.path().join("in"), folder.path().join("page.html"));
    for command in [
        &["rewrite", argument(&input), "--dry-run"][..],
        &["check", argument(&input)],
        &["verify", argument(&input), argument(&input)],
    ] {
        let page = page_of(&[command, &["--url", "http://h/"]].concat(), &page)?;
        let (_, table) = page.split_once("<table id=\"rows\"").ok_or("no table")?;
        let (head, body) = table.split_once("<tbody>").ok_or("no rows")?;
        let rows: Vec<&str> = body.lines().filter(|line| line.starts_with("<tr>")).collect();
        // What a row opens has none.
        let cells: Vec<usize> = rows.iter().map(|row| row.matches("<td>").count()).collect();
        assert_eq!(cells, [head.matches("<th ").count(); 2], "{body}");
    }
    Ok(())
}

#[test]
fn hosts_have_their_ports() -> Outcome {
    let folder = folder_with(&[("a.html", "<a href=http://h:8080/><a href=https://h:443/><a href=x>")])?;
    let (input, page) = (folder.path().join("a.html"), folder.path().join("page.html"));
    let page = page_of(&["rewrite", argument(&input), "--dry-run", "--url", "http://h:81/"], &page)?;
    for host in ["h:8080", "h", "h:81 <em class=\"new\">new</em>"] {
        assert!(page.contains(&format!("<th scope=\"row\">{host}</th>")), "{host}: {page}");
    }
    Ok(())
}

#[test]
fn a_page_of_check_promises_what_rewrite_does() -> Outcome {
    let folder = folder_with(&[("a.html", "<a href=x>"), ("b.html", "<base href=http://h/><a href=y>")])?;
    let [a, b, page] = ["a.html", "b.html", "page.html"].map(|name| folder.path().join(name));
    let left = "It would leave 1 link relative, and the findings say why: give the URL that the input was retrieved from with --url.";
    for (arguments, said, unsaid) in [
        (&["check", argument(&a)][..], &[left][..], "absolve rewrite makes"),
        (&["check", argument(&a), argument(&b)], &["absolve rewrite makes 1 of them absolute", left], "makes them"),
        (&["check", argument(&a), "--url", "http://h/"], &["absolve rewrite makes them absolute"], "It would leave"),
    ] {
        let page = page_of(arguments, &page)?;
        assert!(said.iter().all(|said| page.contains(said)) && !page.contains(unsaid), "{arguments:?}: {page}");
    }
    Ok(())
}

#[test]
fn names_and_references_are_never_markup() -> Outcome {
    let name = "<img src=x onerror=\"alert(1)\"><b>\u{202e}\u{1b}[31m\n.html";
    let text =
        "<base href='http://h/<b>/'><a href='\"><svg onload=alert(2)>'><a href='http://<b>/'><a href='Talk:<b>'>";
    let mail = "Content-Base: <b>\nContent-Type: text/html\n\n<a href='<b>'>";
    let folder = folder_with(&[(&format!("in/<b>/{name}"), text), ("in/<b>.eml", mail)])?;
    let (input, out) = (folder.path().join("in"), folder.path().join("out"));
    let page = folder.path().join("page.html");
    let (input, out) = (argument(&input), argument(&out));
    let rewrite = page_of(&["rewrite", input, "-o", out, "--url", "http://h/<b>/"], &page)?;
    fs::write(Path::new(out).join("<b>.eml"), "<b>")?;
    let verify = page_of(&["verify", input, out, "--url", "http://h/<b>/"], &page)?;
    let check = page_of(&["check", input], &page)?;
    for page in [rewrite, verify, check] {
        assert!(page.contains("&lt;b&gt;"), "{page}");
        for markup in MARKUP {
            // The headings of boxes are bold by themselves.
            let page = page.replace("<b>used: </b>", "").replace("<caption><b>", "");
            assert!(!page.contains(markup), "{markup} in\n{page}");
        }
        assert!(!page.contains(['\u{202e}', '\u{1b}']), "{page}");
    }
    Ok(())
}

#[test]
fn a_page_follows_the_rules_of_side_files() -> Outcome {
    let folder =
        folder_with(&[("in/a.html", "<a href=x>"), ("old.html", "old"), ("out/a.html", "<a href=http://h/x>")])?;
    let here = folder.path();
    let refused = |arguments: &[&str], why: &str| -> Outcome {
        let (status, _, said) = run_in(here, arguments)?;
        assert!(status == 2 && said.contains(why), "{arguments:?}: {said}");
        Ok(())
    };
    let rewrite = ["rewrite", "in", "--dry-run", "--url", "http://h/", "--report"];
    let verify = ["verify", "in", "out", "--url", "http://h/", "--report"];
    let check = ["check", "in", "--report"];
    for command in [&rewrite[..], &verify, &check] {
        refused(&[command, &["old.html"]].concat(), "old.html exists; --force replaces it")?;
        refused(&[command, &["in/a.html", "--force"]].concat(), "in/a.html is an input; name another file")?;
        refused(&[command, &["no/folder/page.html"]].concat(), "cannot write no/folder/page.html")?;
        refused(&[command, &["in"]].concat(), if command == rewrite { "is an input" } else { "name it FILE.html" })?;
    }
    for command in [&verify[..], &check] {
        for name in ["report.csv", "-", "report"] {
            refused(&[command, &[name]].concat(), "--report writes a page here: name it FILE.html")?;
        }
    }
    refused(&[&verify[..], &["out/page.html"]].concat(), "belongs to the files that are compared")?;
    assert_eq!((fs::read_to_string(here.join("old.html"))?, fs::read_dir(here)?.count()), ("old".to_owned(), 3));
    let (status, _, said) = run_in(here, &[&check[..], &["old.HTML"]].concat())?;
    assert!(status == 1 && here.join("old.HTML").exists(), "{said}");
    Ok(())
}

/// The next run would read it as a document.
#[test]
fn a_report_or_table_is_not_written_into_its_own_input() -> Outcome {
    let folder = folder_with(&[("in/d/a.html", "<a href=x>"), ("out/d/a.html", "<a href=http://h/d/x>")])?;
    for (arguments, name) in [
        (&["rewrite", "in", "--dry-run", "--url", "http://h/", "--report"][..], "in/r.html"),
        (&["rewrite", "in", "--dry-run", "--url", "http://h/", "--report"], "in/d/r.csv"),
        (&["rewrite", "in/d", "in/d/a.html", "--dry-run", "--report"], "in/d/r.csv"),
        (&["verify", "in", "out", "--url", "http://h/", "--report"], "in/r.html"),
        (&["check", "./in", "--report"], "in/../in/d/r.html"),
        (&["links", "in", "--format", "csv", "-o"], "in/links.csv"),
        (&["links", "in", "-o"], "in/d/links.html"),
    ] {
        for force in [&[][..], &["--force"]] {
            let (status, out, said) = run_in(folder.path(), &[arguments, &[name], force].concat())?;
            assert!(
                status == 2 && out.is_empty() && said.contains(&format!("{name} lies within the input ")),
                "{said}"
            );
        }
    }
    let files = walkdir::WalkDir::new(folder.path()).into_iter().filter_map(Result::ok);
    assert_eq!(files.filter(|entry| entry.file_type().is_file()).count(), 2);
    let (status, _, said) = run_in(folder.path(), &["check", "in/d/a.html", "--report", "in/d/r.html"])?;
    assert!(status == 1 && folder.path().join("in/d/r.html").exists(), "{said}");
    Ok(())
}

/// `verify --like` repeats the options of the run, but does not replace its report.
#[test]
fn the_report_of_a_run_is_not_repeated_by_verify() -> Outcome {
    let folder = folder_with(&[("in/a.html", "<a href=x>")])?;
    let arguments = ["in", "--url", "http://h/", "-o", "out", "--report", "page.html", "--summary", "run.json"];
    assert_eq!(run_in(folder.path(), &[&["rewrite"][..], &arguments].concat())?.0, 0);
    let page = fs::read_to_string(folder.path().join("page.html"))?;
    let (status, _, said) = run_in(folder.path(), &["verify", "in", "out", "--like", "run.json"])?;
    assert_eq!((status, fs::read_to_string(folder.path().join("page.html"))?), (0, page), "{said}");
    Ok(())
}

#[test]
fn the_page_does_not_depend_on_threads() -> Outcome {
    let folder = temporary_folder()?;
    let page = folder.path().join("page.html");
    let corpora = CORPORA.iter().take(4).filter_map(|found| corpus(found.name));
    for input in [fixtures()].into_iter().chain(corpora) {
        let of = |jobs| {
            let arguments = ["rewrite", argument(&input), "--dry-run", "--url", "http://h/", "--jobs", jobs];
            let page = page_of(&arguments, &page)?;
            Ok::<_, Box<dyn std::error::Error>>(page.replace(&format!("--jobs {jobs}"), ""))
        };
        let one = of("1")?;
        assert_eq!(one, of("7")?, "{}", input.display());
        assert!(one.len() <= PAGE_BYTES);
    }
    Ok(())
}

/// Long names leave room for few rows; the figures count all.
#[test]
fn a_page_stays_small() -> Outcome {
    let folder = temporary_folder()?;
    let (input, page) = (folder.path().join("list.mbox"), folder.path().join("page.html"));
    let long = "x".repeat(900);
    let message = |number: u32| {
        format!(
            "From a@b Thu Jan  1 00:00:00 1998\nContent-Base: http://h{number}/{long}/\nContent-Type: text/html\n\n<a href={long}>\n\n"
        )
    };
    fs::write(&input, (0..8000).map(message).collect::<String>())?;
    let text = page_of(&["rewrite", argument(&input), "--dry-run"], &page)?;
    assert!(text.len() <= PAGE_BYTES, "{}", text.len());
    assert!(text.contains("8,000 documents, 8,000 links: 8,000 were relative"));
    assert!(text.contains(" of 8,000 are not in this table</b>") && text.contains("--report FILE.csv"));
    assert!(text.contains("8,000 hosts in all.") && text.contains("The table has the 100 with the most links"));
    Ok(())
}

/// Nor do the layers of the base, which name the URL that is typed or listed.
#[test]
fn a_page_does_not_show_the_password_of_a_url() -> Outcome {
    let listed = "a.html,https://user:s3cret@h/d/a.html\nb.html,gopher://user:s3cret@h/\n";
    let folder = folder_with(&[("in/a.html", "<a href=x>"), ("in/b.html", "<a href=x>"), ("urls.csv", listed)])?;
    let here = folder.path();
    let (input, urls, page) = (here.join("in"), here.join("urls.csv"), here.join("page.html"));
    for given in [["--url", "https://user:s3cret@h/d/"], ["--urls", argument(&urls)]] {
        for command in [&["rewrite", "--dry-run"][..], &["check"]] {
            let page = page_of(&[command, &[argument(&input)], &given].concat(), &page)?;
            assert!(page.contains(&format!("retrieval at {}: <code>https://h/d/a.html</code>", given[0])), "{page}");
            assert!(page.contains("<li><code>x</code> → <code>https://h/d/x</code></li>"), "{page}");
            assert!(!page.contains("s3cret"), "{page}");
        }
    }
    Ok(())
}

/// It is the last of more than 20,000 hosts by the alphabet, and all of them are counted.
#[test]
fn the_most_popular_of_many_hosts_is_in_the_table() -> Outcome {
    let others: String = (0..20_500).map(|number| format!("<a href=http://h{number}/>")).collect();
    let text = others + &"<a href=http://zzz-popular.ex/>".repeat(500);
    let folder = folder_with(&[("in/a.html", &text)])?;
    let page = folder.path().join("page.html");
    let page = page_of(&["rewrite", argument(&folder.path().join("in")), "--dry-run"], &page)?;
    for part in [
        "20,501 hosts in all.",
        "<tbody><tr><th scope=\"row\">zzz-popular.ex</th><td>500</td>",
        "501 hosts, with 501 links together, could not be in the table",
    ] {
        assert!(page.contains(part), "{part} is not in\n{page}");
    }
    Ok(())
}

/// Where there is nothing, the page does not say that each target follows from its base.
#[test]
fn a_run_without_documents_does_not_look_done() -> Outcome {
    let folder = folder_with(&[("in/a.png", "x")])?;
    let (input, page) = (folder.path().join("in"), folder.path().join("page.html"));
    let page = page_of(&["rewrite", argument(&input), "--dry-run"], &page)?;
    assert!(page.contains("<p>No document was found in the input.</p>"), "{page}");
    assert!(page.contains("<header class=\"notable\">") && !page.contains("Each target follows"), "{page}");
    Ok(())
}

/// Only `out.partial` exists, so no links are absolute yet.
#[test]
fn the_page_of_a_failed_run_does_not_look_finished() -> Outcome {
    let folder = folder_with(&[("in/a.html", "<a href=x>")])?;
    let path = |name: &str| folder.path().join(name);
    let (input, out, page) = (path("in"), path("out"), path("page.html"));
    fs::write(input.join("b.mbox.gz"), gzip(mbox(2).as_bytes())?)?;
    let arguments = ["rewrite", argument(&input), "-o", argument(&out), "--report", argument(&page)];
    let (status, said) = Stop::NoTemporaryFolder.run(&arguments)?;
    let page = fs::read_to_string(page)?;
    assert!(status != Some(0) && path("out.partial").exists(), "{said}");
    let parts = ["<p>The output is unfinished: 1 file failed; ", "out.partial is kept; --resume continues it.</p>"];
    assert!(parts.iter().all(|part| page.contains(part)), "{said}{page}");
    Ok(())
}

/// The counts of a long run are not lost with its report.
#[cfg(target_os = "linux")]
#[test]
fn a_run_without_room_for_its_report_prints_its_counts() -> Outcome {
    let folder = folder_with(&[("in/a.html", "<a href=x>"), ("out/a.html", "<a href=http://h/x>")])?;
    let (page, rows) = (folder.path().join("full.html"), folder.path().join("full.csv"));
    [&page, &rows].into_iter().try_for_each(|name| std::os::unix::fs::symlink("/dev/full", name))?;
    let url = ["--url", "http://h/", "--report"];
    for (command, report, counts) in [
        (
            &["rewrite", "in", "--dry-run", "--summary", "run.json", "--force"][..],
            &page,
            "1 document, 1 link: 1 made absolute",
        ),
        (&["rewrite", "in", "-o", "new"], &rows, "1 document, 1 link: 1 made absolute"),
        (&["verify", "in", "out"], &page, "1 document, 1 link: 1 changed"),
        (&["check", "in"], &page, "1 link relative in 1 document"),
    ] {
        let (status, _, said) = run_in(folder.path(), &[command, &url, &[argument(report)]].concat())?;
        assert_eq!(status, 2, "{command:?}: {said}");
        assert!(said.contains(counts) && said.contains("cannot write ") && said.contains("No space left"), "{said}");
    }
    assert!(folder.path().join("run.json").exists() && folder.path().join("new/a.html").exists());
    Ok(())
}

/// The line in the terminal does not count a document of which nothing is read.
#[test]
fn what_is_left_unread_is_not_counted_as_a_document() -> Outcome {
    let mbox = "From a@b Thu Jan  1 00:00:00 1998\nContent-Type: text/html; charset=utf-7\n\n<p>\n";
    let folder = folder_with(&[("in/a.html", "<a href=x>"), ("in/c.html", "{\"a\": 1}"), ("in/m.mbox", mbox)])?;
    let (status, _, said) = run_in(folder.path(), &["check", "in"])?;
    let line = "1 link relative in 1 document; 2 findings above left something unread";
    assert_eq!((status, said.lines().last()), (1, Some(line)), "{said}");
    Ok(())
}

/// Findings are above in the terminal, but below in the page.
#[test]
fn a_page_counts_what_is_left_unread_apart() -> Outcome {
    let folder = folder_with(&[("in/a.html", "<a href=http://h/>"), ("in/c.html", "{\"a\": 1}")])?;
    let (input, page) = (folder.path().join("in"), folder.path().join("page.html"));
    let page = page_of(&["check", argument(&input)], &page)?;
    assert!(page.contains("0 links relative in 1 document; 1 finding below left something unread."), "{page}");
    assert!(page.contains("documents by media type, 1 in all, and 1 left unread</span>"), "{page}");
    Ok(())
}
