//! How parts are referred to: by `Content-ID` and by `Content-Location` (RFC 2557, section 8).

use std::collections::HashMap;

use absolve_rewriter::{Contents, Rules};
use percent_encoding::percent_decode_str;
use url::Url;

/// The URL of what has no base (RFC 2557, section 5): parts find each other by it. It is never written.
pub(crate) const NO_BASE: &str = "http://message.invalid/";

/// The parts by the URLs that lead to them.
#[derive(Debug, Default)]
pub(crate) struct Addresses {
    /// Leaves by the ids of their parts, and by their URLs, each in the order of the message.
    leaves: HashMap<String, Vec<usize>>,
}

/// Returns the URL of each leaf.
pub(crate) fn urls(contents: &Contents<'_>, rules: Rules) -> Vec<Option<String>> {
    contents.leaves.iter().map(|leaf| contents.url(leaf, rules, NO_BASE)).collect()
}

impl Addresses {
    /// Returns the addresses of all parts that become files. `roots` are those of composites: their ids lead there.
    pub(crate) fn new(contents: &Contents<'_>, urls: &[Option<String>], roots: &[Option<usize>]) -> Self {
        let mut addresses = Self::default();
        let mut add = |address: String, leaf: usize| addresses.leaves.entry(address).or_default().push(leaf);
        for (index, leaf) in contents.leaves.iter().enumerate() {
            leaf.content_id.iter().for_each(|id| add(address_of_id(id), index));
            if let Some(url) = &urls[index] {
                let (whole, without_fragment) = (normal(url), normal(without_fragment(url)));
                if whole != without_fragment {
                    add(whole, index);
                }
                add(without_fragment, index);
            }
        }
        for (composite, root) in contents.composites.iter().zip(roots) {
            composite.content_id.iter().zip(root).for_each(|(id, root)| add(address_of_id(id), *root));
        }
        for leaves in addresses.leaves.values_mut() {
            leaves.retain(|leaf| contents.is_readable(*leaf));
            leaves.sort_unstable();
        }
        addresses
    }

    /// Returns the leaf to which a target leads from the leaf `from`, and the fragment of the target. Of several, it is the
    /// first in the innermost multipart around both.
    pub(crate) fn find<'t>(&self, contents: &Contents<'_>, from: usize, target: &'t str) -> Option<(usize, &'t str)> {
        let fragment = &target[without_fragment(target).len()..];
        let found = match target.get(..4) {
            Some(scheme) if scheme.eq_ignore_ascii_case("cid:") => {
                let id = percent_decode_str(&without_fragment(target)[4..]).decode_utf8_lossy();
                self.leaves.get(&address_of_id(&id))
            }
            _ => self.leaves.get(&normal(target)).or_else(|| self.leaves.get(&normal(without_fragment(target)))),
        }?;
        let mut around = contents.leaves[from].composite;
        while let Some(composite) = around.map(|around| &contents.composites[around]) {
            let first = found.partition_point(|leaf| *leaf < composite.leaves.start);
            if let Some(leaf) = found.get(first).filter(|leaf| **leaf < composite.leaves.end) {
                return Some((*leaf, fragment));
            }
            around = composite.around;
        }
        found.first().map(|leaf| (*leaf, fragment))
    }
}

fn address_of_id(id: &str) -> String {
    format!("cid:{id}")
}

/// Returns a URL as browsers compare it.
fn normal(url: &str) -> String {
    Url::parse(url).map_or_else(|_| url.to_owned(), String::from)
}

fn without_fragment(url: &str) -> &str {
    &url[..url.find('#').unwrap_or(url.len())]
}
