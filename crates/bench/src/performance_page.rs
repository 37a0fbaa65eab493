//! The tables of `docs/performance.md`, which stand between marks.

use std::{fs, io};

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/performance.md");
const END: &str = "<!-- end of table -->";

/// Writes a table into its place in the page.
pub(crate) fn write(name: &str, table: &str) -> io::Result<()> {
    let page = fs::read_to_string(PAGE)?;
    let begin = format!("<!-- table: {name} -->\n");
    let parts = page.split_once(&begin).and_then(|(before, rest)| Some((before, rest.split_once(END)?.1)));
    let (before, after) = parts.ok_or_else(|| io::Error::other(format!("{PAGE} has no place for the table {name}")))?;
    fs::write(PAGE, format!("{before}{begin}{table}{END}{after}"))
}
