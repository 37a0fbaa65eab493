//! Compares the files of two trees.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use absolve_containers::FileType;
use absolve_files::{
    Cell, Collection, Column, Content, Entry, EntryKind, Way, have_same_bytes, longest, origin_of, path_beside_arc,
};
use absolve_framing::ArchiveFormat;
use absolve_rewriter::DocumentType;
use absolve_rewriter::internal::UrlSource;
use absolve_verifier::{
    Difference, Retrieved, Revisits, Rule, Settings, Surroundings, Verdict, WarcOutput, unpacks_itself, verify_archive,
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
    /// Where the run has written the entries: into a folder, a file, or a bundle.
    pub(crate) column: Column,
    /// Whether unchanged files are left out.
    pub(crate) only_changed: bool,
    /// What is written of a web archive.
    pub(crate) form: WarcOutput,
    pub(crate) settings: &'t Settings,
    /// The references of revisits in all archives of the folder.
    pub(crate) revisits: &'t Mutex<Revisits>,
}

impl Trees<'_> {
    /// Returns how the run writes an entry, or why not.
    fn way(&self, entry: &Entry) -> io::Result<Cell> {
        let column = if entry.member().is_some() { Column::Member } else { self.column };
        Ok(Content::of(entry, self.form)?.to(column))
    }

    /// Returns where an entry is in the rewritten tree. The name of a message in a Maildir may contain its new size.
    fn counterpart(&self, entry: &Entry) -> PathBuf {
        if self.column != Column::Folder {
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
pub(crate) fn verify_entry(entry: &Entry, trees: &Trees<'_>) -> io::Result<Verdict> {
    let rewritten = trees.counterpart(entry);
    let Ok(metadata) = fs::symlink_metadata(&rewritten) else {
        return match (trees.only_changed, &entry.kind) {
            // Without conversions there is none; then no link may need a change.
            _ if is_sidecar(entry, trees)? => verify_unconverted(&File::open(&entry.source)?, trees.settings),
            (false, _) => Ok(differs(Rule::File, "it is missing")),
            (true, EntryKind::Folder | EntryKind::Symlink(_)) => Ok(Verdict::default()),
            // The conversions of an ARC are beside its place.
            (true, _) if trees.way(entry)? == Ok(Way::Beside) => {
                verify_beside_arc(&File::open(&entry.source)?, &rewritten, trees.settings)
            }
            // A file that is left out has not changed: no link in it may need a change.
            (true, _) => verify_file(entry, &entry.source, trees),
        };
    };
    match entry.kind {
        EntryKind::Folder if metadata.is_dir() => Ok(Verdict::default()),
        EntryKind::Folder => Ok(differs(Rule::File, "it is no longer a folder")),
        EntryKind::Symlink(_) => {
            if !metadata.is_symlink() || fs::read_link(&entry.source)? != fs::read_link(&rewritten)? {
                return Ok(differs(Rule::File, "the symbolic link differs"));
            }
            let has_lost_it =
                entry.source.exists() && trees.messages.has_renamed_target_of(&rewritten, trees.rewritten);
            let message = "the symbolic link leads nowhere, because the message it led to has another name";
            Ok(if has_lost_it { differs(Rule::File, message) } else { Verdict::default() })
        }
        _ if trees.column == Column::Folder && !metadata.is_file() => Ok(differs(Rule::File, "it is no longer a file")),
        _ => verify_written(entry, &rewritten, trees),
    }
}

/// Verifies a file and its name.
pub(crate) fn verify_written(entry: &Entry, rewritten: &Path, trees: &Trees<'_>) -> io::Result<Verdict> {
    let mut verdict = verify_file(entry, rewritten, trees)?;
    verdict.differences.extend(wrong_size(rewritten, entry, trees.messages)?);
    Ok(verdict)
}

/// Returns whether the output of an entry is its conversions only, and no file if there are none.
pub(crate) fn is_sidecar(entry: &Entry, trees: &Trees<'_>) -> io::Result<bool> {
    Ok(trees.way(entry)? == Ok(Way::Conversions))
}

/// Returns whether an entry is an archive to whose records revisits in another one may refer. A member of a bundle is not.
pub(crate) fn is_of_run(entry: &Entry, trees: &Trees<'_>) -> bool {
    let is_archive = trees.column == Column::Folder && entry.member().is_none();
    is_archive
        && matches!(entry.file_type(), Ok(Some(FileType::WARC)))
        && matches!(trees.way(entry), Ok(Ok(Way::Derived)))
}

/// Returns whether an entry is a web archive of which such a run writes a copy, so that its records are not compared.
pub(crate) fn is_only_bytes(entry: &Entry, trees: &Trees<'_>) -> bool {
    matches!(trees.way(entry), Ok(Err(_)))
}

/// Returns the files of the rewritten folder that are the counterpart of no entry.
pub(crate) fn unexpected(collection: &Collection, trees: &Trees<'_>) -> Vec<PathBuf> {
    if trees.column != Column::Folder {
        return Vec::new();
    }
    let mut expected: HashSet<PathBuf> = HashSet::new();
    for entry in &collection.entries {
        let path = trees.counterpart(entry);
        if matches!(trees.way(entry), Ok(Ok(Way::Beside))) {
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

fn verify_file(entry: &Entry, rewritten: &Path, trees: &Trees<'_>) -> io::Result<Verdict> {
    let Some(file_type) = entry.file_type()? else {
        return same(&entry.source, rewritten, Rule::File, "it is not a document, but differs");
    };
    // A file that is too long is left unchanged.
    if entry.attributes.size > longest(file_type) {
        return same(&entry.source, rewritten, Rule::Kept, "it is too long to be read, but differs");
    }
    if rewritten.metadata()?.len() > longest(file_type).saturating_add(LONGER) {
        return Ok(differs(Rule::Unread, "it is longer than the original can become"));
    }
    match file_type {
        FileType::Document(document_type) => verify_page(entry, rewritten, document_type, trees),
        FileType::Message | FileType::Mailbox => verify_mail(entry, rewritten, file_type, trees),
        _ => verify_web_archive(entry, rewritten, file_type, trees),
    }
}

fn verify_page(entry: &Entry, rewritten: &Path, document_type: DocumentType, trees: &Trees<'_>) -> io::Result<Verdict> {
    let (original, new) = (fs::read(&entry.source)?, fs::read(rewritten)?);
    if ArchiveFormat::of(&original).is_some() {
        return same(&entry.source, rewritten, Rule::Kept, "it is a web archive despite its name, but differs");
    }
    if document_type == DocumentType::Html && unpacks_itself(&original) {
        return same(
            &entry.source,
            rewritten,
            Rule::Kept,
            "it unpacks itself by offsets, which would be wrong, but differs",
        );
    }
    let origin = origin_of(entry, &original, document_type);
    let surroundings = Surroundings {
        retrieval: origin.retrieval,
        retrieval_is_found: origin.is_found,
        saved_base: origin.base,
        has_added_base: origin.has_added_base,
        has_moved_links: origin.has_moved_links,
        ..Surroundings::default()
    };
    let charset = entry.provenance.charset;
    let mut verdict = verify_document(&original, &new, document_type, charset, &surroundings, trees.settings);
    verdict.counts.records += 1;
    Ok(verdict)
}

/// Verifies a message, or a file of many. A name that a user has chosen may declare another compression than that of the original.
fn verify_mail(entry: &Entry, rewritten: &Path, file_type: FileType, trees: &Trees<'_>) -> io::Result<Verdict> {
    let (old, new) = (File::open(&entry.source)?, File::open(rewritten)?);
    let retrieval = entry.retrieval().map_or(Retrieved::Nowhere, |retrieval| match retrieval.source {
        UrlSource::Url if !is_page_name(&entry.source) => Retrieved::OfInput(&retrieval.url),
        source if source < UrlSource::Snapshot => Retrieved::Given(&retrieval.url),
        _ => Retrieved::Found(&retrieval.url),
    });
    let mut verdict = match file_type {
        FileType::Message => verify_message_file(&old, &new, retrieval, trees.settings)?,
        _ => verify_mbox(&old, &new, trees.settings)?,
    };
    verdict.differences.extend(verify_compression(
        &old,
        &new,
        Some(rewritten).filter(|_| trees.column == Column::File),
    )?);
    let of_record = verdict.differences.iter_mut().filter(|difference| difference.record.is_empty());
    of_record.for_each(|difference| difference.record.clone_from(&entry.record));
    Ok(verdict)
}

fn verify_web_archive(entry: &Entry, rewritten: &Path, file_type: FileType, trees: &Trees<'_>) -> io::Result<Verdict> {
    let (original, written) = (File::open(&entry.source)?, File::open(rewritten)?);
    let archive = |output| verify_archive(&original, &written, rewritten, output, trees.settings);
    let is_copy = || have_same_bytes(&original, &written);
    if file_type != FileType::Wacz && entry.type_of_content()?.is_none() && is_copy()? {
        // It is no archive, despite its name.
        return Ok(Verdict::default());
    }
    match trees.way(entry)? {
        Err(_) | Ok(Way::Beside) if !is_copy()? => {
            Ok(differs(Rule::File, "it is an archive that is left unchanged, but differs"))
        }
        Err(_) => Ok(Verdict::default()),
        Ok(Way::Beside) => verify_beside_arc(&original, rewritten, trees.settings),
        Ok(_) if file_type == FileType::Wacz => verify_wacz(&entry.source, rewritten, trees.settings),
        // A member without conversions stays.
        Ok(Way::Conversions) if trees.column == Column::Member && is_copy()? => {
            verify_unconverted(&original, trees.settings)
        }
        Ok(Way::Conversions) => archive(WarcOutput::Sidecar),
        Ok(Way::Derived) if is_of_run(entry, trees) => {
            let mut revisits = trees.revisits.lock().unwrap_or_else(PoisonError::into_inner);
            let output = WarcOutput::Resource;
            verify_archive_of_run(&original, &written, rewritten, output, &mut revisits, trees.settings)
        }
        Ok(Way::Derived) => archive(WarcOutput::Resource),
        Ok(_) => archive(WarcOutput::Append),
    }
}

/// Returns whether a message is a page by its name.
fn is_page_name(path: &Path) -> bool {
    path.extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case("mhtml") || extension.eq_ignore_ascii_case("mht"))
}

/// How much longer such a file may become.
const LONGER: u64 = 1 << 30;

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
    let are_same = have_same_bytes(&File::open(original)?, &File::open(rewritten)?)?;
    Ok(if are_same { Verdict::default() } else { differs(rule, message) })
}

pub(crate) fn differs(rule: Rule, message: &str) -> Verdict {
    let mut verdict = Verdict::default();
    verdict.differences.push(Difference::new(rule, message));
    verdict
}
