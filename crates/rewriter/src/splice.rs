//! Putting edits into bytes.

use absolve_links::Edit;

/// Appends `original` with `edits` applied to `out`. Everything outside the edited ranges is copied as it is;
/// without edits, all of it.
///
/// The edits are in the order of their ranges, which do not overlap.
///
/// ```
/// use absolve_links::Edit;
/// use absolve_rewriter::splice;
/// let mut out = Vec::new();
/// splice(b"<a href=x>", &[Edit { range: 8..8, text: b"http://h/".to_vec() }], &mut out);
/// assert_eq!(out, b"<a href=http://h/x>");
/// ```
pub fn splice(original: &[u8], edits: &[Edit], out: &mut Vec<u8>) {
    let added: usize = edits.iter().map(|edit| edit.text.len()).sum();
    out.reserve(original.len() + added);
    let mut at = 0;
    for edit in edits {
        out.extend_from_slice(&original[at..edit.range.start]);
        out.extend_from_slice(&edit.text);
        at = edit.range.end;
    }
    out.extend_from_slice(&original[at..]);
}
