//! WACZ: a ZIP of web archives, with an index of their records, a list of pages and the digests of all of them.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::ops::Range;

use absolve_rewriter::{Code, Entity, Event, Finding};
use zip::read::ZipFile;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

use crate::compression::Compression;
use crate::file_type::FileType;
use crate::framing::format::Format;
use crate::limits::{DESCRIPTION_BYTES, INDEX_BYTES};
use crate::stream::{StreamError, StreamReport, with_start};
use crate::temporary::Temporary;
use crate::wacz::cdxj::{Index, Places, file_name, index_of, rewritten_index, stem_of_blocks};
use crate::wacz::datapackage;
use crate::wacz::datapackage::{DIGEST, Hash, PACKAGE, Package};
use crate::warc::archive::{Inspected, inspect_archive};
use crate::warc::derive::derive;
use crate::warc::options::ArchiveOptions;
use crate::warc::records::Archive;

/// Writes a WACZ whose archives are derived ones: resources with absolute links replace responses. The index follows
/// them, pages stay, and digests are right. With nothing to replace, nothing is written.
pub fn rewrite_wacz(
    file: File,
    output: &mut dyn Write,
    options: &ArchiveOptions,
    tell: &mut dyn FnMut(Event),
) -> Result<StreamReport, StreamError> {
    let mut zip = open(file)?;
    let file = Temporary::new().map_err(StreamError::Write)?;
    let Derived { mut total, archives, places } = derive_archives(&mut zip, &file, options, tell)?;
    if places.is_empty() {
        tell(no_archives().into());
    }
    if total.changed > 0 {
        let written = Temporary::new().map_err(StreamError::Write)?;
        write(&mut zip, &file, &archives, &places, &written, options, tell)?;
        let copied = (&written).rewind().and_then(|()| io::copy(&mut &written, output));
        total.bytes_out = copied.map_err(StreamError::Write)?;
    }
    Ok(total)
}

/// Lets `inspect` look at the documents of all archives; a record is called by its archive and its number.
pub fn inspect_wacz<T: Send>(
    file: File,
    inspect: &(dyn Fn(&str, &Entity<'_>) -> T + Sync),
    options: &ArchiveOptions,
    tell: &mut dyn FnMut(T) -> io::Result<()>,
) -> Result<Inspected, StreamError> {
    let mut zip = open(file)?;
    let (mut all, mut archives) = (Inspected::default(), 0);
    for index in 0..zip.len() {
        let Some((name, _, archive)) = archive_of(&mut zip, index)? else { continue };
        archives += 1;
        let look = |record: &str, entity: &Entity<'_>| inspect(&record_name(&name, record), entity);
        let Inspected { failed, broken } = inspect_archive(archive, Format::Warc, &look, options, tell)?;
        all.failed.extend(failed);
        all.broken = all.broken.or(broken);
    }
    if archives == 0 {
        tell(inspect("", &Entity::unread(no_archives()))).map_err(StreamError::Write)?;
    }
    Ok(all)
}

fn no_archives() -> Finding {
    Finding::new(Code::NotItsType, "no member of it below archive/ is a WARC; left as it is")
}

type Zip = ZipArchive<BufReader<File>>;

fn open(file: File) -> Result<Zip, StreamError> {
    ZipArchive::new(BufReader::new(file)).map_err(|error| StreamError::Read(error.into()))
}

fn name_of<R: Read>(member: &ZipFile<'_, R>) -> String {
    String::from_utf8_lossy(member.name_raw()).into_owned()
}

/// `archive/data.warc.gz 17`.
fn record_name(archive: &str, record: &str) -> String {
    format!("{archive} {record}").trim_end().to_owned()
}

/// The name, the first bytes and the whole of a member, if it is a web archive.
fn archive_of(zip: &mut Zip, index: usize) -> Result<Option<(String, Vec<u8>, impl Read)>, StreamError> {
    let unread = |error: zip::result::ZipError| StreamError::Read(error.into());
    let name = name_of(&zip.by_index_raw(index).map_err(unread)?);
    // Others may be compressed in ways that are not known here.
    if !name.starts_with("archive/") {
        return Ok(None);
    }
    let (start, archive) = with_start(zip.by_index(index).map_err(unread)?).map_err(StreamError::Read)?;
    let is_archive = FileType::of_compressed_content(&start) == Some(FileType::WARC);
    Ok(is_archive.then_some((name, start, archive)))
}

/// The archives that change.
struct Derived {
    total: StreamReport,
    /// Where they stand in a temporary file, by their index in the ZIP.
    archives: HashMap<usize, Range<u64>>,
    places: Places,
}

/// Writes the archives that change to `file`, one behind the other.
fn derive_archives(
    zip: &mut Zip,
    mut file: &Temporary,
    options: &ArchiveOptions,
    tell: &mut dyn FnMut(Event),
) -> Result<Derived, StreamError> {
    let mut end = 0;
    let mut derived = Derived { total: StreamReport::default(), archives: HashMap::new(), places: Places::default() };
    for index in 0..zip.len() {
        let Some((name, start, input)) = archive_of(zip, index)? else { continue };
        let compression = Compression::of(&start);
        derived.places.note(&name);
        if compression == Compression::Zstandard {
            let message =
                "rows of an index cannot follow records compressed by Zstandard; the archive is left as it is";
            tell(Finding { record: name, ..Finding::new(Code::ArchiveIndex, message) }.into());
            continue;
        }
        file.seek(SeekFrom::Start(end)).map_err(StreamError::Write)?;
        let mut output = BufWriter::with_capacity(1 << 20, file);
        let archive =
            Archive { compression, written: compression, start, input, format: Format::Warc, name: file_name(&name) };
        let mut tell = |told: Event| tell(told.in_record(|record| record_name(&name, record)));
        let mut moved = Vec::new();
        let report = derive(archive, &mut output, options, &mut tell, &mut |place| moved.push(place))?;
        output.flush().map_err(StreamError::Write)?;
        drop(output);
        if report.changed > 0 {
            let start = end;
            end = file.stream_position().map_err(StreamError::Write)?;
            derived.places.add(&name, moved);
            derived.archives.insert(index, start..end);
        }
        derived.total += report;
    }
    Ok(derived)
}

fn write(
    zip: &mut Zip,
    mut derived: &Temporary,
    archives: &HashMap<usize, Range<u64>>,
    places: &Places,
    output: &Temporary,
    options: &ArchiveOptions,
    tell: &mut dyn FnMut(Event),
) -> Result<(), StreamError> {
    let mut package = Package::read(&text_of(zip, PACKAGE)?).map_err(StreamError::Read)?;
    let indexes = indexes(zip, places, tell)?;
    let mut writer = ZipWriter::new(BufWriter::with_capacity(1 << 20, output));
    let written = |error: zip::result::ZipError| StreamError::Write(error.into());
    let mut last = Vec::new();
    for index in 0..zip.len() {
        let member = zip.by_index_raw(index).map_err(|error| StreamError::Read(error.into()))?;
        let name = name_of(&member);
        let archive = archives.get(&index);
        let options = options_of(&member, archive.map_or(member.size(), |range| range.end - range.start));
        if name == PACKAGE || name == DIGEST {
            last.push((name, options));
        } else if let Some(Range { start, end }) = archive {
            writer.start_file(&name, options).map_err(written)?;
            derived.seek(SeekFrom::Start(*start)).map_err(StreamError::Write)?;
            let mut archive = derived.take(end - start);
            package.set(&name, copied(&mut archive, &mut writer).map_err(StreamError::Write)?);
        } else if let Some(bytes) = indexes.get(&name) {
            writer.start_file(&name, options).map_err(written)?;
            package.set(&name, copied(&mut &bytes[..], &mut writer).map_err(StreamError::Write)?);
        } else {
            writer.raw_copy_file(member).map_err(written)?;
        }
    }
    // What tells the digests of the others comes behind them.
    last.sort_by_key(|(name, _)| name == DIGEST);
    let package = package.written(options);
    for (name, options) in last {
        let bytes = match &*name {
            PACKAGE => package.clone(),
            _ => {
                let old = text_of(zip, DIGEST)?;
                datapackage::digest_of(&old, &package, tell).map_err(StreamError::Read)?
            }
        };
        writer.start_file(&name, options).map_err(written)?;
        writer.write_all(&bytes).map_err(StreamError::Write)?;
    }
    writer.finish().map_err(written)?.flush().map_err(StreamError::Write)
}

/// Copies a file and tells its hashes.
fn copied(input: &mut dyn Read, output: &mut dyn Write) -> io::Result<Hash> {
    let mut hash = Hash::default();
    let mut buffer = vec![0; 1 << 16];
    loop {
        match input.read(&mut buffer)? {
            0 => return Ok(hash),
            length => {
                hash.add(&buffer[..length]);
                output.write_all(&buffer[..length])?;
            }
        }
    }
}

/// A member is written as it was before: what is compressed in itself is stored, so that records can be reached.
fn options_of<R: Read>(member: &ZipFile<'_, R>, size: u64) -> SimpleFileOptions {
    let name = name_of(member);
    let is_compressed = name.ends_with(".gz") || name.starts_with("archive/");
    let method = if is_compressed { CompressionMethod::Stored } else { CompressionMethod::Deflated };
    let options = SimpleFileOptions::default().compression_method(method).large_file(size > 1 << 31);
    match member.last_modified() {
        Some(time) => options.last_modified_time(time),
        None => options,
    }
}

/// A small file; empty if there is none.
fn text_of(zip: &mut Zip, name: &str) -> Result<String, StreamError> {
    let Ok(member) = zip.by_name(name) else { return Ok(String::new()) };
    let mut text = String::new();
    member.take(DESCRIPTION_BYTES).read_to_string(&mut text).map_err(StreamError::Read)?;
    Ok(text)
}

/// The indexes after the archives have changed, by their names.
fn indexes(
    zip: &mut Zip,
    places: &Places,
    tell: &mut dyn FnMut(Event),
) -> Result<HashMap<String, Vec<u8>>, StreamError> {
    let names: Vec<String> = zip
        .file_names()
        .filter_map(|name| name.ok().map(Cow::into_owned))
        .filter(|name| name.starts_with("indexes/"))
        .collect();
    let (mut indexes, mut room) = (HashMap::new(), INDEX_BYTES);
    for name in &names {
        let Some(kind) = index_of(name) else { continue };
        let member = zip.by_name(name).map_err(|error| StreamError::Read(error.into()))?;
        let Index { rows, blocks, left_out } =
            rewritten_index(member, kind, name, places, &mut room).map_err(StreamError::Read)?;
        if left_out > 0 {
            let message = format!("{left_out} rows of {name} name no record of the archives; they are left out");
            tell(Finding::new(Code::ArchiveIndex, message).into());
        }
        let of_blocks = stem_of_blocks(name).map(|stem| format!("{stem}.idx")).filter(|idx| names.contains(idx));
        indexes.extend(of_blocks.map(|idx| (idx, blocks)));
        indexes.insert(name.clone(), rows);
    }
    if indexes.is_empty() {
        let message = "it holds no index that could follow its archives; wacz create makes one";
        tell(Finding::new(Code::ArchiveIndex, message).into());
    }
    Ok(indexes)
}
