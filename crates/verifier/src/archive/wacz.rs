//! WACZ: web archives in a ZIP, with an index of their records and digests of all files.

mod index;
mod package;

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;

use index::{Archives, verify_blocks, verify_index};
use package::{DIGEST, PACKAGE, verify_digest, verify_package};
use zip::ZipArchive;

use super::derived::revisits::Revisits;
use super::derived::verify_derived;
use super::format::Format;
use crate::compression::Compression;
use crate::compression::decompressed::Decompressed;
use crate::settings::Settings;
use crate::storage::Stored;
use crate::storage::digest::length_and_sha256;
use crate::storage::temporary::Spool;
use crate::verdict::{Difference, Rule, Verdict};

/// Verifies a derived WACZ: its archives, the rows of its index, and its digests. All other files have to be unchanged.
///
/// # Errors
///
/// An error of reading a file. If a file is no ZIP, the verdict contains that.
///
/// ```
/// use absolve_verifier::{Rule, Settings, verify_wacz};
/// let folder = tempfile::tempdir().unwrap();
/// let path = folder.path().join("a.wacz");
/// std::fs::write(&path, "no ZIP").unwrap();
/// assert_eq!(verify_wacz(&path, &path, &Settings::default()).unwrap().differences[0].rule, Rule::Unread);
/// ```
pub fn verify_wacz(original: &Path, rewritten: &Path, settings: &Settings) -> io::Result<Verdict> {
    let (old_file, new_file) = (File::open(original)?, File::open(rewritten)?);
    let mut verdict = Verdict::default();
    verdict.counts.bytes = old_file.metadata()?.len();
    let is_same = Stored::File(&new_file).is_same_as((&old_file).into())?;
    let unread =
        |why: zip::result::ZipError| Difference::new(Rule::Unread, format!("it cannot be read as a ZIP: {why}"));
    match (ZipArchive::new(BufReader::new(old_file)), ZipArchive::new(BufReader::new(new_file))) {
        (Ok(old), Ok(new)) => {
            let (archives, revisits) = (Archives::default(), Revisits::default());
            let mut comparison = Comparison { old, new, is_same, archives, revisits, settings, verdict };
            comparison.compare()?;
            Ok(comparison.verdict)
        }
        (Err(why), _) | (_, Err(why)) => {
            verdict.differences.push(unread(why));
            if !is_same {
                verdict.differences.push(Difference::new(Rule::File, "it has changed"));
            }
            Ok(verdict)
        }
    }
}

type Zip = ZipArchive<BufReader<File>>;

struct Comparison<'s> {
    old: Zip,
    new: Zip,
    is_same: bool,
    archives: Archives,
    revisits: Revisits,
    settings: &'s Settings,
    verdict: Verdict,
}

/// The purpose of a file in a WACZ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Purpose {
    Archive,
    Index,
    /// A list of the blocks of an index.
    Blocks,
    Package,
    Digest,
    Other,
}

impl Comparison<'_> {
    fn compare(&mut self) -> io::Result<()> {
        let (old_names, new_names) = (names(&mut self.old)?, names(&mut self.new)?);
        for name in new_names.keys().filter(|name| !old_names.contains_key(*name)) {
            self.report(name, [Difference::new(Rule::File, "it was added")]);
        }
        let mut names: Vec<_> = old_names.into_iter().collect();
        names.sort_by_key(|(_, old)| *old);
        let mut shared = Vec::new();
        for (name, old) in names {
            match new_names.get(&name) {
                Some(new) => shared.push((purpose_of(&name), name, old, *new)),
                None => self.report(&name, [Difference::new(Rule::File, "it is missing")]),
            }
        }
        for (.., old, _) in shared.iter().filter(|(purpose, ..)| *purpose == Purpose::Archive) {
            // What cannot be read is reported when it is compared.
            let _ = extracted(&mut self.old, *old).and_then(|old| self.revisits.add_archive(&old));
        }
        // Archives come first, because indexes refer to them.
        for (_, name, old, new) in shared.iter().filter(|(purpose, ..)| *purpose == Purpose::Archive) {
            self.archive(name, *old, *new)?;
        }
        if self.is_same {
            return Ok(());
        }
        for (purpose, name, old, new) in shared {
            let found = match purpose {
                Purpose::Archive => continue,
                Purpose::Index => self.index(&name, old, new)?,
                Purpose::Blocks => self.blocks(&name, old, new)?,
                Purpose::Package => {
                    verify_package(&self.text(old, PACKAGE)?, &self.new_text(new, PACKAGE)?, &mut self.new)?
                }
                Purpose::Digest => {
                    let package = self.new.index_for_name(PACKAGE);
                    let package = package.map_or(Ok(String::new()), |index| text(&mut self.new, index, PACKAGE))?;
                    verify_digest(&self.text(old, DIGEST)?, &self.new_text(new, DIGEST)?, &package)
                }
                Purpose::Other => self.same(old, new)?.err().into_iter().collect(),
            };
            self.report(&name, found);
        }
        Ok(())
    }

    fn report(&mut self, name: &str, differences: impl IntoIterator<Item = Difference>) {
        self.verdict.add(Verdict::of(differences), name);
    }

    fn text(&mut self, index: usize, name: &str) -> io::Result<String> {
        text(&mut self.old, index, name)
    }

    fn new_text(&mut self, index: usize, name: &str) -> io::Result<String> {
        text(&mut self.new, index, name)
    }

    fn archive(&mut self, name: &str, old: usize, new: usize) -> io::Result<()> {
        let (old, new) = (extracted(&mut self.old, old), extracted(&mut self.new, new));
        let (old, new) = match (old, new) {
            (Ok(old), Ok(new)) => (old, new),
            (Err(why), _) | (_, Err(why)) => {
                self.report(name, [Difference::new(Rule::Unread, why.to_string())]);
                return Ok(());
            }
        };
        let mut start = Vec::new();
        let is_readable = Decompressed::of_file((&old).into())?.take(5).read_to_end(&mut start).is_ok();
        if !(is_readable && start == b"WARC/" && Format::of_file((&old).into())? == Format::Warc) {
            let is_same = Stored::File(&new).is_same_as((&old).into())?;
            self.report(name, (!is_same).then(|| Difference::new(Rule::File, "it is not an archive, and has changed")));
            return Ok(());
        }
        let compression = Compression::of_file((&old).into())?;
        let mut derived = verify_derived((&old).into(), (&new).into(), compression, &mut self.revisits, self.settings)?;
        // A record is described by its archive and its number.
        for difference in &mut derived.verdict.differences {
            difference.record = format!("{name} {}", difference.record).trim_end().to_owned();
        }
        derived.verdict.counts.bytes = 0;
        self.verdict.add(derived.verdict, "");
        self.archives.add(name, derived.places, new);
        Ok(())
    }

    fn index(&mut self, name: &str, old: usize, new: usize) -> io::Result<Vec<Difference>> {
        let old = self.old.by_index(old).map_err(io::Error::other)?;
        let new = self.new.by_index(new).map_err(io::Error::other)?;
        verify_index(old, new, name.ends_with(".gz"), &self.archives)
    }

    /// Verifies a list of blocks against the index as it is now.
    fn blocks(&mut self, name: &str, old: usize, new: usize) -> io::Result<Vec<Difference>> {
        if self.same(old, new)?.is_ok() {
            return Ok(Vec::new());
        }
        let stem = name.trim_end_matches(".idx");
        let index = [".cdx.gz", ".cdxj.gz"].iter().find_map(|end| self.new.index_for_name(&format!("{stem}{end}")));
        match index {
            Some(index) => verify_blocks(&self.new_text(new, name)?, Stored::File(&extracted(&mut self.new, index)?)),
            None => Ok(vec![Difference::new(Rule::File, "it belongs to no index, and has changed")]),
        }
    }

    /// Verifies that two files are equal.
    fn same(&mut self, old: usize, new: usize) -> io::Result<Result<(), Difference>> {
        let old = length_and_sha256(self.old.by_index(old).map_err(io::Error::other)?);
        let new = length_and_sha256(self.new.by_index(new).map_err(io::Error::other)?);
        Ok(match (old, new) {
            (Ok(old), Ok(new)) if old == new => Ok(()),
            (Err(why), _) | (_, Err(why)) => Err(Difference::new(Rule::Unread, why.to_string())),
            _ => Err(Difference::new(Rule::File, "it is not an archive, and has changed")),
        })
    }
}

/// Returns the indexes of the files by their names.
fn names(zip: &mut Zip) -> io::Result<HashMap<String, usize>> {
    let count = zip.len();
    let name = |index| {
        let file = zip.by_index_raw(index).map_err(io::Error::other)?;
        Ok((String::from_utf8_lossy(file.name_raw()).into_owned(), index))
    };
    (0..count).map(name).collect()
}

fn purpose_of(name: &str) -> Purpose {
    let is_index = [".cdx", ".cdxj", ".cdx.gz", ".cdxj.gz"].iter().any(|end| name.ends_with(end));
    match name {
        PACKAGE => Purpose::Package,
        DIGEST => Purpose::Digest,
        _ if name.starts_with("archive/") => Purpose::Archive,
        _ if name.starts_with("indexes/") && is_index => Purpose::Index,
        _ if name.starts_with("indexes/") && name.ends_with(".idx") => Purpose::Blocks,
        _ => Purpose::Other,
    }
}

/// Copies a file of a ZIP into a temporary file.
fn extracted(zip: &mut Zip, index: usize) -> io::Result<File> {
    Spool::file_of(zip.by_index(index).map_err(io::Error::other)?)
}

fn text(zip: &mut Zip, index: usize, name: &str) -> io::Result<String> {
    const LONGEST: u64 = 64 << 20;
    let mut text = Vec::new();
    zip.by_index(index).map_err(io::Error::other)?.take(LONGEST + 1).read_to_end(&mut text)?;
    match String::from_utf8(text) {
        Ok(text) if text.len() as u64 <= LONGEST => Ok(text),
        _ => Err(io::Error::other(format!("{name} is too long, or is not UTF-8"))),
    }
}
