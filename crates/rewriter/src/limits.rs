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

/// Messages within a message: the parser takes a level of the stack for each.
pub(crate) const MESSAGES_IN_MESSAGES: usize = 500;

/// Parts within parts; real messages have fewer than ten.
pub(crate) const NESTED_PARTS: usize = 64;

/// Boundaries of a message times its bytes: the parser looks for each in all.
pub(crate) const BOUNDARY_WORK: u64 = 10_000_000_000;
