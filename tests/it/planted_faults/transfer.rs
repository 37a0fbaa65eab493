//! Transfer encodings: what changes beyond the lines that an edit touches.

use super::fault::{Fault, Files, Mutation, Original, Rules, replaced};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;

const ENCODING: Rules = &["encoding", "bytes"];
const TARGET: Rules = &["target"];

const QUOTED: Original = Original {
    files: Files::Text(
        "message.eml",
        "Content-Base: http://h/d/\n\
         Content-Type: text/html; charset=utf-8\n\
         Content-Transfer-Encoding: quoted-printable\n\
         \n\
         <p>caf=C3=A9 in a line that no edit touches, and which is broken softly he=\n\
         re, not there.</p>\n\
         <p>A space=20\n\
         and a dash =2D</p>\n\
         <a href=3D\"x\">x</a>\n\
         <p>more =\n\
         text</p>\n",
    ),
    flags: &[],
};

const HTML: &str = "<html>\n<body>\n<p>A paragraph that is long enough to fill a line or two of base64.</p>\n\
     <p>And another one, so that nothing of it is near the link.</p>\n<a href=\"x\">x</a>\n<p>The end of it.</p>\n</body>\n</html>\n";

const ENCODED: Original = Original { files: Files::Made("message.eml", encoded), flags: &[] };

const LONG: Original = Original { files: Files::Made("message.eml", with_a_long_line), flags: &[] };

const JOINED: Original = Original { files: Files::Made("message.eml", with_lines_to_join), flags: &[] };

const fn quoted(name: &'static str, from: &'static str, to: &'static str, rules: Rules) -> Fault {
    Fault::instead(name, QUOTED, from, to, rules)
}

const fn in_base64(name: &'static str, mutate: fn(&[u8]) -> Vec<u8>, rules: Rules) -> Fault {
    Fault::new(name, ENCODED, Mutation::Bytes(mutate), rules)
}

pub(crate) const FAULTS: &[Fault] = &[
    quoted("quoted-printable: an escape in lower case", "caf=C3=A9", "caf=c3=a9", ENCODING),
    quoted("quoted-printable: an escape decoded", "caf=C3=A9", "caf\u{e9}", ENCODING),
    quoted("quoted-printable: a needless escape decoded", "=2D", "-", ENCODING),
    quoted("quoted-printable: a needless escape added", "more =", "mor=65 =", ENCODING),
    quoted("quoted-printable: a soft line end moved", "softly he=\nre", "softly =\nhere", ENCODING),
    quoted("quoted-printable: a soft line end taken out", "<p>more =\ntext", "<p>more text", ENCODING),
    quoted("quoted-printable: a soft line end put in", "re, not there", "re, n=\not there", ENCODING),
    quoted("quoted-printable: a soft line end made hard", "softly he=\nre", "softly he\nre", &["bytes", "encoding"]),
    quoted("quoted-printable: a space at the end of a line lost", "A space=20\n", "A space\n", &["bytes", "encoding"]),
    quoted("quoted-printable: a character lost", "caf=C3=A9", "cafe", &["bytes"]),
    quoted("quoted-printable: a link to the wrong target", "http://h/d/x", "http://h/x", TARGET),
    quoted("quoted-printable: a link left relative", "http://h/d/x", "x", &["relative"]),
    Fault::new(
        "quoted-printable: written as base64",
        QUOTED,
        Mutation::Bytes(quoted_as_base64),
        &["encoding", "header"],
    ),
    Fault::new("quoted-printable: written as 8bit", QUOTED, Mutation::Bytes(quoted_as_8bit), &["encoding", "header"]),
    in_base64("base64: other lines before the first change", |honest| rewrapped(honest, 40), ENCODING),
    in_base64("base64: shorter lines throughout", |honest| rewrapped(honest, usize::MAX), ENCODING),
    in_base64("base64: one line", |honest| with_body(honest, |body| body.replace('\n', "") + "\n"), ENCODING),
    in_base64("base64: the last line end dropped", |honest| honest[..honest.len() - 1].to_vec(), ENCODING),
    in_base64(
        "base64: the text before the first change",
        |honest| with_text(honest, "nothing of it", "Nothing of it"),
        &["bytes"],
    ),
    in_base64("base64: the text behind the last change", |honest| with_text(honest, "The end", "the end"), &["bytes"]),
    in_base64("base64: a link to the wrong target", |honest| with_text(honest, "http://h/d/x", "http://h/x"), TARGET),
    in_base64("base64: a link left relative", |honest| with_text(honest, "http://h/d/x", "x"), &["relative"]),
    in_base64("base64: written as 8bit", base64_as_8bit, &["encoding", "header"]),
    Fault::instead(
        "8bit: what became quoted-printable is called 7bit",
        LONG,
        "Content-Transfer-Encoding: quoted-printable",
        "Content-Transfer-Encoding: 7bit",
        &["encoding", "header", "links", "bytes"],
    ),
    Fault::new(
        "8bit: a line that is longer than lines of a message may be",
        JOINED,
        Mutation::Bytes(joined_as_8bit),
        &["encoding"],
    ),
    Fault::new(
        "8bit: another character in what became quoted-printable",
        LONG,
        Mutation::Bytes(with_another_character),
        &["bytes", "encoding"],
    ),
];

fn encoded() -> Vec<u8> {
    let heading = "Content-Base: http://h/d/\nContent-Type: text/html\nContent-Transfer-Encoding: base64\n\n";
    format!("{heading}{}", in_lines(&STANDARD.encode(HTML), 60)).into_bytes()
}

/// A line of fewer than 998 bytes that gets longer.
fn with_a_long_line() -> Vec<u8> {
    let line = "<a href=\"x\">x</a> and so on, ".repeat(33);
    format!("Content-Base: http://host.example/d/\nContent-Type: text/html\n\n<p>first</p>\n{line}\n").into_bytes()
}

/// Two lines that a link joins.
fn with_lines_to_join() -> Vec<u8> {
    let line = "y".repeat(600);
    format!(
        "Content-Base: http://h/d/\nContent-Type: text/html\nContent-Transfer-Encoding: 8bit\n\n\
         {line}<a href=\"e/\nx\">{line}\n"
    )
    .into_bytes()
}

fn joined_as_8bit(_: &[u8]) -> Vec<u8> {
    replaced(&with_lines_to_join(), b"e/\nx", b"http://h/d/e/x")
}

fn with_another_character(honest: &[u8]) -> Vec<u8> {
    replaced(honest, b"<p>first</p>", b"<p>First</p>")
}

fn in_lines(text: &str, length: usize) -> String {
    let lines: Vec<&str> = (0..text.len()).step_by(length).map(|at| &text[at..text.len().min(at + length)]).collect();
    lines.join("\n") + "\n"
}

fn with_body(honest: &[u8], change: impl Fn(&str) -> String) -> Vec<u8> {
    let text = String::from_utf8_lossy(honest);
    let (heading, body) = text.split_once("\n\n").unwrap_or_default();
    format!("{heading}\n\n{}", change(body)).into_bytes()
}

/// The first so many characters in lines of 40 characters, all else as it was.
fn rewrapped(honest: &[u8], up_to: usize) -> Vec<u8> {
    with_body(honest, |body| {
        let (first, rest) = body.split_at(body.match_indices('\n').map(|(at, _)| at + 1).take(2).last().unwrap_or(0));
        let rest = if up_to == usize::MAX { in_lines(&rest.replace('\n', ""), 40) } else { rest.to_owned() };
        in_lines(&first.replace('\n', ""), 40) + &rest
    })
}

fn with_text(honest: &[u8], from: &str, to: &str) -> Vec<u8> {
    with_body(honest, |body| in_lines(&STANDARD.encode(decoded(body).replace(from, to)), 60))
}

fn decoded(body: &str) -> String {
    let bytes = STANDARD.decode(body.replace('\n', "")).unwrap_or_default();
    String::from_utf8_lossy(&bytes).into_owned()
}

fn base64_as_8bit(honest: &[u8]) -> Vec<u8> {
    replaced(&with_body(honest, decoded), b"Encoding: base64", b"Encoding: 8bit")
}

fn quoted_as_base64(honest: &[u8]) -> Vec<u8> {
    let encoded = with_body(honest, |body| in_lines(&STANDARD.encode(without_quoting(body)), 60));
    replaced(&encoded, b"Encoding: quoted-printable", b"Encoding: base64")
}

fn quoted_as_8bit(honest: &[u8]) -> Vec<u8> {
    replaced(&with_body(honest, without_quoting), b"Encoding: quoted-printable", b"Encoding: 8bit")
}

/// What the fixture escapes.
fn without_quoting(body: &str) -> String {
    [("=\n", ""), ("=C3=A9", "\u{e9}"), ("=20", " "), ("=2D", "-"), ("=3D", "=")]
        .into_iter()
        .fold(body.to_owned(), |text, (from, to)| text.replace(from, to))
}
