//! RFC 3986, sections 3 and 5.2, after the pseudocode.

use super::decisions;

/// Section 4.1: "If the URI-reference's prefix does not match the syntax of a scheme followed by its colon separator, then
/// the URI-reference is a relative reference."
pub(super) fn is_absolute(reference: &str) -> bool {
    scheme_length(reference).is_some()
}

/// Sections 5.2.2 and 5.3.
pub(super) fn target(base: &str, reference: &str) -> Option<String> {
    // A base without hierarchy resolves nothing but fragments: a decision against 5.2.3, which makes `mailto:g` of `g`.
    if !decisions::has_hierarchy(base) && !reference.is_empty() && !reference.starts_with('#') {
        return None;
    }
    let base = parse(base);
    let r = parse(reference);
    let mut t = Components::default();
    // "if defined(R.scheme) then" is `is_absolute`, whose targets are spelled as they are, dots included. Else:
    if r.authority.is_some() {
        t.authority = r.authority;
        // "T.path = remove_dot_segments(R.path);"
        t.path = remove_dot_segments(&r.path);
        t.query = r.query;
    } else {
        if r.path.is_empty() {
            t.path = base.path;
            // "if defined(R.query) then T.query = R.query; else T.query = Base.query;"
            t.query = r.query.or(base.query);
        } else {
            if r.path.starts_with('/') {
                t.path = remove_dot_segments(&r.path);
            } else {
                t.path = remove_dot_segments(&merge(base.authority.as_deref(), &base.path, &r.path));
            }
            t.query = r.query;
        }
        t.authority = base.authority;
    }
    t.scheme = base.scheme;
    t.fragment = r.fragment;
    Some(recomposition(&t))
}

/// The components of section 3.
#[derive(Default)]
struct Components {
    scheme: Option<String>,
    authority: Option<String>,
    path: String,
    query: Option<String>,
    fragment: Option<String>,
}

/// Section 5.2.3.
fn merge(base_authority: Option<&str>, base_path: &str, reference_path: &str) -> String {
    // "If the base URI has a defined authority component and an empty path, then return a string consisting of "/"
    // concatenated with the reference's path; otherwise,"
    if base_authority.is_some() && base_path.is_empty() {
        return format!("/{reference_path}");
    }
    // "return a string consisting of the reference's path component appended to all but the last segment of the base
    // URI's path (i.e., excluding any characters after the right-most "/" in the base URI path, or excluding the
    // entire base URI path if it does not contain any "/" characters)."
    let kept = base_path.rfind('/').map_or("", |slash| &base_path[..=slash]);
    format!("{kept}{reference_path}")
}

/// Section 5.2.4.
fn remove_dot_segments(path: &str) -> String {
    // 1. "The input buffer is initialized with the now-appended path components and the output buffer is initialized to
    // the empty string."
    let mut input = path.to_owned();
    let mut output = String::new();
    // 2. "While the input buffer is not empty, loop as follows:"
    while !input.is_empty() {
        // A. "If the input buffer begins with a prefix of "../" or "./", then remove that prefix"
        if let Some(rest) = input.strip_prefix("../").or_else(|| input.strip_prefix("./")) {
            input = rest.to_owned();
        // B. "if the input buffer begins with a prefix of "/./" or "/.", where "." is a complete path segment, then
        // replace that prefix with "/" in the input buffer"
        } else if input.starts_with("/./") {
            input.replace_range(..3, "/");
        } else if input == "/." {
            input = "/".to_owned();
        // C. "if the input buffer begins with a prefix of "/../" or "/..", where ".." is a complete path segment, then
        // replace that prefix with "/" in the input buffer and remove the last segment and its preceding "/" (if any)
        // from the output buffer"
        } else if input.starts_with("/../") {
            input.replace_range(..4, "/");
            remove_last_segment(&mut output);
        } else if input == "/.." {
            input = "/".to_owned();
            remove_last_segment(&mut output);
        // D. "if the input buffer consists only of "." or "..", then remove that from the input buffer"
        } else if input == "." || input == ".." {
            input.clear();
        // E. "move the first path segment in the input buffer to the end of the output buffer, including the initial
        // "/" character (if any) and any subsequent characters up to, but not including, the next "/" character or the
        // end of the input buffer."
        } else {
            let initial = usize::from(input.starts_with('/'));
            let end = input[initial..].find('/').map_or(input.len(), |slash| initial + slash);
            output.extend(input.drain(..end));
        }
    }
    // 3. "Finally, the output buffer is returned as the result".
    output
}

fn remove_last_segment(output: &mut String) {
    output.truncate(output.rfind('/').unwrap_or(0));
}

/// Appendix B: `^(([^:/?#]+):)?(//([^/?#]*))?([^?#]*)(\?([^#]*))?(#(.*))?`, where a scheme is what section 3.1 calls
/// one.
fn parse(text: &str) -> Components {
    let mut components = Components::default();
    let mut rest = text;
    if let Some(length) = scheme_length(rest) {
        components.scheme = Some(rest[..length].to_owned());
        rest = &rest[length + 1..];
    }
    if let Some(behind) = rest.strip_prefix("//") {
        let (authority, path) = behind.split_at(behind.find(['/', '?', '#']).unwrap_or(behind.len()));
        components.authority = Some(authority.to_owned());
        rest = path;
    }
    let (path, behind) = rest.split_at(rest.find(['?', '#']).unwrap_or(rest.len()));
    components.path = path.to_owned();
    let (query, fragment) = behind.split_at(behind.find('#').unwrap_or(behind.len()));
    components.query = query.strip_prefix('?').map(str::to_owned);
    components.fragment = fragment.strip_prefix('#').map(str::to_owned);
    components
}

/// Section 3.1: `scheme = ALPHA *( ALPHA / DIGIT / "+" / "-" / "." )`, and a colon.
fn scheme_length(text: &str) -> Option<usize> {
    let length = text.find(|character: char| !character.is_ascii_alphanumeric() && !"+-.".contains(character))?;
    (text.starts_with(|first: char| first.is_ascii_alphabetic()) && text[length..].starts_with(':')).then_some(length)
}

/// Section 5.3.
fn recomposition(t: &Components) -> String {
    let mut result = String::new();
    if let Some(scheme) = &t.scheme {
        result.push_str(scheme);
        result.push(':');
    }
    match &t.authority {
        Some(authority) => {
            result.push_str("//");
            result.push_str(authority);
            result.push_str(&t.path);
        }
        None => result.push_str(&decisions::path_without_authority(&t.path)),
    }
    if let Some(query) = &t.query {
        result.push('?');
        result.push_str(query);
    }
    if let Some(fragment) = &t.fragment {
        result.push('#');
        result.push_str(fragment);
    }
    result
}
