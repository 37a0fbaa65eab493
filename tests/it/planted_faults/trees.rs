//! Folders.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use super::fault::{Fault, Files, Flags, Mutation, Original, Rules};
use crate::support::Outcome;

const FLAGS: Flags = &["--url", "http://h/site/"];
const FILE: Rules = &["file"];

const TREE: Original = Original { files: Files::Folder(tree), flags: FLAGS };
const LOCAL: Original = Original { files: Files::Folder(tree), flags: &["--url", "http://h/site/", "--keep-local"] };

/// A mirror by wget, whose links lead to its files.
const MIRROR: Original = Original { files: Files::Folder(mirror), flags: &["--layout", "wget", "--scheme", "http"] };
const COPY: &str = "https://web.archive.org/web/20080102030405/http://h.example/d/p";
const UNWRAPPED: Original = Original {
    files: Files::Text(
        "p.html",
        "<a href=\"/web/2008/http://h.example/a\">a</a><a href=\"http://web.archive.org/web/2008/http://h.example/b\">",
    ),
    flags: &["--url", COPY, "--unwrap-wayback"],
};

const fn folder(name: &'static str, mutate: fn(&Path) -> Outcome, rules: Rules) -> Fault {
    Fault::new(name, TREE, Mutation::Folder(mutate), rules)
}

const fn in_file(name: &'static str, file: &'static str, from: &'static str, to: &'static str, rules: Rules) -> Fault {
    Fault::new(name, TREE, Mutation::InFile(file, from, to), rules)
}

const fn told(name: &'static str, flags: Flags, rules: Rules) -> Fault {
    Fault::new(name, TREE, Mutation::Options(flags), rules)
}

pub(crate) const FAULTS: &[Fault] = &[
    folder("a folder: a document missing", |out| Ok(fs::remove_file(out.join("sub/b.html"))?), FILE),
    folder("a folder: another file missing", |out| Ok(fs::remove_file(out.join("data.bin"))?), FILE),
    folder("a folder: an empty file missing", |out| Ok(fs::remove_file(out.join("sub/empty"))?), FILE),
    folder("a folder: a subfolder missing", |out| Ok(fs::remove_dir_all(out.join("sub"))?), FILE),
    folder("a folder: a file more", |out| Ok(fs::write(out.join("more.txt"), "more")?), FILE),
    folder("a folder: a document more", |out| Ok(fs::write(out.join("sub/more.html"), "<a href=http://h/>")?), FILE),
    folder("a folder: a file that was left over", |out| Ok(fs::write(out.join("sub/.a.html.swp"), "")?), FILE),
    folder("a folder: a file renamed", |out| Ok(fs::rename(out.join("a.html"), out.join("A.html"))?), FILE),
    folder("a folder: two documents exchanged", exchanged, &["bytes", "links", "target"]),
    folder("a folder: a binary file cut off", |out| Ok(fs::write(out.join("data.bin"), [0, 1])?), FILE),
    folder("a folder: one byte of a binary file", |out| Ok(fs::write(out.join("data.bin"), [0, 1, 3])?), FILE)
        .at(&[("path", "data.bin")]),
    folder("a folder: an empty file filled", |out| Ok(fs::write(out.join("sub/empty"), "\n")?), FILE),
    folder("a folder: a symbolic link retargeted", |out| relinked(out, "data.bin"), FILE),
    folder("a folder: a symbolic link followed", followed, FILE),
    folder("a folder: a symbolic link missing", |out| Ok(fs::remove_file(out.join("link.html"))?), FILE),
    folder("a folder: a file as a symbolic link", linked, FILE),
    folder("a folder: a symbolic link more", |out| Ok(symlink("a.html", out.join("again.html"))?), FILE),
    folder("a folder: a file as a folder", as_folder, FILE),
    in_file("a folder: a script", "tool.js", "'x'", "'http://h/site/x'", FILE),
    in_file("a folder: a link as from the root", "sub/b.html", "http://h/site/sub/c", "http://h/site/c", &["target"])
        .at(&[("path", "sub/b.html")]),
    in_file("a folder: a link left relative", "a.html", "http://h/site/sub/b.html", "sub/b.html", &["relative"])
        .at(&[("path", "a.html")]),
    in_file("a folder: text", "a.html", "<p>text", "<p>test", &["bytes"]).at(&[("path", "a.html")]),
    in_file("a folder: a style sheet", "style.css", "http://h/site/x.png", "http://h/x.png", &["target"]),
    told("a folder: another URL", &["--url", "http://h/other/"], &["target"]),
    told("a folder: the URL of another host", &["--url", "http://g/site/"], &["target"]),
    told("a folder: no URL", &[], &["kept", "target", "links"]),
    Fault::new(
        "a folder: a link to a file of it made absolute",
        LOCAL,
        Mutation::InFile("a.html", "\"sub/b.html\"", "\"http://h/site/sub/b.html\""),
        &["kept"],
    ),
    in_mirror(
        "a mirror: a link as in a tree of its files",
        "\"http://h.example/sub/\"",
        "\"http://h.example/sub/index.html\"",
        &["target"],
    ),
    in_mirror("a mirror: a link that was left", "\"http://h.example/sub/\"", "\"sub/index.html\"", &["relative"]),
    Fault::instead(
        "an archive: a link left wrapped",
        UNWRAPPED,
        "\"http://h.example/a\"",
        "\"https://web.archive.org/web/2008/http://h.example/a\"",
        &["target", "kept"],
    ),
    Fault::instead(
        "an archive: an absolute link left wrapped",
        UNWRAPPED,
        "\"http://h.example/b\"",
        "\"http://web.archive.org/web/2008/http://h.example/b\"",
        &["relative"],
    ),
];

const fn in_mirror(name: &'static str, from: &'static str, to: &'static str, rules: Rules) -> Fault {
    Fault::new(name, MIRROR, Mutation::InFile("h.example/index.html", from, to), rules)
}

fn mirror(folder: &Path) -> Outcome {
    fs::create_dir_all(folder.join("h.example/sub"))?;
    fs::write(folder.join("h.example/index.html"), "<a href=\"sub/index.html\">s</a><a href=\"b%3Fc=d.html\">b</a>\n")?;
    fs::write(folder.join("h.example/b?c=d.html"), "<p>b\n")?;
    Ok(fs::write(folder.join("h.example/sub/index.html"), "<a href=\"../index.html\">i</a>\n")?)
}

fn tree(folder: &Path) -> Outcome {
    fs::create_dir(folder.join("sub"))?;
    for (name, bytes) in [
        ("a.html", &b"<p>text</p><a href=\"sub/b.html\">b</a><a href=\"gone.html\">gone</a>\n"[..]),
        ("sub/b.html", b"<a href=\"c\">c</a>\n"),
        ("sub/empty", b""),
        ("style.css", b"a { background: url(x.png) }\n"),
        ("tool.js", b"open('x');\n"),
        ("data.bin", b"\0\x01\x02"),
    ] {
        fs::write(folder.join(name), bytes)?;
    }
    Ok(symlink("a.html", folder.join("link.html"))?)
}

fn exchanged(out: &Path) -> Outcome {
    let [a, b] = ["a.html", "sub/b.html"].map(|name| out.join(name));
    let (one, other) = (fs::read(&a)?, fs::read(&b)?);
    fs::write(a, other)?;
    Ok(fs::write(b, one)?)
}

fn relinked(out: &Path, to: &str) -> Outcome {
    let link = out.join("link.html");
    fs::remove_file(&link)?;
    Ok(symlink(to, link)?)
}

fn followed(out: &Path) -> Outcome {
    let held = fs::read(out.join("link.html"))?;
    fs::remove_file(out.join("link.html"))?;
    Ok(fs::write(out.join("link.html"), held)?)
}

fn linked(out: &Path) -> Outcome {
    fs::rename(out.join("a.html"), out.join("real.html"))?;
    Ok(symlink("real.html", out.join("a.html"))?)
}

fn as_folder(out: &Path) -> Outcome {
    fs::remove_file(out.join("tool.js"))?;
    Ok(fs::create_dir(out.join("tool.js"))?)
}
