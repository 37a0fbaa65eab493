//! The laws over generated input, and over what once broke them.

use std::{fs, io};

use absolve_testing::{fixtures, rounds};

use crate::laws::short_way;

#[test]
fn the_short_way_makes_the_same_edits() {
    const PIECES: [&str; 30] = [
        "x", "y.html", "a.b", ".", "..", "/", "../", "./", "?q=1", "&amp;r=2", "&#9;", "&Tab;", "&copy=", "#s", "?",
        "#", "~", "(", ")", "+", "%41", "%2e", ":", ";", "=", "@", "é", " ", "//", "\\",
    ];
    let mut random = fastrand::Rng::with_seed(40);
    let (mut short, mut long) = (0, 0);
    for round in 0..rounds(20_000) {
        let values = (0..4).map(|_| (0..random.usize(0..6)).map(|_| PIECES[random.usize(..PIECES.len())]).collect());
        let html: String = values.map(|value: String| format!("<a href=\"{value}\">")).collect();
        let compared = short_way::compared(html.as_bytes(), round);
        short += compared.0;
        long += compared.1;
    }
    assert!(short > rounds(4_000) && long > rounds(50_000), "{short} short, {long} in all");
}

/// What fuzzing has found.
#[test]
fn found_by_fuzzing() -> io::Result<()> {
    type Law = fn(&[u8]) -> usize;
    let bodies: [(&str, Law); 5] = [
        ("marks", super::marks_stand_in_the_page),
        ("html", super::short_way_makes_the_same_edits),
        ("base64", crate::laws::transfers::edits_in_base64),
        ("quoted_printable", super::edits_in_lines),
        ("quoted_printable", super::edits_in_quoted_printable),
    ];
    for (name, check) in bodies {
        let folder = fixtures().join("fuzz").join(name);
        for file in folder.exists().then(|| fs::read_dir(&folder)).into_iter().flatten().flatten() {
            check(&fs::read(file?.path())?);
        }
    }
    Ok(())
}
