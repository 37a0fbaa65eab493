//! Arguments of the command line.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The amount to measure, and the folder of the corpora.
#[derive(Debug)]
pub(crate) struct Settings {
    /// Where none is given, each table has its own.
    pub(crate) mib: Option<u64>,
    pub(crate) corpora: PathBuf,
}

impl Settings {
    /// Parses `[--mib MIB] [CORPORA]`.
    pub(crate) fn new(mut arguments: impl Iterator<Item = OsString>) -> Result<Self, String> {
        let corpora = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpora");
        let mut settings = Self { mib: None, corpora };
        while let Some(argument) = arguments.next() {
            if argument == "--mib" {
                let number = arguments.next().and_then(|number| number.to_str()?.parse().ok());
                settings.mib = Some(number.ok_or("--mib needs a number")?);
            } else {
                settings.corpora = argument.into();
            }
        }
        Ok(settings)
    }
}
