//! Properties that must hold for any bytes. Tests check them on fixtures, corpora and generated input; fuzzing checks
//! them on what it finds.
//!
//! A function panics if a property does not hold, and otherwise returns how much it checked, so that a test can require
//! a minimum. Properties of private items are in modules called `laws` of their crates.

#![allow(clippy::disallowed_methods)]

mod annotations;
pub mod bases;
pub mod bundles;
pub mod documents;
pub mod mailboxes;
pub mod messages;
mod options;
pub mod packages;
pub mod packing;
pub mod references;
mod rewritten;
pub mod runs;
pub mod streams;
pub mod tables;

pub use rewritten::{ELSEWHERE, check_rewritten};

/// Something that reads bytes, and its properties.
#[derive(Clone, Copy, Debug)]
pub struct Body {
    /// The name of the fuzz target, and of its folder below `fixtures/fuzz`.
    pub name: &'static str,
    /// The dictionary for its input: a file in `fuzz/dictionaries`.
    pub dictionary: &'static str,
    /// Checks the properties; returns how much was checked.
    pub check: fn(&[u8]) -> usize,
}

/// All of them.
pub const BODIES: [Body; 23] = [
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
    Body {
        name: "emlx",
        dictionary: "messages",
        check: |bytes| mailboxes::emlx(bytes).expect("a temporary file is written"),
    },
    Body { name: "mmdf", dictionary: "messages", check: mailboxes::mmdf },
    Body { name: "babyl", dictionary: "messages", check: mailboxes::babyl },
    Body {
        name: "compressed",
        dictionary: "messages",
        check: |bytes| mailboxes::compressed(bytes).expect("it is in memory"),
    },
    Body { name: "unpack", dictionary: "messages", check: packing::unpacking::message },
    Body { name: "mbox", dictionary: "messages", check: streams::mbox },
    Body { name: "warc", dictionary: "archives", check: streams::warc },
    Body { name: "warc_gzip", dictionary: "archives", check: streams::warc_gzip },
    Body { name: "http", dictionary: "archives", check: streams::http },
    Body { name: "wacz", dictionary: "archives", check: packages::wacz },
    Body { name: "bundle", dictionary: "messages", check: bundles::bundle },
    Body { name: "urls", dictionary: "tables", check: tables::urls },
];
