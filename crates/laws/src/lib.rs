//! What must hold for any bytes at all. Tests call these functions over fixtures, corpora and generated input; fuzzing
//! calls them over what it finds.
//!
//! A function panics where a law is broken, and else answers how much it has looked at, so that a test can tell that it
//! has looked at something. Laws that need the inside of a crate stand in that crate, in modules called `laws`.

pub mod bases;
pub mod documents;
pub mod messages;
pub mod packages;
pub mod packing;
pub mod references;
mod rewritten;
pub mod streams;
pub mod tables;
mod verified;

use std::sync::LazyLock;

use absolve_rewriter::Options;

pub use rewritten::{ELSEWHERE, check_rewritten};

/// What the command does without flags; to put its table together takes longer than to read a short document.
pub(crate) static OPTIONS: LazyLock<Options> = LazyLock::new(Options::default);

/// Something that reads bytes, and the laws that it keeps.
#[derive(Clone, Copy, Debug)]
pub struct Body {
    /// The name of the fuzz target, and of its folder below `fixtures/fuzz`.
    pub name: &'static str,
    /// What its input is put together of: the name of a file in `fuzz/dictionaries`.
    pub dictionary: &'static str,
    /// Checks the laws; answers how much was looked at.
    pub check: fn(&[u8]) -> usize,
}

/// All of them.
pub const BODIES: [Body; 17] = [
    Body { name: "resolver", dictionary: "references", check: references::any },
    Body { name: "base", dictionary: "messages", check: bases::of_heading },
    Body { name: "html", dictionary: "html", check: documents::html },
    Body { name: "css", dictionary: "css", check: documents::css },
    Body { name: "srcset", dictionary: "css", check: documents::srcset },
    Body { name: "xml", dictionary: "xml", check: documents::xml },
    Body { name: "text", dictionary: "html", check: documents::text },
    Body { name: "message", dictionary: "messages", check: messages::message },
    Body { name: "quoted_printable", dictionary: "html", check: messages::quoted_printable },
    Body { name: "base64", dictionary: "html", check: messages::base64 },
    Body { name: "pack", dictionary: "html", check: packing::page },
    Body { name: "mbox", dictionary: "messages", check: streams::mbox },
    Body { name: "warc", dictionary: "archives", check: streams::warc },
    Body { name: "warc_gzip", dictionary: "archives", check: streams::warc_gzip },
    Body { name: "http", dictionary: "archives", check: streams::http },
    Body { name: "wacz", dictionary: "archives", check: packages::wacz },
    Body { name: "urls", dictionary: "tables", check: tables::urls },
];
