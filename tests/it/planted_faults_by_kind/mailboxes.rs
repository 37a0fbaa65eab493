//! mbox, MMDF, Babyl, Maildir and the messages of Apple Mail.

use std::fs;
use std::path::Path;

use crate::planted_faults::fault::{Fault, Files, Mutation, Original, Rules, replaced};
use crate::support::Outcome;

const MBOX: Original = Original {
    files: Files::Text(
        "inbox.mbox",
        "From a@b Mon Nov 11 10:00:00 1996\nSubject: one\nContent-Base: http://h/d/\nContent-Type: text/html\nStatus: RO\n\n\
         <p>first</p>\n>From there\n<a href=one>\n\n\
         From c@d Tue Nov 12 11:00:00 1996\nSubject: two\n\nNo links.\n\n\n\
         From e@f Wed Nov 13 12:00:00 1996\nSubject: three\nContent-Base: http://h/e/\nContent-Type: text/html\n\
         Content-Length: 11\n\n<a href=3>\n\n\n\
         From a@b Mon Nov 11 10:00:00 1996\nSubject: four\nContent-Base: http://h/f/\nContent-Type: text/html\n\n<a href=iv>\n\n",
    ),
    flags: &[],
};

const MMDF: Original = Original {
    files: Files::Text(
        "inbox.mmdf",
        "\u{1}\u{1}\u{1}\u{1}\nContent-Base: http://h/\nContent-Type: text/html\n\n<a href=x>a</a>\n\u{1}\u{1}\u{1}\u{1}\n\
         \u{1}\u{1}\u{1}\u{1}\nSubject: two\n\nNone.\n\u{1}\u{1}\u{1}\u{1}\n",
    ),
    flags: &[],
};

const BABYL: Original = Original {
    files: Files::Text(
        "RMAIL",
        "BABYL OPTIONS:\nVersion: 5\n\u{1f}\u{c}\n1, answered,, label,\nContent-Base: http://h/\nContent-Type: text/html\n\n\
         *** EOOH ***\nContent-Type: text/html\n\n<a href=x>a</a>\n\u{1f}\u{c}\n1,,\nSubject: two\n\n*** EOOH ***\nSubject: two\n\n\
         None.\n\u{1f}",
    ),
    flags: &["--type", "mbox"],
};

const MAILDIR: Original = Original { files: Files::Folder(maildir), flags: &[] };

const EMLX: Original = Original {
    files: Files::Text(
        "5.emlx",
        "78        \nSubject: s\nContent-Base: http://h/d/\nContent-Type: text/html\n\n<a href=x>a</a>\n\
         <?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<plist version=\"1.0\">\n<dict><key>flags</key><integer>1</integer></dict>\n</plist>\n",
    ),
    flags: &[],
};

const RECORD: Rules = &["record", "bytes", "header", "part"];
const BODY: Rules = &["bytes", "part", "record"];
const HEADER: Rules = &["header", "record"];
const TARGET: Rules = &["target"];
const RELATIVE: Rules = &["relative"];
const DIGEST: Rules = &["digest", "header"];
/// Of a message, or of its file.
const FILE: Rules = &["file", "record", "header", "bytes"];
const EMLX_FRAMING: Rules = &["record", "digest", "bytes", "header", "part"];

const fn mbox(name: &'static str, from: &'static str, to: &'static str, rules: Rules) -> Fault {
    Fault::instead(name, MBOX, from, to, rules)
}

const fn messages(name: &'static str, numbers: fn(&[u8]) -> Vec<u8>) -> Fault {
    Fault::new(name, MBOX, Mutation::Bytes(numbers), RECORD)
}

const fn mmdf(name: &'static str, from: &'static str, to: &'static str, rules: Rules) -> Fault {
    Fault::instead(name, MMDF, from, to, rules)
}

const fn babyl(name: &'static str, from: &'static str, to: &'static str, rules: Rules) -> Fault {
    Fault::instead(name, BABYL, from, to, rules)
}

const fn emlx(name: &'static str, from: &'static str, to: &'static str, rules: Rules) -> Fault {
    Fault::instead(name, EMLX, from, to, rules)
}

const fn folder(name: &'static str, mutate: fn(&Path) -> Outcome) -> Fault {
    Fault::new(name, MAILDIR, Mutation::Folder(mutate), FILE)
}

const fn in_message(name: &'static str, from: &'static str, to: &'static str, rules: Rules) -> Fault {
    Fault::new(name, MAILDIR, Mutation::InFile("cur/1700000002.M2P2.host:2,FS", from, to), rules)
}

pub(crate) const FAULTS: &[Fault] = &[
    mbox("mbox by kind, text: of a message without links", "No links.", "no links.", BODY).at(&[("record", "2")]),
    mbox("mbox by kind, text: beside a link", "<p>first", "<p>First", BODY).at(&[("record", "1")]),
    mbox("mbox by kind, header: of a message without links", "Subject: two", "Subject: Two", HEADER)
        .at(&[("record", "2")]),
    mbox("mbox by kind, header: a status", "Status: RO", "Status: R", HEADER),
    mbox("mbox by kind, header: a status dropped", "Status: RO\n", "", HEADER),
    mbox("mbox by kind, length: of before", "Content-Length: 22", "Content-Length: 11", DIGEST),
    mbox("mbox by kind, time: in a separator line", "Nov 12 11:00", "Nov 12 11:01", RECORD),
    mbox("mbox by kind, white space: in a separator line", "c@d Tue", "c@d  Tue", RECORD),
    mbox("mbox by kind, escape: a quoted line", "\n>From there", "\n >From there", BODY),
    mbox("mbox by kind, boundary: an empty line at the end of a message", "No links.\n\n\n", "No links.\n\n", RECORD),
    mbox(
        "mbox by kind, boundary: a separator line more",
        "No links.\n",
        "\nFrom x@y Tue Nov 12 11:00:00 1996\n\nlinks.\n",
        RECORD,
    ),
    mbox("mbox by kind, boundary: a separator line quoted", "\nFrom c@d", "\n>From c@d", RECORD),
    mbox("mbox by kind, target: of another message", "http://h/f/iv", "http://h/e/iv", TARGET).at(&[("record", "4")]),
    mbox("mbox by kind, link: left in the last", "http://h/f/iv", "iv", RELATIVE).at(&[("record", "4")]),
    messages("mbox by kind, message order: the last first", |honest| in_order(honest, &[3, 0, 1, 2])),
    messages("mbox by kind, message order: two with one separator line", |honest| in_order(honest, &[3, 1, 2, 0])),
    messages("mbox by kind, message order: two without changes", |honest| in_order(honest, &[0, 2, 1, 3])),
    messages("mbox by kind, missing: the first message", |honest| in_order(honest, &[1, 2, 3])),
    messages("mbox by kind, missing: a message without links", |honest| in_order(honest, &[0, 2, 3])),
    messages("mbox by kind, added: a message without links twice", |honest| in_order(honest, &[0, 1, 1, 2, 3])),
    messages("mbox by kind, added: the last message twice", |honest| in_order(honest, &[0, 1, 2, 3, 3])),
    messages("mbox by kind, added: an empty line", |honest| [honest, b"\n"].concat()),
    mmdf("MMDF, text: of a message without links", "None.", "none.", BODY),
    mmdf("MMDF, target", "http://h/x", "http://i/x", TARGET),
    mmdf("MMDF, boundary: three bytes", "\u{1}\u{1}\u{1}\u{1}\nSubject", "\u{1}\u{1}\u{1}\nSubject", RECORD),
    mmdf(
        "MMDF, missing: the last message",
        "\u{1}\u{1}\u{1}\u{1}\nSubject: two\n\nNone.\n\u{1}\u{1}\u{1}\u{1}\n",
        "",
        RECORD,
    ),
    mmdf("MMDF, header: a value", "Subject: two", "Subject: 2", HEADER),
    babyl("Babyl, text: of a message without links", "None.", "none.", BODY),
    babyl("Babyl, target", "http://h/x", "http://i/x", TARGET),
    babyl("Babyl, record: a label", " label,", " labels,", RECORD),
    babyl("Babyl, header: the shown one", "*** EOOH ***\nSubject: two", "*** EOOH ***\nSubject: Two", RECORD),
    babyl("Babyl, header: of the file", "Version: 5", "Version: 6", &["record", "kept"]),
    babyl("Babyl, boundary: the last byte", "None.\n\u{1f}", "None.\n", RECORD),
    emlx("emlx, length: of before", "89        \n", "78        \n", EMLX_FRAMING),
    emlx("emlx, length: in another width", "89        \n", "89\n", EMLX_FRAMING),
    emlx("emlx, length: with a zero", "89        \n", "089       \n", EMLX_FRAMING),
    emlx("emlx, part: a flag of the property list", "<integer>1<", "<integer>2<", EMLX_FRAMING),
    emlx("emlx, missing: the last line end", "</plist>\n", "</plist>", EMLX_FRAMING),
    emlx("emlx, target", "http://h/d/x", "http://h/e/x", TARGET),
    emlx("emlx, header: a value", "Subject: s", "Subject: t", HEADER),
    emlx("emlx, text: beside a link", ">a</a>", ">b</a>", BODY),
    folder("Maildir by kind, missing: a message without links", |out| {
        Ok(fs::remove_file(out.join("cur/1700000003.M3P3.host:2,"))?)
    }),
    folder("Maildir by kind, missing: a message of a subfolder", |out| {
        Ok(fs::remove_file(out.join(".Sent/cur/1700000004.M4P4.host:2,S"))?)
    }),
    folder("Maildir by kind, added: a message twice", |out| {
        Ok(fs::copy(out.join("cur/1700000003.M3P3.host:2,"), out.join("new/1700000009.M9P9.host")).map(|_| ())?)
    }),
    folder("Maildir by kind, order: two messages exchanged", exchanged),
    folder("Maildir by kind, text: of a message without links", |out| {
        change(&out.join("cur/1700000003.M3P3.host:2,"), b"Nothing", b"nothing")
    }),
    folder("Maildir by kind, record: flags added", |out| {
        renamed(out, "cur/1700000003.M3P3.host:2,", "cur/1700000003.M3P3.host:2,S")
    }),
    folder("Maildir by kind, record: moved to a subfolder", |out| {
        renamed(out, "cur/1700000003.M3P3.host:2,", ".Sent/cur/1700000003.M3P3.host:2,")
    }),
    folder("Maildir by kind, time: in the name of a message", |out| {
        renamed(out, "cur/1700000003.M3P3.host:2,", "cur/1700000008.M3P3.host:2,")
    }),
    folder("Maildir by kind, length: in the name of a message", |out| {
        renamed(out, "new/1700000001.M1P1.host,S=69", "new/1700000001.M1P1.host,S=60")
    }),
    in_message("Maildir by kind, header: a value", "Subject: s", "Subject: t", HEADER),
    in_message("Maildir by kind, target", "http://h/x", "http://h/y", TARGET),
    in_message("Maildir by kind, link: left", "http://h/x", "x", RELATIVE),
    in_message("Maildir by kind, added: a line", "<a href", "\n<a href", BODY),
];

const MESSAGE: &str = "Content-Base: http://h/\nContent-Type: text/html\n\n<a href=x>\n";

fn maildir(folder: &Path) -> Outcome {
    for sub in ["cur", "new", "tmp", ".Sent/cur", ".Sent/new", ".Sent/tmp"] {
        fs::create_dir_all(folder.join(sub))?;
    }
    fs::write(folder.join("new/1700000001.M1P1.host,S=60"), MESSAGE)?;
    fs::write(folder.join("cur/1700000002.M2P2.host:2,FS"), format!("Subject: s\n{MESSAGE}"))?;
    fs::write(folder.join("cur/1700000003.M3P3.host:2,"), "Subject: none\n\nNothing.\n")?;
    Ok(fs::write(folder.join(".Sent/cur/1700000004.M4P4.host:2,S"), MESSAGE)?)
}

fn exchanged(out: &Path) -> Outcome {
    let [one, other] = ["cur/1700000003.M3P3.host:2,", ".Sent/cur/1700000004.M4P4.host:2,S"].map(|name| out.join(name));
    let (first, second) = (fs::read(&one)?, fs::read(&other)?);
    fs::write(one, second)?;
    Ok(fs::write(other, first)?)
}

fn change(path: &Path, from: &[u8], to: &[u8]) -> Outcome {
    Ok(fs::write(path, replaced(&fs::read(path)?, from, to))?)
}

fn renamed(folder: &Path, from: &str, to: &str) -> Outcome {
    Ok(fs::rename(folder.join(from), folder.join(to))?)
}

/// The messages of an mbox with these numbers, from 0.
fn in_order(honest: &[u8], numbers: &[usize]) -> Vec<u8> {
    let starts: Vec<usize> = memchr::memmem::find_iter(honest, b"From ")
        .filter(|at| *at == 0 || honest[..*at].ends_with(b"\n\n"))
        .chain([honest.len()])
        .collect();
    numbers.iter().flat_map(|number| honest[starts[*number]..starts[number + 1]].to_vec()).collect()
}
