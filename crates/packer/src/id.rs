//! Ids of messages and their parts: digests of their content, so that every run makes the same.

use absolve_rewriter::internal::Entity;
use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};

use crate::resource::Resource;

/// Returns an id for each file. It depends on all files of the message.
pub(crate) fn content_ids(page: &Entity<'_>, files: &[Resource]) -> Vec<String> {
    let seed = files.iter().fold(Sha256::new_with_prefix(page.bytes), |seed, file| {
        let location = file.location.as_deref().unwrap_or_default();
        seed.chain_update(location.len().to_le_bytes())
            .chain_update(location)
            .chain_update(file.bytes.len().to_le_bytes())
            .chain_update(&file.bytes)
    });
    (0..files.len()).map(|index| id_of(seed.clone().chain_update(index.to_le_bytes()))).collect()
}

/// Returns the id for a digest.
pub(crate) fn id_of(digest: Sha256) -> String {
    format!("{}@absolve.invalid", short(digest))
}

/// Returns the first 16 bytes of a digest, which identify a message.
pub(crate) fn short(digest: Sha256) -> String {
    HEXLOWER.encode(&digest.finalize()[..16])
}
