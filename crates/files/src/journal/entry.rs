//! The journal entry of one changed file.

use std::fs::File;
use std::io::{self, Read, Seek, Write};

use absolve_containers::{EditedChunk, Spooled};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};

/// The journal entry of a file while it is written: digests, and a line for each edit, in memory or in a temporary file.
#[derive(Debug)]
pub(crate) struct JournalEntry {
    before: Sha256,
    after: Sha256,
    edits: u64,
    lines: Spooled,
}

/// The SHA-256 of a file before and after its edits, in hexadecimal, and the number of edits.
#[derive(Debug)]
pub(crate) struct Change {
    pub(crate) before: String,
    pub(crate) after: String,
    pub(crate) edits: u64,
}

impl JournalEntry {
    pub(crate) fn new() -> Self {
        let (before, after) = (Sha256::new(), Sha256::new());
        Self { before, after, edits: 0, lines: Spooled::default() }
    }

    /// Records a file to which bytes were appended: the first `length` bytes of `file` are the original.
    pub(crate) fn add_appended(&mut self, file: &mut File, length: u64) -> io::Result<()> {
        const CHUNK: u64 = 1 << 20;
        file.rewind()?;
        let mut chunk = Vec::new();
        let mut at = 0;
        while at < length {
            chunk.clear();
            file.take(CHUNK.min(length - at)).read_to_end(&mut chunk)?;
            if chunk.is_empty() {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            self.before.update(&chunk);
            self.after.update(&chunk);
            at += chunk.len() as u64;
        }
        loop {
            chunk.clear();
            file.take(CHUNK).read_to_end(&mut chunk)?;
            if chunk.is_empty() {
                return Ok(());
            }
            self.after.update(&chunk);
            self.edit(length, b"", &chunk)?;
        }
    }

    /// Records the next chunk of a file and its edits.
    pub(crate) fn add(&mut self, EditedChunk { start, bytes, edits }: EditedChunk<'_>) -> io::Result<()> {
        self.before.update(bytes);
        let mut at = 0;
        for (range, text) in edits.iter() {
            self.after.update(&bytes[at..range.start]);
            self.after.update(text);
            at = range.end;
            self.edit(start + range.start as u64, &bytes[range], text)?;
        }
        self.after.update(&bytes[at..]);
        Ok(())
    }

    /// Returns the summary of the change and a reader of the lines of its edits.
    pub(crate) fn finish(mut self) -> io::Result<(Change, impl Read)> {
        self.lines.rewind()?;
        let (before, after) = (HEXLOWER.encode(&self.before.finalize()), HEXLOWER.encode(&self.after.finalize()));
        Ok((Change { before, after, edits: self.edits }, self.lines))
    }

    fn edit(&mut self, start: u64, old: &[u8], new: &[u8]) -> io::Result<()> {
        self.edits += 1;
        let end = start + old.len() as u64;
        let (old, new) = (BASE64_STANDARD.encode(old), BASE64_STANDARD.encode(new));
        let line =
            format!(r#"{{"kind":"edit","start":{start},"end":{end},"old_base64":"{old}","new_base64":"{new}"}}"#);
        writeln!(self.lines, "{line}")
    }
}
