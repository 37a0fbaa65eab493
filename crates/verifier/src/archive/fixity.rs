//! Digests in the headers of records (ISO 28500, sections 5.8 and 5.9).

use data_encoding::{BASE32_NOPAD, BASE64URL_NOPAD, HEXLOWER_PERMISSIVE};
use md5::Md5;
use sha1::Sha1;
use sha2::{Digest, Sha256, Sha512};

use super::http_response::Response;
use super::record::Record;

/// Reports whether a digest of the block or of the payload is wrong; `content` is the payload without any codings.
pub(super) fn has_wrong_digest(record: &Record, content: &[u8]) -> bool {
    let block = record.bytes();
    if record.values("WARC-Block-Digest").any(|digest| is_other_digest(&digest, block)) {
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
    let is_none_of_them = |digest: String| readings.iter().all(|reading| is_other_digest(&digest, reading));
    // A truncated record may have the digest of the whole payload.
    record.field("WARC-Truncated").is_empty() && record.values("WARC-Payload-Digest").any(is_none_of_them)
}

/// Reports whether this is a digest of other bytes. A digest of unknown form is_other_digest nothing.
fn is_other_digest(digest: &str, bytes: &[u8]) -> bool {
    let Some((name, value)) = digest.split_once(':') else { return false };
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
