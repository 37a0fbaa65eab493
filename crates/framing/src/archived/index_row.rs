//! The syntax of the index of a WACZ (CDXJ), and of the list of its blocks.

use std::collections::{HashMap, HashSet};
use std::fmt;

use data_encoding::HEXLOWER;
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

/// A row that leads to a record: a key, a time, and a JSON object.
#[derive(Debug)]
pub struct IndexRow<'r> {
    key: &'r str,
    fields: Map<String, Value>,
}

impl<'r> IndexRow<'r> {
    /// Parses a row; `None` if its object is none.
    pub fn parse(row: &'r str) -> Option<Self> {
        let key = key_of(row);
        Some(Self { key, fields: serde_json::from_str(&row[key.len()..]).ok()? })
    }

    /// Reports whether a line leads to no record: it is empty, or describes the index.
    pub fn is_none(line: &str) -> bool {
        line.is_empty() || line.starts_with(['!', ' '])
    }

    /// Returns a text.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.fields.get(name)?.as_str()
    }

    /// Returns a number, which may be written as a string.
    pub fn number(&self, name: &str) -> Option<u64> {
        let value = self.fields.get(name)?;
        value.as_u64().or_else(|| value.as_str()?.parse().ok())
    }

    /// Sets a text.
    pub fn set_text(&mut self, name: &str, text: &str) {
        self.fields.insert(name.to_owned(), text.into());
    }

    /// Sets a number, written as a number or a string, as before.
    pub fn set_number(&mut self, name: &str, number: u64) {
        let is_text = self.fields.get(name).is_none_or(Value::is_string);
        self.fields.insert(name.to_owned(), if is_text { number.to_string().into() } else { number.into() });
    }

    /// Removes a field.
    pub fn remove(&mut self, name: &str) {
        self.fields.shift_remove(name);
    }
}

impl fmt::Display for IndexRow<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.key)?;
        formatter.write_str(&serde_json::to_string(&self.fields).map_err(|_| fmt::Error)?)
    }
}

/// Returns the start of a row: the search key and the timestamp, neither of which contains a space.
fn key_of(row: &str) -> &str {
    row.match_indices(' ').nth(1).map_or(row, |(space, _)| &row[..=space])
}

/// Returns the first row of the list of the blocks of an index of this name.
pub fn head_of_blocks(index: &str) -> String {
    format!("!meta 0 {}\n", json!({ "format": "cdxj-gzip-1.0", "filename": file_name(index) }))
}

/// Returns the row of a block, which begins with the row `first`, and has these bytes from `offset` on.
pub fn row_of_block(first: &str, offset: usize, block: &[u8]) -> String {
    let digest = format!("sha256:{}", HEXLOWER.encode(&Sha256::digest(block)));
    let place = json!({ "offset": offset, "length": block.len(), "digest": digest });
    format!("{} {place}\n", key_of(first).trim_end())
}

/// The paths of the archives of a WACZ.
#[derive(Debug, Default)]
pub struct ArchivePaths {
    /// By their file names; `None` if several archives have that name.
    by_name: HashMap<String, Option<String>>,
    all: HashSet<String>,
}

impl ArchivePaths {
    /// Adds the path of an archive.
    pub fn add(&mut self, path: &str) {
        let is_new = self.all.insert(path.to_owned());
        let only = self.by_name.entry(file_name(path).to_owned());
        only.and_modify(|only| *only = only.take().filter(|_| !is_new)).or_insert_with(|| Some(path.to_owned()));
    }

    /// Reports whether there is no archive.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Returns the path of the archive that a row names, empty for an unknown one; `None` if the name is ambiguous.
    pub fn of(&self, name: &str) -> Option<&str> {
        match self.by_name.get(file_name(name)) {
            None => Some(""),
            Some(Some(path)) => Some(path),
            Some(None) => self.all.get(name).or_else(|| self.all.get(&format!("archive/{name}"))).map(String::as_str),
        }
    }
}

fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}
