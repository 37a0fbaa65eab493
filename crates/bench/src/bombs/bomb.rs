//! An input that is expensive to read.

use std::io;

/// The name of a list of URLs.
pub(crate) const URLS: &str = "urls.csv";

/// An input that is expensive to read, in any size.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bomb {
    pub(crate) name: &'static str,
    /// The name of its file; with [`URLS`], it is passed to `--urls`.
    pub(crate) file: &'static str,
    /// Returns its bytes at a size.
    pub(crate) make: fn(usize) -> io::Result<Vec<u8>>,
}

/// Returns a bomb.
pub(crate) const fn bomb(name: &'static str, file: &'static str, make: fn(usize) -> io::Result<Vec<u8>>) -> Bomb {
    Bomb { name, file, make }
}
