//! What a new user reads first: the help, and the words at the end of a run.

use std::process::Command;

use crate::support::{Outcome, folder_with, run_in};

/// Returns what is printed in a terminal of this width.
fn help(arguments: &[&str], columns: &str) -> Result<String, Box<dyn std::error::Error>> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_absolve"));
    let output = command.args(arguments).env("COLUMNS", columns).env("LC_ALL", "C").output()?;
    assert!(output.status.success(), "{arguments:?}");
    Ok(String::from_utf8(output.stdout)?)
}

/// The lines of some options ran out of the terminal.
#[test]
fn the_help_was_wider_than_the_terminal() -> Outcome {
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

/// The error of a report that exists named an option that the short help had not.
#[test]
fn the_short_help_lacked_the_option_that_replaces_a_report() -> Outcome {
    for command in ["rewrite", "check", "links", "verify", "pack", "unpack"] {
        assert!(help(&[command, "-h"], "80")?.contains("--force "), "{command}");
    }
    Ok(())
}

/// A folder of a thousand pages was a thousand pictures.
#[test]
fn the_bases_of_a_folder_were_boxes_without_end() -> Outcome {
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

/// It exited 1, as if a link were relative.
#[test]
fn a_missing_input_among_several_was_a_relative_link() -> Outcome {
    let folder = folder_with(&[("a.html", "<a href=http://h/>"), ("b.html", "<a href=b>")])?;
    for command in ["check", "links", "base"] {
        let (status, out, errors) = run_in(folder.path(), &[command, "a.html", "missing", "b.html"])?;
        assert!(status == 2 && errors.contains("cannot read missing"), "{command}: {status} {errors}");
        assert!(command == "base" || out.contains("b.html:1:9"), "the others are done: {out}");
    }
    Ok(())
}

/// A run said `1 kept` and nothing of why, nor which option would change it.
#[test]
fn what_was_left_had_no_reason() -> Outcome {
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
    assert!(
        status == 1 && errors.contains("2 links kept: placeholders such as {{x}}, or files with errors\n"),
        "{errors}"
    );
    Ok(())
}
