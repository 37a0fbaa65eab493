//! WACZ: a ZIP file of web archives, with an index of their records, a list of pages and the digests of all files.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::HashMap;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::ops::Range;

use absolve_framing::{
    ArchiveFormat, Compression, FileHash, INDEX_BYTES, PACKAGE, PACKAGE_DIGEST, Package, package_digest,
};
use absolve_rewriter::internal::{Entity, Event};
use absolve_rewriter::{Code, Finding};
use zip::read::ZipFile;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use crate::file_type::FileType;
use crate::stream::{ReadSeek, StreamError, StreamReport, Tee, with_start};
use crate::temporary::Temporary;
use crate::wacz::cdxj::{Index, Moves, kind_of, rewritten_index, stem_of_blocks};
use crate::wacz::described::{absent, wrong_digests};
use crate::wacz::members::{ARCHIVES, Zip, is_named_as_archive, name_of, open, text_of};
use crate::wacz::to_error::ToError;
use crate::warc::archive;
use crate::warc::derive::derive;
use crate::warc::options::ArchiveOptions;
use crate::warc::originals::Originals;
use crate::warc::records::Archive;
use crate::warc::snapshot::{self, Reading, Snapshot};
use crate::warc::write::date_of;

/// Writes a WACZ with derived archives: resources with absolute links replace the responses whose links change. Updates the
/// index, the sizes and the digests. Writes nothing if no link changes.
///
/// Returns the counts of all archives. [`StreamReport::changed`] is the number of resources.
pub(crate) fn rewrite(
    file: Box<dyn ReadSeek + '_>,
    output: &mut dyn Write,
    options: &ArchiveOptions,
    events: &mut dyn FnMut(Event),
) -> Result<StreamReport, StreamError> {
    let mut zip = open(file)?;
    absent(&mut zip).into_iter().chain(wrong_digests(&mut zip)).for_each(|finding| events(finding.into()));
    let mut derived = derive_archives(&mut zip, options, events)?;
    if derived.moves.is_empty() {
        events(no_archives().into());
    }
    if derived.total.changed > 0 {
        let written = Temporary::new()?;
        write(&mut zip, &derived, &written, options, events)?;
        let copied = (&written).rewind().and_then(|()| io::copy(&mut &written, output));
        derived.total.bytes_out = copied?;
    }
    Ok(derived.total)
}

/// Applies `inspect` to the documents of all archives. The name of a record is the path of its archive and its number.
pub(crate) fn inspect<T: Send>(
    file: Box<dyn ReadSeek + '_>,
    inspect: &(dyn Fn(&str, &Entity<'_>) -> T + Sync),
    options: &ArchiveOptions,
    found: &mut dyn FnMut(T) -> io::Result<()>,
) -> Result<StreamReport, StreamError> {
    let mut zip = open(file)?;
    let described = absent(&mut zip).into_iter().chain(wrong_digests(&mut zip));
    described.into_iter().try_for_each(|why| found(inspect(&why.record.clone(), &Entity::unread(why))))?;
    let report = each_archive(zip, &mut |_, name, input| {
        let inspect_record = |record: &str, entity: &Entity<'_>| inspect(&record_name(name, record), entity);
        archive::inspect(ArchiveFormat::Warc, input, &inspect_record, options, found)
    })?;
    if report.is_none() {
        found(inspect("", &Entity::unread(no_archives())))?;
    }
    Ok(report.unwrap_or_default())
}

/// Passes what the records of all archives have of URLs to `look`, and what it returns to `found`.
pub(crate) fn visit<T: Send>(
    file: Box<dyn ReadSeek + '_>,
    reading: Reading,
    look: &(dyn Fn(Result<Snapshot<'_>, Finding>) -> Option<T> + Sync),
    found: &mut dyn FnMut(T) -> io::Result<()>,
) -> Result<StreamReport, StreamError> {
    let mut zip = open(file)?;
    absent(&mut zip).into_iter().filter_map(|finding| look(Err(finding))).try_for_each(&mut *found)?;
    let report = each_archive(zip, &mut |index, name, input| {
        let look_at = |seen: Result<Snapshot<'_>, Finding>| {
            look(match seen {
                Ok(snapshot) => Ok(snapshot.in_archive(index, |record| record_name(name, record))),
                Err(why) => Err(Finding { record: record_name(name, &why.record), ..why }),
            })
        };
        snapshot::visit((ArchiveFormat::Warc, reading), input, &look_at, found)
    })?;
    if report.is_none() {
        look(Err(no_archives())).map_or(Ok(()), found)?;
    }
    Ok(report.unwrap_or_default())
}

/// Reads an archive with this index and name in the ZIP file.
type ReadArchive<'r> = dyn FnMut(usize, &str, Box<dyn Read + '_>) -> Result<StreamReport, StreamError> + 'r;

/// Applies `read` to each archive, with its index and name in the ZIP file; returns `None` if there is none. One that cannot be read is an
/// error after all others.
fn each_archive(mut zip: Zip<'_>, read: &mut ReadArchive<'_>) -> Result<Option<StreamReport>, StreamError> {
    let (mut all, mut failure) = (None, None);
    for index in 0..zip.len() {
        let checked = RefCell::new(Ok(()));
        let done = match archive_of(&mut zip, index, &checked) {
            Ok(None) => continue,
            Ok(Some((name, _, input))) => read(index, &name, input),
            Err(error) => Err(error),
        };
        let done = done.and_then(|report| checked.into_inner().map(|()| report).map_err(StreamError::Read));
        match done {
            Ok(report) => *all.get_or_insert_with(StreamReport::default) += report,
            Err(StreamError::Read(error)) => {
                let name = zip.name_for_index(index).and_then(Result::ok).unwrap_or_default().into_owned();
                failure
                    .get_or_insert_with(|| StreamError::Read(io::Error::new(error.kind(), format!("{name}: {error}"))));
            }
            Err(error) => return Err(error),
        }
    }
    failure.map_or(Ok(all), Err)
}

fn no_archives() -> Finding {
    Finding::left_unchanged(Code::NotItsType, "no file in its folder archive/ is a WARC")
}

/// `archive/data.warc.gz 17`.
fn record_name(archive: &str, record: &str) -> String {
    format!("{archive} {record}").trim_end().to_owned()
}

/// The name, the first bytes and a reader of a web archive.
type ArchiveMember<'z> = (String, Vec<u8>, Box<dyn Read + 'z>);

/// Returns whether a file begins like a web archive.
fn begins_like_archive(start: &mut Vec<u8>) -> bool {
    FileType::of_start(start, &mut io::empty()) == Some(FileType::WARC)
}

/// Returns a member, if it is a web archive by its name, or else by its first bytes, which may be damaged. What is wrong with it in the ZIP file
/// is in `error` when it is read.
fn archive_of<'z>(
    zip: &'z mut Zip<'_>,
    index: usize,
    error: &'z RefCell<io::Result<()>>,
) -> Result<Option<ArchiveMember<'z>>, StreamError> {
    let unread = |error: zip::result::ZipError| StreamError::Read(error.into());
    let name = name_of(&zip.by_index_raw(index).map_err(unread)?);
    // Other members may have unsupported compression methods.
    if !name.starts_with(ARCHIVES) {
        return Ok(None);
    }
    let input = zip.by_index(index).map_err(unread)?;
    let (mut start, archive) = with_start(Box::new(ToError { input, error }))?;
    let is_archive = is_named_as_archive(&name) || begins_like_archive(&mut start);
    Ok(is_archive.then_some((name, start, archive)))
}

/// Derived archives in a temporary file.
struct Derived {
    file: Temporary,
    /// The ranges in `file` of the archives that change, by their index in the ZIP file.
    archives: HashMap<usize, Range<u64>>,
    moves: Moves,
    total: StreamReport,
}

/// Derives all archives and keeps those that change.
fn derive_archives(
    zip: &mut Zip<'_>,
    options: &ArchiveOptions,
    events: &mut dyn FnMut(Event),
) -> Result<Derived, StreamError> {
    let mut end = 0;
    let file = Temporary::new()?;
    let (archives, moves, total) = (HashMap::new(), Moves::default(), StreamReport::default());
    let (mut originals, mut names) = (Originals::default(), HashMap::new());
    let mut derived = Derived { file, archives, moves, total };
    for index in 0..zip.len() {
        let checked = RefCell::new(Ok(()));
        let Some((name, mut start, input)) = archive_of(zip, index, &checked)? else { continue };
        if !begins_like_archive(&mut start) {
            let why = "it does not begin like a WARC";
            events(Finding { record: name, ..Finding::left_unchanged(Code::NotItsType, why) }.into());
            continue;
        }
        let compression = Compression::of(&start);
        derived.moves.add_archive(&name);
        if !matches!(compression, Compression::None | Compression::Gzip) {
            let how = compression.name();
            let message =
                format!("the index of records compressed by {how} cannot be updated; the archive is left unchanged");
            events(Finding { record: name, ..Finding::new(Code::ArchiveIndex, message) }.into());
            continue;
        }
        let mut file = &derived.file;
        file.seek(SeekFrom::Start(end))?;
        let mut output = BufWriter::with_capacity(WRITE_BUFFER, file);
        let (format, output_compression) = (ArchiveFormat::Warc, compression);
        let archive = Archive {
            start,
            input,
            compression,
            output_compression,
            format,
            name: name.rsplit('/').next().unwrap_or(&name),
        };
        let mut events = |event: Event| events(event.in_record(|record| record_name(&name, record)));
        let mut moved = Vec::new();
        originals.begin(index);
        let report =
            derive(archive, &mut originals, &mut output, options, &mut events, &mut |record| moved.push(record))?;
        checked.into_inner().map_err(StreamError::Read)?;
        output.flush()?;
        drop(output);
        if report.changed > 0 {
            let start = end;
            end = file.stream_position()?;
            derived.moves.add(&name, moved);
            derived.archives.insert(index, start..end);
        }
        derived.total += report;
        names.insert(index, name);
    }
    for (index, finding) in originals.missing() {
        let name = names.get(&index).map_or("", String::as_str);
        events(Event::from(finding).in_record(|record| record_name(name, record)));
    }
    Ok(derived)
}

/// Bytes of a write buffer.
const WRITE_BUFFER: usize = 1 << 20;

/// Writes the new WACZ: derived archives, updated indexes, the package and its digest. Copies all other members.
fn write(
    zip: &mut Zip<'_>,
    derived: &Derived,
    output: &Temporary,
    options: &ArchiveOptions,
    events: &mut dyn FnMut(Event),
) -> Result<(), StreamError> {
    let mut package = Package::parse(text_of(zip, PACKAGE)?.as_bytes()).map_err(StreamError::Read)?;
    let indexes = updated_indexes(zip, &derived.moves, events)?;
    let mut writer = ZipWriter::new(BufWriter::with_capacity(WRITE_BUFFER, output));
    let unwritten = |error: zip::result::ZipError| StreamError::Write(error.into());
    let mut last = Vec::new();
    for index in 0..zip.len() {
        let member = zip.by_index_raw(index).map_err(|error| StreamError::Read(error.into()))?;
        let name = name_of(&member);
        let archive = derived.archives.get(&index);
        let options = options_of(&member, archive.map_or(member.size(), |range| range.end - range.start));
        if name == PACKAGE || name == PACKAGE_DIGEST {
            last.push((name, options));
        } else if let Some(Range { start, end }) = archive {
            writer.start_file(&name, options).map_err(unwritten)?;
            (&derived.file).seek(SeekFrom::Start(*start))?;
            let mut archive = (&derived.file).take(end - start);
            package.set(&name, copy_hashed(&mut archive, &mut writer)?);
        } else if let Some(bytes) = indexes.get(&name) {
            writer.start_file(&name, options).map_err(unwritten)?;
            package.set(&name, copy_hashed(&mut &bytes[..], &mut writer)?);
        } else {
            writer.raw_copy_file(member).map_err(unwritten)?;
        }
    }
    // The package contains the digests of the other files, and its digest follows it.
    last.sort_by_key(|(name, _)| name == PACKAGE_DIGEST);
    let package = package.into_text(&date_of(options));
    for (name, options) in last {
        let bytes = match &*name {
            PACKAGE => package.clone(),
            _ => digest_of(&text_of(zip, PACKAGE_DIGEST)?, &package, events).map_err(StreamError::Read)?,
        };
        writer.start_file(&name, options).map_err(unwritten)?;
        writer.write_all(&bytes)?;
    }
    writer.finish().map_err(unwritten)?.flush().map_err(StreamError::Write)
}

/// Returns the digest file of `package`. Omits the signature in `old`, which no longer matches.
fn digest_of(old: &str, package: &[u8], events: &mut dyn FnMut(Event)) -> io::Result<Vec<u8>> {
    let (digest, was_signed) = package_digest(old.as_bytes(), package)?;
    if was_signed {
        let message = "its signature does not match the changed archives; it is removed";
        events(Finding::new(Code::Signed, message).into());
    }
    Ok(digest)
}

/// Copies a file. Returns its size and hashes.
fn copy_hashed(input: &mut dyn Read, output: &mut dyn Write) -> io::Result<FileHash> {
    let mut hash = FileHash::default();
    io::copy(&mut Tee { input, copy: &mut hash }, output)?;
    Ok(hash)
}

/// Returns the ZIP options of a rewritten member. Members that are compressed themselves are stored, so that replay programs can
/// read records by offset.
fn options_of<R: Read>(member: &ZipFile<'_, R>, size: u64) -> SimpleFileOptions {
    let name = name_of(member);
    let is_compressed = name.ends_with(".gz") || name.starts_with(ARCHIVES);
    let method = if is_compressed { CompressionMethod::Stored } else { CompressionMethod::Deflated };
    let options = SimpleFileOptions::default().compression_method(method).large_file(size > ZIP64_BYTES);
    match member.last_modified() {
        Some(time) => options.last_modified_time(time),
        None => options,
    }
}

/// Maximum bytes of a member without ZIP64: half of 4 GiB, because compression may enlarge it.
const ZIP64_BYTES: u64 = 1 << 31;

/// Returns the updated indexes by their names.
fn updated_indexes(
    zip: &mut Zip<'_>,
    moves: &Moves,
    events: &mut dyn FnMut(Event),
) -> Result<HashMap<String, Vec<u8>>, StreamError> {
    let names: Vec<String> = zip
        .file_names()
        .filter_map(|name| name.ok().map(Cow::into_owned))
        .filter(|name| name.starts_with("indexes/"))
        .collect();
    let (mut indexes, mut budget) = (HashMap::new(), INDEX_BYTES);
    for name in &names {
        let Some(kind) = kind_of(name) else { continue };
        let mut member = zip.by_name(name).map_err(|error| StreamError::Read(error.into()))?;
        let Index { rows, blocks, omitted } =
            rewritten_index(&mut member, kind, name, moves, &mut budget).map_err(StreamError::Read)?;
        if omitted > 0 {
            let message = format!("{omitted} rows of {name} refer to no record of the archives; they are omitted");
            events(Finding::new(Code::ArchiveIndex, message).into());
        }
        let of_blocks = stem_of_blocks(name).map(|stem| format!("{stem}.idx")).filter(|idx| names.contains(idx));
        indexes.extend(of_blocks.map(|idx| (idx, blocks)));
        indexes.insert(name.clone(), rows);
    }
    if indexes.is_empty() {
        let message = "it has no index that could be updated; wacz create makes one";
        events(Finding::new(Code::ArchiveIndex, message).into());
    }
    Ok(indexes)
}
