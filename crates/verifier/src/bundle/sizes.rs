//! The sizes in names of messages.

/// Returns the name of a message in a Maildir without its sizes, the digits after `,S=` and `,W=`.
///
/// ```
/// assert_eq!(absolve_verifier::without_sizes(b"1.M.host,S=77,W=82:2,S"), b"1.M.host,S=,W=:2,S");
/// ```
#[must_use]
pub fn without_sizes(name: &[u8]) -> Vec<u8> {
    let mut kept = name.to_vec();
    for key in [&b",S="[..], b",W="] {
        let Some(start) = memchr::memmem::find(&kept, key).map(|at| at + key.len()) else { continue };
        let digits = kept[start..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        kept.drain(start..start + digits);
    }
    kept
}
