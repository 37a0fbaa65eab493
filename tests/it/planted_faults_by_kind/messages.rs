//! Messages and pages saved as such.

use crate::planted_faults::fault::{Fault, Files, Mutation, Original, Rules};

const fn message(text: &'static str) -> Original {
    Original { files: Files::Text("letter.eml", text), flags: &[] }
}

const LETTER: Original = message(
    "Return-Path: <a@example.org>\r\nReceived: from x by y;\r\n\tMon, 1 Jan 2001 00:00:00 +0000\r\n\
     Received: from w by x; Mon, 1 Jan 2001 00:00:00 +0000\r\nDate: Mon, 1 Jan 2001 00:00:00 +0000\r\n\
     Subject: a  subject\r\nMessage-ID: <1@example.org>\r\nContent-Base: http://h/d/\r\nMIME-Version: 1.0 (a comment)\r\n\
     Content-Type: multipart/alternative;\r\n boundary=\"=_outer\"; charset=us-ascii\r\n\r\nBefore.\r\n--=_outer\r\n\
     Content-Type: text/plain; format=flowed\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\nSome te=78t =\r\n\
     and more=20\r\n--=_outer\r\nContent-Type: multipart/related; boundary=inner; type=\"text/html\"\r\n\r\n--inner\r\n\
     Content-Type: text/html; charset=\"utf-8\"\r\nContent-Transfer-Encoding: quoted-printable\r\nContent-ID: <page@x>\r\n\r\n\
     <p class=3D\"k\">caf=C3=A9 =E2=82=\r\n=AC</p>\r\n<a href=3D\"x\">x</a>\r\n<!-- c -->\r\n<img src=3D\"cid:i@x\">\r\n\
     --inner\r\nContent-Type: image/gif; name=\"i.gif\"\r\nContent-ID: <i@x>\r\nContent-Transfer-Encoding: base64\r\n\
     Content-Disposition: attachment; filename=\"i.gif\"\r\n\r\nR0lGODlhAQABAAAAACw=\r\n--inner--\r\nBetween.\r\n\
     --=_outer\r\nContent-Type: message/rfc822\r\n\r\nSubject: within\r\nContent-Base: http://w/\r\nContent-Type: text/html\r\n\r\n\
     <b>bold</b><a href=deep>d</a>\r\n--=_outer--\r\nAfter.\r\n",
);

/// `<p>one</p>\r\n<a href="x">two</a>\r\n`, and the same in lines of the same length afterwards.
const ENCODED: Original = message(
    "Content-Base: http://h/d/\r\nContent-Type: text/html\r\nContent-Transfer-Encoding: base64\r\nX-End: 1\r\n\r\n\
     PHA+b25lPC9wPg0KPGEgaHJlZj0ieCI+dHdvPC9hPg0K\r\n",
);

/// A message whose lengths and digest are right.
const MEASURED: Original = message(
    "Content-Base: http://h/d/\nContent-Type: text/html\nContent-Length: 20\nLines: 2\n\
     Content-Disposition: inline; filename=x; size=20\nX-Size: 20\n\n<p>two\n<a href=xy>\n\n",
);

const SAVED: Original = Original {
    files: Files::Text(
        "page.mhtml",
        "From: <Saved by Blink>\r\nSnapshot-Content-Location: http://h/d/page.html\r\nSubject: p\r\n\
         Date: Mon, 1 Jan 2001 00:00:00 +0000\r\nMIME-Version: 1.0\r\nContent-Type: multipart/related;\r\n\ttype=\"text/html\";\r\n\
         \tboundary=\"----B\"\r\n\r\n\r\n------B\r\nContent-Type: text/html\r\nContent-ID: <frame@mhtml.blink>\r\n\
         Content-Location: http://h/d/page.html\r\n\r\n<p>p</p><a href=\"x\">x</a><img src=\"cid:i@mhtml.blink\">\r\n------B\r\n\
         Content-Type: text/css\r\nContent-Location: http://h/css/s.css\r\n\r\na { src: url(\"f\"); }\r\n------B\r\n\
         Content-Type: image/gif\r\nContent-ID: <i@mhtml.blink>\r\nContent-Location: http://h/i.gif\r\n\r\nGIF89a\r\n------B--\r\n",
    ),
    flags: &[],
};

const HEADER: Rules = &["header"];
const PART: Rules = &["part", "bytes", "header"];
const BODY: Rules = &["bytes", "part", "encoding"];
const TARGET: Rules = &["target"];
const RELATIVE: Rules = &["relative"];
const DIGEST: Rules = &["digest", "header"];
const ENCODING: Rules = &["encoding", "bytes", "part"];
const LINKS: Rules = &["links", "bytes", "part", "relative"];

const fn mail(name: &'static str, from: &'static str, to: &'static str, rules: Rules) -> Fault {
    Fault::instead(name, LETTER, from, to, rules)
}

const fn measured(name: &'static str, from: &'static str, to: &'static str, rules: Rules) -> Fault {
    Fault::instead(name, MEASURED, from, to, rules)
}

const fn saved(name: &'static str, from: &'static str, to: &'static str, rules: Rules) -> Fault {
    Fault::instead(name, SAVED, from, to, rules)
}

const fn encoded(name: &'static str, mutate: fn(&[u8]) -> Vec<u8>, rules: Rules) -> Fault {
    Fault::new(name, ENCODED, Mutation::Bytes(mutate), rules)
}

pub(crate) const FAULTS: &[Fault] = &[
    mail("message, header: a path", "<a@example.org>", "<b@example.org>", HEADER),
    mail("message, header: one of two of a name", "from w by x; ", "from v by x; ", HEADER),
    mail(
        "message, header: one of two of a name dropped",
        "Received: from w by x; Mon, 1 Jan 2001 00:00:00 +0000\r\n",
        "",
        HEADER,
    ),
    mail("message, header: a comment", "1.0 (a comment)", "1.0 (the comment)", HEADER),
    mail("message, header: a parameter dropped", "; charset=us-ascii", "", HEADER),
    mail("message, header: a parameter of a part", "format=flowed", "format=fixed", HEADER),
    mail("message, header: the quotes of a parameter", "charset=\"utf-8\"", "charset=utf-8", HEADER),
    mail("message, header: folded with a space", ";\r\n\tMon", ";\r\n Mon", HEADER),
    mail("message, header: the name of an attachment", "filename=\"i.gif\"", "filename=\"j.gif\"", &["header", "part"]),
    mail("message, header: an id of a part", "<page@x>", "<pages@x>", &["header", "part"]),
    mail("message, header: of a message within", "Subject: within", "Subject: Within", &["header", "part"]),
    mail(
        "message, header: the base of a message within",
        "http://w/\r\n",
        "http://v/\r\n",
        &["header", "target", "part"],
    ),
    mail("message, header: one before the first", "Return-Path:", "X-First: 1\r\nReturn-Path:", HEADER),
    mail("message, case: the name of a field", "Message-ID", "Message-Id", HEADER),
    mail("message, case: a media type", "multipart/alternative", "Multipart/Alternative", HEADER),
    mail(
        "message, case: an encoding",
        "Content-Transfer-Encoding: base64",
        "Content-Transfer-Encoding: BASE64",
        &["header", "encoding"],
    ),
    mail("message, time: of a message", "Date: Mon, 1 Jan 2001 00:00:00", "Date: Mon, 1 Jan 2001 00:00:01", HEADER),
    mail(
        "message, time: its zone",
        "Date: Mon, 1 Jan 2001 00:00:00 +0000",
        "Date: Mon, 1 Jan 2001 00:00:00 GMT",
        HEADER,
    ),
    mail("message, white space: of a subject", "a  subject", "a subject", HEADER),
    mail("message, white space: at the end of a field", "a  subject\r\n", "a  subject \r\n", HEADER),
    mail(
        "message, white space: behind a boundary",
        "--inner\r\nContent-Type: image",
        "--inner  \r\nContent-Type: image",
        PART,
    ),
    mail(
        "message, boundary: a delimiter dropped",
        "\r\n--inner\r\nContent-Type: image/gif",
        "\r\nContent-Type: image/gif",
        PART,
    ),
    mail("message, boundary: the last of the inner ones dropped", "--inner--\r\n", "", PART),
    mail("message, boundary: the last one made a delimiter", "--=_outer--\r\n", "--=_outer\r\n", PART),
    mail("message, boundary: a line end before a delimiter", "</a>\r\n--=_outer--", "</a>\r\n\r\n--=_outer--", BODY),
    mail("message, boundary: text between", "Between.", "between.", PART),
    mail("message, boundary: text behind", "After.\r\n", "After.", PART),
    mail("message, part: text in quoted-printable", "Some te=78t", "Some text", BODY),
    mail("message, part: a soft line break", "t =\r\nand", "t and", BODY),
    mail("message, part: a space at the end", "more=20\r\n", "more\r\n", BODY),
    mail("message, part: a byte of an attachment", "R0lGODlhAQAB", "R0lGODlhAQAC", BODY),
    mail("message, part: the padding of an attachment", "ACw=\r\n", "ACw\r\n", BODY),
    mail("message, part: an attachment emptied", "R0lGODlhAQABAAAAACw=\r\n", "\r\n", BODY),
    mail("message, part: within a message", "<b>bold", "<b>Bold", BODY),
    mail("message, comment: of a page", "<!-- c -->", "<!-- d -->", BODY),
    mail("message, escape: in lower case", "caf=C3=A9", "caf=c3=a9", ENCODING),
    mail("message, escape: of an attribute", "class=3D\"k\"", "class=3D\"l\"", BODY),
    mail("message, escape: a character cut elsewhere", "=E2=82=\r\n=AC", "=E2=\r\n=82=AC", ENCODING),
    mail("message, target: of a page", "http://h/d/x", "http://h/x", TARGET),
    mail("message, target: at the base of another message", "http://w/deep", "http://h/d/deep", TARGET),
    mail("message, link: left", "=3D\"http://h/d/x\"", "=3D\"x\"", RELATIVE),
    mail("message, link: to a part", "cid:i@x\"", "cid:j@x\"", &["kept", "target"]),
    mail("message, missing: a link", "<a href=3D\"http://h/d/x\">x</a>\r\n", "", LINKS),
    mail("message, added: a part", "--=_outer--", "--=_outer\r\n\r\nmore\r\n--=_outer--", PART),
    Fault::new("message, order: of two parts", LETTER, Mutation::Bytes(exchanged), PART),
    encoded("message in base64, text", |honest| coded(honest, |text| text.replace("one", "eno")), BODY),
    encoded("message in base64, target", |honest| coded(honest, |text| text.replace("h/d/x", "h/x")), TARGET),
    encoded("message in base64, link left", |honest| coded(honest, |text| text.replace("http://h/d/x", "x")), RELATIVE),
    encoded("message in base64, added text", |honest| coded(honest, |text| text + "more"), BODY),
    encoded("message in base64, a line broken elsewhere", |honest| broken(honest, 20), ENCODING),
    encoded("message in base64, line ends", |honest| [&honest[..honest.len() - 2], b"\n"].concat(), ENCODING),
    measured("sizes by kind, length: of before", "Content-Length: 31", "Content-Length: 20", DIGEST),
    measured("sizes by kind, length: with a zero", "Content-Length: 31", "Content-Length: 031", DIGEST),
    measured("sizes by kind, length: of a disposition dropped", "; size=31", "", DIGEST),
    measured("sizes by kind, length: of lines", "Lines: 2", "Lines: 3", DIGEST),
    measured("sizes by kind, length: in another field", "X-Size: 20", "X-Size: 31", HEADER),
    measured("sizes by kind, header: the length twice", "Lines:", "Content-Length: 31\nLines:", DIGEST),
    saved("saved page, header: the place of a part", "http://h/css/s.css", "http://h/css/t.css", &["header", "target"]),
    saved(
        "saved page, header: where it is from",
        "Snapshot-Content-Location: http://h/d/",
        "Snapshot-Content-Location: http://h/e/",
        &["header", "target"],
    ),
    saved("saved page, target: at the place of another part", "http://h/css/f", "http://h/d/f", TARGET),
    saved("saved page, link: to a part by its place", "cid:i@mhtml.blink\"", "http://h/i.gif\"", &["kept", "target"]),
    saved("saved page, part: an image", "GIF89a", "GIF87a", BODY),
    saved("saved page, white space: a part", "<p>p</p>", "<p>p </p>", BODY),
    saved("saved page, boundary: another line end", "------B--\r\n", "------B--\n", PART),
    saved("saved page, header: folded with spaces", "\r\n\ttype=", "\r\n  type=", HEADER),
];

fn exchanged(honest: &[u8]) -> Vec<u8> {
    let text = String::from_utf8_lossy(honest);
    let parts: Vec<&str> = text.split("--=_outer").collect();
    [parts[0], parts[1], parts[3], parts[2], parts[4]].join("--=_outer").into_bytes()
}

/// The body decoded, changed, and encoded as it was.
fn coded(honest: &[u8], change: impl Fn(String) -> String) -> Vec<u8> {
    let text = String::from_utf8_lossy(honest);
    let Some((header, body)) = text.split_once("\r\n\r\n") else { return Vec::new() };
    let digits: String = body.split_whitespace().collect();
    let decoded = data_encoding::BASE64.decode(digits.as_bytes()).unwrap_or_default();
    let changed = change(String::from_utf8_lossy(&decoded).into_owned());
    let digits = data_encoding::BASE64.encode(changed.as_bytes());
    let first = body.find("\r\n").unwrap_or_default();
    let lines: Vec<&[u8]> = digits.as_bytes().chunks(first).collect();
    [header.as_bytes(), b"\r\n\r\n", &lines.join(&b"\r\n"[..]), b"\r\n"].concat()
}

/// The first line of the body broken behind so many digits.
fn broken(honest: &[u8], digits: usize) -> Vec<u8> {
    let body = memchr::memmem::find(honest, b"\r\n\r\n").map_or(0, |end| end + 4);
    [&honest[..body + digits], b"\r\n", &honest[body + digits..]].concat()
}
