//! What there is nothing to rewrite in.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use absolve_containers::FileType;
use absolve_files::{Collection, Entry, EntryKind, RunReport};
use absolve_rewriter::Code;

use crate::args::input::InputArguments;
use crate::args::rewrite::RewriteArguments;
use crate::inputs::no_document_in;

/// What the inputs lack.
pub(crate) struct Missing {
    /// The inputs without documents, with the reason.
    empty: Vec<String>,
    /// The type of a file that is the whole input.
    only: Option<FileType>,
}

impl Missing {
    pub(crate) fn of(input: &InputArguments, collection: &Collection) -> Self {
        Self { empty: without_documents(input, collection), only: type_of_only(collection) }
    }

    /// Returns a line for each input of which nothing was read.
    pub(crate) fn lines(&self, arguments: &RewriteArguments, report: &RunReport) -> Vec<String> {
        let unread = self.only.filter(|file_type| is_unread(*file_type, report)).map(|_| {
            let input = arguments.input.inputs[0].display();
            format!("nothing could be read in {input}: it is copied as it is, and the warnings say why")
        });
        self.empty.iter().map(|input| format!("nothing to rewrite in {input}")).chain(unread).collect()
    }
}

/// Returns the folders and archives among the inputs of which no file is a document, and all inputs if there is no document at
/// all, with the reason. All of them is written nevertheless: they may be parts of a mirror.
fn without_documents(input: &InputArguments, collection: &Collection) -> Vec<String> {
    let is_bundle = |entry: &&Entry| matches!(entry.kind, EntryKind::Bundle(_));
    let bundles = collection.entries.iter().filter(is_bundle).map(|entry| &entry.source);
    let folders = input.inputs.iter().filter(|input| input.is_dir());
    let mut empty: BTreeSet<&Path> = folders.chain(bundles).map(PathBuf::as_path).collect();
    let mut has_document = false;
    // Files are opened to find out only where no name says it.
    let known = collection.entries.iter().filter(|entry| entry.is_known_unread());
    for entry in known.chain(collection.entries.iter().filter(|entry| !entry.is_known_unread())) {
        if has_document && empty.is_empty() {
            break;
        }
        if entry.may_be_document() {
            has_document = true;
            let around = entry.source.ancestors().find(|path| empty.contains(path));
            around.map(|path| empty.remove(path));
        }
    }
    if !has_document {
        empty.extend(input.inputs.iter().map(PathBuf::as_path));
    }
    // A Maildir may be empty, as an mbox may.
    let maildirs = collection.maildirs();
    empty.retain(|input| !maildirs.iter().any(|maildir| maildir.starts_with(input)));
    empty.retain(|path| !collection.errors.iter().any(|error| error.path.starts_with(path)));
    let entries = &collection.entries;
    empty.into_iter().map(|path| format!("{}: {}", path.display(), no_document_in(path, entries))).collect()
}

/// Returns the type of a message or a container that is the whole input, if it is not empty.
pub(crate) fn type_of_only(collection: &Collection) -> Option<FileType> {
    let [entry] = &collection.entries[..] else { return None };
    entry.file_type().ok()?.filter(|file_type| entry.attributes.size > 0 && !matches!(file_type, FileType::Document(_)))
}

/// Returns whether nothing of such a file was read, which a finding says.
pub(crate) fn is_unread(file_type: FileType, report: &RunReport) -> bool {
    let is_none = if file_type == FileType::Message { report.counts.documents == 0 } else { report.records == 0 };
    let is_said = Code::all().any(|code| code.leaves_unread() && report.findings.contains_key(code.name()));
    is_none && report.errors.is_empty() && is_said
}
