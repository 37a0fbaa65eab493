//! Limits against hostile input. Content that exceeds one is left unchanged and reported.

/// Calls into the tree builder per byte of a document that needs a tree. Real pages need fewer than five.
pub(crate) const TREE_CALLS_PER_BYTE: usize = 50;

/// Calls into the tree builder that every document may cost, however short.
pub(crate) const TREE_CALLS_AT_LEAST: usize = 100_000;

/// The cost of comparing two formatting elements with all their attributes, in calls.
pub(crate) const TREE_CALLS_PER_COMPARISON: usize = 16;

/// Bytes at the start of a document that are searched for `<meta charset>`, as in browsers. Later bytes are searched
/// only if the document is invalid in UTF-8 or contains an escape of ISO-2022-JP.
pub(crate) const PRESCAN_BYTES: usize = 1024;

/// Levels of nested documents: a `srcdoc` in the text of a feed, or in another `srcdoc`.
pub(crate) const NESTED_DOCUMENTS: usize = 2;

/// Levels of nested conditional comments. Each is scanned once for every level around it.
pub(crate) const NESTED_COMMENTS: usize = 8;

/// Levels of elements with an `xml:base`. Each may lengthen the base of its content.
pub const NESTED_XML_BASES: usize = 32;

/// Returns how many bytes may be inserted into a document of so many bytes. Real ones need fewer than ten for each of their own.
///
/// ```
/// assert_eq!(absolve_links::inserted_bytes(1 << 20), 64 << 20);
/// ```
pub fn inserted_bytes(document: usize) -> usize {
    const FOR_EACH_BYTE: usize = 64;
    const AT_LEAST: usize = 4 << 20;
    const AT_MOST: usize = 512 << 20;
    document.saturating_mul(FOR_EACH_BYTE).clamp(AT_LEAST, AT_MOST)
}

/// Bytes of an entity declaration. A longer one counts as empty. Entities are expanded only in namespace names.
pub(crate) const ENTITY_BYTES: usize = 512;

/// Characters of the text of an anchor, and of a `rel`.
pub(crate) const ANNOTATION_CHARACTERS: usize = 200;

/// The nodes of a tree of Markdown that is built in one piece, as they are estimated.
pub(crate) const MOST_NODES: usize = 1 << 21;

/// The cells that tables in Markdown lack, which parsers add.
pub(crate) const MOST_CELLS: usize = 1 << 19;

/// The texts that are read for one document in Markdown. Each but the first has corrections that those before lack.
pub(crate) const MOST_TEXTS: usize = 16;
