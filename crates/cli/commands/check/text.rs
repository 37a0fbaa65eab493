//! Problems as compilers print them.

use std::io::{self, Write};

use absolve_files::shown;

use crate::commands::check::problem::Problem;
use crate::commands::listing::{LinkWriter, Row};

/// Writes `path:line:column: message`. Findings and errors are on standard error in any case.
pub(crate) struct Text<'o> {
    output: &'o mut dyn Write,
}

impl<'o> Text<'o> {
    pub(crate) fn new(output: &'o mut dyn Write) -> Self {
        Self { output }
    }
}

impl LinkWriter for Text<'_> {
    fn write(&mut self, row: &Row<'_>) -> io::Result<()> {
        writeln!(self.output, "{}", shown(&Problem::of_link(row).line()))
    }

    fn finish(&mut self) -> io::Result<()> {
        Ok(())
    }
}
