//! Limits against hostile input in files of records.

/// Maximum bytes of an uncompressed WARC record.
pub const RECORD_BYTES: usize = 128 << 20;

/// Maximum bytes of the decoded content of a response.
pub(crate) const CONTENT_BYTES: usize = 32 << 20;

/// Maximum decoded bytes of a gzip member whose checksum is verified before use: the largest content with its headers.
pub(crate) const MEMBER_BYTES: usize = CONTENT_BYTES + (1 << 20);

/// Maximum bytes of a file that are searched for the ends of members and have none. Then the members are decoded.
pub(crate) const SEARCHED_IN_VAIN: u64 = 1 << 20;

/// Maximum decoded bytes of all contents in one batch of records.
pub(crate) const DECODED_AT_ONCE: usize = 256 << 20;

/// Maximum bytes of the header of a WARC record.
pub const RECORD_HEADER: usize = 64 << 10;

/// Largest `Content-Length` that can delimit a message of an mbox. Longer messages end at a separator line.
pub(crate) const CONTENT_LENGTH: usize = 8 << 20;

/// Maximum bytes of line ends between a message delimited by its `Content-Length` and the next separator line.
pub(crate) const LINE_ENDS: usize = 1024;

/// Maximum bytes of a message in an mbox. Mail servers accept fewer.
pub const MESSAGE_BYTES: usize = 128 << 20;

/// Maximum bytes of a `Content-Type` that is copied whole. Of a longer one only the media type and the charset are kept.
#[cfg(feature = "archives")]
pub(crate) const TYPE_BYTES: usize = 1024;

/// Maximum number of codings applied to one content.
pub(crate) const CODINGS: usize = 8;

/// Maximum bytes of the header line of an ARC record.
pub(crate) const ARC_LINE: usize = 64 << 10;

/// Maximum bytes of the dictionary at the start of a WARC compressed by Zstandard.
pub(crate) const DICTIONARY_BYTES: u32 = 16 << 20;

/// Maximum bytes of the window or dictionary of a compression that is read; both are in memory. A power of two.
pub(crate) const WINDOW_BYTES: u32 = 128 << 20;

/// Maximum bytes behind the place where a piece of a large file is to begin that are searched for a record.
pub(crate) const PIECE_START: u64 = 32 << 20;

/// Bytes of a read buffer.
pub(crate) const READ_BUFFER: usize = 64 << 10;

/// Maximum bytes of the indexes of a WACZ, or of the file list of an HTTrack mirror. Both are read into memory.
pub const INDEX_BYTES: usize = 256 << 20;

/// The maximum number of members of a bundle: as many entries are in memory.
pub(crate) const MEMBERS: u64 = 1_000_000;

/// The maximum bytes of a header of a tar file that extends the next one. It is in memory; real ones have a few kilobytes.
pub(crate) const TAR_EXTENSION: u64 = 1 << 20;
