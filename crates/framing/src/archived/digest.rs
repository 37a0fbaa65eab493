//! The spellings of digests of records.

use data_encoding::{BASE32_NOPAD, BASE64_NOPAD, HEXLOWER, HEXLOWER_PERMISSIVE};

/// Returns the algorithm and the value of a digest, without what is spelled in several ways.
pub(crate) fn parts(declared: &str) -> Option<(String, String)> {
    let (algorithm, value) = declared.split_once(':')?;
    let algorithm = algorithm.trim().to_ascii_lowercase().replace(['-', '_'], "");
    Some((algorithm, value.trim().trim_end_matches('=').replace('-', "+").replace('_', "/")))
}

/// Returns a digest in one spelling, whichever its own is: hexadecimal, Base32 or Base64.
pub(crate) fn spelled(declared: String) -> String {
    let Some((algorithm, value)) = parts(&declared) else { return declared };
    let length = match &*algorithm {
        "md5" => 16,
        "sha1" => 20,
        "sha256" => 32,
        "sha512" => 64,
        _ => 0,
    };
    let read = [
        HEXLOWER_PERMISSIVE.decode(value.as_bytes()),
        BASE32_NOPAD.decode(value.to_ascii_uppercase().as_bytes()),
        BASE64_NOPAD.decode(value.as_bytes()),
    ];
    let bytes = read.into_iter().flatten().find(|bytes| bytes.len() == length);
    format!("{algorithm}:{}", bytes.map_or(value, |bytes| HEXLOWER.encode(&bytes)))
}
