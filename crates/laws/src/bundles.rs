//! Properties of ZIP and tar files of any tree.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Cursor, Write};
use std::path::Path;

use absolve_containers::ArchiveOptions;
use absolve_files::{Action, Destination, FileError, Output, Selection, collect, inspect_all, rewrite_all};
use absolve_verifier::{Bundle, verify_bundle};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use crate::rewritten::check_twice;

/// Checks any bytes as a ZIP and as a tar, and those that are made of them, whole and damaged: a bundle without changes stays the
/// same; otherwise others list the same members as before, those that are not read are the same, and a second run changes
/// nothing. Returns the number of changed members.
pub fn bundle(bytes: &[u8]) -> usize {
    let made = made(bytes).expect("an archive is made in memory");
    let mut changed = check("a.zip", bytes, Origin::Unknown).expect("files can be written");
    for (name, archive) in made {
        changed += check(name, &archive, Origin::Whole).expect("files can be written");
        changed += check(name, &damaged(&archive, bytes), Origin::Unknown).expect("files can be written");
    }
    changed
}

/// What is known of an archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Origin {
    /// A library has made it.
    Whole,
    Unknown,
}

fn check(name: &str, bytes: &[u8], origin: Origin) -> io::Result<usize> {
    let folder = tempfile::tempdir()?;
    let [input, output, again] = ["in", "out", "again"].map(|below| folder.path().join(below).join(name));
    for path in [&input, &output, &again] {
        path.parent().map_or(Ok(()), fs::create_dir)?;
    }
    fs::write(&input, bytes)?;
    let Some((changed, _)) = check_twice(rewritten, [&input, &output, &again])? else { return Ok(0) };
    if origin == Origin::Whole {
        let [old, new] = [&input, &output].map(|path| File::open(path).and_then(|file| Bundle::open(&file)));
        let entries = BTreeSet::from_iter(0..MEMBERS);
        let verdict = verify_bundle(&old?, &new?, &entries)?;
        assert!(verdict.differences.is_empty(), "{:?}", verdict.differences);
    }
    let names: Vec<_> = fs::read_dir(folder.path())?.flatten().collect();
    assert_eq!(names.len(), 3, "a file outside the output");
    Ok(changed)
}

/// Rewrites an archive; returns the number of changed members.
fn rewritten(input: &Path, output: &Path) -> io::Result<usize> {
    let options = ArchiveOptions::default();
    let mut selection = Selection::default();
    selection.url = Some("http://h/d/".into());
    let collection = collect(input, &selection);
    let is_bug = |error: &FileError| error.action == Action::Rewrite;
    let seen =
        inspect_all(&collection.entries, &options, &|_, _, entity| entity.parts.len(), &mut |_| Ok(()), &|_| {})?;
    assert!(!seen.errors.iter().any(is_bug), "a panic");
    if collection.entries.is_empty() {
        return Ok(0);
    }
    let destination = Destination::File(output.to_owned());
    let report = rewrite_all(collection, &options, Output::to(&destination), &|_| {});
    assert!(!report.errors.iter().any(is_bug), "a panic");
    assert!(!report.errors.iter().any(|error| error.action == Action::Write), "{:?}", report.errors);
    Ok(report.files_changed as usize)
}

/// The maximum number of members that are made.
const MEMBERS: usize = 20;

/// Returns archives of the stretches between lines of two hyphens: pages, messages and mboxes.
fn made(bytes: &[u8]) -> io::Result<Vec<(&'static str, Vec<u8>)>> {
    const NAMES: [&str; 4] = ["page.html", "d/mail.mbox", "list/cur/1.M1.host,S=9:2,S", "style.css"];
    let parts: Vec<&[u8]> = split(bytes, b"\n--\n").into_iter().take(MEMBERS - 1).collect();
    let name = |index: usize| format!("{}{}", "x/".repeat(index / NAMES.len()), NAMES[index % NAMES.len()]);
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    let mut tar = tar::Builder::new(Vec::new());
    let mut folder = tar::Header::new_ustar();
    folder.set_entry_type(tar::EntryType::Directory);
    folder.set_size(0);
    tar.append_data(&mut folder, "list/new", io::empty())?;
    for (index, part) in parts.iter().enumerate() {
        let method = if index % 2 == 0 { CompressionMethod::Deflated } else { CompressionMethod::Stored };
        zip.start_file(name(index), SimpleFileOptions::default().compression_method(method))?;
        zip.write_all(part)?;
        let mut header = if index % 2 == 0 { tar::Header::new_gnu() } else { tar::Header::new_ustar() };
        header.set_size(part.len() as u64);
        if index % 3 == 2 {
            tar.append_pax_extensions([("size", part.len().to_string().as_bytes())])?;
        }
        tar.append_data(&mut header, name(index), *part)?;
    }
    Ok(vec![("a.zip", zip.finish()?.into_inner()), ("a.tar", tar.into_inner()?)])
}

/// Returns the archive with a few other bytes: two bytes at the end of the input say which, and one what they become.
fn damaged(archive: &[u8], bytes: &[u8]) -> Vec<u8> {
    let mut archive = archive.to_vec();
    for change in bytes.rchunks_exact(3).take(2) {
        let at = usize::from(change[0]) << 8 | usize::from(change[1]);
        let length = archive.len();
        archive[length - 1 - at % length] ^= change[2];
    }
    archive
}

/// Returns the stretches between separators.
fn split<'b>(bytes: &'b [u8], separator: &[u8]) -> Vec<&'b [u8]> {
    let (mut parts, mut at) = (Vec::new(), 0);
    for found in memchr::memmem::find_iter(bytes, separator) {
        parts.push(&bytes[at..found]);
        at = found + separator.len();
    }
    parts.push(&bytes[at..]);
    parts
}
