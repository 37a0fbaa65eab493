//! Rows of links, and what writes them.

use std::io::{self, Write};
use std::path::Path;

use absolve_files::{FileError, shown};
use absolve_rewriter::results::Position;
use absolve_rewriter::{DocumentReport, Finding, ListedLink};
use absolve_table::{Locate, Page};

/// Writes a listing in one format.
pub(crate) type Writer<'w> = dyn FnMut(Event<'_>) -> io::Result<()> + 'w;

/// What a listing consists of. Findings and errors are printed in any case, so a format without a place for them leaves them out.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Event<'e> {
    Link(&'e Row<'e>),
    /// A finding that left something unread.
    Unread(&'e Path, &'e Finding),
    /// A file could not be read.
    Failed(&'e FileError),
    /// Nothing could be read, and why. It is the last event.
    Stopped(&'e str),
    /// A document, and the findings in its record, if details are wanted.
    Document(&'e Path, &'e DocumentReport, &'e [Finding]),
    /// All was listed.
    End,
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
    /// Returns the document that it is in.
    pub(crate) fn page(&self) -> Page<'_> {
        let Self { path, record, url, date, record_id, link, .. } = *self;
        Page { path, record, part: &link.part, url, date, record_id }
    }
}

impl Locate for Row<'_> {
    fn in_document(&mut self) -> Position {
        Position { line: self.link.line, column: self.link.column }
    }

    fn in_file(&mut self) -> Position {
        self.position
    }
}

/// Returns a writer of nothing: for `--quiet`.
pub(crate) fn nothing<'w>() -> Box<Writer<'w>> {
    Box::new(|_| Ok(()))
}

/// Returns a writer of text: what `line` makes of each link.
pub(crate) fn text_lines<'w>(output: &'w mut dyn Write, line: fn(&Row<'_>) -> String) -> Box<Writer<'w>> {
    Box::new(move |event| match event {
        Event::Link(row) => writeln!(output, "{}", shown(&line(row))),
        _ => Ok(()),
    })
}
