//! The syntax of records that are written to web archives (ISO 28500).

use data_encoding::BASE32;
use sha1::{Digest, Sha1};
use uuid::{Builder, Uuid};

/// The version of the records that are written for an ARC, or for a WARC without records.
pub const DEFAULT_VERSION: &str = "WARC/1.1";

/// Returns a record with these fields and this block.
pub fn record_bytes(version: &str, fields: &[(&str, String)], block: &[u8]) -> Vec<u8> {
    let mut header = format!("{version}\r\n");
    for (name, value) in fields {
        header.push_str(&format!("{name}: {value}\r\n"));
    }
    header.push_str(&format!("Content-Length: {}\r\n\r\n", block.len()));
    [header.as_bytes(), block, b"\r\n\r\n"].concat()
}

/// Returns the digest of a block in the form of WARC fields: SHA-1 in base32.
pub fn block_digest(block: &[u8]) -> String {
    format!("sha1:{}", BASE32.encode(&Sha1::digest(block)))
}

/// Returns the name-based UUID of RFC 9562, section 5.5 (version 5).
pub fn name_based_uuid(space: &Uuid, name: &str) -> Uuid {
    let digest = Sha1::new().chain_update(space).chain_update(name).finalize();
    Builder::from_sha1_bytes(digest[..16].try_into().expect("a digest of 20 bytes has 16")).into_uuid()
}

/// Returns a record id (RFC 9562, section 4) in the form of WARC fields.
pub fn urn(id: Uuid) -> String {
    format!("<urn:uuid:{id}>")
}

/// Returns a text without control characters, for a header field.
pub fn printable(text: &str) -> String {
    text.replace(char::is_control, "_")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The result of `uuid.uuid5` in Python.
    #[test]
    fn a_name_has_one_id() {
        let id = name_based_uuid(&Uuid::NAMESPACE_DNS, "example.org");
        assert_eq!(id.to_string(), "aad03681-8b63-5304-89e0-8ca8f49461b5");
    }
}
