//! Comments in header fields.

/// Returns a value with spaces in place of the bytes of comments (RFC 5322, section 3.2.2). Comments nest; in quotes there are none.
///
/// ```
/// assert_eq!(absolve_framing::without_comments(b"a (b (c)) \"(d)\""), b"a         \"(d)\"");
/// ```
pub fn without_comments(value: &[u8]) -> Vec<u8> {
    let mut kept = Vec::with_capacity(value.len() + 1);
    if memchr::memchr(b'(', value).is_none() {
        kept.extend_from_slice(value);
        return kept;
    }
    let (mut depth, mut is_quoted, mut is_escaped) = (0_usize, false, false);
    for byte in value {
        let is_outside = depth == 0;
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = is_quoted || !is_outside,
            b'"' if is_outside => is_quoted = !is_quoted,
            b'(' if !is_quoted => depth += 1,
            b')' => depth = depth.saturating_sub(usize::from(!is_quoted)),
            _ => {}
        }
        kept.push(if is_outside && depth == 0 { *byte } else { b' ' });
    }
    kept
}
