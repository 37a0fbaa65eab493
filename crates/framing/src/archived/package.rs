//! The list of the files of a WACZ with their sizes and hashes (`datapackage.json`), and the digest of that list.

use std::io::{self, Read, Write};

use data_encoding::HEXLOWER;
use md5::Md5;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::archived::digest::algorithm_of;
use crate::limits::READ_BUFFER;

/// The name of the list.
pub const PACKAGE: &str = "datapackage.json";

/// The name of its digest.
pub const PACKAGE_DIGEST: &str = "datapackage-digest.json";

/// The size of a file that is written to it, and the hashes that a package may declare.
#[derive(Clone, Debug, Default)]
pub struct FileHash {
    sha256: Sha256,
    md5: Md5,
    bytes: u64,
}

impl Write for FileHash {
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

impl FileHash {
    /// Returns the hash with the algorithm of `old`: MD5, otherwise SHA-256.
    fn like(self, old: &Value) -> String {
        match old.as_str().and_then(|old| old.split(':').next()) {
            Some("md5") => format!("md5:{}", HEXLOWER.encode(&self.md5.finalize())),
            _ => format!("sha256:{}", HEXLOWER.encode(&self.sha256.finalize())),
        }
    }
}

/// A parsed list of files.
#[derive(Debug)]
pub struct Package(Value);

impl Package {
    /// Parses a list; of an empty text, one without files.
    ///
    /// # Errors
    ///
    /// The list is invalid JSON, or not an object.
    pub fn parse(text: &[u8]) -> io::Result<Self> {
        match if text.is_empty() { Value::Null } else { parsed(PACKAGE, text)? } {
            value @ (Value::Null | Value::Object(_)) => Ok(Self(value)),
            _ => Err(io::Error::other(format!("its {PACKAGE} is not an object"))),
        }
    }

    /// Returns the paths of its files.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        let resources = self.0["resources"].as_array().into_iter().flatten();
        resources.filter_map(|resource| resource["path"].as_str())
    }

    /// Returns whether a file has the size and the hash that the list declares of it. A hash by an unknown algorithm is passed over.
    ///
    /// # Errors
    ///
    /// One of reading the file.
    pub fn describes(&self, path: &str, content: &mut dyn Read) -> io::Result<bool> {
        let mut resources = self.0["resources"].as_array().into_iter().flatten();
        resources.find(|resource| resource["path"] == path).map_or(Ok(true), |resource| is_described(resource, content))
    }

    /// Returns the date of the last change.
    pub fn modified(&self) -> Option<&str> {
        self.0["modified"].as_str()
    }

    /// Sets the size and the hash of a file.
    pub fn set(&mut self, path: &str, hash: FileHash) {
        let Some(resources) = self.0["resources"].as_array_mut() else { return };
        if let Some(resource) = resources.iter_mut().find(|resource| resource["path"] == path) {
            resource["bytes"] = hash.bytes.into();
            resource["hash"] = hash.like(&resource["hash"]).into();
        }
    }

    /// Returns its text with this date.
    pub fn into_text(mut self, modified: &str) -> Vec<u8> {
        self.0["modified"] = modified.into();
        format!("{:#}", self.0).into_bytes()
    }
}

/// Returns whether a content has the size and the hash in a description.
fn is_described(description: &Value, content: &mut dyn Read) -> io::Result<bool> {
    let declared = description["hash"].as_str().and_then(|declared| declared.split_once(':'));
    let mut known = declared.and_then(|(name, value)| Some((algorithm_of(name)?, value)));
    let (mut length, mut buffer) = (0, vec![0; READ_BUFFER]);
    loop {
        match content.read(&mut buffer)? {
            0 => break,
            count => {
                length += count as u64;
                known.iter_mut().for_each(|(digest, _)| digest.update(&buffer[..count]));
            }
        }
    }
    let is_length = description["bytes"].as_u64().is_none_or(|bytes| bytes == length);
    let is_hash = known.is_none_or(|(digest, value)| HEXLOWER.encode(&digest.finalize()).eq_ignore_ascii_case(value));
    Ok(is_length && is_hash)
}

/// Returns whether a text is the digest of `package`, as far as it states one.
pub fn is_digest_of(digest: &[u8], package: &[u8]) -> bool {
    parsed(PACKAGE_DIGEST, digest).is_ok_and(|digest| is_described(&digest, &mut &*package).unwrap_or(true))
}

/// The name of the list of pages.
pub const PAGES: &str = "pages/pages.jsonl";

/// A page that a package names to begin with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StartPage {
    /// Its URL.
    pub url: String,
    /// Its title; empty if the list has none.
    pub title: String,
}

impl StartPage {
    /// Returns the page of a line of the list, or the inner `None` for the line that describes the list.
    pub fn of_line(line: &[u8]) -> Option<Option<Self>> {
        let line: Value = serde_json::from_slice(line).ok()?;
        let text = |name: &str| line[name].as_str().map(str::to_owned);
        match text("url") {
            Some(url) => Some(Some(Self { url, title: text("title").unwrap_or_default() })),
            None => line["format"].is_string().then_some(None),
        }
    }
}

/// Returns the digest of `package` that takes the place of the `old` one, and whether that is signed. The signature does not match any more,
/// and is omitted.
///
/// # Errors
///
/// The old one is invalid JSON.
pub fn package_digest(old: &[u8], package: &[u8]) -> io::Result<(Vec<u8>, bool)> {
    let old = parsed(PACKAGE_DIGEST, old)?;
    let mut hash = FileHash::default();
    hash.write_all(package)?;
    let text = format!("{:#}", json!({ "path": PACKAGE, "hash": hash.like(&old["hash"]) }));
    Ok((text.into_bytes(), !old["signedData"].is_null()))
}

fn parsed(name: &str, text: &[u8]) -> io::Result<Value> {
    serde_json::from_slice(text).map_err(|error| io::Error::other(format!("{name} is invalid JSON: {error}")))
}
