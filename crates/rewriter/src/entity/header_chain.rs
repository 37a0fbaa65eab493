//! The headers around a part, and the bases that they declare.

use std::sync::Arc;

use absolve_base::{Declaration, Layer};

use crate::limits::DECLARATION_BYTES;

/// The declarations of a header, and the headers around it, which sibling parts share.
#[derive(Debug)]
pub(crate) struct HeaderChain {
    own: Vec<Declaration>,
    around: Option<Arc<Self>>,
    /// The number of headers.
    pub(crate) count: usize,
    /// The memory of all declarations, in bytes.
    pub(crate) cost: usize,
}

impl HeaderChain {
    /// Adds a header within others.
    pub(crate) fn within(around: Option<Arc<Self>>, own: Vec<Declaration>) -> Self {
        let cost = own.iter().map(|declaration| declaration.value.len() + DECLARATION_BYTES).sum::<usize>();
        let (count, cost_around) = around.as_ref().map_or((0, 0), |around| (around.count, around.cost));
        Self { own, around, count: count + 1, cost: cost + cost_around }
    }

    /// Returns the declarations of the innermost header.
    pub(crate) fn own(&self) -> &[Declaration] {
        &self.own
    }

    /// Returns all declarations. Those of the innermost header are `depth` headers outwards.
    pub(crate) fn declarations(&self, depth: usize) -> Vec<Declaration> {
        let mut found = Vec::new();
        let (mut headers, mut depth) = (Some(self), depth);
        while let Some(Self { own, around, .. }) = headers {
            found.extend(own.iter().map(|declaration| further(declaration, depth)));
            (headers, depth) = (around.as_deref(), depth + 1);
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
