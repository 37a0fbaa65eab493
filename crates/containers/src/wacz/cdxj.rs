//! The CDXJ index of a WACZ, plain or in blocks that are compressed one by one.

use std::collections::HashMap;
use std::io::{self, BufRead, BufReader, Read, Write};

use absolve_framing::{ArchivePaths, Compression, INDEX_BYTES, IndexRow, head_of_blocks, row_of_block};

use crate::warc::derive::Moved;

/// The new places of the records of all archives.
#[derive(Default)]
pub(crate) struct Moves {
    /// By the path of the changed archive and the old offset.
    by_archive: HashMap<String, HashMap<u64, Moved>>,
    /// The paths of all archives, unchanged ones included.
    paths: ArchivePaths,
}

/// The format of an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum IndexKind {
    Plain,
    /// Blocks of rows, each compressed by gzip, with a secondary index of the blocks (`.idx`).
    Blocks,
}

/// An updated index.
pub(crate) struct Index {
    pub(crate) rows: Vec<u8>,
    /// The secondary index: the first row of each block, with its offset, length and digest.
    pub(crate) blocks: Vec<u8>,
    /// Number of rows whose record is unknown.
    pub(crate) omitted: u64,
}

/// Returns the format of an index by its name; `None` if it is not the name of an index.
pub(crate) fn kind_of(name: &str) -> Option<IndexKind> {
    if stem_of_blocks(name).is_some() {
        return Some(IndexKind::Blocks);
    }
    [".cdx", ".cdxj"].iter().any(|suffix| name.ends_with(suffix)).then_some(IndexKind::Plain)
}

/// Returns the name of an index in blocks without its extension, which the secondary index shares.
pub(crate) fn stem_of_blocks(name: &str) -> Option<&str> {
    name.strip_suffix(".cdx.gz").or_else(|| name.strip_suffix(".cdxj.gz"))
}

/// Returns an index with the new places of the records. Its bytes count against the `budget` of all indexes.
pub(crate) fn rewritten_index(
    input: &mut dyn Read,
    kind: IndexKind,
    name: &str,
    moves: &Moves,
    budget: &mut usize,
) -> io::Result<Index> {
    let input: Box<dyn BufRead> = match kind {
        IndexKind::Plain => Box::new(BufReader::new(input)),
        IndexKind::Blocks => Box::new(BufReader::new(Compression::Gzip.decoder(input))),
    };
    let mut writer = Writer::new(kind, name);
    let mut omitted = 0;
    for line in input.take(*budget as u64 + 1).split(b'\n') {
        let line = line?;
        let Some(rest) = budget.checked_sub(line.len() + 1) else {
            let message = format!("with {name} the indexes exceed {} MiB", INDEX_BYTES >> 20);
            return Err(io::Error::other(message));
        };
        *budget = rest;
        match String::from_utf8(line).ok().and_then(|line| moves.row(line)) {
            Some(row) => writer.add(row)?,
            None => omitted += 1,
        }
    }
    let (rows, blocks) = writer.finish()?;
    Ok(Index { rows, blocks, omitted })
}

impl Moves {
    /// Adds the moved records of a changed archive.
    pub(crate) fn add(&mut self, archive: &str, moved: Vec<Moved>) {
        let moves = moved.into_iter().filter_map(|moved| Some((moved.old_offset?, moved))).collect();
        self.by_archive.insert(archive.to_owned(), moves);
    }

    /// Adds the path of an archive.
    pub(crate) fn add_archive(&mut self, archive: &str) {
        self.paths.add(archive);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.paths.is_empty()
    }

    /// Returns the row with the new place of its record; `None` if that is unknown.
    fn row(&self, line: String) -> Option<String> {
        if IndexRow::is_none(&line) {
            return Some(line);
        }
        let mut row = IndexRow::parse(&line)?;
        let Some(moves) = self.by_archive.get(self.paths.of(row.text("filename")?)?) else { return Some(line) };
        let moved = moves.get(&row.number("offset")?)?;
        let is_whole = moved.replaced.is_none() && !moved.in_pieces;
        let is_copy = is_whole && row.number("length") == Some(moved.length);
        row.set_number("offset", moved.offset);
        row.set_number("length", moved.length);
        if !is_copy {
            row.remove("recordDigest");
        }
        if let Some((digest, media_type)) = &moved.replaced {
            // A resource has no status.
            row.remove("status");
            row.set_text("mime", media_type);
            row.set_text("digest", digest);
        }
        Some(row.to_string())
    }
}

/// Writes rows and the secondary index of their blocks.
struct Writer {
    kind: IndexKind,
    rows: Vec<u8>,
    blocks: Vec<u8>,
    /// The rows of the unfinished block.
    block: Vec<String>,
}

impl Writer {
    fn new(kind: IndexKind, name: &str) -> Self {
        Self { kind, rows: Vec::new(), blocks: head_of_blocks(name).into_bytes(), block: Vec::new() }
    }

    fn add(&mut self, row: String) -> io::Result<()> {
        const ROWS_PER_BLOCK: usize = 1024;
        self.block.push(row);
        if self.block.len() == ROWS_PER_BLOCK { self.end_block() } else { Ok(()) }
    }

    fn end_block(&mut self) -> io::Result<()> {
        let Some(first) = self.block.first() else { return Ok(()) };
        let text = self.block.join("\n") + "\n";
        if self.kind == IndexKind::Plain {
            self.rows.write_all(text.as_bytes())?;
        } else {
            let block = Compression::Gzip.compressed(text.into_bytes())?;
            self.blocks.extend(row_of_block(first, self.rows.len(), &block).into_bytes());
            self.rows.extend(block);
        }
        self.block.clear();
        Ok(())
    }

    fn finish(mut self) -> io::Result<(Vec<u8>, Vec<u8>)> {
        self.end_block()?;
        Ok((self.rows, self.blocks))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_written_in_pieces_loses_its_digest() {
        let moved = |old_offset, in_pieces| Moved {
            old_offset: Some(old_offset),
            offset: old_offset + 10,
            length: 5,
            in_pieces,
            replaced: None,
        };
        let mut moves = Moves::default();
        moves.add_archive("archive/a.warc");
        moves.add("archive/a.warc", vec![moved(0, false), moved(5, true)]);
        let row = |offset: u64, digest: &str| {
            format!("h)/ 20240101000000 {{\"filename\":\"a.warc\",\"offset\":{offset},\"length\":5{digest}}}")
        };
        let digest = ",\"recordDigest\":\"sha256:0\"";
        assert_eq!(moves.row(row(0, digest)), Some(row(10, digest)));
        assert_eq!(moves.row(row(5, digest)), Some(row(15, "")));
    }
}
