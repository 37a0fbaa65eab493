//! The index of the records of a WACZ: CDXJ, perhaps in blocks that are compressed one by one.

use std::collections::{HashMap, HashSet};
use std::io::{self, BufRead, BufReader, Read, Write};

use data_encoding::HEXLOWER;
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

use crate::compression::gunzipped;
use crate::limits::INDEX_BYTES;
use crate::warc::derive::Moved;

/// Where the records of archives stand that change, by the file names of those and the old places.
#[derive(Default)]
pub(crate) struct Places {
    by_archive: HashMap<String, HashMap<u64, Moved>>,
    /// All archives, those that do not change included, by the last names of their paths: the one of that name, if there is
    /// but one.
    archives: HashMap<String, Option<String>>,
    /// Their paths.
    paths: HashSet<String>,
}

/// How an index is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Plain,
    /// In blocks compressed by gzip.
    Blocks,
}

/// An index after its archives have changed.
pub(crate) struct Index {
    pub(crate) rows: Vec<u8>,
    /// Where its blocks stand, and which rows they begin with.
    pub(crate) blocks: Vec<u8>,
    /// How many rows could not follow.
    pub(crate) left_out: u64,
}

/// How the index of this name is written; `None` if it is none.
pub(crate) fn index_of(name: &str) -> Option<Kind> {
    if stem_of_blocks(name).is_some() {
        return Some(Kind::Blocks);
    }
    [".cdx", ".cdxj"].iter().any(|suffix| name.ends_with(suffix)).then_some(Kind::Plain)
}

/// What the name of an index in blocks has in common with the list of those.
pub(crate) fn stem_of_blocks(name: &str) -> Option<&str> {
    name.strip_suffix(".cdx.gz").or_else(|| name.strip_suffix(".cdxj.gz"))
}

/// The index with the new places of records; it takes its bytes out of the `room` that there is for all.
pub(crate) fn rewritten_index(
    input: impl Read,
    kind: Kind,
    name: &str,
    places: &Places,
    room: &mut usize,
) -> io::Result<Index> {
    let input: Box<dyn BufRead> = match kind {
        Kind::Plain => Box::new(BufReader::new(input)),
        Kind::Blocks => Box::new(BufReader::new(gunzipped(input))),
    };
    let mut writer = Writer::new(kind, name);
    let mut left_out = 0;
    for line in input.take(*room as u64 + 1).split(b'\n') {
        let line = line?;
        let Some(rest) = room.checked_sub(line.len() + 1) else {
            let message = format!("with {name} the indexes are longer than {} MiB", INDEX_BYTES >> 20);
            return Err(io::Error::other(message));
        };
        *room = rest;
        match String::from_utf8(line).ok().and_then(|line| places.row(line)) {
            Some(row) => writer.add(row)?,
            None => left_out += 1,
        }
    }
    let (rows, blocks) = writer.finish()?;
    Ok(Index { rows, blocks, left_out })
}

impl Places {
    pub(crate) fn add(&mut self, archive: &str, moved: Vec<Moved>) {
        let places = moved.into_iter().filter_map(|moved| Some((moved.from?, moved))).collect();
        self.by_archive.insert(archive.to_owned(), places);
    }

    /// Notes that there is an archive.
    pub(crate) fn note(&mut self, archive: &str) {
        let is_new = self.paths.insert(archive.to_owned());
        let alone = self.archives.entry(file_name(archive).to_owned());
        alone.and_modify(|alone| *alone = alone.take().filter(|_| !is_new)).or_insert_with(|| Some(archive.to_owned()));
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.archives.is_empty()
    }

    /// The archive that a row names, by its path or only by its last name; `None` if there are several.
    fn archive_of(&self, name: &str) -> Option<&str> {
        match self.archives.get(file_name(name)) {
            None => Some(""),
            Some(Some(archive)) => Some(archive),
            Some(None) => {
                let path = self.paths.get(name).or_else(|| self.paths.get(&format!("archive/{name}")));
                path.map(String::as_str)
            }
        }
    }

    /// The row with the new place of its record; `None` if that is not known.
    fn row(&self, line: String) -> Option<String> {
        if line.is_empty() || line.starts_with(['!', ' ']) {
            return Some(line);
        }
        let (key, object) = line.split_at(key_of(&line).len());
        let mut row: Map<String, Value> = serde_json::from_str(object).ok()?;
        let archive = self.archive_of(row.get("filename")?.as_str()?)?;
        let Some(places) = self.by_archive.get(archive) else { return Some(line) };
        let number = |value: &Value| value.as_u64().or_else(|| value.as_str()?.parse().ok());
        let moved = places.get(&number(row.get("offset")?)?)?;
        let is_copy = moved.replaced.is_none() && row.get("length").and_then(number) == Some(moved.length);
        // As numbers or as texts, as they were.
        let put = |row: &mut Map<String, Value>, name: &str, number: u64| {
            let is_text = row.get(name).is_none_or(Value::is_string);
            row.insert(name.to_owned(), if is_text { number.to_string().into() } else { number.into() });
        };
        put(&mut row, "offset", moved.offset);
        put(&mut row, "length", moved.length);
        if !is_copy {
            row.shift_remove("recordDigest");
        }
        if let Some((digest, media_type)) = &moved.replaced {
            // A resource has no status.
            row.shift_remove("status");
            row.insert("mime".to_owned(), media_type.clone().into());
            row.insert("digest".to_owned(), digest.clone().into());
        }
        Some(format!("{key}{}", Value::Object(row)))
    }
}

/// What a row begins with: its URL and date, in neither of which a space stands.
fn key_of(row: &str) -> &str {
    row.match_indices(' ').nth(1).map_or(row, |(space, _)| &row[..=space])
}

/// The last name of a path.
pub(crate) fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Writes rows, and tells where the blocks of them stand.
struct Writer {
    kind: Kind,
    rows: Vec<u8>,
    blocks: Vec<u8>,
    /// The rows of a block that is not written yet.
    block: Vec<String>,
}

impl Writer {
    fn new(kind: Kind, name: &str) -> Self {
        let meta = json!({ "format": "cdxj-gzip-1.0", "filename": file_name(name) });
        Self { kind, rows: Vec::new(), blocks: format!("!meta 0 {meta}\n").into_bytes(), block: Vec::new() }
    }

    fn add(&mut self, row: String) -> io::Result<()> {
        const ROWS_A_BLOCK: usize = 1024;
        self.block.push(row);
        if self.block.len() == ROWS_A_BLOCK { self.end_block() } else { Ok(()) }
    }

    fn end_block(&mut self) -> io::Result<()> {
        let Some(first) = self.block.first() else { return Ok(()) };
        let key = key_of(first).trim_end().to_owned();
        let text = self.block.join("\n") + "\n";
        self.block.clear();
        if self.kind == Kind::Plain {
            return self.rows.write_all(text.as_bytes());
        }
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(text.as_bytes())?;
        let block = encoder.finish()?;
        let digest = format!("sha256:{}", HEXLOWER.encode(&Sha256::digest(&block)));
        let place = json!({ "offset": self.rows.len(), "length": block.len(), "digest": digest });
        self.blocks.extend(format!("{key} {place}\n").into_bytes());
        self.rows.extend(block);
        Ok(())
    }

    fn finish(mut self) -> io::Result<(Vec<u8>, Vec<u8>)> {
        self.end_block()?;
        Ok((self.rows, self.blocks))
    }
}
