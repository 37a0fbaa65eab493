//! `absolve pack`: packs a document and its files into one message.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use absolve_files::{Action, Entry, Existing, FileError, NewFile, folder_of, inspect_one};
use absolve_packer::{Format, PackError, Packed, PlainText, Request, Tree, pack};
use absolve_rewriter::{Code, Finding, Purpose};

use crate::args::input::InputArguments;
use crate::args::pack::PackArguments;
use crate::commands::rewrite::side_files::new_file;
use crate::inputs::{check_url, entries};
use crate::messages::{self, count, fail, print_errors, warn, warn_finding};
use crate::outcome::{Outcome, Stop, usage_error};
use crate::progress::Shown;

pub(crate) fn run(arguments: &PackArguments) -> Result<Outcome, Stop> {
    let request = request(arguments)?;
    let document = &*arguments.document;
    if document == Path::new("-") {
        return usage_error("standard input has no folder with files to embed; name a file");
    }
    let file = new_file(&arguments.output, if arguments.force { Existing::Replace } else { Existing::Refuse })?;
    let (tree, path) = folder_and_path(arguments)?;
    // With a root, the document is one of its files; without one, it is all of the input.
    let input = arguments.root.as_deref().unwrap_or(document);
    let input = InputArguments { inputs: vec![input.to_owned()], source: arguments.source.clone() };
    check_url(&input, request.options.rules)?;
    let collection = entries(&input, Purpose::Any, Shown::No)?;
    let is_document = |entry: &&Entry| arguments.root.is_none() || entry.path == path;
    let Some(entry) = collection.entries.iter().find(is_document) else {
        return usage_error(format!("{} cannot be read as a file of its root", document.display()));
    };
    let is_printed = |finding: &Finding| finding.code == Code::UrlNotUsed && !arguments.quiet;
    for (path, finding) in collection.findings.iter().filter(|(_, finding)| is_printed(finding)) {
        warn_finding(path, finding);
    }
    let known = if arguments.root.is_some() { collection.entries.clone() } else { Vec::new() };
    let tree = tree.with_entries(known);
    match inspect_one(entry, &collection.entries, &|entity| pack(entity, &path, &tree, &request)) {
        Ok(Some(Ok(packed))) => finish(arguments, file, &packed),
        Ok(Some(Err(error @ (PackError::TooLong { .. } | PackError::Unread(_))))) => {
            fail(&format!("{}: {error}", document.display()));
            Ok(Outcome::Failed)
        }
        Ok(Some(Err(error))) => usage_error(format!("{}: {error}", document.display())),
        Ok(None) => usage_error(format!("{}: {}", document.display(), PackError::NotAPage)),
        Err(error) => {
            print_errors(&[error]);
            Ok(Outcome::Failed)
        }
    }
}

/// Returns the folder of the document, and the path of the document in it.
fn folder_and_path(arguments: &PackArguments) -> Result<(Tree, PathBuf), Stop> {
    let document = &*arguments.document;
    let root = arguments.root.as_deref().unwrap_or_else(|| folder_of(document));
    let tree = Tree::new(root).or_else(|error| usage_error(format!("cannot read {}: {error}", root.display())))?;
    match tree.path_of(document) {
        Ok(Some(path)) => Ok((tree, path)),
        Ok(None) => usage_error(format!("{} is not a file in {}", document.display(), root.display())),
        Err(error) => usage_error(FileError::new(document, Action::Read, error).to_string()),
    }
}

/// Returns the properties of the message.
fn request(arguments: &PackArguments) -> Result<Request, Stop> {
    let extension = arguments.output.extension().and_then(OsStr::to_str).unwrap_or_default().to_ascii_lowercase();
    let format = match &*extension {
        "eml" => Format::Eml,
        _ if arguments.output == Path::new("-") => Format::Eml,
        "mhtml" | "mht" => Format::Mhtml,
        _ => return usage_error("the output must be FILE.eml or -, for mail programs, or FILE.mhtml, for browsers"),
    };
    let mut request = Request::new(format);
    request.options = arguments.links.options(Purpose::Mail);
    request.embed = arguments.embed();
    request.css_images = arguments.css_images();
    request.plain_text = arguments.plain_text();
    request.content_base = arguments.content_base();
    request.header = arguments.header().or_else(usage_error)?;
    if format == Format::Mhtml && request.plain_text != PlainText::No {
        return usage_error("--text goes with .eml only: browsers do not read alternatives within a message");
    }
    if let Some(bytes) = arguments.max_size {
        request.max_bytes = bytes;
    }
    Ok(request)
}

/// Writes the message and prints its counts.
fn finish(arguments: &PackArguments, file: NewFile, packed: &Packed) -> Result<Outcome, Stop> {
    if let Err(error) = file.write(|output| output.write_all(&packed.message)) {
        print_errors(&[FileError::new(&arguments.output, Action::Write, error)]);
        return Ok(Outcome::Failed);
    }
    if !arguments.quiet {
        let root = arguments.root.as_deref().unwrap_or_else(|| folder_of(&arguments.document));
        for (path, finding) in &packed.findings {
            let path = if root == Path::new(".") { path.clone() } else { root.join(path) };
            warn_finding(&path, finding);
        }
        warn(&closing_line(packed));
    }
    Ok(Outcome::Done)
}

fn closing_line(packed: &Packed) -> String {
    let parts: usize = packed.embedded.iter().map(|file| file.links).sum();
    let places: usize = packed.within.iter().map(|file| file.places).sum();
    let paths: HashSet<&Path> = packed.embedded.iter().map(|file| &*file.path).collect();
    let files = packed.embedded.len() + packed.within.iter().filter(|file| !paths.contains(&*file.path)).count();
    let bytes = count(packed.message.len() as u64, "byte");
    let (files, links) = (count(files as u64, "file"), count((parts + places) as u64, "link"));
    let within = if places > 0 { format!(", {places} of them within the page") } else { String::new() };
    format!("{bytes}: {files} embedded for {links}{within}; {}", messages::links(&packed.counts))
}
