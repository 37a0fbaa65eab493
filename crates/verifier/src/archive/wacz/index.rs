//! Indexes of a WACZ: rows lead to the records of changed archives.

use std::collections::HashMap;
use std::io::{self, Read};

use absolve_framing::{ArchiveFormat, Compression};
use data_encoding::HEXLOWER;
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

use crate::archive::derived::{Became, Moved};
use crate::archive::line::Line;
use crate::verdict::{Difference, Rule};

/// The archives of a WACZ.
#[derive(Default)]
pub(super) struct Archives {
    /// By their paths. Those that are changed have the new places of their records, by the old ones.
    by_path: HashMap<String, Option<HashMap<u64, Moved>>>,
    /// Their paths by the last segments; `None` if several have it.
    by_name: HashMap<String, Option<String>>,
}

/// What becomes of a row.
enum Row {
    Same,
    /// It leads to no record, and is removed.
    Removed,
    Changed(String),
}

impl Archives {
    pub(super) fn add(&mut self, path: &str, places: Option<Vec<Moved>>) {
        let places = places.map(|places| places.into_iter().filter_map(|moved| Some((moved.from?, moved))).collect());
        let only = self.by_name.entry(last_segment(path).to_owned());
        only.and_modify(|only| *only = None).or_insert_with(|| Some(path.to_owned()));
        self.by_path.insert(path.to_owned(), places);
    }

    /// Returns whether an archive is changed.
    pub(super) fn has_changed(&self, path: &str) -> bool {
        self.by_path.get(path).is_some_and(Option::is_some)
    }

    /// Returns the places of the records of the archive that a row names by its path or the last segment of it: `None` if it is unknown which
    /// archive that is, and no places if that is unchanged or missing.
    fn places(&self, name: &str) -> Option<Option<&HashMap<u64, Moved>>> {
        let path = match self.by_name.get(last_segment(name)) {
            None => return Some(None),
            Some(Some(path)) => path.clone(),
            Some(None) if self.by_path.contains_key(name) => name.to_owned(),
            Some(None) => format!("archive/{name}"),
        };
        self.by_path.get(&path).map(Option::as_ref)
    }

    /// Returns the index that this one becomes.
    pub(super) fn index(&self, old: &[u8]) -> Vec<u8> {
        let mut index = Vec::new();
        for row in old.strip_suffix(b"\n").unwrap_or(old).split(|byte| *byte == b'\n') {
            let text = str::from_utf8(row).ok();
            match text.map_or(Row::Removed, |text| self.row(text).unwrap_or(Row::Removed)) {
                Row::Removed => continue,
                Row::Same => index.extend_from_slice(row),
                Row::Changed(row) => index.extend(row.into_bytes()),
            }
            index.push(b'\n');
        }
        if old.is_empty() { Vec::new() } else { index }
    }

    fn row(&self, row: &str) -> Option<Row> {
        if row.is_empty() || row.starts_with(['!', ' ']) {
            return Some(Row::Same);
        }
        let (key, object) = split_row(row);
        let mut object: Map<String, Value> = serde_json::from_str(object).ok()?;
        let Some(places) = self.places(object.get("filename")?.as_str()?)? else { return Some(Row::Same) };
        let moved = places.get(&number(object.get("offset")?)?)?;
        let is_copy = moved.became == Became::Copy && object.get("length").and_then(number) == Some(moved.length);
        for (name, new) in [("offset", moved.to), ("length", moved.length)] {
            // A number or a string, as before.
            let is_text = object.get(name).is_none_or(Value::is_string);
            object.insert(name.to_owned(), if is_text { new.to_string().into() } else { new.into() });
        }
        if !is_copy {
            object.shift_remove("recordDigest");
        }
        if let Became::Replaced { digest, media_type } = &moved.became {
            object.shift_remove("status");
            object.insert("mime".to_owned(), media_type.clone().into());
            object.insert("digest".to_owned(), digest.clone().into());
        }
        Some(Row::Changed(format!("{key}{}", Value::Object(object))))
    }
}

/// Returns the rows of an index of gzip members, and the list of these blocks.
pub(super) fn blocks(name: &str, index: &[u8]) -> io::Result<(Vec<u8>, Vec<u8>)> {
    let (mut ends, mut rows) = (Vec::new(), Vec::new());
    let add = |decoded, file| ends.push((decoded as usize, file as usize));
    Compression::Gzip.decompressed(Box::new(index), ArchiveFormat::Warc, add)?.read_to_end(&mut rows)?;
    let meta = json!({ "format": "cdxj-gzip-1.0", "filename": last_segment(name) });
    let mut list = format!("!meta 0 {meta}\n");
    let mut start = (0, 0);
    for end in ends {
        let (block, bytes) = (&rows[start.0..end.0], &index[start.1..end.1]);
        let first = block.split(|byte| *byte == b'\n').next().unwrap_or_default();
        let first = String::from_utf8_lossy(first);
        let digest = format!("sha256:{}", HEXLOWER.encode(&Sha256::digest(bytes)));
        let place = json!({ "offset": start.1, "length": bytes.len(), "digest": digest });
        list.push_str(&format!("{} {place}\n", split_row(&first).0.trim_end()));
        start = end;
    }
    Ok((rows, list.into_bytes()))
}

/// Returns the first row in which a file differs from what it has to be.
pub(super) fn different_row(expected: &[u8], found: &[u8]) -> Option<Difference> {
    let row = Line::different(expected, found)?;
    let before_digest = |row: &str| row.split_once("\"digest\":\"sha256:").map(|(before, _)| before.to_owned());
    let place = before_digest(&row.expected);
    let is_digest = place.is_some() && place == before_digest(&row.found);
    Some(row.difference(if is_digest { Rule::Digest } else { Rule::Record }, "row"))
}

fn last_segment(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or_default()
}

/// Returns the key of a row with the space behind it, and the JSON object.
fn split_row(row: &str) -> (&str, &str) {
    row.split_at(row.match_indices(' ').nth(1).map_or(row.len(), |(space, _)| space + 1))
}

/// Returns a number, which may be written as a string.
fn number(value: &Value) -> Option<u64> {
    value.as_u64().or_else(|| value.as_str()?.parse().ok())
}
