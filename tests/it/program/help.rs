//! What a new user reads first: the help, and the words at the end of a run.

use std::process::Command;

use crate::support::{Outcome, folder_with, run, run_in};

/// Returns what is printed in a terminal of this width.
fn help(arguments: &[&str], columns: &str) -> Result<String, Box<dyn std::error::Error>> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_absolve"));
    let output = command.args(arguments).env("COLUMNS", columns).env("LC_ALL", "C").output()?;
    assert!(output.status.success(), "{arguments:?}");
    Ok(String::from_utf8(output.stdout)?)
}

/// The descriptions of options are wrapped.
#[test]
fn the_help_fits_the_width_of_the_terminal() -> Outcome {
    for command in ["rewrite", "check", "links", "base", "verify", "resolve", "revert", "pack", "unpack"] {
        for columns in ["40", "80"] {
            let text = help(&[command, "-h"], columns)?;
            let width = columns.parse()?;
            // The usage is one line.
            let is_long = |line: &&str| line.chars().count() > width && !line.starts_with("Usage: ");
            assert_eq!(text.lines().find(is_long), None, "{command}, {columns} columns");
            assert!(text.is_ascii() && !text.contains('\u{1b}'), "{command}: {text}");
        }
    }
    Ok(())
}

/// The error of a report that exists names this option.
#[test]
fn the_short_help_has_the_option_that_replaces_a_report() -> Outcome {
    for command in ["rewrite", "check", "links", "verify", "pack", "unpack"] {
        assert!(help(&[command, "-h"], "80")?.contains("--force "), "{command}");
    }
    Ok(())
}

/// A folder of a thousand pages is not a thousand pictures.
#[test]
fn the_bases_of_a_folder_are_summed_up() -> Outcome {
    let folder = folder_with(&[
        ("site/a.html", "<base href=https://ex.org/d/>"),
        ("site/b.html", "<base href=https://ex.org/d/>"),
        ("site/c.html", "<base href='http://['>"),
        ("site/d.eml", "Content-Base: http://h/\nContent-Type: text/html\n\n<p>"),
    ])?;
    let (status, out, _) = run_in(folder.path(), &["base", "site"])?;
    let expected = "4 documents, by the source of their base:\n  2  element\n  1  content-base\n  1  no base\n\nno base:\n  site/c.html\n\n\
                    declarations that cannot be used:\n  site/c.html: element at byte 12: http://[: ";
    assert!(status == 0 && out.starts_with(expected), "{out}");
    let (_, all, _) = run_in(folder.path(), &["base", "site", "--all"])?;
    assert_eq!(all.matches("\nbase: ").count(), 4, "{all}");
    let (_, one, _) = run_in(folder.path(), &["base", "site/a.html"])?;
    assert!(all.starts_with(&one), "{one}");
    let (_, out, _) = run_in(folder.path(), &["base", "site", "--url", "https://u.example/"])?;
    assert!(out.contains("  1  retrieval (--url)\n"), "{out}");
    let many: Vec<String> = (0..25).map(|number| format!("n/{number:02}.html")).collect();
    let many: Vec<(&str, &str)> = many.iter().map(|path| (&**path, "<p>")).collect();
    let folder = folder_with(&[&many[..], &[("n/a.html", "<base href=http://h/>")]].concat())?;
    let (_, out, _) = run_in(folder.path(), &["base", "n"])?;
    assert!(out.contains(" 1  element") && out.ends_with("  n/19.html\n  and 5 more; --all draws each\n"), "{out}");
    Ok(())
}

/// Exit status 1 would mean that a link is relative.
#[test]
fn a_missing_input_among_several_exits_2() -> Outcome {
    let folder = folder_with(&[("a.html", "<a href=http://h/>"), ("b.html", "<a href=b>")])?;
    for command in ["check", "links", "base"] {
        let (status, out, errors) = run_in(folder.path(), &[command, "a.html", "missing", "b.html"])?;
        assert!(status == 2 && errors.contains("cannot read missing"), "{command}: {status} {errors}");
        assert!(command == "base" || out.contains("b.html:1:9"), "the others are done: {out}");
    }
    Ok(())
}

/// A run that keeps links says why, and which option would change them.
#[test]
fn what_is_left_has_a_reason() -> Outcome {
    let signed = "Content-Type: multipart/signed; boundary=b\n\n--b\nContent-Type: text/html\nContent-Base: http://h/\n\n<a href=x>\n--b--\n";
    let folder = folder_with(&[
        ("site/a.html", "<base href=http://h/><a href=x><a href=#top><a href='{{y}}'>"),
        ("site/b.html", "<a href=x>"),
        ("site/s.eml", signed),
    ])?;
    for (options, expected, missing) in [
        (
            &[][..],
            &[
                "1 link to the same document left unchanged; --same-document absolute changes them too\n",
                "2 links kept: placeholders such as {{x}}, or signed or encrypted parts\n",
                "1 part under a signature or encrypted left unchanged; --break-signatures changes them too\n",
                "1 link left relative; give the URL that the input was retrieved from with --url\n",
            ][..],
            "--keep matches",
        ),
        (&["--same-document", "absolute", "--keep", "^x"], &["{{x}}, or what --keep matches"], "--same-document"),
        (&["--break-signatures", "--url", "http://u/"], &["1 link kept: placeholders such as {{x}}\n"], "signature"),
    ] {
        let (status, _, errors) = run_in(folder.path(), &[&["rewrite", "site", "--dry-run"], options].concat())?;
        assert_eq!(status, 0, "{errors}");
        assert!(expected.iter().all(|line| errors.contains(line)), "{options:?}: {errors}");
        assert!(!errors.contains(missing), "{options:?}: {errors}");
    }
    let (_, _, errors) = run_in(folder.path(), &["rewrite", "site", "--dry-run", "--quiet"])?;
    assert_eq!(errors, "");
    let message = "Content-Type: text/html\nContent-Base: http://h/\n\n<a href=x>";
    let maildir = folder_with(&[("m/cur/1:2,", message), ("m/new/2", message)])?;
    let (status, _, errors) = run_in(maildir.path(), &["rewrite", "m", "--in-place", "--backup", ".orig"])?;
    assert!(status == 1 && errors.contains("2 links kept: files with errors\n"), "{errors}");
    Ok(())
}

#[test]
fn kept_links_have_the_reason_that_holds() -> Outcome {
    let saved = "<!-- saved from url=(0014)http://h/d/p.html -->\n";
    let folder = folder_with(&[
        ("base.html", &format!("{saved}<base href=''><a href='http://h/'>")),
        ("placeholder.html", "<a href='{{x}}'>"),
        ("keep.html", "<a href='~x'>"),
    ])?;
    for (arguments, line) in [
        (&["base.html"][..], "1 link kept: the BASE of a saved page\n"),
        (&["placeholder.html", "--url", "http://h/"], "1 link kept: placeholders such as {{x}}\n"),
        (&["keep.html", "--url", "http://h/", "--keep", "^~"], "1 link kept: what --keep matches\n"),
    ] {
        let (_, _, errors) = run_in(folder.path(), &[&["rewrite", "--dry-run"], arguments].concat())?;
        assert!(errors.contains(line), "{arguments:?}: {errors}");
    }
    Ok(())
}

#[test]
fn links_to_files_that_were_not_saved_are_named_as_such() -> Outcome {
    let page = |links: &str| format!("<!-- saved from url=(0014)http://h/d/p.html -->\n{links}");
    let (image, style) = ("<img src=p_files/a.png>", "<link rel=stylesheet href=p_files/b.css>");
    for (links, why) in [
        (image.to_owned(), "1 reference left relative: they lead to local copies whose URLs are not known\n"),
        (
            style.to_owned(),
            "1 reference left relative: they name no file of the input, and the program that saved the page may have changed them\n",
        ),
        (
            format!("{image}{style}"),
            "2 references left relative: they lead to local copies whose URLs are not known; 1 of them names no file of the input\n",
        ),
    ] {
        let folder = folder_with(&[("in/p.html", &page(&links)), ("in/p_files/a.png", "x")])?;
        let (_, _, errors) = run_in(folder.path(), &["rewrite", "in", "--dry-run"])?;
        assert!(errors.contains(why), "{links}: {errors}");
    }
    Ok(())
}

#[test]
fn archives_in_a_folder_without_documents_are_named() -> Outcome {
    let folder = folder_with(&[("in/a.zip", "PK"), ("in/b.png", "x"), ("other/b.png", "x")])?;
    for command in ["rewrite", "check", "links", "base"] {
        let more: &[&str] = if command == "rewrite" { &["--dry-run"] } else { &[] };
        let (status, _, errors) = run_in(folder.path(), &[&[command, "in"], more].concat())?;
        let hint = "no file of it is a document; an archive in it is read if it is named, as in/a.zip\n";
        assert!(status == 2 && errors.contains(hint), "{command}: {errors}");
        let (_, _, errors) = run_in(folder.path(), &[&[command, "other"], more].concat())?;
        assert!(errors.contains("no file of it is a document\n"), "{command}: {errors}");
    }
    Ok(())
}

#[test]
fn errors_begin_with_the_name_of_the_program() -> Outcome {
    for arguments in [
        &["rewrite", "--nonsense"][..],
        &["rewrite"],
        &["nonsense"],
        &["check", "/no/such/file"],
        &["resolve", "--base", "x", "y"],
        &["rewrite", "a\u{1b}b", "--nonsense"],
    ] {
        let (status, _, errors) = run(arguments)?;
        assert!(
            status == 2 && errors.starts_with("absolve: ") && !errors.contains("error: "),
            "{arguments:?}: {errors}"
        );
    }
    Ok(())
}
