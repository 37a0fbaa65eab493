//! The law over generated references.

use alloc::string::String;

use absolve_testing::rounds;

use super::compared;

const PIECES: [&str; 52] = [
    "?q=1",
    "#s",
    "&b",
    "(",
    "+",
    "./",
    "/g",
    "..x",
    "a",
    "b",
    "Z",
    "9",
    "-",
    "_",
    "~",
    ".",
    "..",
    "/",
    "//",
    "///",
    "\\",
    ":",
    "?",
    "#",
    ";",
    "=",
    "&",
    "@",
    "%2e",
    "%2E",
    "%",
    "%0a",
    " ",
    "\t",
    "\n",
    "|",
    "C:",
    "C|",
    "http:",
    "HTTPS:",
    "file:",
    "foo:",
    "mailto:",
    "http://h",
    "http://h:",
    "//h/",
    "é",
    "日",
    "[::1]",
    "\u{1}",
    "x/",
    "../",
];

fn text(random: &mut fastrand::Rng, pieces: usize) -> String {
    (0..random.usize(..=pieces)).map(|_| PIECES[random.usize(..PIECES.len())]).collect()
}

#[test]
fn the_short_way_is_the_long_way() {
    let mut random = fastrand::Rng::with_seed(2);
    let mut short = 0;
    for _ in 0..rounds(40_000) {
        let start = ["http://h", "http://h/", "http://h/d/", "file:///", "file:///C:/", "foo:/", "foo://x/"];
        let base = [start[random.usize(..start.len())], &text(&mut random, 4)].concat();
        let reference = text(&mut random, 5);
        short += compared(&base, &reference, |target| target.ends_with(&reference));
    }
    assert!(short > rounds(10_000), "only {short} references stood whole at the end of their target");
}
