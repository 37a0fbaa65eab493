//! Limits against hostile input. Reaching one leaves the document alone, with a finding.

use absolve_links::Document;

/// How many bytes may be inserted into a document: real ones need fewer than ten for each of their own, however long
/// their base is.
pub(crate) fn inserted_bytes(document: &Document<'_>) -> usize {
    const FOR_EACH_BYTE: usize = 64;
    const AT_LEAST: usize = 4 << 20;
    (document.bytes().len() * FOR_EACH_BYTE).max(AT_LEAST)
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

/// How many bytes of bases the headings of a message may declare for all its parts together.
pub(crate) fn declared_bytes(message: &[u8]) -> usize {
    const FOR_EACH_BYTE: usize = 16;
    const AT_LEAST: usize = 4 << 20;
    (message.len() * FOR_EACH_BYTE).max(AT_LEAST)
}

/// Bytes of a message in an mbox; mail servers accept fewer. A longer one is copied as it is.
pub(crate) const MESSAGE_BYTES: usize = 128 << 20;

/// Bytes of a message that is a file of its own.
pub(crate) const MESSAGE_FILE_BYTES: u64 = 1 << 30;
