//! Limits against hostile input in containers. Reaching one leaves the record alone, with a finding.

/// Bytes of a record of a WARC, without compression; a longer one is left as it is.
pub(crate) const RECORD_BYTES: usize = 128 << 20;

/// Bytes of the content of a response, without its codings.
pub(crate) const CONTENT_BYTES: usize = 32 << 20;

/// Bytes of a member of gzip that is checked before any of them is used: a record of such a content, and its headings.
pub(crate) const MEMBER_BYTES: usize = CONTENT_BYTES + (1 << 20);

/// How many bytes the contents of records that are done together may have without their codings.
pub(crate) const DECODED_AT_ONCE: usize = 256 << 20;

/// Bytes of the heading of such a record.
pub(crate) const RECORD_HEADING: usize = 64 << 10;

/// Bytes of an index of a WACZ, and of the list that HTTrack keeps of a mirror; both are in memory.
pub const INDEX_BYTES: usize = 256 << 20;

/// How far a `Content-Length` is believed; longer messages of an mbox end at separator lines only.
pub(crate) const CONTENT_LENGTH: usize = 8 << 20;

/// Bytes of line ends that may stand between a message and the next one, where a `Content-Length` tells its end.
pub(crate) const LINE_ENDS: usize = 1024;

/// Bytes of a message in an mbox; mail servers accept fewer. A longer one is copied as it is.
pub(crate) const MESSAGE_BYTES: usize = 128 << 20;

/// Codings in codings of one content; browsers take off a few. Each may be as long as a content.
pub(crate) const CODINGS: usize = 8;

/// Bytes of the type of a document in a record that is made of it; a longer one is written without what readers of today
/// do not know.
pub(crate) const TYPE_BYTES: usize = 1024;

/// Bytes of the line that a record of an ARC begins with.
pub(crate) const ARC_LINE: usize = 64 << 10;

/// Bytes of the dictionary that a WARC in Zstandard may begin with.
pub(crate) const DICTIONARY_BYTES: u32 = 16 << 20;

/// Bytes of a description of a WACZ; it is in memory.
pub(crate) const DESCRIPTION_BYTES: u64 = 64 << 20;

/// Records of a web archive that are listed together; their lists are in memory.
pub(crate) const LISTED_AT_ONCE: usize = 8;
