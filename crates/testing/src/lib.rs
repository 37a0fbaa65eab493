//! Helpers for the tests of all crates: the rounds of a law, and the folders of documents.

#![allow(clippy::disallowed_methods)]

pub mod documents;

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::{env, fs};

use tempfile::TempDir;

/// Whether laws run in full: in an optimised build, as in `just laws`. `cargo test` runs fewer rounds to be quick.
pub const IN_FULL: bool = cfg!(laws_in_full);

/// The divisor of the number of rounds where laws do not run in full.
const SHARE: usize = 40;

/// Returns how many of the rounds of a law to run. Expected counts of a test scale with it.
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

/// Returns how many of the rounds of a law to run of which more rarely find anything: `in_long` with `ABSOLVE_LONG=1`, as in
/// `just laws`.
#[must_use]
pub fn long_rounds(in_full: usize, in_long: usize) -> usize {
    if env::var_os("ABSOLVE_LONG").is_some() { in_long } else { rounds(in_full) }
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

/// Returns a file or folder of the corpora, which may be next to the repository in `../shared/corpora`. Prints a line
/// if it is absent.
#[must_use]
pub fn corpus(path: &str) -> Option<PathBuf> {
    let corpus = root().join("../shared/corpora").join(path);
    if !corpus.exists() {
        print_line(&format!("skipped: ../shared/corpora/{path} is absent"));
    }
    corpus.exists().then_some(corpus)
}

/// Returns a new folder that is removed with its value. It is in memory where there is room: tests make and remove many thousand
/// files, which costs a disk as much time as all else that they do.
///
/// # Errors
///
/// Returns an error if it cannot be created.
pub fn temporary_folder() -> io::Result<TempDir> {
    let memory = Path::new("/dev/shm");
    if has_room(memory) { tempfile::tempdir_in(memory) } else { tempfile::tempdir() }
}

#[cfg(unix)]
fn has_room(folder: &Path) -> bool {
    const BYTES: u64 = 8 << 30;
    rustix::fs::statvfs(folder).is_ok_and(|found| found.f_bavail.saturating_mul(found.f_frsize) >= BYTES)
}

#[cfg(not(unix))]
fn has_room(_folder: &Path) -> bool {
    false
}

/// Prints a line even if the test runner captures the output of tests.
pub fn print_line(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}

/// Returns all files below a folder, sorted.
///
/// # Errors
///
/// Returns an error if a folder cannot be read.
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

/// Pieces of generated references: the delimiters and characters that matter to a parser.
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

/// Returns a reference of up to `pieces` random pieces, which is often malformed.
pub fn text_of_a_reference(random: &mut fastrand::Rng, pieces: usize) -> String {
    (0..random.usize(..=pieces)).map(|_| PIECES[random.usize(..PIECES.len())]).collect()
}
