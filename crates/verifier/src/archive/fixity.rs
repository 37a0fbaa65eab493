//! Whether a record tells of itself the digests of what it holds (ISO 28500, sections 5.8 and 5.9).

use data_encoding::{BASE32_NOPAD, BASE64URL_NOPAD, HEXLOWER_PERMISSIVE};
use md5::Md5;
use sha1::Sha1;
use sha2::{Digest, Sha256, Sha512};

use super::http_response::Response;
use super::record::Record;

/// Whether a digest of its block or of its payload is none of what it holds; `content` is the payload without any codings.
pub(super) fn is_contradicted(record: &Record, content: &[u8]) -> bool {
    let block = record.bytes();
    if record.values("WARC-Block-Digest").any(|told| contradicts(&told, block)) {
        return true;
    }
    let response = if record.kind() == "response" { Response::read(block) } else { None };
    let readings = match &response {
        Some(response) => {
            let unchunked = response.unchunked();
            [response.body, content].map(<[u8]>::to_vec).into_iter().chain(unchunked).collect()
        }
        None => vec![block.to_vec()],
    };
    let is_none_of_them = |told: String| readings.iter().all(|reading| contradicts(&told, reading));
    // A payload that is not whole may have the digest of the whole one.
    record.field("WARC-Truncated").is_empty() && record.values("WARC-Payload-Digest").any(is_none_of_them)
}

/// Whether this is the digest of something else. What is no digest that is known contradicts nothing.
fn contradicts(told: &str, bytes: &[u8]) -> bool {
    let Some((name, value)) = told.split_once(':') else { return false };
    let letters: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
    let digest = match &*letters.to_ascii_lowercase() {
        "md5" => Md5::digest(bytes).to_vec(),
        "sha1" => Sha1::digest(bytes).to_vec(),
        "sha256" => Sha256::digest(bytes).to_vec(),
        "sha512" => Sha512::digest(bytes).to_vec(),
        _ => return false,
    };
    let value = value.trim().trim_end_matches('=').replace('+', "-").replace('/', "_");
    let decoded = match value.len() {
        length if length == digest.len() * 2 => HEXLOWER_PERMISSIVE.decode(value.as_bytes()),
        length if length == (digest.len() * 8).div_ceil(5) => {
            BASE32_NOPAD.decode(value.to_ascii_uppercase().as_bytes())
        }
        length if length == (digest.len() * 4).div_ceil(3) => BASE64URL_NOPAD.decode(value.as_bytes()),
        _ => return false,
    };
    decoded.ok() != Some(digest)
}
