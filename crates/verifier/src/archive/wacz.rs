//! WACZ: web archives in a ZIP, with an index of their records and digests of all files.

mod index;

use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;

use absolve_framing::{ArchiveFormat, Compression, FileHash, PACKAGE, PACKAGE_DIGEST, Package, package_digest};
use index::{Archives, blocks};
use zip::ZipArchive;

use super::derived::revisits::Revisits;
use super::derived::verify_derived;
use super::expected::is_date;
use super::line::Line;
use super::{format_of, readable};
use crate::bundle::zip::unlisted;
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
    let (old, new) = (File::open(original)?, File::open(rewritten)?);
    let mut verdict = readable(compared(&old, &new, settings))?;
    verdict.counts.bytes = old.metadata()?.len();
    // A file that cannot be read is left unchanged.
    let is_unread = verdict.differences.iter().any(|one| one.rule == Rule::Unread && one.record.is_empty());
    if is_unread && !Stored::File(&new).is_same_as((&old).into())? {
        verdict.differences.push(Difference::new(Rule::File, "it has changed"));
    }
    Ok(verdict)
}

fn compared(old: &File, new_file: &File, settings: &Settings) -> io::Result<Verdict> {
    let is_same = Stored::File(new_file).is_same_as(old.into())?;
    let zip = |file: &File| Ok::<_, io::Error>(ZipArchive::new(BufReader::new(file.try_clone()?))?);
    let (old, new) = (zip(old)?, zip(new_file)?);
    let (archives, lists, verdict) = (Archives::default(), HashMap::new(), Verdict::default());
    let mut comparison = Comparison { old, new, archives, lists, settings, verdict };
    let pairs = comparison.pairs()?;
    comparison.compare_archives(&pairs)?;
    if !is_same {
        comparison.compare_others(&pairs)?;
        for (name, message) in unlisted(new_file)? {
            comparison.report(&name, [Difference::new(Rule::File, message)]);
        }
    }
    Ok(comparison.verdict)
}

type Zip = ZipArchive<BufReader<File>>;

struct Comparison<'s> {
    old: Zip,
    new: Zip,
    archives: Archives,
    /// What the lists of the blocks of indexes have to be, by their names.
    lists: HashMap<String, Vec<u8>>,
    settings: &'s Settings,
    verdict: Verdict,
}

/// A file that both versions contain, with its places in them.
struct Pair {
    name: String,
    old: usize,
    new: usize,
}

impl Comparison<'_> {
    /// Compares all files but the archives: indexes before the lists of their blocks.
    fn compare_others(&mut self, pairs: &[Pair]) -> io::Result<()> {
        let (indexes, others): (Vec<_>, Vec<_>) = pairs.iter().partition(|pair| is_index(&pair.name));
        for pair in indexes.into_iter().chain(others).filter(|pair| !is_archive(&pair.name)) {
            let found = self.difference(pair)?;
            self.report(&pair.name, found);
        }
        Ok(())
    }

    fn report(&mut self, name: &str, differences: impl IntoIterator<Item = Difference>) {
        self.verdict.add(Verdict::of(differences), name);
    }

    /// Returns the files that both versions contain. They have the order of the original, apart from the digests, which are last.
    fn pairs(&mut self) -> io::Result<Vec<Pair>> {
        let (mut expected, found) = (names(&mut self.old)?, names(&mut self.new)?);
        let places: HashMap<&str, usize> = found.iter().map(String::as_str).zip(0..).collect();
        let mut pairs = Vec::new();
        for (old, name) in expected.iter().enumerate() {
            match places.get(&**name) {
                Some(new) => pairs.push(Pair { name: name.clone(), old, new: *new }),
                None => self.report(name, [Difference::new(Rule::File, "it is missing")]),
            }
        }
        let order = expected.clone();
        expected.sort_by_key(|name| (name == PACKAGE_DIGEST, name == PACKAGE));
        let known: HashSet<&String> = expected.iter().collect();
        for name in found.iter().filter(|name| !known.contains(name)) {
            self.report(name, [Difference::new(Rule::File, "it was added")]);
        }
        if found.len() == pairs.len() && found != expected && found != order {
            self.report("", [Difference::new(Rule::File, "its files have another order")]);
        }
        Ok(pairs)
    }

    fn compare_archives(&mut self, pairs: &[Pair]) -> io::Result<()> {
        let mut revisits = Revisits::default();
        let archives = || pairs.iter().filter(|pair| is_archive(&pair.name));
        for pair in archives() {
            // What cannot be read is reported when it is compared.
            let _ = extracted(&mut self.old, pair.old).and_then(|old| revisits.add_archive(&old));
        }
        for pair in archives() {
            self.compare_archive(pair, &mut revisits)?;
        }
        Ok(())
    }

    fn compare_archive(&mut self, Pair { name, old, new }: &Pair, revisits: &mut Revisits) -> io::Result<()> {
        let (old, new) = (extracted(&mut self.old, *old)?, extracted(&mut self.new, *new)?);
        let (format, compression) = format_of((&old).into())?;
        if format != Some(ArchiveFormat::Warc) {
            let is_same = Stored::File(&new).is_same_as((&old).into())?;
            self.report(name, (!is_same).then(|| Difference::new(Rule::File, "it is not an archive, and has changed")));
            return Ok(());
        }
        let (mut verdict, places) = verify_derived((&old).into(), (&new).into(), compression, revisits, self.settings)?;
        for one in &mut verdict.differences {
            one.record = record_of(name, &one.record);
        }
        verdict.counts.bytes = 0;
        // The index of records that are compressed otherwise cannot be updated.
        if places.is_some() && !matches!(compression, Compression::None | Compression::Gzip) {
            let message = "it has changed, and the index of records so compressed cannot be updated";
            self.report(name, [Difference::new(Rule::File, message)]);
        }
        self.archives.add(name, places);
        self.verdict.add(verdict, "");
        Ok(())
    }

    /// Compares a file with what it has to be.
    fn difference(&mut self, Pair { name, old, new }: &Pair) -> io::Result<Option<Difference>> {
        let is_made = is_index(name) || [PACKAGE, PACKAGE_DIGEST].contains(&&**name);
        if !is_made && !self.lists.contains_key(name) {
            let is_same = raw(&mut self.old, *old)? == raw(&mut self.new, *new)?;
            return Ok((!is_same).then(|| Difference::new(Rule::File, "it has changed")));
        }
        let (mut old, mut new) = (content(&mut self.old, *old)?, content(&mut self.new, *new)?);
        let expected = match &**name {
            PACKAGE => self.package(&old, &new)?,
            PACKAGE_DIGEST => {
                let package = self.new.index_for_name(PACKAGE);
                let package = package.map_or(Ok(Vec::new()), |index| content(&mut self.new, index))?;
                package_digest(&old, &package)?.0
            }
            _ if is_index(name) => {
                if let Some(stem) = name.strip_suffix(".cdx.gz").or_else(|| name.strip_suffix(".cdxj.gz")) {
                    let (rows, list) = blocks(name, &new)?;
                    (old, new) = (blocks(name, &old)?.0, rows);
                    self.lists.insert(format!("{stem}.idx"), list);
                }
                self.archives.index(&old)
            }
            _ => self.lists[name].clone(),
        };
        let line = Line::different(&expected, &new);
        Ok(line.map(|line| {
            let rule = rule_of(name, &line);
            line.difference(rule, "line")
        }))
    }

    /// Returns what the list of the files has to be: with the date of the `new` one, and the sizes and digests of all changed files.
    fn package(&mut self, old: &[u8], new: &[u8]) -> io::Result<Vec<u8>> {
        let (mut package, new) = (Package::parse(old)?, Package::parse(new).ok());
        let paths: HashSet<String> = package.paths().map(str::to_owned).collect();
        for path in &paths {
            let is_index = is_index(path) || self.lists.contains_key(path);
            let index = self.new.index_for_name(path).filter(|_| is_index || self.archives.has_changed(path));
            if let Some(index) = index {
                let mut hash = FileHash::default();
                io::copy(&mut self.new.by_index(index)?, &mut hash)?;
                package.set(path, hash);
            }
        }
        let modified = new.as_ref().and_then(Package::modified).filter(|date| is_date(date));
        Ok(package.into_text(modified.unwrap_or_default()))
    }
}

/// Returns the rule that a file of this name breaks in whose line something else is.
fn rule_of(name: &str, line: &Line) -> Rule {
    let before_digest = |row: &str| row.split_once("\"digest\":\"sha256:").map(|(before, _)| before.to_owned());
    let place = before_digest(&line.expected);
    let is_of_block = place.is_some() && place == before_digest(&line.found);
    let is_of_file = ["\"hash\"", "\"bytes\""].iter().any(|field| line.expected.trim_start().starts_with(field));
    match name {
        _ if is_of_block || is_of_file => Rule::Digest,
        PACKAGE_DIGEST => Rule::Digest,
        PACKAGE => Rule::File,
        _ => Rule::Record,
    }
}

/// Returns the name of a record of an archive: the path of that and its number.
fn record_of(archive: &str, record: &str) -> String {
    format!("{archive} {record}").trim_end().to_owned()
}

/// Returns the names of the files, in order.
fn names(zip: &mut Zip) -> io::Result<Vec<String>> {
    let count = zip.len();
    let name = |index| Ok(String::from_utf8_lossy(zip.by_index_raw(index)?.name_raw()).into_owned());
    (0..count).map(name).collect()
}

fn is_archive(name: &str) -> bool {
    name.starts_with("archive/")
}

fn is_index(name: &str) -> bool {
    let ends = [".cdx", ".cdxj", ".cdx.gz", ".cdxj.gz"];
    name.starts_with("indexes/") && ends.iter().any(|end| name.ends_with(end))
}

/// Copies a file of a ZIP into a temporary file.
fn extracted(zip: &mut Zip, index: usize) -> io::Result<File> {
    Spool::file_of(zip.by_index(index)?)
}

/// Returns the content of a file that is read into memory.
fn content(zip: &mut Zip, index: usize) -> io::Result<Vec<u8>> {
    const LONGEST: u64 = 256 << 20;
    let mut content = Vec::new();
    zip.by_index(index)?.take(LONGEST + 1).read_to_end(&mut content)?;
    match content.len() as u64 <= LONGEST {
        true => Ok(content),
        false => Err(io::Error::other("a file of it is too long to be read into memory")),
    }
}

/// Returns the digest of a file as it is compressed in the ZIP, with the fields that describe it.
fn raw(zip: &mut Zip, index: usize) -> io::Result<impl PartialEq + use<>> {
    let file = zip.by_index_raw(index)?;
    let fields = (file.compression(), file.crc32(), file.size(), file.last_modified(), file.unix_mode());
    let comment = file.comment().to_owned();
    Ok((fields, comment, length_and_sha256(file)?))
}
