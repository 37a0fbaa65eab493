//! Messages that cost a careless program its memory, its stack or its time: reported, left unchanged, and the next message
//! is done.

use std::time::Instant;

use crate::support::{Outcome, rewrite_mbox};
use absolve_rewriter::Options;
use absolve_rewriter::internal::{Entity, Report, edits_of};
use absolve_testing::{files, fixtures, print_line, rounds};
use base64::Engine;

const BASE: &str = "Content-Base: http://h/d/\n";
const HTML: &str = "Content-Type: text/html\n";

/// Messages, their findings, and how many of their links become absolute.
fn bombs() -> Vec<(&'static str, String, &'static str, usize)> {
    let mixed = "Content-Type: multipart/mixed; boundary=b\n";
    vec![
        (
            "base64 that breaks off",
            format!("{BASE}{HTML}Content-Transfer-Encoding: base64\n\nPGEgaHJlZj14P"),
            "transfer-encoding",
            0,
        ),
        (
            "a boundary cut within its line",
            format!("{BASE}{mixed}\n--b\n{HTML}\n<a href=x>\n--b"),
            "message-repaired",
            1,
        ),
        ("no final boundary", format!("{BASE}{mixed}\n--b\n{HTML}\n<a href=x>\n"), "message-repaired", 1),
        (
            "an inner multipart that is never closed",
            format!(
                "{BASE}{mixed}\n--b\nContent-Type: multipart/mixed; boundary=c\n\n--c\n{HTML}\n<a href=x>\n--b--\n"
            ),
            "message-repaired",
            1,
        ),
        (
            "32,000 messages in messages",
            format!("{BASE}{}{HTML}\n<a href=x>", "Content-Type: message/rfc822\n\n".repeat(32_000)),
            "message-structure",
            0,
        ),
        ("25 messages in messages in base64", in_base64(format!("{BASE}{HTML}\n<a href=x>"), 25), "", 1),
        (
            "16,000 multiparts beside each other",
            format!(
                "{BASE}{mixed}\n{}--b--\n",
                "--b\nContent-Type: multipart/mixed; boundary=never\n\nx\n".repeat(16_000)
            ),
            "message-structure",
            0,
        ),
        (
            "20,000 related parts with locations",
            format!(
                "{BASE}Content-Type: multipart/related; boundary=b\n\n{}--b--\n",
                (0..rounds(20_000)).map(|n| format!("--b\n{HTML}Content-Location: p{n}\n\n<a href=y>\n")).collect::<String>()
            ),
            "",
            rounds(20_000),
        ),
        ("related parts in related parts", format!("{BASE}{}", related(60, rounds(300))), "", 0),
        (
            "a heading of 40 MB in one field",
            format!("{BASE}Subject: {}\n{HTML}\n<a href=x>", "x".repeat(rounds(40_000_000))),
            "",
            1,
        ),
        (
            "a type of 40 MB",
            format!("{BASE}Content-Type: text/html; x={}\n\n<a href=x>", "x".repeat(rounds(40_000_000))),
            "message-structure",
            0,
        ),
        (
            "a base of 40 MB",
            format!("Content-Base: http://h/{}\n{HTML}\n<a href=x>", "x".repeat(rounds(40_000_000))),
            "message-structure",
            0,
        ),
        (
            "a long base for many parts",
            format!(
                "Content-Base: http://h/{}/\n{mixed}\n{}--b--\n",
                "x".repeat(60_000),
                format!("--b\n{HTML}\n<a href=x>\n").repeat(20_000)
            ),
            "output-too-large",
            228,
        ),
        ("NUL bytes", format!("{BASE}{HTML}\n<a href=x>\0\0<a href=y>\0"), "", 2),
        ("bare CR", format!("{BASE}{HTML}\n<a href=x>").replace('\n', "\r"), "message-structure", 0),
        ("nothing but fields", format!("{BASE}{HTML}"), "", 0),
        ("half a million fields", format!("{BASE}{}{HTML}\n<a href=x>", "Content-Length: 1\n".repeat(rounds(500_000))), "message-structure", 0),
        (
            "40,000 parts that tell their length",
            format!(
                "Content-Length: {}\n{BASE}{mixed}\n{}--b--\n",
                rounds(40_000) * (4 + 24 + 19 + 9 + 1 + 12) + 6,
                format!("--b\n{HTML}Content-Length: 11\nLines: 1\n\n<a href=x>\n\n").repeat(rounds(40_000))
            ),
            "",
            rounds(40_000),
        ),
        (
            "60 headings around 20,000 parts",
            (0..60).fold(format!("Content-Type: multipart/mixed; boundary=b\n\n{}--b--\n", "--b\nContent-Type: text/css\n\na\n".repeat(20_000)), |inner, n| {
                format!(
                    "Content-Base:\nContent-Location:\nBase:\nContent-Type: multipart/mixed; boundary=n{n}x\n\n--n{n}x\n{inner}\n--n{n}x--\n"
                )
            }),
            "output-too-large",
            0,
        ),
        ("200,000 fields that refer", format!("{BASE}{}\n<URL:x>", "List-Help: <x>\n".repeat(200_000)), "message-structure", 0),
        ("200,000 parts", format!("{BASE}{mixed}\n{}--b--\n", "--b\n\n<URL:x>\n".repeat(200_000)), "message-structure", 100_000),
        (
            "100,000 links in one line of quoted-printable",
            format!("{BASE}{HTML}Content-Transfer-Encoding: quoted-printable\n\n{}", "<a href=3Dx>".repeat(rounds(100_000))),
            "",
            rounds(100_000),
        ),
        (
            "10,000 messages in base64 beside each other",
            format!(
                "{BASE}{mixed}\n{}--b--\n",
                format!("--b\n{}", in_base64(format!("{HTML}\n<a href=x>"), 1)).repeat(rounds(10_000))
            ),
            "",
            rounds(10_000),
        ),
        (
            "messages in messages in quoted-printable",
            (0..60).fold(format!("{BASE}{HTML}\n<a href=x>{}", "y\n".repeat(100_000)), |inner, _| {
                let inner = inner.replace('=', "=3D");
                format!("Content-Type: message/rfc822\nContent-Transfer-Encoding: quoted-printable\n\n{inner}")
            }),
            "output-too-large",
            0,
        ),
        (
            "boundaries that begin alike",
            format!("{BASE}{mixed}\n{}--b\n{HTML}\n<a href=x>\n--b--\n", "--bb\n".repeat(rounds(200_000))),
            "",
            1,
        ),
        (
            "quoted-printable of nothing but escapes",
            format!("{BASE}{HTML}Content-Transfer-Encoding: quoted-printable\n\n<a href=3Dx>{}", "=".repeat(rounds(2_000_000))),
            "",
            1,
        ),
    ]
}

fn in_base64(message: String, depth: usize) -> String {
    (0..depth).fold(message, |message, _| {
        let encoded = base64::prelude::BASE64_STANDARD.encode(message);
        let lines: Vec<&str> = encoded.as_bytes().chunks(76).filter_map(|line| str::from_utf8(line).ok()).collect();
        format!("Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n{}\n", lines.join("\n"))
    })
}

fn related(depth: usize, parts: usize) -> String {
    let located: String = (0..parts).map(|n| format!("--b{depth}x\nContent-Location: p{depth}-{n}\n\n\n")).collect();
    let inner = if depth == 0 { String::new() } else { format!("--b{depth}x\n{}", related(depth - 1, parts)) };
    format!("Content-Type: multipart/related; boundary=b{depth}x\n\n{located}{inner}\n--b{depth}x--\n")
}

#[test]
fn bombs_are_reported_and_the_next_message_is_done() -> Outcome {
    const SEPARATOR: &str = "From a@b Thu Jan  1 00:00:00 1998\n";
    let last = format!("{BASE}{HTML}\n<a href=x>\n");
    for (name, message, code, links) in bombs() {
        let start = Instant::now();
        let mbox = format!("{SEPARATOR}{message}\n\n{SEPARATOR}{last}");
        let (mut output, mut told) = (Vec::new(), Vec::new());
        let report = rewrite_mbox(mbox.as_bytes(), &mut output, &mut |finding| told.push(finding))?;
        let codes: Vec<&str> = told.iter().map(|finding| finding.code.name()).collect();
        assert!(code.is_empty() || codes.contains(&code), "{name}: {codes:?}");
        assert!(!code.is_empty() || codes.is_empty(), "{name}: {told:?}");
        assert_eq!((report.records, report.counts.rewritten), (2, links as u64 + 1), "{name}");
        assert!(report.failed.is_empty(), "{name}");
        if links == 0 {
            assert!(output.starts_with(format!("{SEPARATOR}{message}").as_bytes()), "{name} was changed");
        }
        assert!(output.ends_with(b"<a href=http://h/d/x>\n"), "{name}: the next message is not done");
        print_line(&format!("{name}: {} KB, {:?}", mbox.len() / 1000, start.elapsed()));
    }
    Ok(())
}

/// The fixtures cut and mixed at random: a second run changes nothing more, and without edits no byte changes.
#[test]
fn messages_cut_and_mixed() -> Outcome {
    let mut random = fastrand::Rng::with_seed(80);
    let seeds: Vec<Vec<u8>> =
        files(&fixtures().join("mail/precedence"))?.iter().map(std::fs::read).collect::<Result<_, _>>()?;
    let mut edited = 0;
    for _ in 0..rounds(6_000) {
        let mut message = seeds[random.usize(..seeds.len())].clone();
        for _ in 0..random.usize(1..6) {
            let at = random.usize(..message.len());
            let to = (at + random.usize(..200)).min(message.len());
            match random.u8(..5) {
                0 => message.truncate(at.max(1)),
                1 => drop(message.drain(at..to.min(message.len() - 1).max(at))),
                2 => message[at] = b"\n\r-=<>\0\xff: "[random.usize(..10)],
                3 => {
                    let copy = message[at..to].to_vec();
                    let place = random.usize(..message.len());
                    message.splice(place..place, copy);
                }
                _ => {
                    let other = &seeds[random.usize(..seeds.len())];
                    message.splice(at..at, other[random.usize(..other.len())..].to_vec());
                }
            }
        }
        let output = rewritten(&message);
        assert_eq!(rewritten(&output), output, "a second run changes {}", String::from_utf8_lossy(&message));
        edited += usize::from(output != message);
    }
    print_line(&format!("{edited} messages changed"));
    assert!(edited > rounds(3_000), "{edited}");
    Ok(())
}

fn rewritten(message: &[u8]) -> Vec<u8> {
    edits_of(&Entity::message(message), &Options::default(), &mut Report::default()).splice(message)
}
