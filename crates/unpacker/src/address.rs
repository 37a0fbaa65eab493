//! How parts are referred to: by `Content-ID` and by `Content-Location` (RFC 2557, section 8).

use std::collections::HashMap;

use absolve_rewriter::internal::{Child, Contents, cid_keys, id_keys, part_key};
use absolve_rewriter::settings::Rules;

/// The parts by the URLs that lead to them.
#[derive(Debug, Default)]
pub(crate) struct Addresses {
    leaves: HashMap<String, Addressed>,
}

/// The leaves with one URL.
#[derive(Debug)]
struct Addressed {
    /// The one that counts in each scope: by an id the first, by a location the last, which Chromium shows.
    in_scope: HashMap<Scope, usize>,
    /// The first of all.
    first: usize,
}

/// What a reference can reach: the parts of a multipart/related or of a nested message, by the index of the composite, but
/// not those of another one in it.
type Scope = Option<usize>;

/// Returns the URL of each leaf; of the root of a composite, that of the composite if it has none of its own.
pub(crate) fn urls(contents: &Contents<'_>, roots: &[Option<usize>], rules: Rules) -> Vec<Option<String>> {
    let url = |part| contents.url(part, rules);
    let mut urls: Vec<_> = (0..contents.leaves.len()).map(|leaf| url(Child::Leaf(leaf))).collect();
    for (composite, root) in roots.iter().enumerate().rev() {
        if let Some(root) = root.filter(|root| urls[*root].is_none()) {
            urls[root] = url(Child::Composite(composite));
        }
    }
    urls
}

impl Addresses {
    /// Returns the addresses of all parts that become files. `roots` are those of composites, whose addresses lead there.
    pub(crate) fn new(contents: &Contents<'_>, roots: &[Option<usize>], rules: Rules) -> Self {
        let mut addresses = Self::default();
        let leaves = contents.leaves.iter().enumerate();
        let leaves = leaves.map(|(index, leaf)| (Child::Leaf(index), &leaf.content_id, leaf.composite, Some(index)));
        let composites = contents.composites.iter().zip(roots).enumerate();
        let composites = composites.map(|(index, (composite, root))| {
            (Child::Composite(index), &composite.content_id, composite.around, *root)
        });
        for (part, content_id, around, leaf) in leaves.chain(composites) {
            let Some(leaf) = leaf.filter(|leaf| contents.is_readable(*leaf)) else { continue };
            let scope = scope(contents, around);
            let url = contents.url(part, rules);
            let is_leaf = matches!(part, Child::Leaf(_));
            let locations =
                url.iter().flat_map(|url| [(part_key(url), is_leaf), (part_key(without_fragment(url)), false)]);
            let ids = content_id.iter().flat_map(|id| id_keys(id)).map(|key| (key, false));
            for (address, replaces) in ids.chain(locations) {
                let addressed = Addressed { in_scope: HashMap::new(), first: leaf };
                let addressed = addresses.leaves.entry(address).or_insert(addressed);
                let counts = addressed.in_scope.entry(scope).or_insert(leaf);
                *counts = if replaces { leaf } else { *counts };
            }
        }
        addresses
    }

    /// Returns the leaf to which a target leads from the leaf `from`, and the fragment of the target.
    pub(crate) fn find<'t>(&self, contents: &Contents<'_>, from: usize, target: &'t str) -> Option<(usize, &'t str)> {
        let fragment = &target[without_fragment(target).len()..];
        let by_id = cid_keys(target);
        let found = match &by_id {
            Some(keys) => keys.iter().find_map(|key| self.leaves.get(key)),
            None => self.leaves.get(&part_key(target)).or_else(|| self.leaves.get(&part_key(without_fragment(target)))),
        }?;
        let mut reached = scope(contents, contents.leaves[from].composite);
        let leaf = loop {
            if let Some(leaf) = found.in_scope.get(&reached) {
                break leaf;
            }
            match reached {
                Some(inner) => reached = scope(contents, contents.composites[inner].around),
                // An id is that of one part in the world.
                None => break by_id.map(|_| &found.first)?,
            }
        };
        Some((*leaf, fragment))
    }
}

/// Returns the innermost scope that is this composite or around it.
fn scope(contents: &Contents<'_>, mut composite: Option<usize>) -> Scope {
    let is_scope = |media_type: &str| media_type == "multipart/related" || media_type.starts_with("message/");
    while let Some(index) = composite.filter(|index| !is_scope(&contents.composites[*index].media_type)) {
        composite = contents.composites[index].around;
    }
    composite
}

fn without_fragment(url: &str) -> &str {
    &url[..url.find('#').unwrap_or(url.len())]
}
