//! Mailboxes: mbox and Maildir.

use std::fs;
use std::path::Path;

use super::fault::{Fault, Files, Mutation, Original, Rules};
use crate::support::Outcome;

const RECORD: Rules = &["record"];
const FRAMING: Rules = &["record", "bytes"];
const FILE: Rules = &["file", "record"];

const MBOX: Original = Original {
    files: Files::Text(
        "list.mbox",
        "From a@example.org Mon Nov 11 10:00:00 1996\n\
         Subject: one\nContent-Base: http://h/d/\nContent-Type: text/html\n\n\
         <p>first</p>\n>From here on\n<a href=one>\n\n\
         From b@example.org Tue Nov 12 11:00:00 1996\n\
         Subject: two\nContent-Base: http://h/e/\nContent-Type: text/html\n\n\
         <p>second</p>\n<a href=two>\n\n\
         From c@example.org Wed Nov 13 12:00:00 1996\n\
         Subject: three\n\nNothing here.\n\n",
    ),
    flags: &[],
};

const MAILDIR: Original = Original { files: Files::Folder(maildir), flags: &[] };

const MESSAGE: &str = "Content-Base: http://h/\nContent-Type: text/html\n\n<a href=x>\n";
const SIZED: &str = "cur/1.M2P3.host,S=69,W=73:2,RS";

const fn mbox(name: &'static str, from: &'static str, to: &'static str, rules: Rules) -> Fault {
    Fault::instead(name, MBOX, from, to, rules)
}

const fn folder(name: &'static str, mutate: fn(&Path) -> Outcome, rules: Rules) -> Fault {
    Fault::new(name, MAILDIR, Mutation::Folder(mutate), rules)
}

pub(crate) const FAULTS: &[Fault] = &[
    Fault::new("mbox: the second message missing", MBOX, Mutation::Bytes(|honest| in_order(honest, &[0, 2])), RECORD),
    Fault::new("mbox: the last message missing", MBOX, Mutation::Bytes(|honest| in_order(honest, &[0, 1])), RECORD),
    Fault::new(
        "mbox: two messages exchanged",
        MBOX,
        Mutation::Bytes(|honest| in_order(honest, &[1, 0, 2])),
        RECORD_OR_MORE,
    ),
    Fault::new("mbox: a message twice", MBOX, Mutation::Bytes(|honest| in_order(honest, &[0, 1, 1, 2])), RECORD),
    mbox("mbox: the date of a separator line", "Tue Nov 12 11:00:00", "Tue Nov 12 11:00:01", FRAMING),
    mbox("mbox: the address of a separator line", "From b@example.org", "From -", FRAMING),
    mbox("mbox: a quoted line unquoted", ">From here on", "From here on", FRAMING),
    mbox("mbox: a quoted line quoted twice", ">From here on", ">>From here on", &["bytes", "record"]),
    mbox("mbox: the empty line between two messages dropped", "\n\nFrom b@", "\nFrom b@", FRAMING),
    mbox("mbox: an empty line more between two messages", "\n\nFrom c@", "\n\n\nFrom c@", FRAMING),
    mbox("mbox: the last empty line dropped", "Nothing here.\n\n", "Nothing here.\n", FRAMING),
    mbox("mbox: a link to the wrong target", "http://h/e/two", "http://h/d/two", &["target"]).at(&[("record", "2")]),
    mbox("mbox: a link left relative", "http://h/d/one", "one", &["relative"]).at(&[("record", "1")]),
    mbox("mbox: a header field", "Subject: two", "Subject: Two", &["header"]).at(&[("record", "2")]),
    mbox("mbox: the text of a message", "second", "Second", &["bytes"]).at(&[("record", "2")]),
    mbox("mbox: the text of a message without links", "Nothing here.", "Nothing there.", &["bytes", "part", "record"])
        .at(&[("record", "3")]),
    mbox("mbox: a field that mail programs add", "Subject: three\n", "Subject: three\nStatus: RO\n", &["header"]),
    folder(
        "Maildir: the size in a name is that of before",
        |out| renamed(out, SIZED, "cur/1.M2P3.host,S=60,W=73:2,RS"),
        SIZE,
    ),
    folder("Maildir: the other size in a name", |out| renamed(out, SIZED, "cur/1.M2P3.host,S=69,W=72:2,RS"), SIZE),
    folder("Maildir: the size in a name dropped", |out| renamed(out, SIZED, "cur/1.M2P3.host:2,RS"), SIZE),
    folder("Maildir: flags", |out| renamed(out, SIZED, "cur/1.M2P3.host,S=69,W=73:2,S"), FILE),
    folder("Maildir: another name", |out| renamed(out, SIZED, "cur/9.M2P3.host,S=69,W=73:2,RS"), FILE),
    folder("Maildir: a message moved", |out| renamed(out, "new/4.M2P3.host,S=69", "cur/4.M2P3.host,S=69:2,"), FILE),
    folder("Maildir: a message missing", |out| Ok(fs::remove_file(out.join("cur/2.M2P3.host:2,S"))?), FILE),
    folder("Maildir: a message more", |out| Ok(fs::write(out.join("new/7.M2P3.host"), MESSAGE)?), FILE),
    folder("Maildir: another file", |out| Ok(fs::write(out.join("subscriptions"), "Drafts\n")?), &["file"]),
    Fault::new(
        "Maildir: a link to the wrong target",
        MAILDIR,
        Mutation::InFile("cur/2.M2P3.host:2,S", "http://h/x", "http://i/x"),
        &["target"],
    ),
    Fault::new(
        "Maildir: a heading",
        MAILDIR,
        Mutation::InFile("cur/3.M2P3.host,S=45:2,", "text/html", "text/HTML"),
        &["header", "file"],
    ),
];

const RECORD_OR_MORE: Rules = &["record", "header", "bytes"];
const SIZE: Rules = &["file", "record", "digest"];

fn in_order(honest: &[u8], numbers: &[usize]) -> Vec<u8> {
    let text = String::from_utf8_lossy(honest);
    let starts: Vec<usize> =
        text.match_indices("From ").map(|(at, _)| at).filter(|at| is_separator(&text, *at)).collect();
    let message = |number: &usize| &text[starts[*number]..starts.get(number + 1).copied().unwrap_or(text.len())];
    numbers.iter().map(message).collect::<String>().into_bytes()
}

fn is_separator(text: &str, at: usize) -> bool {
    at == 0 || text[..at].ends_with("\n\n")
}

fn maildir(folder: &Path) -> Outcome {
    for sub in ["cur", "new", "tmp"] {
        fs::create_dir(folder.join(sub))?;
    }
    for (name, text) in [
        ("cur/1.M2P3.host,S=60,W=64:2,RS", MESSAGE),
        ("cur/2.M2P3.host:2,S", MESSAGE),
        ("cur/3.M2P3.host,S=45:2,", "Content-Type: text/html\n\n<a href=http://a/>\n"),
        ("new/4.M2P3.host,S=60", MESSAGE),
        ("subscriptions", "Sent\n"),
    ] {
        fs::write(folder.join(name), text)?;
    }
    Ok(())
}

fn renamed(folder: &Path, from: &str, to: &str) -> Outcome {
    Ok(fs::rename(folder.join(from), folder.join(to))?)
}
