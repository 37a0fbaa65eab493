//! Documents that lend their base to a part that is no place of its own.

use std::sync::Arc;

use absolve_resolver::strip;

use crate::entity::header_chain::HeaderChain;
use crate::provenance::urls::decode_percent;
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

/// Returns the `cid:` URL in a reference as it is compared: without percent-encoding, fragment, and the characters that a URL ignores
/// (RFC 2392).
///
/// ```
/// use absolve_rewriter::internal::cid_url;
/// assert_eq!(cid_url("\x13CID:a%40\th#x").as_deref(), Some("cid:a@h"));
/// ```
pub fn cid_url(reference: &str) -> Option<String> {
    let reference = strip(reference);
    let id = reference.get(..4).filter(|scheme| scheme.eq_ignore_ascii_case("cid:")).map(|_| &reference[4..])?;
    let id = id.split('#').next().unwrap_or_default();
    Some(format!("cid:{}", String::from_utf8_lossy(&decode_percent(id))))
}
