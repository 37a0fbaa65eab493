//! Cells of CSV files, which people open in spreadsheets.

use std::borrow::Cow;

/// Escapes a cell that spreadsheets would take for a formula: an apostrophe is put before a character that could begin one,
/// and before an apostrophe, so that the escape can be undone.
///
/// ```
/// assert_eq!(&*absolve_table::as_text(b"=1+1"), b"'=1+1");
/// ```
pub fn as_text(cell: &[u8]) -> Cow<'_, [u8]> {
    match cell {
        [b'=' | b'+' | b'-' | b'@' | b'\t' | b'\r' | b'\n' | b'\'', ..] => [b"'", cell].concat().into(),
        _ => cell.into(),
    }
}
