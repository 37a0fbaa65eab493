//! Paths, and their dot segments.

use alloc::string::String;

/// How a standard treats `.` and `..` segments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DotSegments {
    /// All stay.
    KeepAll,
    /// RFC 1808 and RFC 2396: a `..` with no segment to remove stays.
    KeepExcess,
    /// RFC 3986 section 5.2.4: it is dropped.
    DropExcess,
    /// The URL Standard: it is dropped, and `%2e` is a dot.
    EscapedDots,
    /// The URL Standard for `file:`: in addition, a drive letter is never removed.
    DriveLetters,
}

/// Appends a URL up to its path, without the dot segments that `rules` remove from that.
pub(crate) fn push_url(out: &mut String, scheme: &str, authority: Option<&str>, path: &str, rules: DotSegments) {
    out.push_str(scheme);
    out.push(':');
    if let Some(authority) = authority {
        out.push_str("//");
        out.push_str(authority);
    }
    let start = out.len();
    match rules {
        DotSegments::KeepAll => out.push_str(path),
        rules => push_without_dot_segments(out, path, rules),
    }
    if authority.is_none() && out[start..].starts_with("//") {
        // It would be parsed as an authority.
        out.insert_str(start, "/.");
    }
}

/// Appends `path` to `out` without the dot segments that `rules` remove.
fn push_without_dot_segments(out: &mut String, path: &str, rules: DotSegments) {
    let mut rest = path;
    if let Some(after) = path.strip_prefix('/') {
        out.push('/');
        rest = after;
    }
    // Between segments, the text after `root` is empty or ends with a slash.
    let root = out.len();
    let mut segments = rest.split('/').peekable();
    while let Some(segment) = segments.next() {
        let is_last = segments.peek().is_none();
        match dots(segment, rules) {
            1 => continue,
            2 if remove_last_segment(out, root, rules) => continue,
            2 if rules != DotSegments::KeepExcess => continue,
            _ => {}
        }
        if rules == DotSegments::DriveLetters && out.len() == root && is_drive_letter(segment) {
            out.push_str(&segment[..1]);
            out.push(':');
        } else {
            out.push_str(segment);
        }
        if !is_last {
            out.push('/');
        }
    }
}

/// Matches `C:` or `C|`.
pub(crate) fn is_drive_letter(segment: &str) -> bool {
    matches!(segment.as_bytes(), [letter, b':' | b'|'] if letter.is_ascii_alphabetic())
}

/// Returns whether `text` begins with a drive letter that ends where a path segment may end.
pub(crate) fn starts_with_drive_letter(text: &str) -> bool {
    let end = text.find(['/', '?', '#']).unwrap_or(text.len());
    is_drive_letter(&text[..end])
}

fn remove_last_segment(out: &mut String, root: usize, rules: DotSegments) -> bool {
    let Some(written) = out[root..].strip_suffix('/') else { return false };
    let start = written.rfind('/').map_or(0, |slash| slash + 1);
    let removable = match rules {
        DotSegments::KeepExcess => &written[start..] != "..",
        DotSegments::DriveLetters => start > 0 || !is_drive_letter(written),
        DotSegments::KeepAll | DotSegments::DropExcess | DotSegments::EscapedDots => true,
    };
    if removable {
        out.truncate(root + start);
    }
    removable
}

/// Returns the number of dots of a dot segment, 1 or 2, or 0 for an ordinary segment.
fn dots(segment: &str, rules: DotSegments) -> usize {
    let escaped = matches!(rules, DotSegments::EscapedDots | DotSegments::DriveLetters);
    if segment.len() > 6 {
        return 0;
    }
    let mut rest = segment.as_bytes();
    let mut count = 0;
    while !rest.is_empty() {
        rest = match rest {
            [b'.', after @ ..] => after,
            [b'%', b'2', b'e' | b'E', after @ ..] if escaped => after,
            _ => return 0,
        };
        count += 1;
    }
    if count > 2 { 0 } else { count }
}
