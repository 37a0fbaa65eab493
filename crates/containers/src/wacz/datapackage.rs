//! The list of files in a WACZ with their sizes and hashes (`datapackage.json`), and the digest of that list.

use std::io::{self, Write};

use absolve_rewriter::internal::Event;
use absolve_rewriter::{Code, Finding};
use data_encoding::HEXLOWER;
use md5::Md5;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::warc::options::ArchiveOptions;
use crate::warc::write::date_of;

pub(crate) const PACKAGE: &str = "datapackage.json";

pub(crate) const DIGEST: &str = "datapackage-digest.json";

/// The size of a file, and the hashes that a package may declare.
#[derive(Default)]
pub(crate) struct Hash {
    sha256: Sha256,
    md5: Md5,
    bytes: u64,
}

/// A parsed `datapackage.json`.
pub(crate) struct Package {
    value: Value,
}

impl Write for Hash {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.sha256.update(bytes);
        self.md5.update(bytes);
        self.bytes += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Hash {
    /// Returns the hash with the algorithm of `old`: MD5, otherwise SHA-256.
    fn text(self, old: &str) -> String {
        match old.split(':').next() {
            Some("md5") => format!("md5:{}", HEXLOWER.encode(&self.md5.finalize())),
            _ => format!("sha256:{}", HEXLOWER.encode(&self.sha256.finalize())),
        }
    }
}

impl Package {
    pub(crate) fn read(text: &str) -> io::Result<Self> {
        let value = if text.is_empty() {
            Value::Null
        } else {
            serde_json::from_str(text).map_err(|error| invalid_json(PACKAGE, error))?
        };
        match value {
            Value::Null | Value::Object(_) => Ok(Self { value }),
            _ => Err(io::Error::other(format!("its {PACKAGE} is not an object"))),
        }
    }

    /// Sets the size and hash of a changed file.
    pub(crate) fn set(&mut self, path: &str, hash: Hash) {
        let Some(resources) = self.value["resources"].as_array_mut() else { return };
        if let Some(resource) = resources.iter_mut().find(|resource| resource["path"] == path) {
            resource["bytes"] = hash.bytes.into();
            resource["hash"] = hash.text(resource["hash"].as_str().unwrap_or_default()).into();
        }
    }

    /// Returns the text of the package, with the date of the run.
    pub(crate) fn into_text(mut self, options: &ArchiveOptions) -> Vec<u8> {
        self.value["modified"] = date_of(options).into();
        format!("{:#}", self.value).into_bytes()
    }
}

fn invalid_json(name: &str, error: serde_json::Error) -> io::Error {
    io::Error::other(format!("{name} is invalid JSON: {error}"))
}

/// Returns the digest file of `package`. Omits the signature in `old`, which no longer matches.
pub(crate) fn digest_of(old: &str, package: &[u8], events: &mut dyn FnMut(Event)) -> io::Result<Vec<u8>> {
    let old: Value = serde_json::from_str(old).map_err(|error| invalid_json(DIGEST, error))?;
    if !old["signedData"].is_null() {
        let message = "its signature does not match the changed archives; it is removed";
        events(Finding::new(Code::Signed, message).into());
    }
    let mut hash = Hash::default();
    hash.write_all(package)?;
    let hash = hash.text(old["hash"].as_str().unwrap_or_default());
    Ok(format!("{:#}", json!({ "path": PACKAGE, "hash": hash })).into_bytes())
}
