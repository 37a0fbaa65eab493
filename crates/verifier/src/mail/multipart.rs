//! The parts of a multipart body (RFC 2046, section 5.1).

use std::ops::Range;

use super::lines::{lines, without_end};

/// The ranges of the parts of a multipart body, and of the bytes around them.
pub(super) struct Split {
    pub(super) parts: Vec<Range<usize>>,
    /// The preamble, the delimiters and the epilogue.
    pub(super) around: Vec<Range<usize>>,
}

/// Splits a body at its delimiter lines (RFC 2046, section 5.1.1). Without a closing delimiter, the last part ends with
/// the body.
pub(super) fn split(body: &[u8], boundary: &str) -> Split {
    let delimiter = [b"--", boundary.as_bytes()].concat();
    let mut split = Split { parts: Vec::new(), around: Vec::new() };
    let (mut at, mut around_start, mut part_start) = (0, 0, None);
    for line in lines(body) {
        let start = at;
        at += line.len();
        let Some(rest) = line.strip_prefix(&*delimiter) else { continue };
        let is_last = rest.starts_with(b"--");
        if !rest[if is_last { 2 } else { 0 }..].trim_ascii().is_empty() {
            continue;
        }
        if let Some(part) = part_start {
            // The line end in front of a delimiter belongs to the delimiter.
            let end = without_end(&body[..start]).len().max(part);
            split.around.push(around_start..part);
            split.parts.push(part..end);
            around_start = end;
        }
        part_start = Some(at);
        if is_last {
            part_start = None;
            break;
        }
    }
    if let Some(part) = part_start {
        split.around.push(around_start..part);
        split.parts.push(part..body.len());
    } else {
        split.around.push(around_start..body.len());
    }
    split
}
