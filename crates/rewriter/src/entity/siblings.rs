//! Parts of one message that refer to each other (RFC 2557, section 8).

use std::collections::HashSet;
use std::sync::{Arc, OnceLock};

use absolve_base::{Declaration, Rules, establish};

use crate::entity::header_chain::HeaderChain;

/// The parts around a document with a relative `Content-Location`.
#[derive(Debug)]
pub(crate) struct Siblings {
    /// Those of the outer multipart.
    around: Option<Arc<Self>>,
    located: Vec<Located>,
    targets: OnceLock<HashSet<String>>,
}

/// The location of a part.
#[derive(Debug)]
pub(crate) struct Located {
    /// Its relative `Content-Location`.
    pub(crate) location: String,
    /// The headers that may declare its base.
    pub(crate) headers: HeaderChain,
}

impl Siblings {
    /// Adds the locations of an inner multipart to those `around`.
    pub(crate) const fn new(around: Option<Arc<Self>>, located: Vec<Located>) -> Self {
        Self { around, located, targets: OnceLock::new() }
    }

    /// Returns whether one of them has the URL `target`, regardless of the fragment. References to it stay relative
    /// like its own location: absolute, they would not lead to it. `retrievals` and the rules are the same for the
    /// whole run.
    pub(crate) fn contains(&self, target: &str, retrievals: &[Declaration], rules: Rules) -> bool {
        let resolved = |located: &Located| {
            let mut declarations = located.headers.declarations(0);
            declarations.extend(retrievals.iter().cloned());
            establish(declarations, rules).url.and_then(|base| base.resolve(&located.location).ok())
        };
        let targets = self.targets.get_or_init(|| self.located.iter().filter_map(resolved).collect());
        let target = target.split_once('#').map_or(target, |(target, _)| target);
        targets.contains(target)
            || self.around.as_ref().is_some_and(|around| around.contains(target, retrievals, rules))
    }
}
