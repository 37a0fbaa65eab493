//! Documents that lend their base to a part that is no place of its own.

use std::sync::Arc;

use absolve_resolver::strip;

use crate::entity::header_chain::HeaderChain;
use crate::entity::siblings::content_ids::cid_url;
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

/// Returns the URL in a reference that leads to a part which is no place, as it is compared: a `cid:` URL, or one that WebKitGTK gives to a
/// frame without a place (`wyciwyg://frame/0`).
pub(crate) fn placeless_url(reference: &str) -> Option<String> {
    let of_frame = || {
        let reference = strip(reference);
        let is_of_webkit = reference.get(..8).is_some_and(|scheme| scheme.eq_ignore_ascii_case("wyciwyg:"));
        is_of_webkit.then(|| reference.split('#').next().unwrap_or_default().to_ascii_lowercase())
    };
    cid_url(reference).or_else(of_frame)
}
