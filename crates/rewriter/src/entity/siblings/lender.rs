//! Documents that lend their base to a part that is no place of its own.

use std::sync::Arc;

use crate::entity::header_chain::HeaderChain;
use crate::report::Unclear;

/// Whose base a part has besides what its headers declare.
#[derive(Clone, Debug, Default)]
pub(crate) enum Lent {
    /// It is a place of its own, or no document links it.
    #[default]
    Nothing,
    /// That of the document that links it.
    By(Arc<Lender>),
    /// It is no place, and which document lends its base is not certain.
    Unclear(Unclear),
}

/// A document that links parts, with all that it declares of its base.
#[derive(Debug)]
pub(crate) struct Lender {
    /// The path of its part.
    pub(crate) path: String,
    /// The value of its BASE.
    pub(crate) element: Option<String>,
    /// Its header and those around it.
    pub(crate) headers: Option<Arc<HeaderChain>>,
    /// The document that lends its base to this one.
    pub(crate) around: Option<Arc<Self>>,
}
