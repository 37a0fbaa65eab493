//! Limits against hostile input among files. Reaching one leaves the file alone, with a finding.

/// Bytes of a document that is a file of its own: as many as a message of an mbox or a record of an archive may have.
pub const DOCUMENT_FILE_BYTES: u64 = 128 << 20;

/// Bytes of a message that is a file of its own.
pub const MESSAGE_FILE_BYTES: u64 = 1 << 30;

/// Entries of an input that are found through symbolic links to folders: links in such folders may multiply them.
pub(crate) const COPIES_BY_LINKS: usize = 1_000_000;

/// Bytes of a `Zone.Identifier` beside a file.
pub(crate) const ZONE_BYTES: u64 = 16 << 10;

/// So much of the `doit.log` of HTTrack holds its command.
pub(crate) const COMMAND_BYTES: u64 = 64 << 10;

/// Bytes of a path in a list of HTTrack; no file system has longer ones.
pub(crate) const PATH_BYTES: usize = 4096;

/// Folders that may stand around the input in such a path: a file is looked for behind each.
pub(crate) const FOLDERS_AROUND: usize = 64;

/// Bytes of a row of a table of URLs, which may have several lines in CSV, and of a line of a log; real ones have a few
/// kilobytes.
pub(crate) const TABLE_ROW: usize = 16 << 20;
