//! Detached signatures: a part that signs another one of the same multipart, as `report.html.asc` beside `report.html`.

use std::collections::HashSet;
use std::ops::Range;

use crate::header_fields::body_start;
use crate::parameters::{attached_name, with_parameters};

/// The types of detached signatures (RFC 3156, RFC 8551).
const TYPES: [&str; 4] = ["pgp-signature", "x-pgp-signature", "pkcs7-signature", "x-pkcs7-signature"];

/// What follows the name of a file in that of its signature.
const EXTENSIONS: [&str; 3] = [".asc", ".sig", ".p7s"];

/// Returns for each part whether another one is its signature: by a name that is its own with an extension, or by its type. A signature
/// whose name is that of no other part may cover any of them.
///
/// ```
/// let parts = b"Content-Type: a/b; name=x\n\nContent-Type: a/b; name=x.asc\n\n";
/// assert_eq!(absolve_framing::are_signed(parts, &[0..27, 27..parts.len()]), [true, false]);
/// ```
#[must_use]
pub fn are_signed(bytes: &[u8], parts: &[Range<usize>]) -> Vec<bool> {
    let headers = parts.iter().map(|part| &bytes[part.start..body_start(bytes, part.clone()).0]);
    let described: Vec<(Option<String>, bool)> = headers
        .map(|header| (attached_name(header).map(|name| name.to_ascii_lowercase()), is_signature(header)))
        .collect();
    let names: HashSet<&str> = described.iter().filter_map(|(name, _)| name.as_deref()).collect();
    let signed_by = |name: &Option<String>| -> Option<String> {
        let name = name.as_deref()?;
        let signed = EXTENSIONS.into_iter().find_map(|extension| name.strip_suffix(extension))?;
        (!signed.is_empty() && names.contains(signed)).then(|| signed.to_owned())
    };
    let signed: HashSet<String> = described.iter().filter_map(|(name, _)| signed_by(name)).collect();
    let is_unsure = described.iter().any(|(name, is_signature)| *is_signature && signed_by(name).is_none());
    described.iter().map(|(name, _)| is_unsure || name.as_ref().is_some_and(|name| signed.contains(name))).collect()
}

fn is_signature(header: &[u8]) -> bool {
    let is_named = |subtype: &str| TYPES.iter().any(|known| known.eq_ignore_ascii_case(subtype));
    with_parameters(header, "Content-Type")
        .any(|parsed| parsed.ctype().eq_ignore_ascii_case("application") && parsed.subtype().is_some_and(is_named))
}

#[cfg(test)]
mod tests {
    use super::are_signed;

    #[test]
    fn names_and_types_say_what_is_signed() {
        let named = |name: &str| format!("Content-Disposition: attachment; filename=\"{name}\"\n\nx");
        let typed = |subtype: &str, rest: &str| format!("Content-Type: application/{subtype}{rest}\n\nx");
        for (parts, signed) in [
            (vec![named("a.html"), named("a.html.asc"), named("b.html")], vec![true, false, false]),
            (vec![named("A.html"), named("a.HTML.sig")], vec![true, false]),
            (vec![named("a.html"), typed("octet-stream", "; name*=utf-8''a%2Ehtml.p7s")], vec![true, false]),
            (vec![named("a.html"), typed("pgp-signature", "; name=a.html.asc"), named("b")], vec![true, false, false]),
            (vec![named("a.html"), typed("PGP-Signature", ""), named("b")], vec![true; 3]),
            (vec![named("a.html"), typed("x-pkcs7-signature", "; name=smime.p7s")], vec![true; 2]),
            (vec![named("a.html"), named("b.html.asc"), named("a.asc.html")], vec![false; 3]),
            (vec![String::new(), "x: y\n\n".to_owned()], vec![false; 2]),
        ] {
            let text = parts.concat();
            let mut at = 0;
            let ranges: Vec<_> = parts
                .iter()
                .map(|part| {
                    at += part.len();
                    at - part.len()..at
                })
                .collect();
            assert_eq!(are_signed(text.as_bytes(), &ranges), signed, "{parts:?}");
        }
    }
}
