//! RFC 2396, sections 3, 4 and 5.2.

use super::decisions;

/// Section 5: "Relative URI references are distinguished from absolute URI in that they do not begin with a scheme
/// name."
pub(super) fn is_absolute(reference: &str) -> bool {
    scheme_length(reference).is_some()
}

/// Section 5.2.
pub(super) fn target(base: &str, reference: &str) -> Option<String> {
    // 1) "The URI reference is parsed into the potential four components and fragment identifier".
    let mut uri = parse(reference);
    // 2) "If the path component is empty and the scheme, authority, and query components are undefined, then it is a
    // reference to the current document and we are done."
    if uri.path.is_empty() && uri.authority.is_none() && uri.query.is_none() {
        return Some(decisions::fragment_of_current_document(base, reference));
    }
    // Section 3: an opaque base has no hierarchy.
    if !decisions::has_hierarchy(base) {
        return None;
    }
    let base = parse(base);
    // 3) "If the scheme component is defined [...] the reference is interpreted as an absolute URI" is `is_absolute`.
    // "Otherwise, the reference URI's scheme is inherited from the base URI's scheme component."
    uri.scheme = base.scheme;
    // 4) "If the authority component is defined, then the reference is a network-path and we skip to step 7.
    // Otherwise, the reference URI's authority is inherited from the base URI's authority component".
    if uri.authority.is_none() {
        uri.authority = base.authority;
        // 5) "If the path component begins with a slash character ("/"), then the reference is an absolute-path and
        // we skip to step 7."
        if !uri.path.starts_with('/') {
            // 6) "we are resolving a relative-path reference".
            uri.path = merged(&base.path, &uri.path);
        }
    }
    // 7) "The resulting URI components, including any inherited from the base URI, are recombined".
    Some(recombined(&uri))
}

/// The components of section 3, and the fragment of section 4.
struct Uri {
    scheme: Option<String>,
    authority: Option<String>,
    path: String,
    query: Option<String>,
    fragment: Option<String>,
}

/// Step 6.
fn merged(base: &str, reference: &str) -> String {
    // a) "All but the last segment of the base URI's path component is copied to the buffer. In other words, any
    // characters after the last (right-most) slash character, if any, are excluded from the copy." `http://a` has no
    // slash and gets one, the decision of all standards.
    let copied = base.rfind('/').map_or("/", |slash| &base[..=slash]);
    // b) "The reference's path component is appended to the buffer string."
    let mut buffer = format!("{copied}{reference}");
    // c) "All occurrences of "./", where "." is a complete path segment, are removed from the buffer string."
    while let Some(found) = buffer.find("/./") {
        buffer.replace_range(found + 1..found + 3, "");
    }
    // d) "If the buffer string ends with "." as a complete path segment, that "." is removed."
    if buffer.ends_with("/.") {
        buffer.pop();
    }
    // e) "All occurrences of "<segment>/../", where <segment> is a complete path segment not equal to "..", are removed
    // from the buffer string. Removal of these path segments is performed iteratively, removing the leftmost matching
    // pattern on each iteration, until no matching pattern remains."
    while let Some((from, to)) = leftmost_segment_and_parent(&buffer) {
        buffer.replace_range(from..to, "");
    }
    // f) "If the buffer string ends with "<segment>/..", where <segment> is a complete path segment not equal to "..",
    // that "<segment>/.." is removed."
    if let Some(before) = buffer.strip_suffix("/..")
        && let Some(slash) = before.rfind('/')
        && &before[slash..] != "/.."
    {
        buffer.truncate(slash + 1);
    }
    // g) "If the resulting buffer string still begins with one or more complete path segments of "..", then the
    // reference is considered to be in error." They are retained, as in the examples of appendix C.2.
    // h) "The remaining buffer string is the reference URI's new path component."
    buffer
}

/// Finds the leftmost "<segment>/../". The buffer begins with a slash, and a slash precedes each segment.
fn leftmost_segment_and_parent(buffer: &str) -> Option<(usize, usize)> {
    for (slash, _) in buffer.match_indices("/../") {
        if let Some(before) = buffer[..slash].rfind('/')
            && &buffer[before..slash] != "/.."
        {
            return Some((before + 1, slash + 4));
        }
    }
    None
}

/// Section 4.3: "the URI-reference is parsed" with the expression of appendix B:
/// `^(([^:/?#]+):)?(//([^/?#]*))?([^?#]*)(\?([^#]*))?(#(.*))?`, where a scheme is what section 3.1 calls one.
fn parse(text: &str) -> Uri {
    let (rest, fragment) = cut_off(text, '#');
    let (rest, query) = cut_off(rest, '?');
    let (scheme, rest) = match scheme_length(rest) {
        Some(length) => (Some(rest[..length].to_owned()), &rest[length + 1..]),
        None => (None, rest),
    };
    let (authority, path) = match rest.strip_prefix("//") {
        Some(rest) => {
            let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
            (Some(authority.to_owned()), path)
        }
        None => (None, rest),
    };
    Uri { scheme, authority, path: path.to_owned(), query, fragment }
}

/// Section 3.1: `scheme = alpha *( alpha | digit | "+" | "-" | "." )`, and a colon.
fn scheme_length(text: &str) -> Option<usize> {
    let length = text.find(|character: char| !character.is_ascii_alphanumeric() && !"+-.".contains(character))?;
    (text.starts_with(|first: char| first.is_ascii_alphabetic()) && text[length..].starts_with(':')).then_some(length)
}

fn cut_off(text: &str, separator: char) -> (&str, Option<String>) {
    match text.split_once(separator) {
        Some((before, behind)) => (before, Some(behind.to_owned())),
        None => (text, None),
    }
}

/// Step 7, as its pseudocode has it.
fn recombined(uri: &Uri) -> String {
    let mut result = String::new();
    if let Some(scheme) = &uri.scheme {
        result += &format!("{scheme}:");
    }
    match &uri.authority {
        Some(authority) => result += &format!("//{authority}{}", uri.path),
        None => result += &decisions::path_without_authority(&uri.path),
    }
    if let Some(query) = &uri.query {
        result += &format!("?{query}");
    }
    if let Some(fragment) = &uri.fragment {
        result += &format!("#{fragment}");
    }
    result
}
