//! What the tests of all crates share: how many rounds a law runs, and where documents lie.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Whether laws run in full: in an optimised build, as `just laws` makes it. `cargo test` is to be quick.
pub const IN_FULL: bool = cfg!(laws_in_full);

/// Of how many rounds one runs where laws do not run in full.
const SHARE: usize = 20;

/// Returns how many rounds of a law to run, of those that it has in full. Counts that a test expects scale with it.
#[must_use]
pub const fn rounds(in_full: usize) -> usize {
    if IN_FULL || in_full < 2 {
        in_full
    } else if in_full < 2 * SHARE {
        2
    } else {
        in_full / SHARE
    }
}

/// Returns the root of the repository.
#[must_use]
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Returns the folder of the fixtures.
#[must_use]
pub fn fixtures() -> PathBuf {
    root().join("fixtures")
}

/// Returns a file or folder of the corpora, which may lie beside the repository in `../shared/corpora`. Prints that it
/// was skipped where it is absent.
#[must_use]
pub fn corpus(path: &str) -> Option<PathBuf> {
    let corpus = root().join("../shared/corpora").join(path);
    if !corpus.exists() {
        print_line(&format!("skipped: ../shared/corpora/{path} is absent"));
    }
    corpus.exists().then_some(corpus)
}

/// Prints a line even where the test runner captures what tests print.
pub fn print_line(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}

/// Returns all files below a folder, sorted.
///
/// # Errors
///
/// If a folder cannot be read.
pub fn files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            found.extend(files(&entry.path())?);
        } else {
            found.push(entry.path());
        }
    }
    found.sort();
    Ok(found)
}

/// What decides how a reference is read, in pieces to be shuffled.
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

/// Returns a text of up to so many pieces, in which much of what a reference may hold stands where it may not.
pub fn text_of_a_reference(random: &mut fastrand::Rng, pieces: usize) -> String {
    (0..random.usize(..=pieces)).map(|_| PIECES[random.usize(..PIECES.len())]).collect()
}
