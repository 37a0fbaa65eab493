//! Indexes of a WACZ: rows lead to the records of changed archives.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};

use serde_json::{Map, Value};

use crate::archive::derived::Moved;
use crate::compression::Compression;
use crate::compression::decompressed::Decompressed;
use crate::storage::Stored;
use crate::storage::digest::length_and_sha256;
use crate::verdict::{Difference, Rule};

/// The archives of a WACZ by their names.
#[derive(Default)]
pub(super) struct Archives {
    by_name: HashMap<String, Option<Changed>>,
    /// Their names by the last segment of each path.
    by_last_name: HashMap<String, Vec<String>>,
}

/// A changed archive.
struct Changed {
    /// The new places of its records, by their old places.
    places: HashMap<u64, Moved>,
    file: File,
}

/// The longest line of an index.
const LONGEST_LINE: u64 = 16 << 20;

impl Archives {
    pub(super) fn add(&mut self, name: &str, places: Option<Vec<Moved>>, file: File) {
        let places = places.map(|places| places.into_iter().filter_map(|moved| Some((moved.from?, moved))).collect());
        self.by_name.insert(name.to_owned(), places.map(|places| Changed { places, file }));
        self.by_last_name.entry(last_name(name).to_owned()).or_default().push(name.to_owned());
    }

    /// Returns what the rows lead to that contain this file name, which is a path or the last segment of one.
    fn described(&self, name: &str) -> Named<'_> {
        let found = match self.by_last_name.get(last_name(name)).map(Vec::as_slice) {
            None | Some([]) => return Named::Same,
            Some([only]) => self.by_name.get(only),
            Some(_) => self.by_name.get(name).or_else(|| self.by_name.get(&format!("archive/{name}"))),
        };
        match found {
            Some(Some(changed)) => Named::Changed(changed),
            Some(None) => Named::Same,
            None => Named::Nothing,
        }
    }
}

fn last_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or_default()
}

/// What a row leads to.
enum Named<'a> {
    /// An archive that is unchanged, or that is missing.
    Same,
    Changed(&'a Changed),
    Nothing,
}

/// What has to become of a row.
enum RowChange<'a> {
    /// It stays.
    Unchanged,
    /// It leads to no record, and is removed.
    Removed,
    /// It leads to a record that has moved here.
    Moved(&'a Changed, &'a Moved, Map<String, Value>),
}

/// Verifies the rows of an index against the old ones.
pub(super) fn verify_index(
    old: impl Read,
    new: impl Read,
    is_compressed: bool,
    archives: &Archives,
) -> io::Result<Vec<Difference>> {
    let compression = if is_compressed { Compression::Gzip } else { Compression::None };
    let mut old_rows = BufReader::new(Decompressed::new(old, compression, b"")?);
    let mut new_rows = BufReader::new(Decompressed::new(new, compression, b"")?);
    let mut found = Vec::new();
    let mut number = 0;
    while let Some(old) = row(&mut old_rows)? {
        number += 1;
        let change = archives.change(&old);
        if let RowChange::Removed = change {
            continue;
        }
        let Some(new) = row(&mut new_rows)? else {
            found.push(Difference::new(Rule::Record, format!("row {number} and those behind it are missing")));
            return Ok(found);
        };
        let wrong = match change {
            RowChange::Moved(archive, moved, old_row) => check_row(&old, &new, archive, moved, old_row)?,
            _ => (old != new).then(|| "it has changed, and its record has not".to_owned()),
        };
        found.extend(wrong.map(|wrong| Difference {
            original: String::from_utf8_lossy(&old).into_owned(),
            rewritten: String::from_utf8_lossy(&new).into_owned(),
            ..Difference::new(Rule::Record, format!("row {number}: {wrong}"))
        }));
    }
    if row(&mut new_rows)?.is_some() {
        found.push(Difference::new(Rule::Record, "it has more rows than before"));
    }
    Ok(found)
}

/// Returns the next line without its end.
fn row(rows: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    rows.take(LONGEST_LINE).read_until(b'\n', &mut line)?;
    let is_end = line.is_empty();
    line.pop_if(|byte| *byte == b'\n');
    Ok((!is_end).then_some(line))
}

impl Archives {
    fn change(&self, row: &[u8]) -> RowChange<'_> {
        if matches!(row.first(), None | Some(b'!' | b' ')) {
            return if str::from_utf8(row).is_ok() { RowChange::Unchanged } else { RowChange::Removed };
        }
        let Some((_, object)) = split_row(row) else { return RowChange::Removed };
        let Some(name) = object.get("filename").and_then(Value::as_str) else { return RowChange::Removed };
        let archive = match self.described(name) {
            Named::Same => return RowChange::Unchanged,
            Named::Nothing => return RowChange::Removed,
            Named::Changed(archive) => archive,
        };
        let moved = number_in(&object, "offset").and_then(|offset| archive.places.get(&offset));
        moved.map_or(RowChange::Removed, |moved| RowChange::Moved(archive, moved, object))
    }
}

/// Returns the key of a row, and the JSON object behind it.
fn split_row(row: &[u8]) -> Option<(&str, Map<String, Value>)> {
    let row = str::from_utf8(row).ok()?;
    let (end, _) = row.match_indices(' ').nth(1)?;
    Some((&row[..end], serde_json::from_str(&row[end..]).ok()?))
}

/// Returns a number, which may be written as a string.
fn number_in(row: &Map<String, Value>, name: &str) -> Option<u64> {
    let value = row.get(name)?;
    value.as_u64().or_else(|| value.as_str()?.parse().ok())
}

fn check_row(
    old: &[u8],
    new: &[u8],
    archive: &Changed,
    moved: &Moved,
    mut old_row: Map<String, Value>,
) -> io::Result<Option<String>> {
    let wrong = |message: &str| Ok(Some(message.to_owned()));
    let Some((key, mut row)) = split_row(new) else { return wrong("it can no longer be parsed") };
    if split_row(old).is_some_and(|(old_key, _)| old_key != key) {
        return wrong("its key has changed");
    }
    let place = (number_in(&row, "offset"), number_in(&row, "length"));
    if place != (Some(moved.to), Some(moved.length)) {
        let [offset, length] =
            [place.0, place.1].map(|found| found.map_or("none".to_owned(), |found| found.to_string()));
        let Moved { to, length: moved_length, .. } = moved;
        return Ok(Some(format!(
            "its offset is {offset} and its length {length}, but its record has {moved_length} bytes at byte {to}"
        )));
    }
    if let Some(digest) = row.get("recordDigest") {
        let sha256 = match moved.sha256.get() {
            Some(sha256) => sha256,
            None => {
                let bytes = Stored::File(&archive.file).reader_at(moved.to).take(moved.length);
                let (_, sha256) = length_and_sha256(bytes)?;
                moved.sha256.get_or_init(|| sha256)
            }
        };
        if digest.as_str() != Some(&format!("sha256:{sha256}")) && old_row.get("recordDigest") != Some(digest) {
            return wrong("the digest of its record is wrong");
        }
        if moved.replaced.is_some() {
            return wrong("it has the digest of a record that was replaced");
        }
    }
    if let Some((digest, media_type)) = &moved.replaced {
        let says = |name: &str, expected: &str| row.get(name).and_then(Value::as_str) == Some(expected);
        if !says("digest", digest) || !says("mime", media_type) || row.contains_key("status") {
            return wrong("it does not have the digest and the media type of the replacement of its record");
        }
    }
    let changing: &[&str] = match moved.replaced {
        Some(_) => &["offset", "length", "recordDigest", "digest", "mime", "status"],
        None => &["offset", "length", "recordDigest"],
    };
    for name in changing {
        row.remove(*name);
        old_row.remove(*name);
    }
    if row == old_row { Ok(None) } else { wrong("other values in it have changed") }
}

/// Verifies the list of the blocks of an index: each block begins with the key of its row and has the digest of its
/// row, and together the blocks are the whole index.
pub(super) fn verify_blocks(list: &str, index: Stored<'_>) -> io::Result<Vec<Difference>> {
    let mut found = Vec::new();
    let mut end = 0;
    for line in list.lines().filter(|line| !line.starts_with('!') && !line.is_empty()) {
        let Some((key, block)) = split_row(line.as_bytes()) else {
            found.push(Difference::new(Rule::Record, format!("a row cannot be parsed: {line}")));
            continue;
        };
        let (offset, length) = (number_in(&block, "offset").unwrap_or(0), number_in(&block, "length").unwrap_or(0));
        if offset != end {
            found.push(Difference::new(Rule::Record, format!("the block of {key:?} does not begin at {end}")));
            return Ok(found);
        }
        let (_, sha256) = length_and_sha256(index.reader_at(offset).take(length))?;
        if block.get("digest").and_then(Value::as_str) != Some(&format!("sha256:{sha256}")) {
            found.push(Difference::new(Rule::Digest, format!("the digest of the block at {offset} is wrong")));
        }
        let mut rows = BufReader::new(Decompressed::new(index.reader_at(offset).take(length), Compression::Gzip, b"")?);
        let first = row(&mut rows).ok().flatten().unwrap_or_default();
        if !first.starts_with(key.as_bytes()) {
            let message = format!("the block at {offset} does not begin with {key:?}");
            found.push(Difference::new(Rule::Record, message));
        }
        end = offset + length;
    }
    if end != index.length()? {
        found.push(Difference::new(Rule::Record, "its blocks are not the whole index"));
    }
    Ok(found)
}
