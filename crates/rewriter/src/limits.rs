//! Limits against hostile input. What exceeds one is left unchanged, with a finding.

use absolve_links::Document;

/// The longest URL of an item of a feed in bytes against which each reference is resolved to see whether its target differs.
pub(crate) const COMPARED_BASE: usize = 1 << 13;

/// Returns how many bytes of bases may be processed to resolve the links of a document.
pub(crate) fn resolved_bytes(document: &Document<'_>) -> usize {
    const FOR_EACH_BYTE: usize = 1024;
    const AT_LEAST: usize = 256 << 20;
    (document.bytes().len() * FOR_EACH_BYTE).max(AT_LEAST)
}

/// Nesting depth of parts; real messages have fewer than ten.
pub(crate) const NESTED_PARTS: usize = 64;

/// Fields of a header that hold references, or describe its body; real ones have fewer than twenty.
pub(crate) const REPEATED_FIELDS: usize = 200;

/// Documents in a message, including header fields with references.
pub(crate) const PARTS: usize = 100_000;

/// Returns how many bytes nested messages may have without their transfer encodings.
pub(crate) fn decoded_bytes(message: &[u8]) -> usize {
    const FOR_EACH_BYTE: usize = 4;
    const AT_LEAST: usize = 4 << 20;
    (message.len() * FOR_EACH_BYTE).max(AT_LEAST)
}

/// Returns how many bytes of bases the headers of a message may declare for all its parts together.
pub(crate) fn declared_bytes(message: &[u8]) -> usize {
    const FOR_EACH_BYTE: usize = 16;
    const AT_LEAST: usize = 4 << 20;
    (message.len() * FOR_EACH_BYTE).max(AT_LEAST)
}

/// How much longer a list of links may be than what is inserted for them: it contains the base with each link.
pub(crate) const LISTED_TIMES: usize = 2;

/// Returns how many bytes the listed links of an HTTP header may have.
pub(crate) fn listed_bytes_of_header(head: &[u8]) -> usize {
    const FOR_EACH_BYTE: usize = 64;
    const AT_LEAST: usize = 4 << 20;
    (head.len() * FOR_EACH_BYTE).max(AT_LEAST)
}

/// Characters of the `rel` of a `Link` field that are listed.
pub(crate) const RELATION_CHARACTERS: usize = 200;

/// Memory of a declared base besides its bytes.
pub(crate) const DECLARATION_BYTES: usize = 100;

/// Bytes at the start of a page in which marks of programs are searched.
pub(crate) const MARKS: usize = 64 << 10;
