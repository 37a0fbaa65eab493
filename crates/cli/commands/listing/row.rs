//! Rows of links, and what writes them.

use std::io;
use std::path::Path;

use absolve_files::FileError;
use absolve_rewriter::{Detail, DocumentReport, Finding, ListedLink, Position};

use crate::messages::place_of;

/// Writes links in one format.
pub(crate) trait LinkWriter {
    /// Writes a link.
    fn write(&mut self, row: &Row<'_>) -> io::Result<()>;

    /// Writes a finding that left something unread, if the format has a place for it: it is printed in any case.
    fn unread(&mut self, _path: &Path, _finding: &Finding) -> io::Result<()> {
        Ok(())
    }

    /// Writes that a file could not be read, if the format has a place for it: it is printed in any case.
    fn failed(&mut self, _error: &FileError) -> io::Result<()> {
        Ok(())
    }

    /// Writes that nothing could be read, and why, if the format has a place for it: it is printed in any case.
    fn stopped(&mut self, _why: &str) -> io::Result<()> {
        Ok(())
    }

    /// Returns what the writer needs of each document.
    fn detail(&self) -> Detail {
        Detail::Counts
    }

    /// Writes a document, if [`Self::detail`] asks for them.
    fn document(&mut self, _path: &Path, _document: &DocumentReport, _findings: &[Finding]) -> io::Result<()> {
        Ok(())
    }

    /// Writes what follows the last link.
    fn finish(&mut self) -> io::Result<()>;
}

/// A link, and where it stands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row<'r> {
    pub(crate) path: &'r Path,
    /// The record it is in, or the unique name of a message in a Maildir; empty for a document that is a file.
    pub(crate) record: &'r str,
    /// The record, unless it is all of the file.
    pub(crate) shown_record: &'r str,
    /// Its line and column in the file, or in the record.
    pub(crate) position: Position,
    /// Its column in code units of UTF-16, if that is sure.
    pub(crate) utf_16_column: Option<usize>,
    /// The URL that its document was retrieved from.
    pub(crate) url: Option<&'r str>,
    /// The date of the record, and its id.
    pub(crate) date: Option<&'r str>,
    pub(crate) record_id: Option<&'r str>,
    pub(crate) link: &'r ListedLink,
}

impl Row<'_> {
    /// Returns where the link stands, as in `page.html:3:17`.
    pub(crate) fn place(&self) -> String {
        place_of(self.path, self.shown_record, &self.link.part, Some(self.position))
    }
}

/// Writes no link: for `--quiet`.
pub(crate) struct Nothing;

impl LinkWriter for Nothing {
    fn write(&mut self, _: &Row<'_>) -> io::Result<()> {
        Ok(())
    }

    fn finish(&mut self) -> io::Result<()> {
        Ok(())
    }
}
