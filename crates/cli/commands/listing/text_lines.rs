//! Links as text, one a line.

use std::io::{self, Write};

use absolve_files::shown;
use absolve_rewriter::ListedLink;

use crate::commands::listing::row::{LinkWriter, Row};

/// Writes links as text: each place, and what `line` makes of the link.
pub(crate) struct TextLines<'o, L> {
    output: &'o mut dyn Write,
    line: L,
}

impl<'o, L: Fn(&str, &ListedLink) -> String> TextLines<'o, L> {
    pub(crate) fn new(output: &'o mut dyn Write, line: L) -> Self {
        Self { output, line }
    }
}

impl<L: Fn(&str, &ListedLink) -> String> LinkWriter for TextLines<'_, L> {
    fn write(&mut self, row: &Row<'_>) -> io::Result<()> {
        writeln!(self.output, "{}", shown(&(self.line)(&row.place(), row.link)))
    }

    fn finish(&mut self) -> io::Result<()> {
        Ok(())
    }
}
