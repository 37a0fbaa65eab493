//! Edits of a body, line by line.

use std::ops::Range;

use absolve_links::Edits;

/// Returns the lines that edits touch, without the last line end, and their new content. Lines that an edit joins, or
/// adjacent lines of one edit, are one stretch.
pub(crate) fn edited_lines<'e>(raw: &'e [u8], edits: &'e Edits) -> impl Iterator<Item = (Range<usize>, Vec<u8>)> + 'e {
    let line_stop = |at: usize| memchr::memchr(b'\n', &raw[at..]).map_or(raw.len(), |offset| at + offset);
    let mut stretches: Vec<Range<usize>> = Vec::new();
    for (range, _) in edits.iter() {
        match stretches.last_mut() {
            Some(lines) if range.end <= lines.end => {}
            Some(lines) if range.start <= lines.end => lines.end = line_stop(range.end),
            _ => {
                let start = memchr::memrchr(b'\n', &raw[..range.start]).map_or(0, |at| at + 1);
                stretches.push(start..line_stop(range.end));
            }
        }
    }
    stretches.into_iter().map(|lines| (lines.clone(), edits.within(lines.clone()).splice(&raw[lines])))
}

/// Returns the edit that turns the bytes of `raw` from `start` to `end` into `new`, without the common prefix and
/// suffix.
pub(crate) fn difference(raw: &[u8], start: usize, end: usize, new: &[u8]) -> Edits {
    let old = &raw[start..end];
    let prefix = old.iter().zip(new).take_while(|(one, other)| one == other).count();
    let rest = old.len().min(new.len()) - prefix;
    let suffix = old.iter().rev().zip(new.iter().rev()).take(rest).take_while(|(one, other)| one == other).count();
    Edits::from([(start + prefix..end - suffix, &new[prefix..new.len() - suffix])])
}

/// Returns the line end used in `raw`, else `around` it.
pub(crate) fn line_end(raw: &[u8], around: &[u8]) -> &'static [u8] {
    let first = |bytes: &[u8]| memchr::memchr(b'\n', bytes).map(|at| bytes[..at].ends_with(b"\r"));
    match first(raw).or_else(|| first(around)) {
        Some(false) => b"\n",
        Some(true) | None => b"\r\n",
    }
}
