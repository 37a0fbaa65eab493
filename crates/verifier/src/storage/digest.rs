//! SHA-256 digests of files.

use std::io::{self, Read};

use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};

use super::Stored;

/// Returns the SHA-256 digest of a file, in hexadecimal.
pub(crate) fn sha256_of(file: Stored<'_>) -> io::Result<String> {
    Ok(length_and_sha256(file.reader_at(0))?.1)
}

/// Reads `input` to its end, and returns its length in bytes and its SHA-256 digest in hexadecimal.
pub(crate) fn length_and_sha256(mut input: impl Read) -> io::Result<(u64, String)> {
    let mut sha256 = Sha256::new();
    let mut buffer = vec![0; 1 << 16];
    let mut count = 0;
    loop {
        match input.read(&mut buffer)? {
            0 => return Ok((count, HEXLOWER.encode(&sha256.finalize()))),
            length => {
                count += length as u64;
                sha256.update(&buffer[..length]);
            }
        }
    }
}
