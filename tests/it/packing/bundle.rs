//! Several documents: a digest, or an mbox of drafts, each with its own base.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::support::{Outcome, argument, folder_with, run};
use absolve_testing::print_line;
use mail_parser::{MessageParser, MimeHeaders, PartType};

const FILES: [(&str, &str); 6] = [
    ("site/a/p.html", "<title>First</title><link rel=stylesheet href=../s.css><img src=i.png><a href=x>x</a>"),
    ("site/a/i.png", "an image"),
    ("site/b/q.html", "<base href=../c/><a href=x>x</a>\nFrom me\n>From you\n"),
    ("site/s.css", "a{b:url(a/i.png)}"),
    ("site/c.html", "<title>Third</title><p>"),
    ("other/d.html", "<title>Fourth</title><a href=x>"),
];

/// The arguments of a run over these documents.
fn documents(folder: &Path, names: &[&str]) -> Vec<String> {
    let path = |name: &&str| folder.join(name).display().to_string();
    [&["pack".to_owned()][..], &names.iter().map(path).collect::<Vec<_>>()].concat()
}

#[test]
fn documents_become_a_digest() -> Outcome {
    let folder = folder_with(&FILES)?;
    let (root, digest) = (folder.path().join("site"), folder.path().join("digest.eml"));
    let names = documents(folder.path(), &["site/a/p.html", "site/b/q.html", "site/c.html"]);
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let header = ["--from", "Ann <ann@example.org>", "--to", "b@example.org", "--subject", "The week"];
    let date = ["--date", "2026-11-21T10:00:00Z", "--root", argument(&root), "--url", "https://example.org/"];
    let arguments = [&names[..], &header, &date, &["-o", argument(&digest)]].concat();
    let (status, _, stderr) = run(&arguments)?;
    assert_eq!(status, 0, "{stderr}");
    assert!(
        stderr.contains("p.html: ") && stderr.contains("2 files embedded for 3 links, 2 of them within the page"),
        "{stderr}"
    );
    let message = fs::read(&digest)?;
    let parsed = MessageParser::new().parse(&message).ok_or("no message")?;
    assert_eq!(
        (parsed.subject(), parsed.content_type().and_then(|found| found.subtype())),
        (Some("The week"), Some("digest"))
    );
    let messages: Vec<_> = parsed
        .parts
        .iter()
        .filter_map(|part| match &part.body {
            PartType::Message(message) => Some(message),
            _ => None,
        })
        .collect();
    let subjects: Vec<_> = messages.iter().map(|message| message.subject().unwrap_or_default()).collect();
    assert_eq!(subjects, ["First", "q.html", "Third"]);
    assert!(
        messages.iter().all(|message| message.from().is_some() && message.to().is_none() && message.date().is_some())
    );
    let html = |index: usize| messages[index].body_html(0).unwrap_or_default().replace('\r', "");
    assert!(html(0).ends_with("<a href=https://example.org/a/x>x</a>"), "{}", html(0));
    assert_eq!(html(1), "<base><a href=https://example.org/c/x>x</a>\nFrom me\n>From you\n");
    let ids: std::collections::HashSet<_> = messages.iter().filter_map(|message| message.message_id()).collect();
    assert_eq!(ids.len(), 3);
    // The program has nothing to say against it.
    assert_eq!(run(&["check", argument(&digest), "--for", "mail"])?.0, 0);
    let again = folder.path().join("again.eml");
    assert_eq!(run(&["rewrite", argument(&digest), "-o", argument(&again)])?.0, 0);
    assert!(fs::read(&again)? == message, "nothing is left to be rewritten");
    let (_, _, stderr) = run(&[&arguments[..arguments.len() - 1], &["-", "--max-size", "1k"]].concat())?;
    assert!(stderr.contains("the limit is 1000"), "{stderr}");
    Ok(())
}

#[test]
fn documents_become_an_mbox_of_drafts() -> Outcome {
    let folder = folder_with(&FILES)?;
    let mbox = folder.path().join("drafts.mbox");
    let names = documents(folder.path(), &["site/a/p.html", "site/b/q.html", "other/d.html"]);
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let (status, _, stderr) = run(&[&names[..], &["-o", argument(&mbox)]].concat())?;
    assert_eq!(status, 0, "{stderr}");
    assert!(stderr.contains("resource-outside: ../s.css"), "each has its own folder: {stderr}");
    let text = fs::read_to_string(&mbox)?;
    assert_eq!(text.matches("From MAILER-DAEMON Thu Jan  1 00:00:00 1970\n").count(), 3);
    assert_eq!((text.matches("\nX-Unsent: 1\n").count(), text.matches('\r').count()), (3, 0));
    assert!(text.contains("\n=46rom me\n=3EFrom you\n"), "{text}");
    let (status, _, stderr) = run(&["rewrite", argument(&mbox), "--dry-run"])?;
    assert!(status == 1 && stderr.contains(": 0 made absolute"), "{stderr}");
    let reader = "import mailbox, sys
for message in mailbox.mbox(sys.argv[1]):
    print(message['Subject'], message['X-Unsent'], [part.get_content_type() for part in message.walk()], message.defects)";
    let Ok(read) = Command::new("python3").args(["-c", reader, argument(&mbox)]).output() else {
        print_line("skipped: python3 is absent");
        return Ok(());
    };
    let expected = "First 1 ['multipart/related', 'text/html', 'image/png'] []\nNone 1 ['multipart/related', 'text/html'] []\n\
                    Fourth 1 ['multipart/related', 'text/html'] []\n";
    assert_eq!(String::from_utf8_lossy(&read.stdout), expected);
    let sent = folder.path().join("sent.mbox");
    let (status, _, stderr) =
        run(&[names[0], names[1], "--from", "a@h", "--date", "2026-11-01T10:00:00Z", "-o", argument(&sent)])?;
    assert_eq!(status, 0, "{stderr}");
    assert!(fs::read_to_string(&sent)?.starts_with("From a@h Sun Nov  1 10:00:00 2026\nMessage-ID: <"));
    Ok(())
}

#[test]
fn what_several_documents_cannot_be_is_refused() -> Outcome {
    let folder = folder_with(&FILES)?;
    let names = documents(folder.path(), &["site/a/p.html", "other/d.html"]);
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let output = |name: &str| folder.path().join(name).display().to_string();
    let root = folder.path().join("site");
    for (more, status, word) in [
        (&["-o", &output("x.mhtml")][..], 2, "a browser shows one page"),
        (&["-o", &output("x.eml"), "--url", "https://h/"], 2, "--root names the folder"),
        (&["-o", &output("x.mbox"), "--message-id", "1@h"], 2, "--message-id names one message"),
        (&["-o", &output("x.mbox"), "--root", argument(&root)], 2, "is not a file in"),
        (&["-o", &output("x.mbox"), "--max-size", "100"], 1, "the limit is 100"),
        (&["-o", &output("x.txt")], 2, "FILE.mbox"),
    ] {
        let (found, _, stderr) = run(&[&names[..], more].concat())?;
        assert!(found == status && stderr.contains(word), "{more:?} {stderr}");
    }
    assert_eq!(fs::read_dir(folder.path())?.count(), 2, "nothing is written");
    Ok(())
}
