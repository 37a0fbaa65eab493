//! Limits of unpacked messages; `docs/limits.md` explains each.

/// Length of a file name in bytes: file systems allow 255, and some encodings of names need three for one.
pub(crate) const NAME_BYTES: usize = 120;

/// Length of a path of a site in bytes: Windows allows 260 with the folder around it.
pub(crate) const PATH_BYTES: usize = 200;

/// Length of an extension in bytes that is kept if a name is shortened.
pub(crate) const EXTENSION_BYTES: usize = 16;

/// Bytes of `data:` URLs in a single page.
pub(crate) const SINGLE_BYTES: u64 = 256 << 20;

/// How many parts may be within each other in a single page: a page, its frame, a style of that, and so on.
pub(crate) const NESTED_PARTS: usize = 12;

/// Bytes at the start of a page in which browsers look for its charset.
pub(crate) const PRESCAN_BYTES: usize = 1024;
