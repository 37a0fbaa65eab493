//! Tables as text.

use std::io::{self, Write};

use absolve_files::shown;

use crate::commands::table::cell::{Cell, TableWriter};

/// A table of hosts as text, a row a line.
pub(crate) struct TextTable<'o>(pub(crate) &'o mut dyn Write);

impl TableWriter for TextTable<'_> {
    fn write(&mut self, cells: &[Cell<'_>]) -> io::Result<()> {
        let cell = |cell: &Cell<'_>| match cell {
            Cell::Text(host) if host.is_empty() => "(no host)".to_owned(),
            Cell::Text(host) => shown(host).into_owned(),
            Cell::Number(links) => links.to_string(),
            Cell::Flag(_) | Cell::Null => String::new(),
        };
        let cells: Vec<String> = cells.iter().map(cell).collect();
        writeln!(self.0, "{}", cells.join("\t"))
    }

    fn finish(&mut self) -> io::Result<()> {
        Ok(())
    }
}
