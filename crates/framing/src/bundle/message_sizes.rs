//! Sizes in the names of messages in a Maildir: `,S=` in bytes, and `,W=` in bytes with CRLF line ends.

use std::ops::Range;

const KEYS: [&[u8]; 2] = [b",S=", b",W="];

/// Returns a name with other sizes, where it has any.
pub fn with_sizes(name: &[u8], sizes: [&[u8]; 2]) -> Vec<u8> {
    let mut new = name.to_vec();
    for (key, size) in KEYS.into_iter().zip(sizes) {
        let old = digits_after(key, &new);
        if !old.is_empty() && !size.is_empty() {
            new.splice(old, size.iter().copied());
        }
    }
    new
}

/// Returns the sizes in a name; empty ones that it does not have.
pub fn sizes_of(name: &[u8]) -> [&[u8]; 2] {
    KEYS.map(|key| &name[digits_after(key, name)])
}

/// Returns the name of a message without its sizes: each is zero. A place without a size keeps none.
///
/// ```
/// assert_eq!(absolve_framing::bundle::without_sizes(b"1.M.host,S=77,W=82:2,S"), b"1.M.host,S=0,W=0:2,S");
/// assert_eq!(absolve_framing::bundle::without_sizes(b"1.M.host,S=:2,S"), b"1.M.host,S=:2,S");
/// ```
#[must_use]
pub fn without_sizes(name: &[u8]) -> Vec<u8> {
    with_sizes(name, [b"0"; 2])
}

fn digits_after(key: &[u8], name: &[u8]) -> Range<usize> {
    let start = memchr::memmem::find(name, key).map_or(name.len(), |at| at + key.len());
    let length = name[start..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    start..start + length
}
