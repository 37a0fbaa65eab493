//! draft-fielding-uri-url-00e, sections 3, 4 and 6: RFC 1808 except for step 2 a).

use super::{decisions, rfc1808};

/// Section 6.
pub(super) fn target(base: &str, reference: &str) -> Option<String> {
    // Step 2 a) "If the URL reference is entirely empty, or consists only of a fragment identifier, it is interpreted as
    // a reference to the current document and we are done."
    if reference.is_empty() || reference.starts_with('#') {
        // Section 3: "If the crosshatch is the last character, or no crosshatch is present, then the fragment identifier
        // is empty." A document is known by its base here, and that has no fragment.
        return Some(decisions::fragment_of_current_document(base, if reference == "#" { "" } else { reference }));
    }
    // The other steps say the same as in RFC 1808, with <server> for <net_loc> and <parameters> for <params>.
    rfc1808::target(base, reference)
}
