//! Links as JSON, one object a line.

use std::io::{self, Write};

use crate::commands::listing::{LinkWriter, Row};
use crate::json;

/// Writes links as JSON.
pub(crate) struct JsonLines<'o> {
    output: &'o mut dyn Write,
}

impl<'o> JsonLines<'o> {
    pub(crate) fn new(output: &'o mut dyn Write) -> Self {
        Self { output }
    }
}

impl LinkWriter for JsonLines<'_> {
    fn write(&mut self, row: &Row<'_>) -> io::Result<()> {
        writeln!(self.output, "{}", json::link(row.path, row.record, row.link))
    }

    fn finish(&mut self) -> io::Result<()> {
        Ok(())
    }
}
