//! Rewrites one file from a reader to a writer.

use std::fs::File;
use std::io::{self, Read, SeekFrom, Write};
use std::path::{Path, PathBuf};

use absolve_containers::{
    ContainerReader, FileType, Piece, ReadSeek, Rewriting, START, Share, StreamError, StreamReport, WarcOutput,
    inspect_container, output_of, rewrite_container, splitting_of,
};
use absolve_files::{
    Collection, Destination, Entry, FileError, Output, Refusal, RunEvent, Selection, collect, compression_refusal,
    inspect_all, rewrite_all, type_of_named,
};
use absolve_framing::Compression;
use absolve_rewriter::internal::{Entity, Event};

use crate::file_object::Bytes;
use crate::listener::Listener;
use crate::options::Settings;
use crate::results::Done;
use crate::source::Source;

/// What to do with a file.
#[derive(Debug)]
pub(crate) struct Request<'r> {
    /// Its name: its type by the extension, and what a new `warcinfo` declares.
    pub(crate) name: &'r Path,
    /// The name of the output, if it has one: its extension says how a container is compressed.
    pub(crate) output_name: Option<&'r Path>,
    pub(crate) file_type: Option<FileType>,
    pub(crate) url: Option<String>,
    /// What to read of it; `None` is all.
    pub(crate) share: Option<Share>,
    pub(crate) settings: &'r Settings,
    pub(crate) listener: &'r Listener,
}

/// Rewrites a file.
pub(crate) fn rewrite_source(
    source: Source,
    request: &Request<'_>,
    output: &mut dyn Write,
) -> Result<Done, StreamError> {
    let path = source.path();
    let bytes = Bytes::default();
    let Opened { file_type, input, start } = opened(source, request, bytes.clone())?;
    let refusal = request.output_name.and_then(|output| compression_refusal(output, request.name, Some(file_type)));
    if let Some(why) = refusal {
        return Err(StreamError::Write(io::Error::other(why)));
    }
    match (file_type, input) {
        (FileType::ARC, _) if request.settings.options.output == WarcOutput::Resource => {
            Err(StreamError::Read(Refusal::ArcResources.into()))
        }
        (FileType::Mailbox, input) => {
            let compression = asked_of(Compression::of(&start), request);
            let done = rewrite_stream(ContainerReader::Mailbox(Box::new(input)), None, compression, request, output)?;
            Ok(Done { bytes_in: bytes.get(), ..done })
        }
        // A derived archive is the original if nothing changes, which only the end shows.
        (FileType::Archive(format), input) if output_of(format, &request.settings.options) != WarcOutput::Resource => {
            let form = output_of(format, &request.settings.options);
            let compression = compression_asked(form, &start, request)?;
            let reader = ContainerReader::Archive(format, Box::new(input));
            let done = rewrite_stream(reader, Some(form), compression, request, output)?;
            Ok(Done { bytes_in: bytes.get(), ..done })
        }
        (file_type, input) => {
            let length = path.as_deref().and_then(|path| Some(path.metadata().ok()?.len()));
            let done = rewrite_entry(collection(path, file_type, input, request)?, request, output)?;
            Ok(Done { bytes_in: length.unwrap_or_else(|| bytes.get()), ..done })
        }
    }
}

/// Inspects the documents of a file, as [`absolve_files::inspect_all`] does. Returns the errors of its records.
pub(crate) fn inspect_source<T: Send>(
    source: Source,
    request: &Request<'_>,
    inspect: &(dyn Fn(&str, &Entity<'_>) -> T + Sync),
    found: &mut dyn FnMut(T) -> io::Result<()>,
) -> Result<Vec<FileError>, StreamError> {
    let path = source.path();
    let options = &request.settings.options;
    if let Some(share) = request.share {
        let mut file = source.seekable().map_err(StreamError::Read)?;
        match piece_of(&mut *file, share, request).map_err(StreamError::Read)? {
            Part::Whole => {}
            Part::Nothing => return Ok(Vec::new()),
            Part::Piece(piece) => {
                let StreamReport { failed, broken, .. } = piece.inspect(file, inspect, options, found)?;
                return Ok(FileError::of_records(request.name, &failed, broken, None));
            }
        }
    }
    let Opened { file_type, input, .. } = opened(source, request, Bytes::default())?;
    let reader = match (file_type, input) {
        (FileType::Mailbox, input) => ContainerReader::Mailbox(Box::new(input)),
        (FileType::Archive(format), input) => ContainerReader::Archive(format, Box::new(input)),
        (file_type, input) => {
            let collection = collection(path, file_type, input, request)?;
            let inspect = |_: &Entry, record: &str, entity: &Entity<'_>| inspect(record, entity);
            let inspection =
                inspect_all(&collection.entries, options, &inspect, found, &|_| {}).map_err(StreamError::Write)?;
            return Ok(collection.errors.into_iter().chain(inspection.errors).collect());
        }
    };
    let StreamReport { failed, broken, .. } = inspect_container(reader, inspect, options, found)?;
    Ok(FileError::of_records(request.name, &failed, broken, None))
}

/// What is to be read of a file.
enum Part {
    Whole,
    Nothing,
    /// The file stands at its start.
    Piece(Piece),
}

/// Returns what a share of a file is. Of a file that is not split, the first share is all.
fn piece_of(file: &mut dyn ReadSeek, share: Share, request: &Request<'_>) -> io::Result<Part> {
    let mut start = Vec::new();
    let size = file.seek(SeekFrom::End(0))?;
    file.rewind()?;
    file.take(START).read_to_end(&mut start)?;
    let file_type = type_of(request, &mut start, &mut *file);
    let splitting = file_type.and_then(|file_type| splitting_of(file_type, &start));
    let piece = splitting.map(|splitting| Piece::of(file, size, splitting, share)).transpose()?;
    let part = match piece {
        None if share.number == 0 => Part::Whole,
        None | Some(None) => Part::Nothing,
        Some(Some(piece)) => Part::Piece(piece),
    };
    file.seek(SeekFrom::Start(if let Part::Piece(piece) = part { piece.start } else { 0 }))?;
    Ok(part)
}

/// Returns the type of a file that begins with `start`, as [`type_of_named`] does.
fn type_of(request: &Request<'_>, start: &mut Vec<u8>, mut rest: impl Read) -> Option<FileType> {
    let mut selection = Selection::default();
    (selection.file_type, selection.purpose) = (request.file_type, request.settings.options.documents.purpose);
    type_of_named(request.name, &selection, start, &mut rest)
}

/// A file whose first bytes were read.
struct Opened<R> {
    file_type: FileType,
    start: Vec<u8>,
    /// All of it.
    input: R,
}

/// Opens a file, and returns its type.
fn opened(source: Source, request: &Request<'_>, bytes: Bytes) -> Result<Opened<impl Read + use<>>, StreamError> {
    let (mut start, mut input) = (Vec::new(), source.open(bytes).map_err(StreamError::Read)?);
    (&mut input).take(START).read_to_end(&mut start).map_err(StreamError::Read)?;
    let file_type = type_of(request, &mut start, &mut input);
    let message = "the type of the file is unknown; give it with type, as in type=\"html\"";
    let file_type = file_type.ok_or_else(|| StreamError::Read(io::Error::other(message)))?;
    Ok(Opened { file_type, input: io::Cursor::new(start.clone()).chain(input), start })
}

/// Returns the compression that the name of the output asks for, if it is another than that of the input.
fn asked_of(compression: Compression, request: &Request<'_>) -> Option<Compression> {
    let asked = request.output_name.and_then(|output| Compression::asked(request.name, output));
    asked.filter(|asked| *asked != compression)
}

/// Returns the compression that the name of the output asks for of an archive.
fn compression_asked(
    form: WarcOutput,
    start: &[u8],
    request: &Request<'_>,
) -> Result<Option<Compression>, StreamError> {
    let compression = Compression::of_archive(start);
    let asked = asked_of(compression, request);
    if asked.is_none() || form != WarcOutput::Append {
        return Ok(asked);
    }
    if asked == Compression::of_name(request.name) {
        return Ok(None);
    }
    // The name of the input may say another compression than it has, so what its bytes are is what helps.
    let how = match compression {
        Compression::None => "not compressed".to_owned(),
        compression => format!("compressed by {}", compression.name()),
    };
    let extension = compression.extension();
    let message = format!(
        "the output begins with the bytes of the archive, and those are {how}; give it a name that ends in \
         .warc{extension}, or choose warc=\"sidecar\" or warc=\"resource\""
    );
    Err(StreamError::Write(io::Error::other(message)))
}

/// Returns the collection of one file. The bytes of a file object go to a temporary file.
fn collection(
    path: Option<PathBuf>,
    file_type: FileType,
    input: impl Read,
    request: &Request<'_>,
) -> Result<Collection, StreamError> {
    let mut selection = Selection::default();
    (selection.url, selection.charset) = (request.url.clone(), request.settings.charset);
    selection.file_type = Some(file_type);
    if let Some(path) = path {
        return Ok(collect(&path, &selection));
    }
    let mut entry = Entry::from_reader(input, &selection).map_err(StreamError::Read)?;
    request.name.clone_into(&mut entry.source);
    Ok(Collection { entries: vec![entry], ..Collection::default() })
}

/// Rewrites a container while it is read. `form` is that of the output of an archive.
fn rewrite_stream(
    reader: ContainerReader<'_>,
    form: Option<WarcOutput>,
    compression: Option<Compression>,
    request: &Request<'_>,
    output: &mut dyn Write,
) -> Result<Done, StreamError> {
    let options = &request.settings.options;
    let mut events = |event: Event| {
        if let Event::Finding(finding) = event {
            request.listener.add(&finding);
        }
    };
    let name = request.name.file_name().unwrap_or_default().to_string_lossy();
    let rewriting = Rewriting { name: &name, compression, ..Rewriting::default() };
    let report = rewrite_container(reader, rewriting, output, options, &mut events)?;
    let StreamReport { counts, records, changed, failed, broken, .. } = report;
    let errors = FileError::of_records(request.name, &failed, broken, form);
    let is_empty_sidecar = changed == 0 && form == Some(WarcOutput::Sidecar);
    Ok(Done { counts, records, changed, is_empty_sidecar, errors, ..Done::default() })
}

/// Rewrites an entry by way of a temporary file.
fn rewrite_entry(collection: Collection, request: &Request<'_>, output: &mut dyn Write) -> Result<Done, StreamError> {
    let folder = tempfile::tempdir().map_err(StreamError::Write)?;
    let path = folder.path().join(request.output_name.and_then(Path::file_name).unwrap_or("output".as_ref()));
    let destination = Destination::File(path.clone());
    let listener = |event: RunEvent<'_>| {
        if let RunEvent::Finding { finding, .. } = event {
            request.listener.add(finding);
        }
    };
    let mut target = Output::to(&destination);
    target.stop = request.listener.stop();
    let mut run = rewrite_all(collection, &request.settings.options, target, &listener);
    // Without an output, the first error is all there is.
    let mut written = match File::open(&path) {
        Ok(written) => written,
        Err(error) => {
            let first = if run.errors.is_empty() { error } else { run.errors.swap_remove(0).source };
            return Err(StreamError::Read(first));
        }
    };
    io::copy(&mut written, output).map_err(StreamError::Write)?;
    let absolve_files::RunReport { counts, records, files_changed, errors, .. } = run;
    Ok(Done { counts, records, changed: files_changed, errors, ..Done::default() })
}
