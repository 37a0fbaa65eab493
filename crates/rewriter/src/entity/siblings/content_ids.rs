//! The ids of the parts of a message, and the `cid:` URLs that lead to them (RFC 2392).

use std::collections::HashSet;

use absolve_resolver::strip;

use crate::provenance::urls::decode_percent;

/// The ids of all parts of a message.
#[derive(Debug, Default)]
pub(crate) struct ContentIds(HashSet<String>);

impl ContentIds {
    /// Adds the `Content-ID` of a part, without brackets.
    pub(crate) fn add(&mut self, id: &str) {
        self.0.extend(id_keys(id));
    }

    /// Returns whether a reference is a `cid:` URL that leads to none of the parts.
    pub(crate) fn lack(&self, reference: &str) -> bool {
        cid_keys(reference).is_some_and(|keys| !keys.iter().any(|key| self.0.contains(key)))
    }
}

/// Returns the keys by which a part with this `Content-ID` is found.
pub fn id_keys(id: &str) -> [String; 2] {
    [format!("cid:{id}"), loose_key(id)]
}

/// Returns the keys by which a `cid:` URL is looked up, in this order: decoded, as programs that do not encode ids write it, and without
/// white space and the case of the domain. `None` if a reference is another URL.
///
/// ```
/// use absolve_rewriter::internal::{cid_keys, id_keys};
/// let leads = |reference, id: &str| cid_keys(reference).unwrap().iter().any(|key| id_keys(id).contains(key));
/// assert!(leads("cid:a%25b@h", "a%b@h") && leads("cid:a%25b@h", "a%25b@h") && leads("CID:a@H.example", "a@h. EXAMPLE"));
/// assert!(!leads("cid:A@h", "a@h"));
/// ```
pub fn cid_keys(reference: &str) -> Option<[String; 3]> {
    let raw = raw_id(&strip(reference))?.to_owned();
    let decoded = String::from_utf8_lossy(&decode_percent(&raw)).into_owned();
    let loose = loose_key(&decoded);
    Some([format!("cid:{decoded}"), format!("cid:{raw}"), loose])
}

/// Returns the `cid:` URL in a reference as it is compared: without percent-encoding, fragment, and the characters that a URL ignores.
///
/// ```
/// use absolve_rewriter::internal::cid_url;
/// assert_eq!(cid_url("\x13CID:a%40\th#x").as_deref(), Some("cid:a@h"));
/// ```
pub fn cid_url(reference: &str) -> Option<String> {
    cid_keys(reference).map(|[decoded, ..]| decoded)
}

fn raw_id(reference: &str) -> Option<&str> {
    let id = reference.get(..4).filter(|scheme| scheme.eq_ignore_ascii_case("cid:")).map(|_| &reference[4..])?;
    id.split('#').next()
}

/// Returns the key of an id without white space and the case of its domain. No decoded id begins so.
fn loose_key(id: &str) -> String {
    let id: String = id.chars().filter(|character| !character.is_whitespace()).collect();
    match id.rsplit_once('@') {
        Some((local, domain)) => format!("loose:{local}@{}", domain.to_ascii_lowercase()),
        None => format!("loose:{id}"),
    }
}
