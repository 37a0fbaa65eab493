//! draft-ietf-uri-relative-url-06, sections 2.4 and 4, which became RFC 1808.

use super::decisions;

/// Section 2.4.2: a colon after the first character and before any characters not allowed in a scheme name.
pub(super) fn is_absolute(reference: &str) -> bool {
    scheme_length(reference).is_some()
}

/// Section 4. Step 1 is the caller's: the base is established.
pub(super) fn target(base_url: &str, embedded_url: &str) -> Option<String> {
    // Step 2 a) "If the embedded URL is entirely empty, it inherits the entire base URL".
    if embedded_url.is_empty() {
        return Some(base_url.to_owned());
    }
    // Section 2: "relative URLs cannot be used within documents that have unsuitable base URLs".
    if !decisions::has_hierarchy(base_url) && !embedded_url.starts_with('#') {
        return None;
    }
    // Step 2: "Both the base and embedded URLs are parsed into their component parts as described in Section 2.4."
    let base = parse(base_url);
    let mut url = without_empty_components(parse(embedded_url));
    // Step 2 b) is `is_absolute`.
    // Step 2 c) "Otherwise, the embedded URL inherits the scheme of the base URL."
    url.scheme.clone_from(&base.scheme);
    // Step 3: "If the embedded URL's <net_loc> is non-empty, we skip to Step 7. Otherwise, the embedded URL inherits
    // the <net_loc> (if any) of the base URL."
    if url.net_loc.is_empty() {
        url.net_loc.clone_from(&base.net_loc);
        from_step_4(&mut url, &base);
    }
    // Step 7: "The resulting URL components, including any inherited from the base URL, are recombined".
    Some(recombined(&url))
}

/// The components of section 2.1, with their separators. An empty component of a reference is the same as a missing
/// one, but an inherited component is spelled as in the base.
struct Url {
    scheme: String,
    net_loc: String,
    /// Section 2.4.6: "the parser must remember whether or not" a slash preceded the path.
    slash: bool,
    path: String,
    params: String,
    query: String,
    fragment: String,
}

fn from_step_4(url: &mut Url, base: &Url) {
    // Step 4: "If the embedded URL path is preceded by a slash "/", the path is not relative and we skip to Step 7."
    if url.slash {
        return;
    }
    // Step 5: "If the embedded URL path is empty (and not preceded by a slash), then the embedded URL inherits the
    // base URL path, and
    if url.path.is_empty() {
        url.slash = base.slash;
        url.path.clone_from(&base.path);
        // a) if the embedded URL's <params> is non-empty, we skip to step 7; otherwise, it inherits the <params> of
        // the base URL (if any) and
        if !url.params.is_empty() {
            return;
        }
        url.params.clone_from(&base.params);
        // b) if the embedded URL's <query> is non-empty, we skip to step 7; otherwise, it inherits the <query> of
        // the base URL (if any) and we skip to step 7."
        if url.query.is_empty() {
            url.query.clone_from(&base.query);
        }
        return;
    }
    // Step 6: "The last segment of the base URL's path (anything following the rightmost slash "/", or the entire path
    // if no slash is present) is removed and the embedded URL's path is appended in its place."
    let kept = base.path.rfind('/').map_or("", |slash| &base.path[..=slash]);
    let mut path = format!("{kept}{}", url.path);
    // The slash before the path is that of the base; `http://a` has none and gets one, the decision of all standards.
    url.slash = true;
    // Step 6 a) to d) "The following operations are then applied, in order, to the new path".
    remove_dots(&mut path);
    url.path = path;
}

/// Step 6 a) to d). The path has no leading slash, so each segment begins at its start or behind a slash.
fn remove_dots(path: &mut String) {
    // a) "All occurrences of "./", where "." is a complete path segment, are removed."
    while let Some(found) = leftmost(path, |rest| rest.starts_with("./")) {
        path.replace_range(found..found + 2, "");
    }
    // b) "If the path ends with "." as a complete path segment, that "." is removed."
    if path == "." || path.ends_with("/.") {
        path.pop();
    }
    // c) "All occurrences of "<segment>/../", where <segment> is a complete path segment not equal to "..", are removed.
    // Removal of these path segments is performed iteratively, removing the leftmost matching pattern on each
    // iteration, until no matching pattern remains."
    while let Some(found) = leftmost(path, |rest| segment_of(rest) != ".." && behind_segment(rest).starts_with("/../"))
    {
        let end = path[found..].find("/../").map_or(found, |slash| found + slash + 4);
        path.replace_range(found..end, "");
    }
    // d) "If the path ends with "<segment>/..", where <segment> is a complete path segment not equal to "..", that
    // "<segment>/.." is removed."
    if let Some(found) = leftmost(path, |rest| segment_of(rest) != ".." && behind_segment(rest) == "/..") {
        path.truncate(found);
    }
}

/// Returns the first segment of a path from which on the condition holds.
fn leftmost(path: &str, holds: impl Fn(&str) -> bool) -> Option<usize> {
    std::iter::once(0).chain(path.match_indices('/').map(|(slash, _)| slash + 1)).find(|start| holds(&path[*start..]))
}

fn segment_of(rest: &str) -> &str {
    rest.split('/').next().unwrap_or_default()
}

fn behind_segment(rest: &str) -> &str {
    &rest[segment_of(rest).len()..]
}

/// Section 2.4: "The rules are listed in the order in which they would be applied by the parser."
fn parse(text: &str) -> Url {
    // 2.4.1: "If the parse string contains a crosshatch "#" character, then the substring after the first (left-most)
    // crosshatch "#" and up to the end of the parse string is the <fragment> identifier."
    let (rest, fragment) = cut_off(text, '#');
    // 2.4.2: the scheme, "and the colon are then removed".
    let (scheme, rest) = scheme_length(rest).map_or(("", rest), |length| (&rest[..length], &rest[length + 1..]));
    // 2.4.3: "If the parse string begins with a double-slash "//", then the substring of characters after the
    // double-slash and up to, but not including, the next slash "/" character is the network location/login
    // (<net_loc>) of the URL. If no trailing slash "/" is present, the entire remaining parse string is assigned".
    let net_loc = match rest.strip_prefix("//") {
        Some(behind) => &rest[..2 + behind.find('/').unwrap_or(behind.len())],
        None => "",
    };
    let rest = &rest[net_loc.len()..];
    // 2.4.4: "the substring after the first (left-most) question mark "?" and up to the end of the parse string is the
    // <query> information"; 2.4.5: the same with the first semicolon of what is left.
    let (rest, query) = cut_off(rest, '?');
    let (rest, params) = cut_off(rest, ';');
    // 2.4.6: "all that is left of the parse string is the URL <path> and the slash "/" that may precede it".
    let path = rest.strip_prefix('/');
    Url {
        scheme: scheme.to_owned(),
        net_loc: net_loc.to_owned(),
        slash: path.is_some(),
        path: path.unwrap_or(rest).to_owned(),
        params: params.to_owned(),
        query: query.to_owned(),
        fragment: fragment.to_owned(),
    }
}

/// Section 2.4.2: "If the parse string contains a colon ":" after the first character and before any characters not
/// allowed as part of a scheme name (i.e. any not an alphanumeric, plus "+", period ".", or hyphen "-"), the <scheme>
/// of the URL is the substring of characters up to but not including the first colon."
fn scheme_length(text: &str) -> Option<usize> {
    let length = text.find(|character: char| !character.is_ascii_alphanumeric() && !"+.-".contains(character))?;
    (length > 0 && text[length..].starts_with(':')).then_some(length)
}

fn cut_off(text: &str, separator: char) -> (&str, &str) {
    text.split_at(text.find(separator).unwrap_or(text.len()))
}

/// Section 2.4: "If the crosshatch is the last character [...] the fragment identifier is empty", and so with the others.
fn without_empty_components(mut url: Url) -> Url {
    for component in [&mut url.net_loc, &mut url.params, &mut url.query, &mut url.fragment] {
        if matches!(&**component, "//" | ";" | "?" | "#") {
            component.clear();
        }
    }
    url
}

fn recombined(url: &Url) -> String {
    let mut text = format!("{}:", url.scheme);
    let path = format!("{}{}", if url.slash { "/" } else { "" }, url.path);
    if url.net_loc.is_empty() {
        text += &decisions::path_without_authority(&path);
    } else {
        text += &format!("{}{path}", url.net_loc);
    }
    text + &url.params + &url.query + &url.fragment
}
