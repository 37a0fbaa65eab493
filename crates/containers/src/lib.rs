#![doc = include_str!("../README.md")]

mod batches;
mod blob_spool;
mod broken;
mod caught;
mod compression;
mod file_type;
mod framing;
#[cfg(any(test, fuzzing))]
pub mod laws;
mod limits;
mod mbox;
mod stream;
mod temporary;
mod wacz;
mod warc;

pub use blob_spool::BlobSpool;
pub use broken::{Broken, BrokenRecord};
pub use caught::{caught, is_system_error};
pub use compression::{Compression, DEFLATE_LEVEL, Encoder};
pub use file_type::{Container, FileType};
pub use framing::format::Format;
pub use limits::INDEX_BYTES;
pub use mbox::{inspect_mbox, rewrite_mbox, rewrite_observed_mbox};
pub use stream::{ChunkObserver, EditedChunk, START, StreamError, StreamReport};
pub use temporary::{Spooled, Temporary};
pub use wacz::package::{inspect_wacz, rewrite_wacz};
pub use warc::archive::{
    ArchiveCounts, ArchiveInput, Inspected, inspect_archive, inspect_warc, output_of, rewrite_archive,
    rewrite_archive_of_run, rewrite_warc,
};
pub use warc::options::{ArchiveOptions, Digests, HttpHeaders, WarcOutput, record_date};
pub use warc::originals::{Originals, ReadRange};
