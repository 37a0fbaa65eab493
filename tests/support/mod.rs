//! What several tests need.

#![allow(dead_code, reason = "each test uses a part")]

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::{fs, io};

use absolve_links::DocumentType;

pub(crate) type Outcome = Result<(), Box<dyn std::error::Error>>;

/// The corpora with HTML or CSS, and how many edits at least each must need.
pub(crate) const CORPORA: [(&str, usize); 10] = [
    ("html-postgresql-doc", 27_000),
    ("html-docbook-xsl-latin1", 15_000),
    ("html-apache2-ko", 3_000),
    ("html-phpdoc-base", 700),
    ("html-nokogiri-sjis", 1),
    ("peer-juice", 1),
    ("peer-monolith", 1),
    ("peer-premailer", 1),
    ("wpt-srcset-css", 1),
    ("fuzz-lol-html", 1),
];

pub(crate) fn fixtures_root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures")
}

/// A folder of the corpora beside the checkout; tells when it is not there.
pub(crate) fn corpus(name: &str) -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpora").join(name);
    if !folder.exists() {
        tell(&format!("skipped: {} is absent", folder.display()));
    }
    folder.exists().then_some(folder)
}

/// Tells a line even where the test runner keeps back what tests print.
pub(crate) fn tell(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}

/// All files below a folder, sorted.
pub(crate) fn files(folder: &Path) -> io::Result<Vec<PathBuf>> {
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

/// The documents below a folder, by their names.
pub(crate) fn typed_documents(folder: &Path) -> io::Result<Vec<(PathBuf, Vec<u8>, DocumentType)>> {
    let mut documents = Vec::new();
    for path in files(folder)? {
        let extension = path.extension().and_then(|extension| extension.to_str());
        if let Some(document_type) = extension.and_then(DocumentType::of_extension) {
            let bytes = fs::read(&path)?;
            documents.push((path, bytes, document_type));
        }
    }
    Ok(documents)
}

/// Runs the program.
pub(crate) fn absolve(arguments: &[&str]) -> io::Result<Output> {
    Command::new(env!("CARGO_BIN_EXE_absolve")).args(arguments).output()
}

/// Runs the program and answers its exit status, standard output and standard error.
pub(crate) fn run(arguments: &[&str]) -> io::Result<(i32, String, String)> {
    let output = absolve(arguments)?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Ok((output.status.code().unwrap_or(-1), text(&output.stdout), text(&output.stderr)))
}

/// A path as an argument.
pub(crate) fn argument(path: &Path) -> &str {
    path.to_str().unwrap_or_default()
}

/// A folder with files in it.
pub(crate) fn folder_with(files: &[(&str, &str)]) -> io::Result<tempfile::TempDir> {
    let folder = tempfile::tempdir()?;
    for (path, text) in files {
        let path = folder.path().join(path);
        path.parent().map_or(Ok(()), fs::create_dir_all)?;
        fs::write(path, text)?;
    }
    Ok(folder)
}
