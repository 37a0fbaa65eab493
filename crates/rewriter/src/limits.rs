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

/// How much longer a list of links may be than what is inserted for them: it names the base with each link.
pub(crate) const LISTED_TIMES: usize = 2;

/// What a declaration of a base costs in memory besides its bytes.
pub(crate) const DECLARATION_BYTES: usize = 100;

/// In how many of the first bytes of a page marks of programs are looked for.
pub(crate) const MARKS: usize = 64 << 10;
