//! Digests of records: their algorithms and their spellings.

use data_encoding::{BASE32_NOPAD, BASE64_NOPAD, HEXLOWER, HEXLOWER_PERMISSIVE};
use md5::Md5;
use sha1::Sha1;
use sha2::digest::DynDigest;
use sha2::{Sha256, Sha512};

/// Returns the algorithm of this name; `None` for an unknown one.
pub(crate) fn algorithm_of(name: &str) -> Option<Box<dyn DynDigest>> {
    Some(match name {
        "md5" => Box::new(Md5::default()),
        "sha1" => Box::new(Sha1::default()),
        "sha256" => Box::new(Sha256::default()),
        "sha512" => Box::new(Sha512::default()),
        _ => return None,
    })
}

/// Returns the algorithm and the value of a digest, without what is spelled in several ways.
pub(crate) fn parts(declared: &str) -> Option<(String, String)> {
    let (algorithm, value) = declared.split_once(':')?;
    let algorithm = algorithm.trim().to_ascii_lowercase().replace(['-', '_'], "");
    Some((algorithm, value.trim().trim_end_matches('=').replace('-', "+").replace('_', "/")))
}

/// Returns a digest in one spelling, whichever its own is: hexadecimal, Base32 or Base64.
pub(crate) fn spelled(declared: String) -> String {
    let Some((algorithm, value)) = parts(&declared) else { return declared };
    let length = algorithm_of(&algorithm).map_or(0, |algorithm| algorithm.output_size());
    let read = [
        HEXLOWER_PERMISSIVE.decode(value.as_bytes()),
        BASE32_NOPAD.decode(value.to_ascii_uppercase().as_bytes()),
        BASE64_NOPAD.decode(value.as_bytes()),
    ];
    let bytes = read.into_iter().flatten().find(|bytes| bytes.len() == length);
    format!("{algorithm}:{}", bytes.map_or(value, |bytes| HEXLOWER.encode(&bytes)))
}
