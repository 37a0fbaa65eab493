//! Arguments of the command line.

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;

/// The amount to measure, and the folder of the corpora.
#[derive(Debug)]
pub(crate) struct Settings {
    pub(crate) mib: u64,
    pub(crate) corpora: PathBuf,
}

impl Settings {
    /// Parses `[--mib MIB] [CORPORA]`; the other arguments are the defaults.
    pub(crate) fn new(mut arguments: impl Iterator<Item = OsString>, mib: u64, corpora: PathBuf) -> io::Result<Self> {
        let mut settings = Self { mib, corpora };
        while let Some(argument) = arguments.next() {
            if argument == "--mib" {
                let number = arguments.next().and_then(|number| number.to_str()?.parse().ok());
                settings.mib = number.ok_or_else(|| io::Error::other("--mib needs a number"))?;
            } else {
                settings.corpora = argument.into();
            }
        }
        Ok(settings)
    }
}
