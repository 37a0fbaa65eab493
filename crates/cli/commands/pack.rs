//! `absolve pack`: packs documents and their files into messages.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};

use absolve_files::{Action, Collection, Entry, Existing, FileError, folder_of, inspect_one};
use absolve_packer::{Format, PackError, Packed, PlainText, Request, Tree, digest, pack, write_to_mbox};
use absolve_rewriter::{Code, Finding, Purpose};

use crate::args::input::InputArguments;
use crate::args::pack::PackArguments;
use crate::commands::rewrite::side_files::new_file;
use crate::inputs::{check_url, entries};
use crate::messages::not_written;
use crate::messages::{self, count, warn_finding};
use crate::outcome::{Outcome, Stop, usage_error};
use crate::progress::Shown;
use crate::streams::Streams;
use crate::wording::pack_error;

pub(crate) fn run(arguments: &PackArguments, streams: &Streams<'_>) -> Result<Outcome, Stop> {
    let output = Output::of(arguments)?;
    let request = request(arguments, output)?;
    refuse_sources(arguments)?;
    let file = new_file(&arguments.output, if arguments.force { Existing::Replace } else { Existing::Refuse })?;
    streams.interrupted.note(not_written(&arguments.output), None);
    // With a root, the documents are files of it; without one, each is all of its input.
    let of_root = arguments.root.as_deref().map(|root| collected(arguments, root, &request, streams)).transpose()?;
    let documents = &arguments.documents;
    let message_of = |document: &PathBuf| -> Result<Vec<u8>, Stop> {
        let packed = packed(arguments, document, &request, of_root.as_ref(), streams)?;
        report(arguments, document, &packed, streams);
        Ok(packed.message)
    };
    let written = if output == Output::Mbox {
        let mut stopped = None;
        let written = file.write(|mut out| {
            documents.iter().try_for_each(|document| match message_of(document) {
                Ok(message) => write_to_mbox(&message, &request.header, &mut out),
                Err(stop) => {
                    stopped = Some(stop);
                    Err(io::Error::other("a document is not packed"))
                }
            })
        });
        stopped.map_or(Ok(written), Err)?
    } else {
        let mut messages = documents.iter().map(message_of).collect::<Result<Vec<_>, Stop>>()?;
        let message = match output {
            Output::Digest => digest(messages, &arguments.header().or_else(usage_error)?, request.max_bytes),
            _ => Ok(messages.swap_remove(0)),
        };
        let failed = |error| Stop::Failed(format!("{}: {error}", arguments.output.display()));
        let message = message.map_err(failed)?;
        file.write(|out| out.write_all(&message))
    };
    written.map_err(|error| FileError::new(&arguments.output, Action::Write, error))?;
    Ok(Outcome::Done)
}

/// Refuses documents, and URLs of them, of which no files could be embedded.
fn refuse_sources(arguments: &PackArguments) -> Result<(), Stop> {
    let documents = &arguments.documents;
    if documents.iter().any(|document| document == Path::new("-")) {
        return usage_error("standard input has no folder with files to embed; name a file");
    }
    let of_one_file = arguments.source.url.is_some() || arguments.source.urls.is_some();
    if documents.len() > 1 && arguments.root.is_none() && of_one_file {
        return usage_error(
            "--url and --urls are of one document; with several, --root names the folder that they are of",
        );
    }
    // On other computers, it means nothing.
    let scheme = arguments.source.url.as_deref().and_then(|url| url.trim_start().split(':').next());
    if scheme.is_some_and(|scheme| scheme.eq_ignore_ascii_case("file")) {
        return usage_error("--url: a file: URL is meaningless elsewhere, and finds no files to embed; leave it out");
    }
    Ok(())
}

/// What is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Output {
    /// A message of one document.
    Message(Format),
    /// One message of several documents.
    Digest,
    /// A message for each document.
    Mbox,
}

impl Output {
    fn of(arguments: &PackArguments) -> Result<Self, Stop> {
        let extension = arguments.output.extension().and_then(OsStr::to_str).unwrap_or_default().to_ascii_lowercase();
        let is_one = arguments.documents.len() == 1;
        match &*extension {
            "eml" if is_one => Ok(Self::Message(Format::Eml)),
            "eml" => Ok(Self::Digest),
            "mbox" => Ok(Self::Mbox),
            "mhtml" | "mht" if is_one => Ok(Self::Message(Format::Mhtml)),
            "mhtml" | "mht" => usage_error("a browser shows one page of a file; name one document, or FILE.eml"),
            _ if arguments.output == Path::new("-") && is_one => Ok(Self::Message(Format::Eml)),
            _ if arguments.output == Path::new("-") => Ok(Self::Digest),
            _ => usage_error(
                "the output must be FILE.eml or -, for mail programs, FILE.mbox, for several messages, or FILE.mhtml, for \
                 browsers",
            ),
        }
    }
}

/// Returns the files of an input, and reports URLs that are not used.
fn collected(
    arguments: &PackArguments,
    input: &Path,
    request: &Request,
    streams: &Streams<'_>,
) -> Result<Collection, Stop> {
    let input = InputArguments { inputs: vec![input.to_owned()], source: arguments.source.clone() };
    check_url(&input, request.options.rules)?;
    let collection = entries(&input, Purpose::Any, Shown::No)?;
    let is_printed = |finding: &Finding| finding.code == Code::UrlNotUsed && !arguments.quiet;
    for (path, finding) in collection.findings.iter().filter(|(_, finding)| is_printed(finding)) {
        warn_finding(path, finding, streams);
    }
    Ok(collection)
}

/// Returns the message of a document; `None` if there is none, for a reason that is printed.
fn packed(
    arguments: &PackArguments,
    document: &Path,
    request: &Request,
    of_root: Option<&Collection>,
    streams: &Streams<'_>,
) -> Result<Packed, Stop> {
    if document.is_dir() {
        return usage_error(format!("{} is a folder; name the page in it", document.display()));
    }
    let (tree, path) = folder_and_path(arguments, document)?;
    let of_document = if of_root.is_none() { Some(collected(arguments, document, request, streams)?) } else { None };
    let all = of_root.or(of_document.as_ref()).map_or(&[][..], |collection| &collection.entries);
    let is_document = |entry: &&Entry| of_root.is_none() || entry.path == path;
    let Some(entry) = all.iter().find(is_document) else {
        return usage_error(format!("{} cannot be read as a file of its root", document.display()));
    };
    let tree = tree.with_entries(of_root.map(|collection| collection.entries.clone()).unwrap_or_default());
    let packed = inspect_one(entry, all, &|entity| pack(entity, &path, &tree, request))?;
    packed.unwrap_or(Err(PackError::NotAPage)).map_err(|error| {
        let message = format!("{}: {}", document.display(), pack_error(&error));
        match error {
            PackError::TooLong { .. } | PackError::Unread(_) => Stop::Failed(message),
            _ => Stop::Usage(message),
        }
    })
}

/// Returns the folder of a document, and the path of the document in it.
fn folder_and_path(arguments: &PackArguments, document: &Path) -> Result<(Tree, PathBuf), Stop> {
    let root = arguments.root.as_deref().unwrap_or_else(|| folder_of(document));
    let tree = Tree::new(root).or_else(|error| usage_error(format!("cannot read {}: {error}", root.display())))?;
    match tree.path_of(document) {
        Ok(Some(path)) => Ok((tree, path)),
        Ok(None) => usage_error(format!("{} is not a file in {}", document.display(), root.display())),
        Err(error) => usage_error(FileError::new(document, Action::Read, error).to_string()),
    }
}

/// Returns the properties of the message.
fn request(arguments: &PackArguments, output: Output) -> Result<Request, Stop> {
    let format = if let Output::Message(format) = output { format } else { Format::Eml };
    let mut request = Request::new(format);
    request.options = arguments.links.options(Purpose::Mail);
    request.embed = arguments.embed;
    request.css_images = arguments.css_images;
    request.plain_text = arguments.plain_text();
    request.content_base = arguments.content_base();
    let header = arguments.header().or_else(usage_error)?;
    request.header = if output == Output::Digest { header.of_part() } else { header };
    if output == Output::Mbox && arguments.documents.len() > 1 && arguments.has_message_id() {
        return usage_error("--message-id names one message, and there are several");
    }
    if format == Format::Mhtml && request.plain_text != PlainText::No {
        return usage_error("--text goes with .eml only: browsers do not read alternatives within a message");
    }
    if let Some(bytes) = arguments.max_size {
        request.max_bytes = bytes;
    }
    Ok(request)
}

/// Prints the findings and counts of a message.
fn report(arguments: &PackArguments, document: &Path, packed: &Packed, streams: &Streams<'_>) {
    if arguments.quiet {
        return;
    }
    let root = arguments.root.as_deref().unwrap_or_else(|| folder_of(document));
    for (path, finding) in &packed.findings {
        let path = if root == Path::new(".") { path.clone() } else { root.join(path) };
        warn_finding(&path, finding, streams);
    }
    let line = closing_line(packed);
    streams.warn(&if arguments.documents.len() > 1 { format!("{}: {line}", document.display()) } else { line });
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
