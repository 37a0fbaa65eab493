#![doc = include_str!("../README.md")]

mod batches;
mod broken;
mod caught;
mod container;
mod date;
mod file_type;
#[cfg(any(test, fuzzing))]
pub mod laws;
mod limits;
mod mbox;
mod pieces;
mod stream;
mod temporary;
mod wacz;
mod warc;

pub use broken::{Broken, BrokenRecord};
pub use caught::{caught, is_system_error};
pub use container::{ContainerReader, inspect_container, rewrite_container, start_pages, visit_snapshots};
pub use date::{date_of_digits, date_text, milliseconds, seconds};
pub use file_type::{FileType, holds_several};
pub use pieces::{Piece, Share, splitting_of};
pub use stream::{ChunkObserver, EditedChunk, ReadSeek, START, StreamError, StreamReport};
pub use temporary::blob_spool::BlobSpool;
pub use temporary::sorter::{Row, Rows, Sorter};
pub use temporary::{Spooled, Temporary};
pub use warc::archive::{ArchiveCounts, Rewriting, output_of};
pub use warc::options::{ArchiveOptions, Digests, HttpHeaders, WarcOutput, record_date};
pub use warc::originals::{Originals, ReadRange};
pub use warc::payload::Payload;
pub use warc::snapshot::{Answer, Reading, Snapshot, SnapshotContent};
pub use warc::write::date_of;
