//! Faults that are easily missed.

use std::fs;
use std::path::Path;

use super::fault::{Fault, Files, Flags, Mutation, Original, Rules};
use crate::support::Outcome;

const FLAGS: Flags = &["--url", "http://h/d/p.html"];
const TARGET: Rules = &["target"];
/// It means the same, and is not written as it has to be.
const SPELLING: Rules = &["target", "bytes"];
const STAYS: Rules = &["kept"];

const fn html(text: &'static str) -> Original {
    Original { files: Files::Text("page.html", text), flags: FLAGS }
}

const fn mail(text: &'static str) -> Original {
    Original { files: Files::Text("a.eml", text), flags: &[] }
}

const PAGE: Original = html("<a href=\"x/y\">one</a> <a href=\"z//w?q=a b\">two</a>\n");
const INVALID: Original =
    Original { files: Files::Made("page.html", || b"<a href=caf\xe9/x>\xe9\n".to_vec()), flags: FLAGS };
const LATIN: Original = Original {
    files: Files::Made("page.html", || b"<meta charset=windows-1252><a href=\"x?q=\xe9\">".to_vec()),
    flags: &["--url", "http://h/d/p.html", "--spelling", "ascii"],
};
const NEEDED: Original = Original {
    files: Files::Text("page.html", "<base href=\"http://k/e/\"><a href=\"keep/y\">p</a><a href=\"x\">x</a>"),
    flags: &["--base", "remove", "--keep", "^keep"],
};
const ENTITY: Original = Original {
    files: Files::Text(
        "page.xhtml",
        "<!DOCTYPE html [<!ENTITY b \"http://other/\">]><html xmlns=\"http://www.w3.org/1999/xhtml\"><body>\
         <p xml:base=\"&b;\"><a href=\"x\"/></p><a href=\"&b;y\"/><a href=\"z\"/></body></html>",
    ),
    flags: FLAGS,
};
const STAYING: Original = Original { files: Files::Folder(staying), flags: &["--url", "http://h/d/"] };

const MESSAGE: Original = mail("Content-Base: http://h/d/\r\nContent-Type: text/html\r\n\r\n<p>text</p><a href=x>\r\n");
const LONG: Original = Original { files: Files::Made("a.eml", long), flags: &[] };
const BASE64: Original = Original { files: Files::Made("a.eml", base64), flags: &[] };
const LIST: Original = Original {
    files: Files::Text(
        "a.eml",
        "Content-Base: http://h/d/\r\nList-Id: Some <list.example.org>\r\nContent-Type: text/html\r\n\r\n<a href=x>\r\n",
    ),
    flags: &["--headers"],
};

const fn in_file(name: &'static str, file: &'static str, from: &'static str, to: &'static str) -> Fault {
    Fault::new(name, STAYING, Mutation::InFile(file, from, to), STAYS)
}

pub(crate) const FAULTS: &[Fault] = &[
    Fault::instead("odd: a port in what was put before", PAGE, "http://h/d/x/y", "http://h:80/d/x/y", SPELLING),
    Fault::instead("odd: a host in capitals", PAGE, "http://h/d/x/y", "http://H/d/x/y", SPELLING),
    Fault::instead("odd: a line break in what was put before", PAGE, "http://h/d/x/y", "http://h/\nd/x/y", SPELLING),
    Fault::instead("odd: backslashes", PAGE, "http://h/d/x/y", "http:\\\\h/d/x/y", SPELLING),
    Fault::instead("odd: a letter as a character reference", PAGE, "http://h/d/x/y", "&#104;ttp://h/d/x/y", SPELLING),
    Fault::instead("odd: a space behind two slashes escaped", PAGE, "q=a b", "q=a%20b", SPELLING),
    Fault::new("odd: an invalid byte is another one", INVALID, Mutation::Instead(b"caf\xe9/", b"caf\xe8/"), TARGET),
    Fault::instead("odd: a query in another charset", LATIN, "?q=%E9", "?q=%C3%A9", TARGET),
    Fault::new(
        "odd: a BASE gone that is needed",
        NEEDED,
        Mutation::Instead(b"<base href=\"http://k/e/\">", b"<base>"),
        STAYS,
    ),
    Fault::instead("odd: an entity made absolute", ENTITY, "\"&b;y\"", "\"http://h/d/&b;y\"", STAYS),
    Fault::instead("odd: a base that is an entity made absolute", ENTITY, "\"&b;\"", "\"http://h/d/&b;\"", STAYS),
    Fault::instead("odd: a link at a base that is an entity", ENTITY, "\"x\"", "\"http://h/d/x\"", STAYS),
    in_file("odd: a link in what is no HTML", "pdf.html", "href=x", "href=http://h/d/x"),
    in_file("odd: a link in what is data", "data.html", "href=x", "href=http://h/d/x"),
    in_file("odd: a link in XML that is not well-formed", "broken.xhtml", "\"x\"", "\"http://h/d/x\""),
    Fault::new(
        "odd: a link in a multipart without its delimiters",
        STAYING,
        Mutation::InFile("open.eml", "href=x", "href=http://h/d/x"),
        &["part", "kept"],
    ),
    Fault::new(
        "odd: a link in a message with two types",
        STAYING,
        Mutation::InFile("two.eml", "href=x", "href=http://h/d/x"),
        &["part", "kept"],
    ),
    in_file("odd: a link in a message that may be two", "box.mbox", "href=x", "href=http://h/d/x"),
    Fault::instead("odd: the empty line behind the header", MESSAGE, "html\r\n\r\n", "html\r\n\n", &["header"]),
    Fault::instead(
        "odd: more than the name of an encoding",
        LONG,
        "quoted-printable",
        "quoted-printable (x)",
        &["header"],
    ),
    Fault::new("odd: base64 with an empty line", BASE64, Mutation::Bytes(with_empty_line), &["encoding"]),
    Fault::new("odd: base64 without its padding", BASE64, Mutation::Bytes(without_padding), &["encoding"]),
    Fault::instead("odd: the name of a list", LIST, "<list.example.org>", "<http://h/d/list.example.org>", &["header"]),
];

/// Documents and messages that stay as they are, and one that does not.
fn staying(folder: &Path) -> Outcome {
    let base = "Content-Base: http://h/d/\nContent-Type: text/html\n";
    for (name, text) in [
        ("page.html", "<a href=y>".to_owned()),
        ("pdf.html", "%PDF-1.4 <a href=x>\0\u{1}".to_owned()),
        ("data.html", "{\"a\":\"<a href=x>\"}".to_owned()),
        ("broken.xhtml", "<html xmlns=\"http://www.w3.org/1999/xhtml\"><p><a href=\"x\"/></html>".to_owned()),
        (
            "open.eml",
            "Content-Base: http://h/d/\nContent-Type: multipart/mixed; boundary=b\n\n--c\n\
             Content-Type: text/html\n\n<a href=x>\n"
                .to_owned(),
        ),
        ("two.eml", format!("{base}Content-Type: text/plain\n\n<a href=x>\n")),
        (
            "box.mbox",
            format!(
                "From a@b Thu Jan  1 00:00:00 1970\n{base}\n<a href=x>\n\
                 From c@d Thu Jan  1 00:00:00 1970\nContent-Type: text/html\n\n<a href=y>\n"
            ),
        ),
    ] {
        fs::write(folder.join(name), text)?;
    }
    Ok(())
}

fn long() -> Vec<u8> {
    let path = "d".repeat(60);
    let links = "<a href=x>".repeat(60);
    format!("Content-Base: http://h/{path}/\r\nContent-Type: text/html\r\n\r\n{links}\r\ntext\r\n").into_bytes()
}

fn base64() -> Vec<u8> {
    let text = format!("<p>{}</p><a href=x>{}", "some text ".repeat(20), "more text ".repeat(20));
    let digits = data_encoding::BASE64.encode(text.as_bytes());
    let lines: Vec<&[u8]> = digits.as_bytes().chunks(76).collect();
    let heading = b"Content-Base: http://h/d/\r\nContent-Type: text/html\r\nContent-Transfer-Encoding: base64\r\n\r\n";
    [&heading[..], &lines.join(&b"\r\n"[..]), b"\r\n"].concat()
}

fn with_empty_line(honest: &[u8]) -> Vec<u8> {
    let end = honest.trim_ascii_end().len();
    let last = honest[..end].iter().rposition(|byte| *byte == b'\n').unwrap_or_default();
    [&honest[..=last], b"\r\n", &honest[last + 1..]].concat()
}

fn without_padding(honest: &[u8]) -> Vec<u8> {
    let text = honest.trim_ascii_end();
    let bare = text.strip_suffix(b"==").or_else(|| text.strip_suffix(b"=")).unwrap_or(&text[..text.len() - 4]);
    [bare, b"\r\n"].concat()
}
