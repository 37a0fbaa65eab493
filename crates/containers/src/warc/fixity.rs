//! Whether a record holds what its digests tell (ISO 28500, sections 5.8 and 5.9).

use data_encoding::{BASE32_NOPAD, BASE64_NOPAD, HEXLOWER};
use md5::Md5;
use sha1::Sha1;
use sha2::{Digest, Sha256, Sha512};

use crate::warc::header::Record;
use crate::warc::http::Response;
use crate::warc::payload::Payload;

/// What a record tells of itself that is not so; `page` is its document.
pub(crate) fn mismatch(record: &Record<'_>, page: &Payload<'_>) -> Option<String> {
    let of_block = record.fields("WARC-Block-Digest").find_map(|told| Some((differs(&told, record.block)?, told)));
    if let Some((found, told)) = of_block {
        return Some(format!("its WARC-Block-Digest is {told}, and that of its block {found}"));
    }
    // What is not all of its payload may tell the digest of all of it.
    if record.field("WARC-Truncated").is_some() {
        return None;
    }
    let (found, told) =
        record.fields("WARC-Payload-Digest").find_map(|told| Some((of_payload(&told, record, page)?, told)))?;
    Some(format!("its WARC-Payload-Digest is {told}, and that of its payload {found}"))
}

/// The digest of the payload, if it is not the one that is told. That of a response is by convention the digest of the body as
/// it is stored; some writers take chunks, or content codings as well, off before.
fn of_payload(told: &str, record: &Record<'_>, page: &Payload<'_>) -> Option<String> {
    let Some(response) = Response::read(record.block).filter(|_| record.is("WARC-Type", "response")) else {
        return differs(told, record.block);
    };
    let found = differs(told, response.body)?;
    let is_of_other_reading = differs(told, page.content()).is_none()
        || response.unchunked().is_some_and(|body| differs(told, &body).is_none());
    (!is_of_other_reading).then_some(found)
}

/// The digest of `bytes` as `told` is written, if that is another one; an algorithm or a spelling that is not known tells
/// nothing.
fn differs(told: &str, bytes: &[u8]) -> Option<String> {
    let (algorithm, value) = told.split_once(':')?;
    let digest = match &*algorithm.trim().to_ascii_lowercase().replace(['-', '_'], "") {
        "md5" => Md5::digest(bytes).to_vec(),
        "sha1" => Sha1::digest(bytes).to_vec(),
        "sha256" => Sha256::digest(bytes).to_vec(),
        "sha512" => Sha512::digest(bytes).to_vec(),
        _ => return None,
    };
    let value = value.trim().trim_end_matches('=').replace('-', "+").replace('_', "/");
    let spellings = [HEXLOWER.encode(&digest), BASE32_NOPAD.encode(&digest), BASE64_NOPAD.encode(&digest)];
    let is_same = spellings[..2].iter().any(|spelled| spelled.eq_ignore_ascii_case(&value)) || spellings[2] == value;
    let found = spellings.into_iter().find(|spelled| spelled.len() == value.len()).filter(|_| !is_same);
    // Each spelling has a length of its own.
    found.map(|found| format!("{algorithm}:{found}"))
}

#[cfg(test)]
mod tests {
    use super::differs;

    #[test]
    fn spellings_of_digests() {
        for told in [
            "sha1:VL2MMHO4YXUKFWV63YHTWSBM3GXKSQ2N",
            "SHA-1:vl2mmho4yxukfwv63yhtwsbm3gxksq2n",
            "sha1:aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d",
            "sha1:AAF4C61DDCC5E8A2DABEDE0F3B482CD9AEA9434D",
            "sha1:qvTGHdzF6KLavt4PO0gs2a6pQ00=",
            "md5:5d41402abc4b2a76b9719d911017c592",
            "md5:LVAUAKV4JMVHNOLRTWIRAF6FSI======",
            "sha256:2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824",
            "sha-256:FTZE3OS7WCRQ4JXIHMVMLOPCTYNRMHS4D6TUEXTTAQZWFE4LTASA====",
            "sha512:9b71d224bd62f3785d96d46ad3ea3d73319bfbc2890caadae2dff72519673ca7\
             2323c3d99ba5c11d7c7acc6e14b8c5da0c4663475c2e5c3adef46f73bcdec043",
        ] {
            assert_eq!(differs(told, b"hello"), None, "{told}");
            assert!(differs(told, b"Hello").is_some(), "{told}");
        }
        for unknown in ["crc32:3610a686", "sha1:X", "sha1", "", "blake3:aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d"] {
            assert_eq!(differs(unknown, b"hello"), None, "{unknown}");
        }
    }
}
