//! Limits against hostile input. Reaching one leaves the document alone, with a finding.

use absolve_links::Document;

/// How many bytes may be inserted into a document: real ones need fewer than ten for each of their own, however long
/// their base is.
pub(crate) fn inserted_bytes(document: &Document<'_>) -> usize {
    const FOR_EACH_BYTE: usize = 64;
    const AT_LEAST: usize = 4 << 20;
    const AT_MOST: usize = 512 << 20;
    document.bytes().len().saturating_mul(FOR_EACH_BYTE).clamp(AT_LEAST, AT_MOST)
}

/// How many bytes of bases may be gone through to resolve the links of a document.
pub(crate) fn resolved_bytes(document: &Document<'_>) -> usize {
    const FOR_EACH_BYTE: usize = 1024;
    const AT_LEAST: usize = 256 << 20;
    (document.bytes().len() * FOR_EACH_BYTE).max(AT_LEAST)
}

/// Parts within parts; real messages have fewer than ten.
pub(crate) const NESTED_PARTS: usize = 64;

/// Bytes of a header field that decides what becomes of a body.
pub(crate) const FIELD_BYTES: usize = 64 << 10;

/// Fields of a heading that refer to something, or tell its size or encoding; real ones have fewer than twenty.
pub(crate) const REPEATED_FIELDS: usize = 200;

/// Documents in a message, header fields that refer to something included.
pub(crate) const PARTS: usize = 100_000;

/// How many bytes the messages in a message may have without their transfer encodings.
pub(crate) fn decoded_bytes(message: &[u8]) -> usize {
    const FOR_EACH_BYTE: usize = 4;
    const AT_LEAST: usize = 4 << 20;
    (message.len() * FOR_EACH_BYTE).max(AT_LEAST)
}

/// How many bytes of bases the headings of a message may declare for all its parts together.
pub(crate) fn declared_bytes(message: &[u8]) -> usize {
    const FOR_EACH_BYTE: usize = 16;
    const AT_LEAST: usize = 4 << 20;
    (message.len() * FOR_EACH_BYTE).max(AT_LEAST)
}

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
pub(crate) const INDEX_BYTES: usize = 256 << 20;

/// How far a `Content-Length` is believed; longer messages of an mbox end at separator lines only.
pub(crate) const CONTENT_LENGTH: usize = 8 << 20;

/// Bytes of line ends that may stand between a message and the next one, where a `Content-Length` tells its end.
pub(crate) const LINE_ENDS: usize = 1024;

/// Bytes of a message in an mbox; mail servers accept fewer. A longer one is copied as it is.
pub(crate) const MESSAGE_BYTES: usize = 128 << 20;

/// Bytes of a document that is a file of its own: as many as a message of an mbox or a record of an archive may have.
pub const DOCUMENT_FILE_BYTES: u64 = 128 << 20;

/// Bytes of a message that is a file of its own.
pub const MESSAGE_FILE_BYTES: u64 = 1 << 30;

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

/// How much longer a list of links may be than what is inserted for them: it names the base with each link.
pub(crate) const LISTED_TIMES: usize = 2;

/// Records of a web archive that are listed together; their lists are in memory.
pub(crate) const LISTED_AT_ONCE: usize = 8;

/// What a declaration of a base costs in memory besides its bytes.
pub(crate) const DECLARATION_BYTES: usize = 100;

/// In how many of the first bytes of a page marks of programs are looked for.
pub(crate) const MARKS: usize = 64 << 10;

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
