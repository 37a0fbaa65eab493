//! The sizes and digests of the files of a WACZ, in `datapackage.json` and `datapackage-digest.json`.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::io;

use data_encoding::HEXLOWER;
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use super::Zip;
use crate::storage::digest::length_and_sha256;
use crate::verdict::{Difference, Rule};

pub(super) const PACKAGE: &str = "datapackage.json";
pub(super) const DIGEST: &str = "datapackage-digest.json";

/// Verifies the list of the files, `new`, against the files in `zip`. All else in it has to be as in `old`.
pub(super) fn verify_package(old: &str, new: &str, zip: &mut Zip) -> io::Result<Vec<Difference>> {
    let (Some(mut old), Some(mut new)) = (object(old), object(new)) else {
        return Ok(vec![Difference::new(Rule::File, "it is not a JSON object")]);
    };
    let mut found = Vec::new();
    let resources = |package: &mut Map<String, Value>| match package.remove("resources") {
        Some(Value::Array(resources)) => resources,
        _ => Vec::new(),
    };
    let (old_resources, new_resources) = (resources(&mut old), resources(&mut new));
    old.remove("modified");
    new.remove("modified");
    if old != new {
        found.push(Difference::new(Rule::File, "more than sizes and digests has changed in it"));
    }
    if old_resources.len() != new_resources.len() {
        found.push(Difference::new(Rule::File, "it lists other files"));
    }
    let mut known = HashMap::new();
    for (mut old, mut new) in old_resources.into_iter().zip(new_resources) {
        found.extend(check_resource(&old, &new, zip, &mut known)?);
        for resource in [&mut old, &mut new].into_iter().filter_map(Value::as_object_mut) {
            resource.remove("hash");
            resource.remove("bytes");
        }
        if old != new {
            found.push(Difference::new(Rule::File, format!("it lists {new} instead of {old}")));
        }
    }
    Ok(found)
}

/// The sizes and digests of files, by their indexes in the ZIP.
type Known = HashMap<usize, (u64, String)>;

/// Verifies the size and the digest of a file. An entry that was wrong before may stay the same.
fn check_resource(old: &Value, new: &Value, zip: &mut Zip, known: &mut Known) -> io::Result<Option<Difference>> {
    let Some(path) = new["path"].as_str() else { return Ok(None) };
    let Some(index) = zip.index_for_name(path) else { return Ok(None) };
    let (length, sha256) = match known.entry(index) {
        Entry::Occupied(known) => known.get().clone(),
        Entry::Vacant(place) => {
            place.insert(length_and_sha256(zip.by_index(index).map_err(io::Error::other)?)?).clone()
        }
    };
    let is_other_digest = new["hash"].as_str().is_some_and(|hash| !hash.starts_with("sha256:"));
    let is_hash_right = is_other_digest || new["hash"] == format!("sha256:{sha256}");
    if (new["bytes"] == length && is_hash_right) || old == new && !is_derived(path) {
        return Ok(None);
    }
    let message = format!("the size and digest of {path} are not {length} and sha256:{sha256}");
    Ok(Some(Difference { expected: sha256, ..Difference::new(Rule::Digest, message) }))
}

/// Reports whether a file is one that may have changed.
fn is_derived(path: &str) -> bool {
    path.starts_with("archive/") || path.starts_with("indexes/")
}

/// Verifies the digest of the list of the files. A signature of the old one has to be removed.
pub(super) fn verify_digest(old: &str, new: &str, package: &str) -> Vec<Difference> {
    if object(old).is_none() {
        let message = "it is not a JSON object, and has changed";
        return (old != new).then(|| Difference::new(Rule::File, message)).into_iter().collect();
    }
    let new = object(new).unwrap_or_default();
    let value = |name: &str| new.get(name).and_then(Value::as_str).unwrap_or_default();
    let sha256 = HEXLOWER.encode(&Sha256::digest(package));
    let mut found = Vec::new();
    let is_other_digest = !value("hash").is_empty() && !value("hash").starts_with("sha256:");
    if !is_other_digest && value("hash") != format!("sha256:{sha256}") {
        let message = format!("the digest of {PACKAGE} is {:?} instead of sha256:{sha256}", value("hash"));
        found.push(Difference { expected: sha256, ..Difference::new(Rule::Digest, message) });
    }
    if value("path") != PACKAGE {
        found.push(Difference::new(Rule::Digest, "it names another file"));
    }
    if new.contains_key("signedData") {
        found.push(Difference::new(Rule::Digest, "its signature belongs to the original"));
    }
    found
}

fn object(text: &str) -> Option<Map<String, Value>> {
    serde_json::from_str(text).ok()
}
