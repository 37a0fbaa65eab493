//! Folders, tar and ZIP.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use zip::CompressionMethod;

use crate::bundles::made::{Members, tar_of, zip_of};
use crate::planted_faults::fault::{Fault, Files, Flags, Mutation, Original, Rules, replaced};
use crate::support::Outcome;

const FLAGS: Flags = &["--url", "http://h/site/"];
const TREE: Original = Original { files: Files::Folder(tree), flags: FLAGS };
const TAR: Original = Original { files: Files::Made("site.tar", tar), flags: FLAGS };
const ZIP: Original = Original { files: Files::Made("site.zip", || zip(CompressionMethod::Stored)), flags: FLAGS };

const FILE: Rules = &["file"];
const BODY: Rules = &["bytes"];
const TARGET: Rules = &["target"];
const RELATIVE: Rules = &["relative"];
/// A header, or what is between members.
const FRAMING: Rules = &["record", "file", "bytes", "header", "digest", "unread"];

const fn folder(name: &'static str, mutate: fn(&Path) -> Outcome) -> Fault {
    Fault::new(name, TREE, Mutation::Folder(mutate), FILE)
}

const fn in_file(name: &'static str, file: &'static str, from: &'static str, to: &'static str, rules: Rules) -> Fault {
    Fault::new(name, TREE, Mutation::InFile(file, from, to), rules)
}

const fn in_tar(name: &'static str, mutate: fn(&[u8]) -> Vec<u8>, rules: Rules) -> Fault {
    Fault::new(name, TAR, Mutation::Bytes(mutate), rules)
}

const fn in_zip(name: &'static str, mutate: fn(&[u8]) -> Vec<u8>, rules: Rules) -> Fault {
    Fault::new(name, ZIP, Mutation::Bytes(mutate), rules)
}

pub(crate) const FAULTS: &[Fault] = &[
    in_file("folder by kind, text: of a page without links", "plain.html", "Plain", "plain", BODY),
    in_file("folder by kind, comment: of a page", "index.html", "<!-- c -->", "<!-- d -->", BODY),
    in_file("folder by kind, script: in a file", "tool.js", "'x'", "'y'", FILE),
    in_file("folder by kind, case: of a page", "index.html", "<p>", "<P>", BODY),
    in_file("folder by kind, entity: of a page", "index.html", "&amp; co", "&#38; co", BODY),
    in_file("folder by kind, target: in a folder", "sub/page.html", "http://h/site/up", "http://h/up", TARGET),
    in_file(
        "folder by kind, target: of a page by its folder",
        "sub/page.html",
        "http://h/site/sub/y",
        "http://h/site/y",
        TARGET,
    ),
    in_file("folder by kind, link: left", "index.html", "http://h/site/sub/page.html", "sub/page.html", RELATIVE),
    in_file("folder by kind, link: left in XML", "feed.rss", "http://h/site/item", "item", RELATIVE),
    in_file("folder by kind, white space: of a style sheet", "sub/style.css", "a {", "a  {", BODY),
    in_file("folder by kind, header: of a message", "letter.eml", "Subject: s", "Subject: t", &["header"]),
    in_file("folder by kind, record: of an mbox", "box.mbox", "Thu Jan  1", "Thu Jan  2", &["record", "bytes"]),
    folder("folder by kind, missing: a page without links", |out| Ok(fs::remove_file(out.join("plain.html"))?)),
    folder("folder by kind, missing: an empty folder", |out| Ok(fs::remove_dir(out.join("hollow"))?)),
    folder("folder by kind, missing: a file beneath two folders", |out| {
        Ok(fs::remove_file(out.join("sub/deep/data.bin"))?)
    }),
    folder("folder by kind, added: an empty folder", |out| Ok(fs::create_dir(out.join("sub/more"))?)),
    folder("folder by kind, added: an empty file", |out| Ok(fs::write(out.join("sub/deep/.keep"), "")?)),
    folder("folder by kind, added: a copy of a page", |out| {
        Ok(fs::copy(out.join("index.html"), out.join("index.htm")).map(|_| ())?)
    }),
    folder("folder by kind, order: two binary files exchanged", |out| exchanged(out, "sub/deep/data.bin", "more.bin")),
    folder("folder by kind, length: a binary file cut off", |out| Ok(fs::write(out.join("more.bin"), b"\0\x02")?)),
    folder("folder by kind, length: a zero more", |out| Ok(fs::write(out.join("more.bin"), b"\0\x02\x03\0")?)),
    folder("folder by kind, link: a symbolic one made absolute", |out| {
        relinked(out, &out.join("index.html").to_string_lossy())
    }),
    folder("folder by kind, link: a symbolic one through a folder", |out| relinked(out, "./index.html")),
    folder("folder by kind, case: of a name", |out| Ok(fs::rename(out.join("more.bin"), out.join("More.bin"))?)),
    in_tar("tar, text: of a page", |honest| swapped(honest, b"<p>one", b"<p>One"), BODY),
    in_tar(
        "tar, target: of a page",
        |honest| swapped(honest, b"http://h/site/b.html", b"http://h/sote/b.html"),
        TARGET,
    ),
    in_tar("tar, text: of a file", |honest| swapped(honest, b"binary", b"Binary"), FILE_OR_FRAMING),
    in_tar("tar, mode: of a page", |honest| in_header(honest, "a.html", 100, b"0000644"), FRAMING),
    in_tar("tar, mode: of a file", |honest| in_header(honest, "c.bin", 100, b"0000644"), FRAMING),
    in_tar("tar, time: of a page", |honest| in_header(honest, "a.html", 136, b"00000000001"), FRAMING),
    in_tar("tar, time: of a file", |honest| in_header(honest, "c.bin", 136, b"00000000001"), FRAMING),
    in_tar("tar, header: an owner", |honest| in_header(honest, "a.html", 108, b"0001750"), FRAMING),
    in_tar("tar, header: the name of an owner", |honest| in_header(honest, "c.bin", 265, b"root"), FRAMING),
    in_tar("tar, header: a name", |honest| in_header(honest, "c.bin", 0, b"d.bin"), FRAMING),
    in_tar("tar, header: a type", |honest| in_header(honest, "c.bin", 156, b"7"), FRAMING),
    in_tar("tar, digest: a checksum", |honest| in_place(honest, "a.html", 148, b"000001\0 "), FRAMING),
    in_tar("tar, white space: in the padding of a page", |honest| in_padding(honest, "a.html"), FRAMING),
    in_tar("tar, white space: in the padding of a file", |honest| in_padding(honest, "c.bin"), FRAMING),
    in_tar("tar, white space: behind the end", |honest| [&honest[..honest.len() - 1], b" "].concat(), FRAMING),
    in_tar("tar, missing: the last block", |honest| honest[..honest.len() - 512].to_vec(), FRAMING),
    in_tar("tar, added: a block of zeros", |honest| [honest, &[0; 512]].concat(), FRAMING),
    in_tar("tar, missing: a member", |honest| without_member(honest, "c.bin"), FRAMING),
    in_tar("tar, missing: a page", |honest| without_member(honest, "b.html"), FRAMING),
    in_tar("tar, added: a member twice", |honest| [member(honest, "c.bin"), honest].concat(), FRAMING),
    in_tar(
        "tar, order: two members",
        |honest| [member(honest, "c.bin"), &without_member(honest, "c.bin")].concat(),
        FRAMING,
    ),
    in_zip("ZIP, text: of a page", |honest| swapped(honest, b"<p>one", b"<p>One"), BODY_OR_FRAMING),
    in_zip("ZIP, text: of a file", |honest| swapped(honest, b"binary", b"Binary"), FRAMING),
    in_zip(
        "ZIP, target: of a page",
        |honest| swapped(honest, b"http://h/site/b.html", b"http://h/sote/b.html"),
        TARGET_OR_FRAMING,
    ),
    in_zip("ZIP, mode: of a member", |honest| in_directory(honest, 38 + 2), FRAMING),
    in_zip("ZIP, time: in a local header", |honest| in_local(honest, 10), FRAMING),
    in_zip("ZIP, time: in the directory", |honest| in_directory(honest, 12), FRAMING),
    in_zip("ZIP, digest: a checksum in a local header", |honest| in_local(honest, 14), FRAMING),
    in_zip("ZIP, digest: a checksum in the directory", |honest| in_directory(honest, 16), FRAMING),
    in_zip("ZIP, header: a version", |honest| in_directory(honest, 4), FRAMING),
    in_zip("ZIP, header: a flag", |honest| in_local(honest, 7), FRAMING),
    in_zip("ZIP, header: a name in the directory alone", |honest| in_directory(honest, 46), FRAMING),
    in_zip("ZIP, length: in a local header", |honest| in_local(honest, 22), FRAMING),
    in_zip("ZIP, added: a byte before the first member", |honest| [b"\0", honest].concat(), FRAMING),
    in_zip("ZIP, added: a byte at the end", |honest| [honest, b"\0"].concat(), FRAMING),
    Fault::new("ZIP, missing: a file", ZIP, Mutation::Bytes(|_| rewritten_zip(&[0, 1], false)), FRAMING),
    Fault::new("ZIP, order: two members", ZIP, Mutation::Bytes(|_| rewritten_zip(&[0, 2, 1], false)), FRAMING),
    Fault::new("ZIP, record: compressed otherwise", ZIP, Mutation::Bytes(|_| rewritten_zip(&[0, 1, 2], true)), FRAMING),
];

const FILE_OR_FRAMING: Rules = &["file", "record", "bytes"];
const BODY_OR_FRAMING: Rules = &["bytes", "digest", "record", "unread", "file"];
const TARGET_OR_FRAMING: Rules = &["digest", "record", "unread", "file", "bytes"];

const PAGE: &str = "<p>one &amp; co</p><!-- c --><a href=\"sub/page.html\">p</a>\n";

fn tree(folder: &Path) -> Outcome {
    fs::create_dir_all(folder.join("sub/deep"))?;
    fs::create_dir(folder.join("hollow"))?;
    for (name, bytes) in [
        ("index.html", PAGE.as_bytes()),
        ("plain.html", b"<p>Plain\n"),
        ("sub/page.html", b"<a href=../up>u</a><a href=y>y</a>\n"),
        ("sub/style.css", b"a { background: url(x.png) }\n"),
        ("sub/deep/data.bin", b"\0\x01"),
        ("more.bin", b"\0\x02\x03"),
        ("tool.js", b"open('x');\n"),
        ("feed.rss", b"<rss version=\"2.0\"><channel><link>item</link></channel></rss>\n"),
        ("letter.eml", b"Subject: s\nContent-Type: text/html\n\n<a href=x>\n"),
        ("box.mbox", b"From a@b Thu Jan  1 00:00:00 1998\nContent-Base: http://m/\n\n<URL:x>\n\n"),
    ] {
        fs::write(folder.join(name), bytes)?;
    }
    Ok(symlink("index.html", folder.join("link.html"))?)
}

fn exchanged(out: &Path, one: &str, other: &str) -> Outcome {
    let (first, second) = (fs::read(out.join(one))?, fs::read(out.join(other))?);
    fs::write(out.join(one), second)?;
    Ok(fs::write(out.join(other), first)?)
}

fn relinked(out: &Path, target: &str) -> Outcome {
    fs::remove_file(out.join("link.html"))?;
    Ok(symlink(target, out.join("link.html"))?)
}

/// Two pages and a file.
fn members(prefix: &str) -> Members {
    let page = format!("<p>one</p><a href=\"{prefix}b.html\">b</a>\n");
    [("a.html", &*page), ("b.html", "<p>two</p>\n"), ("c.bin", "binary\n")]
        .map(|(name, text)| (name.to_owned(), text.as_bytes().to_vec()))
        .to_vec()
}

fn tar() -> Vec<u8> {
    tar_of(&members(""), &tar::Header::new_ustar()).unwrap_or_default()
}

fn zip(method: CompressionMethod) -> Vec<u8> {
    zip_of(&members(""), method).unwrap_or_default()
}

/// The members with these numbers, with the links that rewriting makes.
fn rewritten_zip(numbers: &[usize], is_compressed: bool) -> Vec<u8> {
    let all = members("http://h/site/");
    let some = numbers.iter().map(|number| all[*number].clone()).collect();
    let method = if is_compressed { CompressionMethod::Deflated } else { CompressionMethod::Stored };
    zip_of(&some, method).unwrap_or_default()
}

fn swapped(honest: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    replaced(honest, from, to)
}

/// The place of a member of a tar and how many bytes it takes.
fn place(tar: &[u8], name: &str) -> (usize, usize) {
    let at = (0..tar.len()).step_by(512).find(|at| tar[*at..].starts_with(name.as_bytes())).unwrap_or_default();
    let digits = String::from_utf8_lossy(&tar[at + 124..at + 135]).into_owned();
    (at, usize::from_str_radix(&digits, 8).unwrap_or_default())
}

fn member<'t>(tar: &'t [u8], name: &str) -> &'t [u8] {
    let (at, size) = place(tar, name);
    &tar[at..at + 512 + size.next_multiple_of(512)]
}

fn without_member(tar: &[u8], name: &str) -> Vec<u8> {
    replaced(tar, member(tar, name), b"")
}

/// Other bytes in the header of a member, whose checksum is not right any more.
fn in_place(tar: &[u8], name: &str, offset: usize, bytes: &[u8]) -> Vec<u8> {
    let mut changed = tar.to_vec();
    let at = place(tar, name).0 + offset;
    changed[at..at + bytes.len()].copy_from_slice(bytes);
    changed
}

/// The same with a right checksum.
fn in_header(tar: &[u8], name: &str, offset: usize, bytes: &[u8]) -> Vec<u8> {
    let at = place(tar, name).0;
    let mut changed = in_place(tar, name, offset, bytes);
    changed[at + 148..at + 156].fill(b' ');
    let sum: u32 = changed[at..at + 512].iter().map(|byte| u32::from(*byte)).sum();
    changed[at + 148..at + 156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    changed
}

/// The last byte before the next header.
fn in_padding(tar: &[u8], name: &str) -> Vec<u8> {
    let (at, size) = place(tar, name);
    let mut changed = tar.to_vec();
    changed[at + 511 + size.next_multiple_of(512)] = b'x';
    changed
}

/// One bit of the last entry of the directory.
fn in_directory(zip: &[u8], offset: usize) -> Vec<u8> {
    with_bit(zip, memchr::memmem::rfind(zip, b"PK\x01\x02").unwrap_or_default() + offset)
}

/// One bit of the last local header.
fn in_local(zip: &[u8], offset: usize) -> Vec<u8> {
    with_bit(zip, memchr::memmem::rfind(zip, b"PK\x03\x04").unwrap_or_default() + offset)
}

fn with_bit(bytes: &[u8], at: usize) -> Vec<u8> {
    let mut changed = bytes.to_vec();
    changed[at] ^= 1;
    changed
}
