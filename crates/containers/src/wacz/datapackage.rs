//! What a WACZ tells of its files: their sizes and digests (`datapackage.json`), and the digest of that.

use std::io;

use absolve_rewriter::{Code, Event, Finding};
use data_encoding::HEXLOWER;
use md5::Md5;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::warc::options::ArchiveOptions;
use crate::warc::write::date_of;

pub(crate) const PACKAGE: &str = "datapackage.json";

pub(crate) const DIGEST: &str = "datapackage-digest.json";

/// The hashes of a file that a package may tell.
#[derive(Default)]
pub(crate) struct Hash {
    sha256: Sha256,
    md5: Md5,
    bytes: u64,
}

/// The list of the files.
pub(crate) struct Package {
    value: Value,
}

impl Hash {
    pub(crate) fn add(&mut self, bytes: &[u8]) {
        self.sha256.update(bytes);
        self.md5.update(bytes);
        self.bytes += bytes.len() as u64;
    }

    /// As a package writes it that has written `old`.
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
            serde_json::from_str(text).map_err(|error| no_json(PACKAGE, error))?
        };
        match value {
            Value::Null | Value::Object(_) => Ok(Self { value }),
            _ => Err(io::Error::other(format!("its {PACKAGE} is no object"))),
        }
    }

    /// Notes what has become of a file.
    pub(crate) fn set(&mut self, path: &str, hash: Hash) {
        let Some(resources) = self.value["resources"].as_array_mut() else { return };
        if let Some(resource) = resources.iter_mut().find(|resource| resource["path"] == path) {
            resource["bytes"] = hash.bytes.into();
            resource["hash"] = hash.text(resource["hash"].as_str().unwrap_or_default()).into();
        }
    }

    pub(crate) fn written(mut self, options: &ArchiveOptions) -> Vec<u8> {
        self.value["modified"] = date_of(options).into();
        format!("{:#}", self.value).into_bytes()
    }
}

fn no_json(name: &str, error: serde_json::Error) -> io::Error {
    io::Error::other(format!("{name} is no JSON: {error}"))
}

/// The digest of `package` in place of `old`, whose signature is of another package and goes.
pub(crate) fn digest_of(old: &str, package: &[u8], tell: &mut dyn FnMut(Event)) -> io::Result<Vec<u8>> {
    let old: Value = serde_json::from_str(old).map_err(|error| no_json(DIGEST, error))?;
    if !old["signedData"].is_null() {
        let message = "its signature is of other archives than those it holds now; it is left out";
        tell(Finding::new(Code::Signed, message).into());
    }
    let mut hash = Hash::default();
    hash.add(package);
    let hash = hash.text(old["hash"].as_str().unwrap_or_default());
    Ok(format!("{:#}", json!({ "path": PACKAGE, "hash": hash })).into_bytes())
}
