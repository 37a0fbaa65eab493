//! Lines that begin like the separators of an mbox: programs quote them there, each in its way.

use std::fs;

use crate::support::unpacking::files;
use crate::support::{Outcome, argument, folder_with, run};
use absolve_testing::rounds;

/// Lines that begin with such words.
fn lines(random: &mut fastrand::Rng) -> String {
    const WORDS: [&str; 9] = ["From ", ">From ", ">>From ", "From", "=46rom ", "é", "= ", ".", "a b c "];
    let mut text = String::new();
    for _ in 0..random.usize(1..20) {
        for _ in 0..random.usize(1..4) {
            text.push_str(WORDS[random.usize(..WORDS.len())]);
        }
        text.push_str(&"xy".repeat(random.usize(..60)));
        text.push('\n');
    }
    text
}

/// `From ` does not become `>From ` through an mbox, neither in pages nor in texts.
#[test]
fn lines_that_begin_like_a_separator_survive_an_mbox() -> Outcome {
    let mut random = fastrand::Rng::with_seed(27);
    let mut seen = 0;
    for round in 0..rounds(16) {
        let (text, style) = (lines(&mut random), lines(&mut random).replace('\n', "\r\n"));
        let html = format!("<meta charset=utf-8><link rel=stylesheet href=s.css><pre>\n{text}");
        let style = format!("/*\r\n{style}*/");
        let folder = folder_with(&[("page.html", &html), ("s.css", &style)])?;
        let path = |name: &str| folder.path().join(name);
        for name in ["a.eml", "a.mhtml", "a.mbox"] {
            let (page, message, out) = (path("page.html"), path(name), path("out"));
            let text_too: &[&str] = if name == "a.mhtml" { &[] } else { &["--text"] };
            let arguments = [&["pack", argument(&page), "-o", argument(&message), "--quiet"], text_too].concat();
            assert_eq!(run(&arguments)?.0, 0);
            let bytes = fs::read(&message)?;
            let start = usize::from(name == "a.mbox");
            let is_separator =
                |line: &&[u8]| line.trim_ascii_start().starts_with(b"From ") || line.starts_with(b">From");
            let all = bytes.split(|byte| *byte == b'\n').skip(start);
            assert_eq!(all.clone().filter(is_separator).count(), 0, "{}", String::from_utf8_lossy(&bytes));
            assert!(all.clone().all(|line| line.len() <= 78), "round {round}: {}", String::from_utf8_lossy(&bytes));
            seen += bytes.windows(6).filter(|bytes| *bytes == b"=46rom" || *bytes == b"=3EFro").count();
            let (status, _, stderr) = run(&["unpack", argument(&message), "-o", argument(&out), "--quiet"])?;
            assert_eq!(status, 0, "{stderr}");
            let unpacked = files(&out)?;
            let pages: Vec<String> = unpacked
                .iter()
                .filter(|(name, _)| name.ends_with(".html"))
                .map(|(_, bytes)| String::from_utf8_lossy(bytes).replace('\r', ""))
                .collect();
            assert!(pages.len() == 1 && pages[0].ends_with(&format!("<pre>\n{text}")), "{text:?}\n{pages:?}");
            if name == "a.mhtml" {
                assert_eq!(String::from_utf8_lossy(&unpacked["s.css"]), style);
            }
            fs::remove_dir_all(&out)?;
        }
    }
    assert!(seen > rounds(16), "{seen}");
    Ok(())
}
