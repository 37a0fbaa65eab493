//! Limits against hostile input. Reaching one leaves the document alone, with a finding.

/// Calls into the tree per byte of a document whose tags only a tree can tell apart. Real pages need
/// fewer than five.
pub(crate) const TREE_CALLS_PER_BYTE: usize = 50;

/// Calls into the tree that even the shortest document may cost.
pub(crate) const TREE_CALLS_AT_LEAST: usize = 100_000;

/// What it counts as to compare one formatting element with another, all their attributes included.
pub(crate) const TREE_CALLS_PER_COMPARISON: usize = 16;

/// Bytes at the start of a document in which `<meta charset>` is looked for, as browsers do; beyond them only where the
/// bytes are no UTF-8.
pub(crate) const PRESCAN_BYTES: usize = 1024;

/// Documents within documents: a `srcdoc` in the text of a feed, or in another one.
pub(crate) const NESTED_DOCUMENTS: usize = 2;

/// Conditional comments within conditional comments; each is gone through for each that is around it.
pub(crate) const NESTED_COMMENTS: usize = 8;

/// Elements with an `xml:base` around an element: each may lengthen the base of all that is in it.
pub(crate) const NESTED_XML_BASES: usize = 32;

/// Bytes of the declaration of an entity; one that is longer has no text. They are read for the names of namespaces.
pub(crate) const ENTITY_BYTES: usize = 512;
