//! The sizes and digests of the files of a WACZ, in `datapackage.json` and `datapackage-digest.json`.

use std::collections::HashSet;
use std::io::{self, Read};

use data_encoding::HEXLOWER;
use md5::Md5;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::archive::line::Line;
use crate::archive::run::is_date;
use crate::verdict::{Difference, Rule};

pub(super) const PACKAGE: &str = "datapackage.json";
pub(super) const DIGEST: &str = "datapackage-digest.json";

/// The size and the digests of a file.
pub(super) struct Measured {
    length: u64,
    sha256: Sha256,
    md5: Md5,
}

impl Measured {
    /// Reads a file to its end.
    pub(super) fn of(mut file: impl Read) -> io::Result<Self> {
        let mut measured = Self { length: 0, sha256: Sha256::new(), md5: Md5::new() };
        let mut buffer = vec![0; 1 << 16];
        loop {
            let bytes = match file.read(&mut buffer)? {
                0 => return Ok(measured),
                length => &buffer[..length],
            };
            measured.length += bytes.len() as u64;
            measured.sha256.update(bytes);
            measured.md5.update(bytes);
        }
    }

    /// Returns the digest by the algorithm of an older one.
    fn digest_like(self, old: &Value) -> String {
        match old.as_str().and_then(|old| old.split(':').next()) {
            Some("md5") => format!("md5:{}", HEXLOWER.encode(&self.md5.finalize())),
            _ => format!("sha256:{}", HEXLOWER.encode(&self.sha256.finalize())),
        }
    }
}

/// Returns the list of the files that this one becomes, in which `measured` returns the size and the digests of each changed file, and `new` has
/// the date.
pub(super) fn package(
    old: &[u8],
    new: &[u8],
    measured: &mut dyn FnMut(&str) -> io::Result<Option<Measured>>,
) -> io::Result<Vec<u8>> {
    let mut package = if old.is_empty() { Value::Null } else { serde_json::from_slice(old)? };
    if !matches!(package, Value::Null | Value::Object(_)) {
        return Err(io::Error::other(format!("{PACKAGE} is not an object")));
    }
    let mut known = HashSet::new();
    for resource in package["resources"].as_array_mut().into_iter().flatten() {
        let Some(path) = resource["path"].as_str().map(str::to_owned) else { continue };
        if let Some(measured) = if known.insert(path.clone()) { measured(&path)? } else { None } {
            resource["bytes"] = measured.length.into();
            resource["hash"] = measured.digest_like(&resource["hash"]).into();
        }
    }
    let modified =
        serde_json::from_slice::<Value>(new).ok().and_then(|new| new["modified"].as_str().map(str::to_owned));
    package["modified"] = modified.filter(|date| is_date(date)).unwrap_or_default().into();
    Ok(format!("{package:#}").into_bytes())
}

/// Returns the digest of the list of the files. A signature of the old one is removed.
pub(super) fn digest(old: &[u8], package: &[u8]) -> io::Result<Vec<u8>> {
    let hash = Measured::of(package)?.digest_like(&serde_json::from_slice::<Value>(old)?["hash"]);
    Ok(format!("{:#}", json!({ "path": PACKAGE, "hash": hash })).into_bytes())
}

/// Returns the first line in which one of these files differs from what it has to be.
pub(super) fn different_line(name: &str, expected: &[u8], found: &[u8]) -> Option<Difference> {
    let line = Line::different(expected, found)?;
    let is_digest = ["\"hash\"", "\"bytes\""].iter().any(|field| line.expected.trim_start().starts_with(field));
    Some(line.difference(if name == DIGEST || is_digest { Rule::Digest } else { Rule::File }, "line"))
}
