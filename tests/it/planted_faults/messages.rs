//! Messages: what changes in headers and between parts.

use super::fault::{Fault, Files, Mutation, Original, Rules, replaced};

const HEADER: Rules = &["header"];
/// The bytes between the parts belong to none.
const BETWEEN: Rules = &["part", "bytes"];
const DIGEST: Rules = &["digest"];

const fn message(text: &'static str) -> Original {
    Original { files: Files::Text("message.eml", text), flags: &[] }
}

const MESSAGE: Original = message(
    "From: a@example.org\r\n\
     To: b@example.org,\r\n c@example.org\r\n\
     Subject: =?utf-8?q?caf=C3=A9?=\r\n\
     Content-Base: http://h/d/\r\n\
     X-Note: noted\r\n\
     MIME-Version: 1.0\r\n\
     Content-Type: multipart/mixed; boundary=\"b\"\r\n\
     \r\n\
     Preamble.\r\n\
     --b\r\n\
     Content-Type: text/html; charset=utf-8\r\n\
     Content-Disposition: inline\r\n\
     \r\n\
     <p>one</p><a href=\"x\">x</a>\r\n\
     --b\r\n\
     Content-Type: text/plain\r\n\
     \r\n\
     Plain.\r\n\
     --b\r\n\
     Content-Type: image/png\r\n\
     Content-Transfer-Encoding: base64\r\n\
     \r\n\
     iVBORw0KGgoAAAANSUhEUgAA\r\n\
     AAEAAAABCAYAAAAfFcSJ\r\n\
     --b--\r\n\
     Epilogue.\r\n",
);

const SIGNED: Original = message(
    "Content-Base: http://h/d/\nContent-Type: multipart/mixed; boundary=a\n\n--a\n\
     Content-Type: multipart/signed; boundary=b; protocol=\"application/pgp-signature\"\n\n--b\n\
     Content-Type: text/html\n\n<a href=signed>\n--b\nContent-Type: application/pgp-signature\n\nSIGNATURE\n--b--\n\
     --a\nContent-Type: text/html\n\n<a href=free>\n--a--\n",
);

const SIZED: Original = message(
    "Content-Base: http://h/d/\nContent-Type: text/html\nContent-Length: 11\nLines: 1\n\
     Content-Disposition: inline; size=11\n\n<a href=x>\n",
);
const HASHED: Original = message(
    "Content-Base: http://h/d/\nContent-Type: text/html\nContent-MD5: UIKts863Xpyi1G1R2OzxwA==\n\n<a href=x>\n\u{e9}",
);
const UNHASHED: Original = message(
    "Content-Base: http://h/d/\nContent-Type: text/html\nContent-MD5: Q2hlY2sgSW50ZWdyaXR5IQ==\n\n<a href=x>\n",
);

const WITHIN: Original = message(
    "Subject: out\nContent-Base: http://h/d/\nContent-Type: multipart/mixed; boundary=a\n\n--a\n\
     Content-Type: message/rfc822\n\nSubject: in\nContent-Type: text/html\n\n<a href=x>\n--a--\n",
);

const SIBLINGS: &str = "Content-Type: multipart/related; boundary=b\n\
     Content-Location: http://h/d/\n\n--b\nContent-Type: text/html\n\
     Content-Location: page.html\n\n<img src=\"picture.png\"><a href=\"other.html\">\n--b\nContent-Type: image/png\n\
     Content-Location: picture.png\n\niVBO\n--b--\n";
const SAVED: Original = Original { files: Files::Text("saved.mhtml", SIBLINGS), flags: &[] };
const SAVED_WITH_HEADERS: Original = Original { files: Files::Text("saved.mhtml", SIBLINGS), flags: &["--headers"] };
const SNAPSHOT: Original = Original {
    files: Files::Text(
        "saved.mht",
        "From: <Saved by a browser>\r\nSnapshot-Content-Location: http://h/d/page.html\r\nSubject: s\r\n\
         MIME-Version: 1.0\r\nContent-Type: multipart/related; type=\"text/html\"; boundary=\"b\"\r\n\r\n\r\n--b\r\n\
         Content-Type: text/html\r\nContent-ID: <f@mhtml.blink>\r\n\r\n<a href=\"x\"><img src=\"cid:i@mhtml.blink\">\r\n--b--\r\n",
    ),
    flags: &[],
};
const SNAPSHOT_AND_URL: Original = Original { flags: &["--url", "http://elsewhere.example/"], ..SNAPSHOT };

/// A style of the page, one of the frame, and one that both link.
const STYLED: Original = Original {
    files: Files::Text(
        "saved.mhtml",
        "From: <Saved by Blink>\r\nSnapshot-Content-Location: http://h/d/page.html\r\nSubject: s\r\nMIME-Version: 1.0\r\n\
         Content-Type: multipart/related; type=\"text/html\"; boundary=\"b\"\r\n\r\n\r\n--b\r\n\
         Content-Type: text/html\r\nContent-ID: <f1@mhtml.blink>\r\nContent-Location: http://h/d/page.html\r\n\r\n\
         <base href=\"http://h/base/\"><link rel=stylesheet href=\"cid:css-1@mhtml.blink\">\
         <link rel=stylesheet href=\"cid:css-3@mhtml.blink\"><iframe src=\"cid:f2@mhtml.blink\"></iframe>\r\n--b\r\n\
         Content-Type: text/html\r\nContent-ID: <f2@mhtml.blink>\r\nContent-Location: http://h/f/frame.html\r\n\r\n\
         <link rel=stylesheet href=\"cid:css-2@mhtml.blink\"><link rel=stylesheet href=\"cid:css-3@mhtml.blink\">\r\n--b\r\n\
         Content-Type: text/css\r\nContent-Location: cid:css-1@mhtml.blink\r\n\r\n\
         a { background: url(\"one.png\"); }\r\n--b\r\n\
         Content-Type: text/css\r\nContent-Location: cid:css-2@mhtml.blink\r\n\r\n\
         a { background: url(\"two.png\"); }\r\n--b\r\n\
         Content-Type: text/css\r\nContent-Location: cid:css-3@mhtml.blink\r\n\r\n\
         a { background: url(\"three.png\"); }\r\n--b--\r\n",
    ),
    flags: &[],
};

const fn mail(name: &'static str, from: &'static str, to: &'static str, rules: Rules) -> Fault {
    Fault::instead(name, MESSAGE, from, to, rules)
}

pub(crate) const FAULTS: &[Fault] = &[
    mail("header: a value", "X-Note: noted", "X-Note: Noted", HEADER),
    mail("header: a name in another case", "X-Note: noted", "X-note: noted", HEADER),
    mail("header: white space before a value", "X-Note: noted", "X-Note:  noted", HEADER),
    mail("header: a field dropped", "X-Note: noted\r\n", "", HEADER),
    mail("header: a field added", "X-Note: noted\r\n", "X-Note: noted\r\nX-More: 1\r\n", HEADER),
    mail(
        "header: order of fields",
        "X-Note: noted\r\nMIME-Version: 1.0\r\n",
        "MIME-Version: 1.0\r\nX-Note: noted\r\n",
        HEADER,
    ),
    mail("header: a field unfolded", ",\r\n c@", ", c@", HEADER),
    mail("header: an encoded word decoded", "=?utf-8?q?caf=C3=A9?=", "caf\u{e9}", HEADER),
    mail("header: an encoded word in base64", "=?utf-8?q?caf=C3=A9?=", "=?utf-8?b?Y2Fmw6k=?=", HEADER),
    mail("header: the declared base", "Content-Base: http://h/d/", "Content-Base: http://h/", &["header", "target"]),
    mail("header: the declared base dropped", "Content-Base: http://h/d/\r\n", "", HEADER),
    mail("header: quotes of a boundary", "boundary=\"b\"", "boundary=b", HEADER),
    mail("header: the charset of a part", "charset=utf-8", "charset=iso-8859-1", &["header", "encoding"])
        .at(&[("part", "1")]),
    mail("header: a field of a part dropped", "Content-Disposition: inline\r\n", "", HEADER).at(&[("part", "1")]),
    mail("header: the type of an attachment", "image/png", "image/gif", &["header", "part"]),
    mail("parts: another boundary", "boundary=\"b\"", "boundary=\"c\"", &["header", "part"]),
    Fault::new(
        "parts: another boundary throughout",
        MESSAGE,
        Mutation::Bytes(another_boundary),
        &["header", "part", "bytes"],
    ),
    Fault::new("parts: two exchanged", MESSAGE, Mutation::Bytes(parts_exchanged), &["part", "header"]),
    mail("parts: one dropped", "--b\r\nContent-Type: text/plain\r\n\r\nPlain.\r\n", "", &["part", "header"]),
    mail(
        "parts: one added",
        "--b\r\nContent-Type: image",
        "--b\r\n\r\nmore\r\n--b\r\nContent-Type: image",
        &["part", "header"],
    ),
    mail("parts: the last delimiter dropped", "--b--\r\nEpilogue.\r\n", "", BETWEEN),
    mail(
        "parts: white space behind a delimiter",
        "--b\r\nContent-Type: text/plain",
        "--b \r\nContent-Type: text/plain",
        BETWEEN,
    ),
    mail("parts: the text before the first", "Preamble.", "Preamble!", BETWEEN),
    mail("parts: the text before the first dropped", "Preamble.\r\n", "", BETWEEN),
    mail("parts: the text behind the last", "Epilogue.", "Epilogue!", BETWEEN),
    mail("parts: the text of one that has no links", "Plain.", "Plane.", &["bytes", "part"]).at(&[("part", "2")]),
    mail("parts: a byte of an attachment", "AAEAAAAB", "AAEAAAAC", &["bytes", "part"]).at(&[("part", "3")]),
    mail("parts: an attachment in longer lines", "UgAA\r\nAAEA", "UgAAAAEA", &["encoding", "bytes", "part"]),
    mail("parts: text beside a link", "<p>one</p>", "<p>two</p>", &["bytes"]).at(&[("part", "1")]),
    mail("parts: a link to the wrong target", "http://h/d/x", "http://h/x", &["target"]).at(&[("part", "1")]),
    Fault::new("parts: line ends", MESSAGE, Mutation::Bytes(with_line_feeds), &["bytes", "header", "part", "encoding"]),
    Fault::instead(
        "signed: a link made absolute",
        SIGNED,
        "<a href=signed>",
        "<a href=http://h/d/signed>",
        &["kept", "bytes", "part"],
    ),
    Fault::instead("signed: the text", SIGNED, "<a href=signed>", "<a href=signed >", &["bytes", "part"]),
    Fault::instead("signed: the signature", SIGNED, "SIGNATURE", "SIGNED", &["bytes", "part"]),
    Fault::instead(
        "sizes: Content-Length is that of before",
        SIZED,
        "Content-Length: 22",
        "Content-Length: 11",
        DIGEST,
    ),
    Fault::instead("sizes: Content-Length is none of both", SIZED, "Content-Length: 22", "Content-Length: 21", DIGEST),
    Fault::instead("sizes: Lines", SIZED, "Lines: 1", "Lines: 2", &["digest", "header"]),
    Fault::instead("sizes: that of a disposition", SIZED, "size=22", "size=11", DIGEST),
    Fault::new("digests: Content-MD5 is that of before", HASHED, Mutation::Bytes(with_old_digest), DIGEST),
    Fault::instead(
        "digests: one that was wrong changed",
        UNHASHED,
        "Q2hlY2sgSW50ZWdyaXR5IQ==",
        "Q2hlY2sgSW50ZWdyaXR5Pw==",
        &["digest", "header"],
    ),
    Fault::instead("messages within: a link to the wrong target", WITHIN, "http://h/d/x", "http://h/x", &["target"]),
    Fault::instead("messages within: the header", WITHIN, "Subject: in", "Subject: on", HEADER),
    Fault::instead(
        "saved: a reference to a part made absolute",
        SAVED,
        "\"picture.png\"",
        "\"http://h/d/picture.png\"",
        &["kept"],
    ),
    Fault::instead(
        "saved: a reference to no part left",
        SAVED,
        "\"http://h/d/other.html\"",
        "\"other.html\"",
        &["relative"],
    ),
    Fault::instead(
        "saved: the location of a part made absolute unasked",
        SAVED,
        "Content-Location: picture.png",
        "Content-Location: http://h/d/picture.png",
        &["header", "kept"],
    ),
    Fault::instead(
        "saved: the location of a part made wrong",
        SAVED_WITH_HEADERS,
        "Content-Location: http://h/d/picture.png",
        "Content-Location: http://h/picture.png",
        &["target", "header"],
    ),
    Fault::instead(
        "saved: the location of a part left",
        SAVED_WITH_HEADERS,
        "Content-Location: http://h/d/picture.png",
        "Content-Location: picture.png",
        &["relative", "header", "target"],
    ),
    Fault::instead(
        "saved: the location of the snapshot ignored",
        SNAPSHOT,
        "http://h/d/x",
        "http://elsewhere.example/x",
        &["target"],
    ),
    Fault::instead(
        "saved: the URL of the user ignored",
        SNAPSHOT_AND_URL,
        "http://elsewhere.example/x",
        "http://h/d/x",
        &["target"],
    ),
    Fault::instead(
        "saved: a style resolved at the location of its document",
        STYLED,
        "http://h/base/one.png",
        "http://h/d/one.png",
        &["target"],
    ),
    Fault::instead(
        "saved: a style resolved at the page instead of its frame",
        STYLED,
        "http://h/f/two.png",
        "http://h/d/two.png",
        &["target"],
    ),
    Fault::instead("saved: a style left relative", STYLED, "\"http://h/f/two.png\"", "\"two.png\"", &["relative"]),
    Fault::instead(
        "saved: a style of two documents with different bases changed",
        STYLED,
        "\"three.png\"",
        "\"http://h/base/three.png\"",
        &["kept"],
    ),
    Fault::instead(
        "saved: a content id changed",
        SNAPSHOT,
        "\"cid:i@mhtml.blink\"",
        "\"cid:j@mhtml.blink\"",
        &["kept", "bytes"],
    ),
    Fault::instead(
        "saved: an empty line dropped",
        SNAPSHOT,
        "\r\n\r\n\r\n--b",
        "\r\n\r\n--b",
        &["part", "bytes", "header"],
    ),
];

fn another_boundary(honest: &[u8]) -> Vec<u8> {
    replaced(&replaced(honest, b"boundary=\"b\"", b"boundary=\"c\""), b"--b", b"--c")
}

fn parts_exchanged(honest: &[u8]) -> Vec<u8> {
    let text = String::from_utf8_lossy(honest);
    let parts: Vec<&str> = text.split("--b").collect();
    [parts[0], parts[2], parts[1], parts[3], parts[4]].join("--b").into_bytes()
}

fn with_line_feeds(honest: &[u8]) -> Vec<u8> {
    replaced(honest, b"\r\n", b"\n")
}

fn with_old_digest(honest: &[u8]) -> Vec<u8> {
    let text = String::from_utf8_lossy(honest);
    let digest = text.lines().find_map(|line| line.strip_prefix("Content-MD5: ")).unwrap_or_default();
    text.replace(digest, "UIKts863Xpyi1G1R2OzxwA==").into_bytes()
}
