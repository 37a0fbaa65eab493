//! Compares the files of two trees.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use absolve_containers::FileType;
use absolve_files::{
    Collection, DOCUMENT_FILE_BYTES, Entry, EntryKind, MESSAGE_FILE_BYTES, origin_of, path_beside_arc,
};
use absolve_rewriter::UrlSource;
use absolve_verifier::{
    Difference, Retrieved, Revisits, Rule, Settings, Surroundings, Verdict, WarcOutput, verify_archive,
    verify_archive_of_run, verify_compression, verify_document, verify_mbox, verify_message_file, verify_unconverted,
    verify_wacz,
};

use crate::commands::verify::maildir::{Messages, wrong_size};

/// The rewritten tree, and what it is expected to hold.
#[derive(Clone, Copy)]
pub(crate) struct Trees<'t> {
    pub(crate) rewritten: &'t Path,
    /// The messages of its Maildirs.
    pub(crate) messages: &'t Messages,
    /// Whether both are folders.
    pub(crate) is_folder: bool,
    /// Whether unchanged files are left out.
    pub(crate) only_changed: bool,
    pub(crate) warc: WarcOutput,
    /// The references of revisits in all archives of the folder.
    pub(crate) revisits: &'t Mutex<Revisits>,
}

impl Trees<'_> {
    /// Returns the name of a rewritten file, if a user has chosen it: it may declare another compression than that of the original.
    const fn named<'p>(&self, rewritten: &'p Path) -> Option<&'p Path> {
        if self.is_folder { None } else { Some(rewritten) }
    }

    /// Returns where an entry is in the rewritten tree. The name of a message in a Maildir may contain its new size.
    fn counterpart(&self, entry: &Entry) -> PathBuf {
        if !self.is_folder {
            return self.rewritten.to_owned();
        }
        let path = self.rewritten.join(&entry.path);
        if entry.record.is_empty() || path.exists() {
            return path;
        }
        self.messages.counterpart(&path).unwrap_or(path)
    }
}

/// Verifies an entry against its counterpart.
pub(crate) fn verify_entry(entry: &Entry, trees: &Trees<'_>, settings: &Settings) -> io::Result<Verdict> {
    let rewritten = trees.counterpart(entry);
    let Ok(metadata) = fs::symlink_metadata(&rewritten) else {
        return match (trees.only_changed, entry.kind) {
            // Without conversions there is none; then no link may need a change.
            _ if is_sidecar(entry, trees)? => verify_unconverted(&File::open(&entry.source)?, settings),
            (false, _) => Ok(differs(Rule::File, "it is missing")),
            (true, EntryKind::Folder | EntryKind::Symlink) => Ok(Verdict::default()),
            // The conversions of an ARC are beside its place.
            (true, _) if entry.file_type()? == Some(FileType::ARC) && trees.warc != WarcOutput::Resource => {
                verify_beside_arc(&File::open(&entry.source)?, &rewritten, settings)
            }
            // A file that is left out has not changed: no link in it may need a change.
            (true, _) => verify_file(entry, &entry.source, trees, settings),
        };
    };
    match entry.kind {
        EntryKind::Folder if metadata.is_dir() => Ok(Verdict::default()),
        EntryKind::Folder => Ok(differs(Rule::File, "it is no longer a folder")),
        EntryKind::Symlink => {
            if !metadata.is_symlink() || fs::read_link(&entry.source)? != fs::read_link(&rewritten)? {
                return Ok(differs(Rule::File, "the symbolic link differs"));
            }
            let has_lost_it =
                entry.source.exists() && trees.messages.has_renamed_target_of(&rewritten, trees.rewritten);
            let message = "the symbolic link leads nowhere, because the message it led to has another name";
            Ok(if has_lost_it { differs(Rule::File, message) } else { Verdict::default() })
        }
        _ if trees.is_folder && !metadata.is_file() => Ok(differs(Rule::File, "it is no longer a file")),
        _ => verify_written(entry, &rewritten, trees, settings),
    }
}

/// Verifies a file and its name.
pub(crate) fn verify_written(
    entry: &Entry,
    rewritten: &Path,
    trees: &Trees<'_>,
    settings: &Settings,
) -> io::Result<Verdict> {
    let mut verdict = verify_file(entry, rewritten, trees, settings)?;
    verdict.differences.extend(wrong_size(rewritten, entry)?);
    Ok(verdict)
}

/// Returns whether the output of an entry is its conversions only, and no file if there are none.
pub(crate) fn is_sidecar(entry: &Entry, trees: &Trees<'_>) -> io::Result<bool> {
    Ok(match entry.file_type()? {
        Some(FileType::WARC) => trees.warc == WarcOutput::Sidecar,
        Some(FileType::ARC) => !trees.is_folder,
        _ => false,
    })
}

/// Returns whether an entry is an archive to whose records revisits in another one may refer. A member of a bundle is not.
pub(crate) fn is_of_run(entry: &Entry, trees: &Trees<'_>) -> bool {
    let is_derived = trees.is_folder && trees.warc == WarcOutput::Resource && entry.member().is_none();
    is_derived && matches!(entry.file_type(), Ok(Some(FileType::WARC)))
}

/// Returns whether an entry is a web archive of which such a run writes a copy, so that its records are not compared.
pub(crate) fn is_only_bytes(entry: &Entry, trees: &Trees<'_>) -> bool {
    match entry.file_type() {
        Ok(Some(FileType::WACZ)) => trees.warc != WarcOutput::Resource,
        Ok(Some(FileType::ARC)) => trees.warc == WarcOutput::Resource,
        _ => false,
    }
}

/// Returns the files of the rewritten folder that are the counterpart of no entry.
pub(crate) fn unexpected(collection: &Collection, trees: &Trees<'_>) -> Vec<PathBuf> {
    if !trees.is_folder {
        return Vec::new();
    }
    let mut expected: HashSet<PathBuf> = HashSet::new();
    for entry in &collection.entries {
        let path = trees.counterpart(entry);
        if entry.file_type().is_ok_and(|file_type| file_type == Some(FileType::ARC)) {
            expected.insert(path_beside_arc(&path));
        }
        expected.extend(path.ancestors().map(Path::to_owned));
    }
    let walk = walkdir::WalkDir::new(trees.rewritten).min_depth(1).sort_by_file_name();
    let found = walk.into_iter().flatten().map(walkdir::DirEntry::into_path);
    found.filter(|path| !expected.contains(path)).collect()
}

/// Verifies a file that is the counterpart of no entry. A run in place keeps what is no input, like the indexes of a mail server.
pub(crate) fn verify_unexpected(rewritten: &Path, original: Option<&Path>) -> Option<Difference> {
    let kind = |path: &Path| fs::symlink_metadata(path).map(|metadata| metadata.file_type());
    let before = original.and_then(|original| Some((original, kind(original).ok()?)));
    let found = match (before, kind(rewritten)) {
        (None, _) => Ok(differs(Rule::File, "the original has no such file")),
        (Some((original, before)), Ok(after)) if before.is_file() && after.is_file() => {
            same(original, rewritten, Rule::File, "it is not an input of a run, but differs")
        }
        // What is neither a file, a folder nor a symbolic link is not opened.
        (Some((_, before)), Ok(after)) if before == after && !before.is_dir() && !before.is_symlink() => {
            Ok(Verdict::default())
        }
        (Some(_), _) => Ok(differs(Rule::File, "it is not an input of a run, but has become something else")),
    };
    match found {
        Ok(verdict) => verdict.differences.into_iter().next(),
        Err(error) => Some(Difference::new(Rule::Unread, format!("cannot be compared: {error}"))),
    }
}

fn verify_file(entry: &Entry, rewritten: &Path, trees: &Trees<'_>, settings: &Settings) -> io::Result<Verdict> {
    let open = |path: &Path| File::open(path).map(BufReader::new);
    match entry.file_type()? {
        // A file that is too long is left unchanged.
        Some(file_type) if entry.size > longest(file_type) => {
            same(&entry.source, rewritten, Rule::Kept, "it is too long to be read, but differs")
        }
        Some(file_type) if rewritten.metadata()?.len() > longest(file_type).saturating_add(LONGER) => {
            Ok(differs(Rule::Unread, "it is longer than the original can become"))
        }
        Some(FileType::Document(document_type)) => {
            let (original, new) = (fs::read(&entry.source)?, fs::read(rewritten)?);
            let origin = origin_of(entry, &original, document_type);
            let surroundings = Surroundings {
                retrieval: origin.retrieval,
                retrieval_is_found: origin.is_found,
                saved_base: origin.base,
                has_moved_links: origin.has_moved_links,
                ..Surroundings::default()
            };
            let mut verdict = verify_document(&original, &new, document_type, entry.charset, &surroundings, settings);
            verdict.counts.records += 1;
            Ok(verdict)
        }
        Some(FileType::Message) => {
            let retrieval = entry.retrieval().map_or(Retrieved::Nowhere, |retrieval| match retrieval.source {
                source if source < UrlSource::Snapshot => Retrieved::Given(&retrieval.url),
                _ => Retrieved::Found(&retrieval.url),
            });
            let (old, new) = (File::open(&entry.source)?, File::open(rewritten)?);
            let mut verdict = verify_message_file(&old, &new, retrieval, settings)?;
            verdict.differences.extend(verify_compression(&old, &new, trees.named(rewritten))?);
            let of_record = verdict.differences.iter_mut().filter(|difference| difference.record.is_empty());
            of_record.for_each(|difference| difference.record.clone_from(&entry.record));
            Ok(verdict)
        }
        Some(FileType::MBOX) => {
            let (old, new) = (File::open(&entry.source)?, File::open(rewritten)?);
            let mut verdict = verify_mbox(&old, &new, settings)?;
            verdict.differences.extend(verify_compression(&old, &new, trees.named(rewritten))?);
            Ok(verdict)
        }
        Some(FileType::WARC | FileType::ARC)
            if entry.type_of_content()?.is_none() && are_same(open(&entry.source)?, open(rewritten)?)? =>
        {
            // It is no archive, despite its name.
            Ok(Verdict::default())
        }
        Some(FileType::WARC) => {
            let (original, written) = (File::open(&entry.source)?, File::open(rewritten)?);
            let output = trees.warc;
            if !is_of_run(entry, trees) {
                return verify_archive(&original, &written, rewritten, output, settings);
            }
            let mut revisits = trees.revisits.lock().unwrap_or_else(PoisonError::into_inner);
            verify_archive_of_run(&original, &written, rewritten, output, &mut revisits, settings)
        }
        Some(FileType::ARC | FileType::WACZ) if is_only_bytes(entry, trees) => {
            same(&entry.source, rewritten, Rule::File, "it is an archive that is left unchanged, but differs")
        }
        Some(FileType::ARC) => verify_arc(&entry.source, rewritten, trees, settings),
        Some(FileType::WACZ) => verify_wacz(&entry.source, rewritten, settings),
        _ => same(&entry.source, rewritten, Rule::File, "it is not a document, but differs"),
    }
}

/// Returns the maximum length of a file of this type that is read into memory.
const fn longest(file_type: FileType) -> u64 {
    match file_type {
        FileType::Document(_) => DOCUMENT_FILE_BYTES,
        FileType::Message => MESSAGE_FILE_BYTES,
        _ => u64::MAX,
    }
}

/// How much longer such a file may become.
const LONGER: u64 = 1 << 30;

/// Verifies the output for an ARC, which cannot hold conversions: a WARC beside its copy, or in its place.
fn verify_arc(original: &Path, rewritten: &Path, trees: &Trees<'_>, settings: &Settings) -> io::Result<Verdict> {
    let (original, written) = (File::open(original)?, File::open(rewritten)?);
    if !trees.is_folder {
        return verify_archive(&original, &written, rewritten, WarcOutput::Sidecar, settings);
    }
    if !are_same(BufReader::new(&original), BufReader::new(&written))? {
        return Ok(differs(Rule::File, "it is an archive that is left unchanged, but differs"));
    }
    verify_beside_arc(&original, rewritten, settings)
}

/// Verifies the conversions of an ARC beside the place of its copy.
fn verify_beside_arc(original: &File, copy: &Path, settings: &Settings) -> io::Result<Verdict> {
    let name = path_beside_arc(copy);
    match File::open(&name) {
        Ok(sidecar) => verify_archive(original, &sidecar, &name, WarcOutput::Sidecar, settings),
        // There is none: no link may need a change.
        Err(_) => verify_unconverted(original, settings),
    }
}

/// Verifies that a file is a copy.
fn same(original: &Path, rewritten: &Path, rule: Rule, message: &str) -> io::Result<Verdict> {
    let open = |path: &Path| File::open(path).map(BufReader::new);
    Ok(if are_same(open(original)?, open(rewritten)?)? { Verdict::default() } else { differs(rule, message) })
}

fn are_same(mut one: impl BufRead, mut other: impl BufRead) -> io::Result<bool> {
    loop {
        let (left, right) = (one.fill_buf()?, other.fill_buf()?);
        let length = left.len().min(right.len());
        if length == 0 {
            return Ok(left.is_empty() && right.is_empty());
        }
        if left[..length] != right[..length] {
            return Ok(false);
        }
        one.consume(length);
        other.consume(length);
    }
}

fn differs(rule: Rule, message: &str) -> Verdict {
    let mut verdict = Verdict::default();
    verdict.differences.push(Difference::new(rule, message));
    verdict
}
