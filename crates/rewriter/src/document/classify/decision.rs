//! The decision about one link, and how much is decided.

use std::ops::Range;

use absolve_links::Reference;

use crate::report::{OutOfReach, Status};

/// What becomes of a link.
pub(crate) enum Decision<'j, 'd> {
    /// It is relative, and `prefix` replaces the bytes of `range`.
    Fast {
        /// Bytes of the document, at the start of the link.
        range: Range<usize>,
        /// The replacement that makes the link absolute.
        prefix: &'j str,
    },
    /// It is absolute, whatever the base is.
    Absolute,
    /// It becomes a reference to a local file.
    Local {
        /// The decoded reference; `None` for a plain one, which is decoded as it stands.
        reference: Option<&'j Reference<'d>>,
        /// The relative reference to the file.
        path: &'j str,
    },
    /// All others.
    Full {
        /// The decoded reference.
        reference: &'j Reference<'d>,
        /// Its status.
        status: Status,
        /// The URL of a relative one.
        target: &'j str,
        /// Whether it led to a web archive.
        is_unwrapped: bool,
        /// Why no reader elsewhere can follow it.
        reach: Option<OutOfReach>,
    },
}

/// How much is decided of plain references.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Depth {
    /// Those that are absolute, or relative to a plain base, are decided the fast way.
    Fast,
    /// All are decided in full: for the law that both come to the same.
    #[cfg_attr(not(any(test, fuzzing)), expect(dead_code, reason = "a law compares both"))]
    Full,
}
