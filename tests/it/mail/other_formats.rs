//! Files of other mail programs: Apple Mail, MMDF and Babyl; Outlook's, which are not read.

use std::fs;
use std::io;
use std::process::Command;

use absolve_testing::print_line;

use crate::support::{Outcome, folder_with, run_in};

const MESSAGE: &str = "Received: from x\nContent-Base: http://h/\nContent-Type: text/html\n\n<a href=x>\n";
const CHANGED: &str = "Received: from x\nContent-Base: http://h/\nContent-Type: text/html\n\n<a href=http://h/x>\n";
const LIST: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" \
                    \"http://www.apple.com/DTDs/PropertyList-1.0.dtd\">\n<plist version=\"1.0\">\n<dict>\n\
                    \t<key>flags</key>\n\t<integer>8590195713</integer>\n</dict>\n</plist>\n";

#[test]
fn messages_of_apple_mail() -> Outcome {
    let file = |message: &str| format!("{:<10}\n{message}{LIST}", message.len());
    let folder = folder_with(&[("in/1.emlx", &file(MESSAGE)), ("in/2.partial.emlx", &file(MESSAGE))])?;
    let run = |arguments: &[&str]| run_in(folder.path(), arguments);
    let (status, _, told) = run(&["rewrite", "in", "-o", "out"])?;
    assert_eq!(status, 0, "{told}");
    for name in ["1.emlx", "2.partial.emlx"] {
        assert_eq!(fs::read_to_string(folder.path().join("out").join(name))?, file(CHANGED));
    }
    let (status, out, _) = run(&["verify", "in", "out"])?;
    assert_eq!(status, 0, "{out}");
    for (from, to) in
        [("<integer>8590", "<integer>8591"), (&*CHANGED.len().to_string(), "85"), ("href=http:", "href=HTTP:")]
    {
        fs::write(folder.path().join("out/1.emlx"), file(CHANGED).replacen(from, to, 1))?;
        assert_eq!(run(&["verify", "in", "out"])?.0, 1, "{from}");
    }
    assert_eq!(run(&["links", "--json", "in/1.emlx"])?.1.lines().count(), 1);
    assert_eq!((run(&["check", "in/1.emlx"])?.0, run(&["check", "out/2.partial.emlx"])?.0), (1, 0));
    let (status, out, _) = run(&["rewrite", "in/1.emlx", "--dry-run", "--diff"])?;
    assert!(status == 0 && out.contains(&format!("-{:<10}\n+{:<10}\n", MESSAGE.len(), CHANGED.len())), "{out}");
    assert_eq!(run(&["rewrite", "in", "--in-place", "--journal", "j"])?.0, 0);
    assert_eq!(fs::read_to_string(folder.path().join("in/1.emlx"))?, file(CHANGED));
    assert_eq!(run(&["revert", "j"])?.0, 0);
    assert_eq!(fs::read_to_string(folder.path().join("in/1.emlx"))?, file(MESSAGE));
    Ok(())
}

#[test]
fn a_wrong_number_of_bytes_is_a_finding_and_the_file_stays() -> Outcome {
    for count in [0, MESSAGE.len() - 2, MESSAGE.len() + 1, 100_000, usize::MAX] {
        let file = format!("{count}\n{MESSAGE}{LIST}");
        let folder = folder_with(&[("a.emlx", &file)])?;
        let (status, _, told) = run_in(folder.path(), &["rewrite", "a.emlx", "-o", "b.emlx"])?;
        assert!(
            status == 2 && told.contains(&format!("message-structure: its first line declares a message of {count} ")),
            "{told}"
        );
        assert_eq!(fs::read_to_string(folder.path().join("b.emlx"))?, file);
        assert_eq!(run_in(folder.path(), &["verify", "a.emlx", "b.emlx"])?.0, 2);
        let (status, _, told) = run_in(folder.path(), &["check", "a.emlx"])?;
        assert!(status == 1 && told.contains("message-structure"), "{told}");
    }
    Ok(())
}

fn mmdf(message: &str, count: usize) -> String {
    let mark = "\u{1}\u{1}\u{1}\u{1}\n";
    format!("{mark}{message}\n{mark}{mark}From a@b Thu Jan  1 00:00:00 1998\n{message}From here on\n{mark}")
        .repeat(count)
}

fn babyl(message: &str, count: usize) -> String {
    let (header, body) = message.split_once("\n\n").unwrap_or((message, ""));
    let two = format!("\u{c}\n1, answered,, work,\n{header}\n\n*** EOOH ***\nFrom: x\n\n{body}\n\u{1f}");
    let one = format!("\u{c}\n0, unseen,,\n*** EOOH ***\n{message}\n\u{1f}");
    format!("BABYL OPTIONS: -*- rmail -*-\nVersion: 5\nLabels: work\n\u{1f}{}", [two, one].concat().repeat(count))
}

#[test]
fn files_of_mmdf_and_babyl() -> Outcome {
    for (name, make) in [("mmdf", mmdf as fn(&str, usize) -> String), ("babyl", babyl)] {
        let folder = folder_with(&[("RMAIL", &make(MESSAGE, 3)), (&format!("a.{name}"), &make(MESSAGE, 3))])?;
        let run = |arguments: &[&str]| run_in(folder.path(), arguments);
        for input in ["RMAIL".to_owned(), format!("a.{name}")] {
            let (status, _, told) = run(&["rewrite", &input, "--force", "-o", "out"])?;
            assert!(status == 0 && told.lines().count() == 1, "{name} {told}");
            assert_eq!(fs::read_to_string(folder.path().join("out"))?, make(CHANGED, 3), "{name}");
            let (status, out, told) = run(&["verify", &input, "out"])?;
            assert_eq!(status, 0, "{name} {out}{told}");
            let (_, out, _) = run(&["links", "--json", &input])?;
            assert!(out.lines().count() == 6 && out.contains("\"record\":\"6\""), "{name}: {out}");
            assert_eq!(run(&["rewrite", &input, "--in-place", "--journal", "j"])?.0, 0);
            assert_eq!(fs::read_to_string(folder.path().join(&input))?, make(CHANGED, 3));
            assert_eq!(run(&["revert", "j"])?.0, 0);
            fs::remove_file(folder.path().join("j"))?;
            assert_eq!(fs::read_to_string(folder.path().join(&input))?, make(MESSAGE, 3));
        }
        // What is not a link may not differ, nor a message be missing.
        for faulty in [
            make(CHANGED, 2),
            make(&CHANGED.replace("Received", "Returned"), 3),
            make(CHANGED, 3).replacen("From", "from", 1),
        ] {
            fs::write(folder.path().join("out"), faulty)?;
            assert_eq!(run(&["verify", "RMAIL", "out"])?.0, 1, "{name}");
        }
    }
    Ok(())
}

/// A line of a message that is not a mark does not keep the message.
#[test]
fn bytes_that_only_begin_like_a_mark_do_not_keep_a_message() -> Outcome {
    let near = "\u{1}\u{1}\u{1}\u{1}x\n\u{1f}\u{c} x\n";
    for (name, make) in [("a.mmdf", mmdf as fn(&str, usize) -> String), ("a.babyl", babyl)] {
        let folder = folder_with(&[(name, &make(&format!("{MESSAGE}{near}"), 1))])?;
        let (status, _, stderr) = run_in(folder.path(), &["rewrite", name, "-o", "out"])?;
        assert!(status == 0 && stderr.contains("2 links: 2 made absolute"), "{stderr}");
        assert_eq!(fs::read_to_string(folder.path().join("out"))?, make(&format!("{CHANGED}{near}"), 1));
        let (status, _, stderr) = run_in(folder.path(), &["verify", name, "out"])?;
        assert!(status == 0 && stderr.contains("2 records, 2 documents, 2 links: 2 changed"), "{stderr}");
    }
    Ok(())
}

/// Python writes 30 messages in each format, and reads what was made of them.
#[test]
fn python_reads_its_own_mailboxes_after_it() -> Outcome {
    const SCRIPT: &str = r#"
import mailbox, sys
action, kind, path = sys.argv[1:]
box = {"mmdf": mailbox.MMDF, "babyl": mailbox.Babyl}[kind](path)
if action == "write":
    for number in range(30):
        box.add(f"Received: from x\nContent-Base: http://h/\nContent-Type: text/html\nSubject: {number}\n\n<a href=x{number}>\n")
    box.flush()
else:
    for number, message in enumerate(box):
        assert message["Subject"] == str(number), message["Subject"]
        assert message.get_payload().strip() == f"<a href=http://h/x{number}>", message.get_payload()
    assert len(box) == 30
"#;
    for kind in ["mmdf", "babyl"] {
        let folder = folder_with(&[("script.py", SCRIPT)])?;
        let python = |action: &str, path: &str| {
            Command::new("python3").args(["script.py", action, kind, path]).current_dir(folder.path()).output()
        };
        match python("write", "a.mail") {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                print_line("skipped: needs Python");
                return Ok(());
            }
            written => assert!(written?.status.success()),
        }
        let (status, _, told) = run_in(folder.path(), &["rewrite", "a.mail", "-o", "b.mail", "--type", "mbox"])?;
        assert_eq!(status, 0, "{told}");
        let read = python("read", "b.mail")?;
        assert!(read.status.success(), "{kind}: {}", String::from_utf8_lossy(&read.stderr));
        let (status, out, _) = run_in(folder.path(), &["verify", "a.mail", "b.mail", "--type", "mbox"])?;
        assert_eq!(status, 0, "{out}");
    }
    Ok(())
}

#[test]
fn files_of_outlook_are_reported_with_what_converts_them() -> Outcome {
    let folder = folder_with(&[("in/a.html", "<a href=http://h/>"), ("in/c.msg", "To: x\nFrom: y\nSubject: z\n\n")])?;
    fs::write(folder.path().join("in/a.msg"), b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0\0")?;
    fs::write(folder.path().join("in/b.PST"), b"!BDN\0\0\0\0SM")?;
    for (input, status) in [("in", 1), ("in/a.msg", 2), ("in/b.PST", 2)] {
        for command in ["check", "links", "base"] {
            let (found, _, told) = run_in(folder.path(), &[command, input])?;
            let expects = |name: &str, program: &str| {
                told.contains(&format!("{name}: unknown-type: it is a ")) && told.contains(program)
            };
            let is_told = match input {
                "in/a.msg" => expects("a.msg", "`msgconvert FILE`"),
                "in/b.PST" => expects("b.PST", "`readpst -e FILE`"),
                _ => told.contains("a.msg: ") && told.contains("b.PST: ") && !told.contains("c.msg"),
            };
            assert!(is_told, "{command} {input}: {told}");
            assert!(found == status || command != "check", "{command} {input}: {found} {told}");
        }
    }
    let (status, _, told) = run_in(folder.path(), &["rewrite", "in", "-o", "out"])?;
    assert!(status == 0 && told.contains("`msgconvert FILE`") && told.contains("`readpst -e FILE`"), "{told}");
    assert!(fs::read(folder.path().join("in/b.PST"))? == fs::read(folder.path().join("out/b.PST"))?);
    Ok(())
}

#[test]
#[ignore = "long: 10,000 messages in each format"]
fn ten_thousand_messages_in_each_format() -> Outcome {
    for make in [mmdf as fn(&str, usize) -> String, babyl] {
        let folder = folder_with(&[("a", &make(MESSAGE, 5_000))])?;
        assert_eq!(run_in(folder.path(), &["rewrite", "a", "-o", "b"])?.0, 0);
        assert!(fs::read_to_string(folder.path().join("b"))? == make(CHANGED, 5_000));
        assert_eq!(run_in(folder.path(), &["verify", "a", "b"])?.0, 0);
    }
    let file = |message: &str| format!("{:<10}\n{message}{LIST}", message.len());
    let folder = folder_with(&[("in/0.emlx", "")])?;
    for number in 0..10_000 {
        fs::write(folder.path().join(format!("in/{number}.emlx")), file(MESSAGE))?;
    }
    assert_eq!(run_in(folder.path(), &["rewrite", "in", "-o", "out"])?.0, 0);
    for number in 0..10_000 {
        assert!(fs::read_to_string(folder.path().join(format!("out/{number}.emlx")))? == file(CHANGED));
    }
    assert_eq!(run_in(folder.path(), &["verify", "in", "out"])?.0, 0);
    Ok(())
}
