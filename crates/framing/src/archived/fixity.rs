//! Verification of the digests that a record declares (ISO 28500, sections 5.8 and 5.9).

use data_encoding::{BASE32_NOPAD, BASE64_NOPAD, HEXLOWER};

use crate::archived::digest::{algorithm_of, parts};
use crate::archived::document::ArchivedDocument;
use crate::archived::response::Response;
use crate::archived::warc_record::WarcRecord;

/// Returns a description of the first declared digest that is wrong. `document` is that of the record.
pub fn wrong_digest(record: &WarcRecord<'_>, document: &ArchivedDocument<'_>) -> Option<String> {
    let wrong = |value: String| Some((other_digest(&value, record.block)?, value));
    if let Some((actual, value)) = record.fields("WARC-Block-Digest").find_map(wrong) {
        return Some(format!("its WARC-Block-Digest is {value}, but its block has {actual}"));
    }
    // The digest of a truncated record may be that of the whole payload.
    if record.field("WARC-Truncated").is_some() {
        return None;
    }
    let wrong = |value: String| Some((other_payload_digest(&value, record, document)?, value));
    let (actual, value) = record.fields("WARC-Payload-Digest").find_map(wrong)?;
    Some(format!("its WARC-Payload-Digest is {value}, but its payload has {actual}"))
}

/// Returns the digest of the payload if it differs from the declared one. By convention the digest of a response is that of
/// the body as stored; some writers remove the chunked coding, or the content codings too, before hashing.
fn other_payload_digest(declared: &str, record: &WarcRecord<'_>, document: &ArchivedDocument<'_>) -> Option<String> {
    let Some(response) = Response::read(record.block).filter(|_| record.is("WARC-Type", "response")) else {
        return other_digest(declared, record.block);
    };
    let actual = other_digest(declared, response.body)?;
    // Where interim responses precede the final one, warcio takes what follows the first header for the payload.
    let is_right = |bytes: &[u8]| other_digest(declared, bytes).is_none();
    let is_of_other_form = is_right(&document.content)
        || is_right(response.behind_first_header)
        || response.dechunked().is_some_and(|body| is_right(&body));
    (!is_of_other_form).then_some(actual)
}

/// Returns the digest of `bytes`, encoded like `declared`, if the two differ; `None` for an unknown algorithm or encoding.
fn other_digest(declared: &str, bytes: &[u8]) -> Option<String> {
    let (algorithm, value) = parts(declared)?;
    let mut digest = algorithm_of(&algorithm)?;
    digest.update(bytes);
    let digest = digest.finalize();
    let encodings = [HEXLOWER.encode(&digest), BASE32_NOPAD.encode(&digest), BASE64_NOPAD.encode(&digest)];
    let is_same = encodings[..2].iter().any(|encoded| encoded.eq_ignore_ascii_case(&value)) || encodings[2] == value;
    // Each encoding has a length of its own.
    let actual = encodings.into_iter().find(|encoded| encoded.len() == value.len()).filter(|_| !is_same);
    let (written, _) = declared.split_once(':')?;
    actual.map(|actual| format!("{written}:{actual}"))
}

#[cfg(test)]
mod tests {
    use super::other_digest;
    use crate::archived::digest::spelled;

    #[test]
    fn spellings_of_digests() {
        let mut spellings = std::collections::HashMap::new();
        for declared in [
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
            assert_eq!(other_digest(declared, b"hello"), None, "{declared}");
            assert!(other_digest(declared, b"Hello").is_some(), "{declared}");
            let one = spelled(declared.to_owned());
            assert!(other_digest(&one, b"hello").is_none() && one.to_lowercase() == one, "{declared}");
            let algorithm = one[..6].to_owned();
            assert_eq!(spellings.entry(algorithm).or_insert_with(|| one.clone()), &one, "{declared}");
        }
        for unknown in ["crc32:3610a686", "sha1:X", "sha1", "", "blake3:aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d"] {
            assert_eq!((other_digest(unknown, b"hello"), spelled(unknown.to_owned())), (None, unknown.to_owned()));
        }
    }
}
