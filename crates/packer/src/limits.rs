//! Limits of messages that are made. `docs/limits.md` tells what each is for.

/// Bytes of a message for mail programs, unless more are asked for: what most servers accept.
pub(crate) const MAIL_BYTES: u64 = 25_000_000;

/// Bytes of a message for browsers, unless more are asked for: what this program reads of one.
pub(crate) const WEB_BYTES: u64 = absolve_files::MESSAGE_FILE_BYTES;

/// Bytes at the start of a document in which its title is looked for.
pub(crate) const TITLE_BYTES: usize = 1 << 16;

/// Bytes of a document of which a text is made.
pub(crate) const TEXT_BYTES: usize = 8 << 20;

/// Elements within elements of a document of which a text is made.
pub(crate) const TEXT_DEPTH: usize = 500;

/// Words in a tag, attributes above all, of a document of which a text is made.
pub(crate) const TEXT_WORDS_IN_TAG: usize = 5_000;

/// Columns of a line of a text: so many that a paragraph is one, for readers break lines themselves.
pub(crate) const TEXT_COLUMNS: usize = 10_000;

/// Bytes of an address or an id, so that it fits a line (RFC 5321, section 4.5.3.1).
pub(crate) const ADDRESS_BYTES: usize = 320;
