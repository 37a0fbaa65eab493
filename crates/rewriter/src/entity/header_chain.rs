//! What the headings around a part say of its base.

use std::sync::Arc;

use absolve_base::{Declaration, Layer};

use crate::limits::DECLARATION_BYTES;

/// The declarations of a heading, and the headings around it. Parts beside each other share those.
#[derive(Debug)]
pub(crate) struct HeaderChain {
    own: Vec<Declaration>,
    around: Option<Arc<Self>>,
    /// How many headings these are.
    pub(crate) count: usize,
    /// What going through all declarations costs, in bytes.
    pub(crate) cost: usize,
}

impl HeaderChain {
    /// One more heading within others.
    pub(crate) fn within(around: Option<Arc<Self>>, own: Vec<Declaration>) -> Self {
        let cost = own.iter().map(|declaration| declaration.value.len() + DECLARATION_BYTES).sum::<usize>();
        let (count, cost_around) = around.as_ref().map_or((0, 0), |around| (around.count, around.cost));
        Self { own, around, count: count + 1, cost: cost + cost_around }
    }

    /// All declarations, those of the innermost heading as of one `depth` headings outwards.
    pub(crate) fn declarations(&self, depth: usize) -> Vec<Declaration> {
        let mut found = Vec::new();
        let (mut headings, mut depth) = (Some(self), depth);
        while let Some(Self { own, around, .. }) = headings {
            found.extend(own.iter().map(|declaration| further(declaration, depth)));
            (headings, depth) = (around.as_deref(), depth + 1);
        }
        found
    }
}

fn further(declaration: &Declaration, depth: usize) -> Declaration {
    let layer = match declaration.layer {
        Layer::Header { field, .. } => Layer::Header { depth, field },
        layer => layer,
    };
    Declaration { layer, ..declaration.clone() }
}
