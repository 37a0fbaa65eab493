//! Limits against hostile input. A file over a limit is left unchanged, with a finding.

use absolve_containers::FileType;

/// The maximum size of a document in bytes, the same as of a message in an mbox or a record of an archive.
pub(crate) const DOCUMENT_FILE_BYTES: u64 = 128 << 20;

/// The maximum size of a message file in bytes.
pub const MESSAGE_FILE_BYTES: u64 = 1 << 30;

/// Returns the maximum size in bytes of a file of this type that is read; any, where records are read one by one.
pub const fn longest(file_type: FileType) -> u64 {
    match file_type {
        FileType::Document(_) => DOCUMENT_FILE_BYTES,
        FileType::Message => MESSAGE_FILE_BYTES,
        _ => u64::MAX,
    }
}

/// The maximum size of a compressed message in bytes, decompressed: a small file may ask for it.
pub(crate) const COMPRESSED_MESSAGE_BYTES: u64 = 128 << 20;

/// The number of containers in a folder that stay open from when their first bytes were read until it is their turn.
pub(crate) const OPEN_CONTAINERS: usize = 64;

/// The maximum number of entries found through symbolic links to folders: nested links may multiply them.
pub(crate) const COPIES_BY_LINKS: usize = 1_000_000;

/// The maximum size of a `Zone.Identifier` file in bytes.
pub(crate) const ZONE_BYTES: u64 = 16 << 10;

/// The number of bytes read of the `doit.log` of HTTrack, which begins with its command.
pub(crate) const COMMAND_BYTES: u64 = 64 << 10;

/// The maximum length in bytes of a path in the file list of HTTrack, and of the target of a link in a bundle: that of file systems.
pub(crate) const PATH_BYTES: usize = 4096;

/// The maximum number of folders above the input in such a path: a file is looked up for each.
pub(crate) const PARENT_FOLDERS: usize = 64;

/// The maximum size in bytes of a row in a table of URLs, and of a line in a log. Real ones have a few kilobytes.
pub(crate) const TABLE_ROW: usize = 16 << 20;
