//! Limits of packed messages; `docs/limits.md` explains each.

/// Default length of a message for mail programs in bytes: what most servers accept.
pub(crate) const MAIL_BYTES: u64 = 25_000_000;

/// Default length of a message for browsers in bytes: what this program reads of one.
pub(crate) const WEB_BYTES: u64 = absolve_files::MESSAGE_FILE_BYTES;

/// Bytes at the start of a document in which its title is searched.
pub(crate) const TITLE_BYTES: usize = 1 << 16;

/// Length of a document that is converted to text, in bytes.
pub(crate) const TEXT_BYTES: usize = 8 << 20;

/// Nesting depth of elements in such a document.
pub(crate) const TEXT_DEPTH: usize = 500;

/// Work on such a document: the tags, each as often as elements are around it and 32 times more.
pub(crate) const TEXT_WORK: usize = 16 << 20;

/// Words in a tag of such a document: mostly attributes.
pub(crate) const TEXT_WORDS_IN_TAG: usize = 5_000;

/// Columns of a line of text: enough for a paragraph, because readers wrap lines themselves.
pub(crate) const TEXT_COLUMNS: usize = 10_000;

/// Length of an address or an id in bytes, so that it fits a line (RFC 5321, section 4.5.3.1).
pub(crate) const ADDRESS_BYTES: usize = 320;

/// Length of an image or font that CSS names as a `data:` URL, in bytes of all its places in the page.
pub(crate) const CSS_IMAGE_BYTES: usize = 256 << 10;

/// Style sheets that import each other.
pub(crate) const IMPORT_DEPTH: usize = 32;

/// Nested `@media` blocks that become style elements of their own.
pub(crate) const MEDIA_DEPTH: usize = 16;

/// Media queries in a list that says what two lists say.
pub(crate) const COMBINED_QUERIES: usize = 64;

/// Length of a page that Gmail shows whole, in bytes.
pub(crate) const GMAIL_PAGE_BYTES: usize = 102 << 10;

/// Length of all style elements together that Gmail applies, in bytes.
pub(crate) const GMAIL_STYLE_BYTES: usize = 16 << 10;
