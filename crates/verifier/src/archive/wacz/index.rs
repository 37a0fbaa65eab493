//! Indexes of a WACZ: rows lead to the records of changed archives.

use std::collections::HashMap;
use std::io::{self, Read};

use absolve_framing::{ArchiveFormat, ArchivePaths, Compression, IndexRow, head_of_blocks, row_of_block};

use crate::archive::derived::{Became, Moved};

/// The archives of a WACZ.
#[derive(Default)]
pub(super) struct Archives {
    paths: ArchivePaths,
    /// Those that are changed, with the new places of their records, by the old ones.
    changed: HashMap<String, HashMap<u64, Moved>>,
}

impl Archives {
    pub(super) fn add(&mut self, path: &str, places: Option<Vec<Moved>>) {
        self.paths.add(path);
        let by_place = |places: Vec<Moved>| places.into_iter().filter_map(|moved| Some((moved.from?, moved))).collect();
        self.changed.extend(places.map(|places| (path.to_owned(), by_place(places))));
    }

    /// Reports whether an archive is changed.
    pub(super) fn has_changed(&self, path: &str) -> bool {
        self.changed.contains_key(path)
    }

    /// Returns the index that this one becomes.
    pub(super) fn index(&self, old: &[u8]) -> Vec<u8> {
        let mut index = Vec::new();
        for row in old.split_inclusive(|byte| *byte == b'\n').map(|row| row.strip_suffix(b"\n").unwrap_or(row)) {
            if let Some(row) = str::from_utf8(row).ok().and_then(|row| self.row(row)) {
                index.extend_from_slice(row.as_bytes());
                index.push(b'\n');
            }
        }
        index
    }

    /// Returns what a row becomes; `None` if it leads to no record, and is removed.
    fn row(&self, line: &str) -> Option<String> {
        if IndexRow::is_none(line) {
            return Some(line.to_owned());
        }
        let mut row = IndexRow::parse(line)?;
        let Some(places) = self.changed.get(self.paths.of(row.text("filename")?)?) else {
            return Some(line.to_owned());
        };
        let moved = places.get(&row.number("offset")?)?;
        let is_copy = moved.became == Became::Copy && row.number("length") == Some(moved.length);
        row.set_number("offset", moved.to);
        row.set_number("length", moved.length);
        if !is_copy {
            row.remove("recordDigest");
        }
        if let Became::Replaced { digest, media_type } = &moved.became {
            row.remove("status");
            row.set_text("mime", media_type);
            row.set_text("digest", digest);
        }
        Some(row.to_string())
    }
}

/// Returns the rows of an index of gzip members, and the list of these blocks.
pub(super) fn blocks(name: &str, index: &[u8]) -> io::Result<(Vec<u8>, Vec<u8>)> {
    let (mut ends, mut rows) = (Vec::new(), Vec::new());
    let add = |decoded, file| ends.push((decoded as usize, file as usize));
    Compression::Gzip.decompressed(Box::new(index), ArchiveFormat::Warc, add)?.read_to_end(&mut rows)?;
    let mut list = head_of_blocks(name);
    let mut start = (0, 0);
    for end in ends {
        let first = rows[start.0..end.0].split(|byte| *byte == b'\n').next().unwrap_or_default();
        list.push_str(&row_of_block(&String::from_utf8_lossy(first), start.1, &index[start.1..end.1]));
        start = end;
    }
    Ok((rows, list.into_bytes()))
}
