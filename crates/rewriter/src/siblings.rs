//! Parts of one message that refer to each other (RFC 2557, section 8).

use std::collections::HashSet;
use std::sync::{Arc, OnceLock};

use absolve_base::{Declaration, Rules, establish};

/// The parts around a document that stand at relative URLs.
#[derive(Debug)]
pub(crate) struct Siblings {
    /// Those of the multipart further outwards.
    around: Option<Arc<Self>>,
    located: Vec<Located>,
    targets: OnceLock<HashSet<String>>,
}

/// Where a part stands.
#[derive(Clone, Debug)]
pub(crate) struct Located {
    /// The relative URL.
    pub(crate) location: String,
    /// What the headings around it say of its base.
    pub(crate) declarations: Vec<Declaration>,
}

impl Siblings {
    /// Those `around` and those of one more multipart.
    pub(crate) const fn new(around: Option<Arc<Self>>, located: Vec<Located>) -> Self {
        Self { around, located, targets: OnceLock::new() }
    }

    /// Whether one of them stands at `target`. References to it stay relative, as its own location does: made absolute,
    /// they would not reach it any more. The rules are those of the whole run.
    pub(crate) fn contains(&self, target: &str, rules: Rules) -> bool {
        let resolved = |located: &Located| {
            establish(located.declarations.clone(), rules).url.and_then(|base| base.resolve(&located.location).ok())
        };
        let targets = self.targets.get_or_init(|| self.located.iter().filter_map(resolved).collect());
        targets.contains(target) || self.around.as_ref().is_some_and(|around| around.contains(target, rules))
    }
}
