//! Messages and mailboxes that are expensive to read.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;

use super::bomb::{Bomb, bomb};
use super::documents::{numbered, text};

const BASE: &str = "Content-Base: http://h/d/\n";
const HTML: &str = "Content-Type: text/html\n";
const MIXED: &str = "Content-Type: multipart/mixed; boundary=b\n";
const SEPARATOR: &str = "From a@b Thu Jan  1 00:00:00 1998\n";

pub(crate) const BOMBS: &[Bomb] = &[
    bomb("mail: parts", "a.eml", |times| {
        text(&format!("{BASE}{MIXED}\n"), &format!("--b\n{HTML}\n<a href=x>\n"), 20_000 * times, "--b--\n")
    }),
    bomb("mail: related parts with locations", "a.eml", |times| {
        let parts = numbered("--b\nContent-Type: text/html\nContent-Location: p", 10_000 * times, "\n\n<a href=p1>\n");
        text(&format!("{BASE}Content-Type: multipart/related; boundary=b\n\n"), &parts, 1, "--b--\n")
    }),
    bomb("mail: multiparts in multiparts", "a.eml", |times| {
        let part = |n| format!("Content-Type: multipart/mixed; boundary=b{n}x\n\n--b{n}x\n");
        text(BASE, &(0..10_000 * times).map(part).collect::<String>(), 1, "<a href=x>")
    }),
    bomb("mail: multiparts beside each other", "a.eml", |times| {
        let part = "--b\nContent-Type: multipart/mixed; boundary=never\n\nx\n";
        text(&format!("{BASE}{MIXED}\n"), part, 10_000 * times, "--b--\n")
    }),
    bomb("mail: messages in messages", "a.eml", |times| {
        text(BASE, "Content-Type: message/rfc822\n\n", 20_000 * times, "<a href=x>")
    }),
    bomb("mail: messages in base64 in messages in base64", "a.eml", |times| {
        let inner = format!("{BASE}{HTML}\n{}", "<a href=x>".repeat(2_000 * times));
        Ok((0..12).fold(inner, |message, _| in_base64(&message)).into_bytes())
    }),
    bomb("mail: messages in base64 beside each other", "a.eml", |times| {
        let part = format!("--b\n{}", in_base64(&format!("{HTML}\n<a href=x>")));
        text(&format!("{BASE}{MIXED}\n"), &part, 10_000 * times, "--b--\n")
    }),
    bomb("mail: a long boundary", "a.eml", |times| {
        let boundary = "b".repeat(15_000);
        let start = format!("{BASE}Content-Type: multipart/mixed; boundary={boundary}\n\n");
        text(&start, &format!("--{}c\n", &boundary[1..]), 200 * times, &format!("--{boundary}--\n"))
    }),
    bomb("mail: lines like boundaries", "a.eml", |times| {
        let end = format!("--b\n{HTML}\n<a href=x>\n--b--\n");
        text(&format!("{BASE}{MIXED}\n"), "--bb\n", 300_000 * times, &end)
    }),
    bomb("mail: lines like boundaries of 60 multiparts", "a.eml", |times| {
        let part = |n| format!("Content-Type: multipart/mixed; boundary=b{n}x\n\n--b{n}x\n");
        text(&(0..60).map(part).collect::<String>(), "--b\n--b1\n", 100_000 * times, "")
    }),
    bomb("mail: fields", "a.eml", |times| {
        text("", "Subject: x\n", 200_000 * times, &format!("{BASE}{HTML}\n<a href=x>"))
    }),
    bomb("mail: fields that declare a base", "a.eml", |times| {
        text("", BASE, 50_000 * times, &format!("{HTML}\n<a href=x>"))
    }),
    bomb("mail: fields that refer", "a.eml", |times| text(BASE, "List-Help: <x>\n", 100_000 * times, "\n<URL:x>")),
    bomb("mail: a folded field", "a.eml", |times| {
        text(&format!("{BASE}Subject: x"), "\n y", 500_000 * times, &format!("\n{HTML}\n<a href=x>"))
    }),
    bomb("mail: a folded base", "a.eml", |times| {
        text("Content-Base: http://h/", "\n x", 15_000 * times, &format!("\n{HTML}\n<a href=x>"))
    }),
    bomb("mail: encoded words", "a.eml", |times| {
        text("Content-Base: ", "=?utf-8?Q?x?=\n ", 3_000 * times, &format!("\n{HTML}\n<a href=x>"))
    }),
    bomb("mail: comments in comments", "a.eml", |times| {
        text("Content-Base: ", "(", 15_000 * times, &format!("\n{HTML}\n<a href=x>"))
    }),
    bomb("mail: parameters", "a.eml", |times| {
        text(BASE, &format!("Content-Type: text/html{}\n", numbered("; x*", 1_000 * times, "*=y")), 1, "\n<a href=x>")
    }),
    bomb("mail: quoted-printable in one line", "a.eml", |times| {
        let start = format!("{BASE}{HTML}Content-Transfer-Encoding: quoted-printable\n\n");
        text(&start, "<a href=3Dx>", 100_000 * times, "")
    }),
    bomb("mail: quoted-printable of soft line breaks", "a.eml", |times| {
        let start = format!("{BASE}{HTML}Content-Transfer-Encoding: quoted-printable\n\n<a href=3Dx>");
        text(&start, "=\n", 1_000_000 * times, "")
    }),
    bomb("mail: quoted-printable of blanks", "a.eml", |times| {
        let start = format!("{BASE}{HTML}Content-Transfer-Encoding: quoted-printable\n\n<a href=3Dx>");
        text(&start, "= ", 1_000_000 * times, "")
    }),
    bomb("mail: lengths that must stay right", "a.eml", |times| {
        let part = format!("--b\n{HTML}Content-Length: 11\nLines: 1\n\n<a href=x>\n\n");
        text(&format!("{BASE}{MIXED}\n"), &part, 20_000 * times, "--b--\n")
    }),
    bomb("mbox: messages of a line", "a.mbox", |times| {
        text("", &format!("{SEPARATOR}{BASE}{HTML}\n<a href=x>\n\n"), 30_000 * times, "")
    }),
    bomb("mbox: separator lines", "a.mbox", |times| text("", SEPARATOR, 100_000 * times, "")),
    bomb("mbox: lines that are nearly separators", "a.mbox", |times| {
        text(&format!("{SEPARATOR}{BASE}\n"), "\nFrom here on\n", 200_000 * times, "")
    }),
    bomb("mbox: lengths that are wrong", "a.mbox", |times| {
        text("", &format!("{SEPARATOR}Content-Length: 8000000\n\n<a href=x>\n\n"), 10_000 * times, "")
    }),
    bomb("mbox: lengths that lead to empty lines", "a.mbox", |times| {
        let (count, empty) = (1_000 * times, 250_000 * times);
        let message = |behind: usize| {
            // The length that is right if the empty lines end the message.
            format!("{SEPARATOR}Content-Length: {:012}\n\n<a href=x>\n\n", behind * LENGTH + 12)
        };
        const LENGTH: usize = SEPARATOR.len() + "Content-Length: 000000000000\n\n<a href=x>\n\n".len();
        text(&(0..count).rev().map(message).collect::<String>(), "\n", empty, "x")
    }),
    bomb("mbox: messages that are left unchanged", "a.mbox", |times| {
        let message = format!("{SEPARATOR}{BASE}Content-Type: text/xml\n\n<rss><link>x</link><link>y</link>\n\n");
        text("", &message, 2_000 * times, "")
    }),
    bomb("mail: links that are left unchanged", "a.eml", |times| {
        text(&format!("{BASE}Content-Type: text/xml\n\n<rss>"), "<link>x</link>", 20_000 * times, "")
    }),
    bomb("mail: a long header around parts", "a.eml", |times| {
        let start = format!("{}{BASE}{MIXED}\n", "Subject: x\n".repeat(10_000 * times));
        text(&start, &format!("--b\n{HTML}\n<a href=x>\n"), 5_000 * times, "--b--\n")
    }),
    bomb("mail: digests of a long body", "a.eml", |times| {
        let start = format!("{BASE}{HTML}{}\n<a href=x>", "Content-MD5: x\nLines: 1\n".repeat(1_000 * times));
        text(&start, "some words of a line\n", 50_000 * times, "")
    }),
    bomb("mbox: one large message", "a.mbox", |times| {
        text(&format!("{SEPARATOR}{BASE}{HTML}\n<a href=x>"), "some words of a line\n", 1_000_000 * times, "")
    }),
    bomb("mbox: nothing but a header", "a.mbox", |times| text(SEPARATOR, "Subject: x\n", 1_000_000 * times, "")),
];

fn in_base64(message: &str) -> String {
    let encoded = BASE64_STANDARD.encode(message);
    let lines: Vec<&str> = encoded.as_bytes().chunks(76).filter_map(|line| str::from_utf8(line).ok()).collect();
    format!("Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n{}\n", lines.join("\n"))
}
