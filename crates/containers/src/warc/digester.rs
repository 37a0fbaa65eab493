//! The SHA-256 of a file that is read, computed on a thread of its own.

use std::mem;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread::{self, JoinHandle};

use sha2::{Digest, Sha256};

/// The SHA-256 of bytes that come one after the other. On a rayon pool of several threads, that of a long file is computed on
/// another thread.
pub(crate) struct Digester {
    /// Bytes not yet passed on.
    block: Vec<u8>,
    hasher: Hasher,
}

enum Hasher {
    Here(Sha256),
    Thread(SyncSender<Vec<u8>>, JoinHandle<Sha256>),
}

impl Default for Digester {
    fn default() -> Self {
        Self { block: Vec::new(), hasher: Hasher::Here(Sha256::new()) }
    }
}

impl Digester {
    pub(crate) fn update(&mut self, bytes: &[u8]) {
        /// Bytes that are passed on at once.
        const BLOCK: usize = 1 << 20;
        match &mut self.hasher {
            Hasher::Here(digest) if rayon::current_num_threads() == 1 => digest.update(bytes),
            _ => self.block.extend_from_slice(bytes),
        }
        if self.block.len() >= BLOCK {
            let block = mem::replace(&mut self.block, Vec::with_capacity(BLOCK + BLOCK / 8));
            self.pass_on(block);
        }
    }

    /// Returns the digest of all bytes.
    pub(crate) fn finish(mut self) -> Vec<u8> {
        let block = mem::take(&mut self.block);
        let digest = match self.hasher {
            Hasher::Here(digest) => digest,
            Hasher::Thread(blocks, thread) => {
                drop(blocks);
                thread.join().expect("hashing does not panic")
            }
        };
        digest.chain_update(block).finalize().to_vec()
    }

    fn pass_on(&mut self, block: Vec<u8>) {
        /// Number of blocks that wait for the thread.
        const WAITING: usize = 2;
        if let Hasher::Here(digest) = &self.hasher {
            let mut digest = digest.clone();
            let (blocks, received) = sync_channel::<Vec<u8>>(WAITING);
            let hash = move || {
                received.iter().for_each(|block| digest.update(block));
                digest
            };
            // Where the system has no thread for it, it stays here.
            if let Ok(thread) = thread::Builder::new().spawn(hash) {
                self.hasher = Hasher::Thread(blocks, thread);
            }
        }
        match &mut self.hasher {
            Hasher::Here(digest) => digest.update(block),
            Hasher::Thread(blocks, _) => blocks.send(block).expect("the thread receives all blocks"),
        }
    }
}

#[cfg(test)]
mod tests {
    use rayon::ThreadPoolBuilder;
    use sha2::{Digest, Sha256};

    use super::Digester;

    #[test]
    fn the_digest_is_that_of_all_bytes() -> Result<(), rayon::ThreadPoolBuildError> {
        for length in [0, 1, 1 << 20, (5 << 20) + 3] {
            let bytes: Vec<u8> = (0..length).map(|at: u32| (at % 251) as u8).collect();
            for threads in [1, 2] {
                let digest = ThreadPoolBuilder::new().num_threads(threads).build()?.install(|| {
                    let mut digester = Digester::default();
                    bytes.chunks(60_000).for_each(|chunk| digester.update(chunk));
                    digester.finish()
                });
                assert_eq!(digest, Sha256::digest(&bytes).to_vec(), "{length} bytes, {threads} threads");
            }
        }
        Ok(())
    }
}
