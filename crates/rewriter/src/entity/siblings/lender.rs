//! Documents that lend their base to a part that is no place of its own.

use std::sync::Arc;

use absolve_base::{Field, Layer, is_no_place};

use crate::entity::header::Header;
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

/// Returns the `cid:` URLs that lead to a part which is no place of its own: its `Content-Location` says so, or Chromium wrote it
/// without one, which it does for the frame of a `srcdoc`.
pub(crate) fn names(headers: Option<&HeaderChain>, header: &Header, message: &[u8]) -> Vec<String> {
    let own = headers.map_or(&[][..], HeaderChain::own);
    let is_location = |layer| matches!(layer, Layer::Header { field: Field::ContentLocation, .. });
    let is_place = own.iter().any(|declaration| !is_location(declaration.layer) || !is_no_place(&declaration.value));
    if is_place {
        return Vec::new();
    }
    let id = header.content_id(message).filter(|id| !own.is_empty() || id.ends_with(OF_CHROMIUM));
    own.iter().filter_map(|location| name_in(&location.value)).chain(id.map(|id| format!("cid:{id}"))).collect()
}

/// The end of the names that Chromium gives to parts.
const OF_CHROMIUM: &str = "@mhtml.blink";

/// Returns the `cid:` URL in a reference as it is compared: without percent-encoding and fragment (RFC 2392).
pub(crate) fn name_in(reference: &str) -> Option<String> {
    let reference = reference.trim();
    let id = reference.get(..4).filter(|scheme| scheme.eq_ignore_ascii_case("cid:")).map(|_| &reference[4..])?;
    let id = id.split('#').next().unwrap_or_default();
    Some(format!("cid:{}", String::from_utf8_lossy(&decode_percent(id))))
}
