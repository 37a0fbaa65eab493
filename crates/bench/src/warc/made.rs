//! Makes the archive to measure on: the records of the corpora again and again, with other hosts and ids.

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use super::BYTES_FOR_PEERS;
use super::members::{Members, Tail};
use super::real::{Record, value};
use super::unchanged::with_absolute_links;

/// The share of records with relative links.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Changing {
    /// One in a hundred at most; the links of all others were made absolute before.
    OnePercent,
    /// As many as in the corpora.
    AsFound,
}

/// The size of an archive, or of its beginning.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Extent {
    pub(super) records: u64,
    /// Before compression.
    pub(super) bytes: u64,
    pub(super) compressed: u64,
}

/// The archive that all programs are measured on.
#[derive(Debug)]
pub(super) struct Made {
    pub(super) path: PathBuf,
    pub(super) all: Extent,
    /// The number of records with relative links.
    pub(super) changing: u64,
    /// The part of it that slow peers read.
    pub(super) head: Extent,
}

/// The template of all copies of a record.
#[derive(Debug)]
pub(super) struct Template {
    file: usize,
    found: Written,
    /// The same record with absolute links, if it has relative ones.
    unchanged: Option<Written>,
}

/// A header with gaps that are filled for each copy, and the bytes that follow it.
#[derive(Debug)]
struct Written {
    header: String,
    tail: Tail,
}

/// Marks of the gaps; no real header contains them.
const ID: &str = "\u{1}";
const HOST: &str = "\u{2}";

/// Returns templates of the records whose id can be replaced.
pub(super) fn templates(files: &[Vec<Record>]) -> io::Result<Vec<Template>> {
    let mut templates = Vec::new();
    for (file, records) in files.iter().enumerate() {
        let mut ids = HashSet::new();
        for record in records.iter().filter(|record| uuid(record).is_some_and(|id| ids.insert(id))) {
            let unchanged = with_absolute_links(record)?.as_ref().map(Written::new).transpose()?;
            templates.push(Template { file, found: Written::new(record)?, unchanged });
        }
    }
    Ok(templates)
}

/// Writes an archive of `wanted` compressed bytes, each record a member of its own.
pub(super) fn write(path: &Path, wanted: u64, templates: &[Template], changing: Changing) -> io::Result<Made> {
    let mut out = BufWriter::with_capacity(1 << 20, File::create(path)?);
    let (mut all, mut head, mut changed) = (Extent::default(), Extent::default(), 0);
    let files = templates.last().map_or(0, |template| template.file + 1);
    let (mut members, mut member) = (Members::new(), Vec::new());
    for (number, template) in templates.iter().cycle().enumerate() {
        if all.compressed >= wanted {
            break;
        }
        let is_room_left = (changed + 1) * 100 <= all.records + 1;
        let (written, is_changing) = match &template.unchanged {
            Some(unchanged) if changing == Changing::OnePercent && !is_room_left => (unchanged, false),
            unchanged => (&template.found, unchanged.is_some()),
        };
        let copy = number / templates.len();
        let header = written.header(copy, copy * files + template.file);
        members.make(header.as_bytes(), &written.tail, &mut member)?;
        out.write_all(&member)?;
        changed += u64::from(is_changing);
        all.records += 1;
        all.bytes += header.len() as u64 + written.tail.length();
        all.compressed += member.len() as u64;
        if all.compressed <= BYTES_FOR_PEERS {
            head = all;
        }
    }
    out.flush()?;
    Ok(Made { path: path.to_owned(), all, changing: changed, head })
}

impl Written {
    fn new(record: &Record) -> io::Result<Self> {
        let header = record.header.split_inclusive('\n').map(with_places).collect();
        let tail = Tail::new(&[b"\r\n", &record.block[..], b"\r\n\r\n"].concat())?;
        Ok(Self { header, tail })
    }

    fn header(&self, copy: usize, id: usize) -> String {
        self.header.replace(ID, &format!("{id:08x}")).replace(HOST, &format!("copy-{copy}."))
    }
}

const UUID: &str = "<urn:uuid:";
const DIGITS: usize = 8;

fn uuid(record: &Record) -> Option<&str> {
    let id = record.header.lines().find_map(|line| value(line, "WARC-Record-ID"))?;
    id.strip_prefix(UUID)?.get(DIGITS..)
}

/// Returns a line of a header with gaps for its host and the first digits of its ids. Ids that differ in the other digits
/// stay different, and references to them stay right.
fn with_places(line: &str) -> String {
    if value(line, "WARC-Target-URI").is_some() {
        return line.replacen("://", &format!("://{HOST}"), 1);
    }
    match line.split_once(UUID) {
        Some((before, after)) if after.is_char_boundary(DIGITS) => format!("{before}{UUID}{ID}{}", &after[DIGITS..]),
        _ => line.to_owned(),
    }
}
