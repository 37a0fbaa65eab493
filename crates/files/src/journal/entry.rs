//! What changes in one file, as lines for a journal.

use std::fs::File;
use std::io::{self, Read, Seek, Write};

use absolve_containers::{EditedChunk, Spooled};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};

/// The lines of a file while it is written. What gets long waits in a temporary file.
#[derive(Debug)]
pub(crate) struct JournalEntry {
    before: Sha256,
    after: Sha256,
    edits: u64,
    lines: Spooled,
}

/// What a note comes to.
#[derive(Debug)]
pub(crate) struct Change {
    pub(crate) before: String,
    pub(crate) after: String,
    pub(crate) edits: u64,
}

impl JournalEntry {
    pub(crate) fn new() -> Self {
        let (before, after) = (Sha256::new(), Sha256::new());
        Self { before, after, edits: 0, lines: Spooled::new() }
    }

    /// Records a file that was lengthened: the first `length` bytes of its new form are the original.
    pub(crate) fn add_appended(&mut self, file: &mut File, length: u64) -> io::Result<()> {
        const PIECE: u64 = 1 << 20;
        file.rewind()?;
        let mut piece = Vec::new();
        let mut at = 0;
        while at < length {
            piece.clear();
            file.take(PIECE.min(length - at)).read_to_end(&mut piece)?;
            if piece.is_empty() {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            self.before.update(&piece);
            self.after.update(&piece);
            at += piece.len() as u64;
        }
        loop {
            piece.clear();
            file.take(PIECE).read_to_end(&mut piece)?;
            if piece.is_empty() {
                return Ok(());
            }
            self.after.update(&piece);
            self.edit(length, b"", &piece)?;
        }
    }

    /// Records the next bytes of a file and the edits in them.
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

    /// What changes, and the lines that tell each edit.
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
