//! Digests in the headers of records (ISO 28500, sections 5.8 and 5.9).

use absolve_framing::Response;
use data_encoding::{BASE32_NOPAD, BASE64URL_NOPAD, HEXLOWER_PERMISSIVE};
use md5::Md5;
use sha1::Sha1;
use sha2::{Digest, Sha256, Sha512};

use super::record::Record;

/// Reports whether a digest of the block or of the payload is wrong; `content` is the payload without any codings.
pub(super) fn has_wrong_digest(record: &Record, content: &[u8]) -> bool {
    let block = record.block();
    if record.fields("WARC-Block-Digest").iter().any(|digest| is_of_other_bytes(digest, block)) {
        return true;
    }
    let digests = record.fields("WARC-Payload-Digest");
    // A truncated record may have the digest of the whole payload.
    if digests.is_empty() || record.field("WARC-Truncated").is_some() {
        return false;
    }
    let response = Response::read(block).filter(|_| record.kind() == "response");
    let readings = match &response {
        Some(response) => [Some(response.body.to_vec()), Some(content.to_vec()), response.dechunked()],
        None => [Some(block.to_vec()), None, None],
    };
    digests.iter().any(|digest| readings.iter().flatten().all(|reading| is_of_other_bytes(digest, reading)))
}
/// Reports whether this is a digest of other bytes. A digest of unknown form is of any.
fn is_of_other_bytes(digest: &str, bytes: &[u8]) -> bool {
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
