//! Single documents whose bytes easily come out wrong, and what they come to.

use std::fs;
use std::os::unix::fs::symlink;

use crate::support::{Outcome, argument, folder_with, run};

/// Rewrites a page retrieved from `http://h/d/x.html`.
fn rewrite(page: &[u8], flags: &[&str]) -> Result<Vec<u8>, Box<dyn std::error::Error>> {
    let folder = folder_with(&[])?;
    let (input, output) = (folder.path().join("in.html"), folder.path().join("out.html"));
    fs::write(&input, page)?;
    let url: &[&str] = if flags.contains(&"--url") { &[] } else { &["--url", "http://h/d/x.html"] };
    let arguments = [&["rewrite", argument(&input), "-o", argument(&output)], url, flags].concat();
    let (status, _, errors) = run(&arguments)?;
    assert_eq!(status, 0, "{errors}");
    Ok(fs::read(output)?)
}

#[track_caller]
fn check(page: &str, flags: &[&str], expected: &str) -> Outcome {
    assert_eq!(String::from_utf8_lossy(&rewrite(page.as_bytes(), flags)?), expected, "{page}");
    Ok(())
}

#[test]
fn without_a_base_the_bytes_are_identical() -> Outcome {
    let page = "<A HREF = x ><img src='../y'><style>a{b:url(z)}</style>";
    let folder = folder_with(&[("a.html", page)])?;
    let (input, output) = (folder.path().join("a.html"), folder.path().join("b.html"));
    let (status, _, errors) = run(&["rewrite", argument(&input), "-o", argument(&output)])?;
    assert!(status == 1 && errors.contains("a.html:1:11: no-base: 3 references left relative"), "{errors}");
    assert_eq!(fs::read_to_string(&output)?, page);
    let (_, out, _) = run(&["links", "--json", argument(&input)])?;
    assert_eq!(
        out.matches("\"target\":null,\"status\":\"unresolved\",\"base\":null,\"layer\":\"none\"").count(),
        3,
        "{out}"
    );
    Ok(())
}

#[test]
fn a_nul_is_read_as_a_replacement_character_and_not_dropped() -> Outcome {
    check("<a href='\0x'>", &[], "<a href='http://h/d/\0x'>")?;
    check(
        "<style>a{b:url(\0x);c:url('\0y')}</style>",
        &[],
        "<style>a{b:url(http://h/d/\0x);c:url('http://h/d/\0y')}</style>",
    )
}

/// The only byte that is not UTF-8 would go with a dot segment, and `Ã©` would be read as `é` from then on.
#[test]
fn a_page_keeps_its_last_byte_that_is_not_utf_8() -> Outcome {
    let before = b"<a href='\xE9/../x'>\xC3\xA9</a><a href='\xC3\xA9'><a href=y>";
    let after = b"<a href='\xE9/../x'>\xC3\xA9</a><a href='http://h/d/\xC3\xA9'><a href=http://h/d/y>";
    let folder = folder_with(&[])?;
    let (input, output) = (folder.path().join("in.html"), folder.path().join("out.html"));
    let (from, to, url) = (argument(&input), argument(&output), ["--url", "http://h/d/"]);
    fs::write(&input, before)?;
    let (status, _, errors) = run(&[&["rewrite", from, "-o", to], &url[..]].concat())?;
    assert!(status == 0 && errors.contains("charset-needed: 1 reference is left"), "{errors}");
    assert_eq!(fs::read(&output)?, after);
    // All commands agree on what stays.
    for command in [&["check", to][..], &["verify", from, to]] {
        assert_eq!(run(&[command, &url].concat())?.0, 0, "{command:?}");
    }
    assert!(run(&[&["check", to], &url[..]].concat())?.2.contains("charset-needed"));
    let (_, links, _) = run(&[&["links", "--json", from], &url[..]].concat())?;
    assert_eq!(links.matches("\"status\":\"kept\"").count(), 1, "{links}");
    assert_eq!(rewrite(after, &[])?, after);
    // With the BASE it would mean something else.
    let based = [b"<base href=http://h/d/>", &before[..]].concat();
    assert!(rewrite(&based, &["--base", "remove"])?.starts_with(b"<base href=http://h/d/><a href='\xE9/../x'>"));
    Ok(())
}

#[test]
fn bytes_that_decide_of_no_charset_go() -> Outcome {
    let link = |reference: &[u8]| [b"<a href='", reference, b"'>"].concat();
    for (around, name) in [
        (&b"text"[..], "the rest is ASCII, and reads the same in both"),
        (b"caf\xE9", "another byte shows the charset"),
        (b"<meta charset=windows-1252>\xC3\xA9", "the charset is named"),
    ] {
        let page = [around, &link(b"\xE9/../x")].concat();
        assert_eq!(rewrite(&page, &[])?, [around, &link(b"http://h/d/x")].concat(), "{name}");
    }
    Ok(())
}

#[test]
fn many_bases_are_removed_in_one_pass() -> Outcome {
    let page = "<base href=x><a href=y>".repeat(50_000);
    assert_eq!(rewrite(page.as_bytes(), &["--base", "remove"])?.len(), 50_000 * "<base><a href=http://h/d/y>".len());
    Ok(())
}

#[test]
fn a_relative_base_that_is_removed() -> Outcome {
    let page = "<base href=\"sub/\"><a href=x>";
    check(page, &["--base", "remove"], "<base><a href=http://h/d/sub/x>")?;
    check(page, &["--base", "comment"], "<!--<base href=\"sub/\">--><a href=http://h/d/sub/x>")?;
    check(page, &[], "<base href=\"http://h/d/sub/\"><a href=http://h/d/sub/x>")
}

#[test]
fn attributes_around_a_removed_base() -> Outcome {
    check("<base href=\"http://b/\"target=\"t\">", &["--base", "remove"], "<base target=\"t\">")?;
    check(
        "<base href=\"http://b/\" href=\"http://c/\"><a href=x>",
        &["--base", "remove"],
        "<base><a href=http://b/x>",
    )?;
    check("<base target=t href=http://b/ id=i>", &["--base", "remove"], "<base target=t id=i>")
}

#[test]
fn a_base_that_links_still_need_is_not_removed() -> Outcome {
    let page = "<base href=\"http://b/d/\"><a href=\"{{x}}\">";
    check(page, &["--base", "remove"], page)?;
    let page = "<base href=\"mailto:x@example.org\"><a href=y>";
    check(page, &["--base", "remove"], page)
}

#[test]
fn white_space_in_a_base() -> Outcome {
    check("<base href=\"http://h/a\nb/\"><a href=x>", &[], "<base href=\"http://h/a\nb/\"><a href=http://h/ab/x>")?;
    check("<base href=\"&#1;http://o/\"><a href=x>", &[], "<base href=\"&#1;http://o/\"><a href=http://o/x>")
}

#[test]
fn placeholders_cut_by_another_grammar() -> Outcome {
    for page in [
        "<a href=\"@@link@@\">",
        "<a href={{ url }}>",
        "<img srcset=\"{{ a }} 1x, {{ b }} 2x\">",
        "<a href=\"<?php echo $r[\"u\"]; ?>\">",
        "<a href=<%= url %>>",
    ] {
        check(page, &[], page)?;
    }
    Ok(())
}

#[test]
fn a_password_in_an_unusual_url() -> Outcome {
    for url in ["http:/u:pw@h/d/", "http:///u:pw@h/d/", "http:\\\\u:pw@h\\d\\", "http://u:pw@h/d/"] {
        check("<a href=x>", &["--url", url], "<a href=http://h/d/x>")?;
    }
    Ok(())
}

#[test]
fn commas_in_lists() -> Outcome {
    let page = "<applet archive=\"x.jar,y.jar\">";
    check(page, &["--url", "http://h/a,b/"], "<applet archive=\"http://h/a%2Cb/x.jar,http://h/a%2Cb/y.jar\">")?;
    check("<img srcset=',&#1; 1x'>", &[], "<img srcset=',&#1; 1x'>")
}

#[test]
fn an_escape_of_undeclared_iso_2022_jp() -> Outcome {
    let page = b"<html><a href=\"\x1b$B$!\x1b(B.html\">";
    assert_eq!(rewrite(page, &[])?, page);
    Ok(())
}

#[test]
fn long_values_in_legacy_encodings() -> Outcome {
    // It would take seconds if each character cost as much as all before it.
    let rest = "x".repeat(2_000_000);
    let page = [b"<meta charset=shift_jis><p style=\"a:url(\x95\x5c", rest.as_bytes(), b")\">"].concat();
    assert_eq!(rewrite(&page, &[])?.len(), page.len() + "http://h/d/".len());
    Ok(())
}

#[test]
fn a_link_named_itself_is_followed_and_stays_a_link() -> Outcome {
    let folder = folder_with(&[("real.html", "<a href=x>")])?;
    let link = folder.path().join("link.html");
    symlink("real.html", &link)?;
    assert_eq!(run(&["rewrite", argument(&link), "--in-place", "--url", "http://h/"])?.0, 0);
    assert!(link.is_symlink());
    assert_eq!(fs::read_to_string(folder.path().join("real.html"))?, "<a href=http://h/x>");
    Ok(())
}

#[test]
fn a_pipe_is_written_into() -> Outcome {
    let folder = folder_with(&[("a.html", "<a href=x>")])?;
    let (input, pipe) = (folder.path().join("a.html"), folder.path().join("pipe"));
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    if !made.is_ok_and(|status| status.success()) {
        absolve_testing::print_line("skipped: no named pipe could be made");
        return Ok(());
    }
    let reader = std::thread::spawn({
        let pipe = pipe.clone();
        move || fs::read_to_string(pipe)
    });
    let arguments = ["rewrite", argument(&input), "-o", argument(&pipe), "--force", "--url", "http://h/"];
    assert_eq!(run(&arguments)?.0, 0);
    assert_eq!(reader.join().map_err(|_| "the reader panicked")??, "<a href=http://h/x>");
    assert!(!pipe.is_file());
    Ok(())
}

#[test]
fn groups_and_places_can_be_chosen() -> Outcome {
    let page = "<meta property=og:image content=a><img data-src=b><x-card image=c><p about=d resource='[e:f]'>";
    let social = "<meta property=og:image content=http://h/d/a>";
    check(page, &[], &page.replacen("<meta property=og:image content=a>", social, 1))?;
    let flags = ["--groups", "lazy,rdfa", "--attr", "x-card@image=url"];
    let expected = "<meta property=og:image content=a><img data-src=http://h/d/b><x-card image=http://h/d/c>\
                    <p about=http://h/d/d resource='[e:f]'>";
    check(page, &flags, expected)
}

#[test]
fn long_names_stay_apart() -> Outcome {
    let page =
        "<x-quite-a-long-element href=a data-quite-a-long-name=b data-quite-a-long-nome=c><p data-quite-a-long-name=d>";
    let expected = "<x-quite-a-long-element href=http://h/d/a data-quite-a-long-name=http://h/d/b data-quite-a-long-nome=c>\
                    <p data-quite-a-long-name=http://h/d/d>";
    let flags = ["--attr", "x-quite-a-long-element@href=url", "--attr", "*@data-quite-a-long-name=url"];
    check(page, &flags, expected)
}

/// `verify` judges with the same option, and without it sees another page.
#[test]
fn the_charset_of_http_counts_before_meta() -> Outcome {
    let page = b"<meta charset=shift_jis><a href='?\xE9'>";
    let flags = ["--charset", "latin1", "--spelling", "ascii"];
    let rewritten = rewrite(page, &flags)?;
    assert_eq!(rewritten, b"<meta charset=shift_jis><a href='http://h/d/x.html?%E9'>");
    check("\u{FEFF}<a href='?é'>", &flags, "\u{FEFF}<a href='http://h/d/x.html?%C3%A9'>")?;
    let folder = folder_with(&[])?;
    let (input, output) = (folder.path().join("in.html"), folder.path().join("out.html"));
    fs::write(&input, page)?;
    fs::write(&output, &rewritten)?;
    let verify = ["verify", argument(&input), argument(&output), "--url", "http://h/d/x.html"];
    assert_eq!(run(&[&verify[..], &flags].concat())?.0, 0);
    assert_eq!(run(&[&verify[..], &flags[2..]].concat())?.0, 1);
    let (status, _, errors) = run(&["check", "--charset", "nonsense", argument(&input)])?;
    assert!(status == 2 && errors.contains("no charset has the name"), "{errors}");
    Ok(())
}
