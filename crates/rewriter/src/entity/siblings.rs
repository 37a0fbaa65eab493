//! Parts of one message that refer to each other (RFC 2557, section 8).

use std::collections::HashSet;
use std::sync::{Arc, OnceLock};

use absolve_base::{Declaration, Rules, establish};

use crate::entity::header_chain::HeaderChain;

/// The parts around a document that stand at relative URLs.
#[derive(Debug)]
pub(crate) struct Siblings {
    /// Those of the multipart further outwards.
    around: Option<Arc<Self>>,
    located: Vec<Located>,
    targets: OnceLock<HashSet<String>>,
}

/// Where a part stands.
#[derive(Debug)]
pub(crate) struct Located {
    /// The relative URL.
    pub(crate) location: String,
    /// The headings around it, and of its own what is no location.
    pub(crate) headings: HeaderChain,
}

impl Siblings {
    /// Those `around` and those of one more multipart.
    pub(crate) const fn new(around: Option<Arc<Self>>, located: Vec<Located>) -> Self {
        Self { around, located, targets: OnceLock::new() }
    }

    /// Whether one of them stands at `target`, whatever its fragment. References to it stay relative, as its own location does: made absolute,
    /// they would not reach it any more. `retrievals`, where the message comes from, and the rules are those of the whole run.
    pub(crate) fn contains(&self, target: &str, retrievals: &[Declaration], rules: Rules) -> bool {
        let resolved = |located: &Located| {
            let mut declarations = located.headings.declarations(0);
            declarations.extend(retrievals.iter().cloned());
            establish(declarations, rules).url.and_then(|base| base.resolve(&located.location).ok())
        };
        let targets = self.targets.get_or_init(|| self.located.iter().filter_map(resolved).collect());
        let target = target.split_once('#').map_or(target, |(target, _)| target);
        targets.contains(target)
            || self.around.as_ref().is_some_and(|around| around.contains(target, retrievals, rules))
    }
}
