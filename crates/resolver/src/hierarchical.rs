//! Resolution by RFC 1808, the draft of 1996, RFC 2396 and RFC 3986: one algorithm with four sets of rules.

use alloc::string::String;

use crate::base_url::BaseUrl;
use crate::components::Components;
use crate::path::{DotSegments, push_without_dot_segments};
use crate::standard::Standard;

/// Appends the target of `reference`, which has no scheme, to `out`.
///
/// RFC 1808 section 4 (draft-ietf-uri-relative-url-06), draft-fielding-uri-url-00e section 6, RFC 2396
/// section 5.2, RFC 3986 section 5.2.2. There are two deviations, the same in all four: a slash separates an authority
/// and a relative path (an erratum of the older texts), and `/.` precedes a path that would otherwise be parsed as an
/// authority.
pub(crate) fn resolve(base: &BaseUrl, reference: &str, out: &mut String) {
    let standard = base.standard();
    if let Some(current) = current_document(base, reference) {
        out.push_str(current);
        if let Some((_, fragment)) = reference.split_once('#') {
            push(out, '#', kept(standard, Some(fragment)));
        }
        return;
    }
    let reference = Components::split(reference, standard);
    let base = base.components();
    let authority = kept(standard, reference.authority);
    let mut params = kept(standard, reference.params);
    let mut query = kept(standard, reference.query);
    let fragment = kept(standard, reference.fragment);

    if let Some(scheme) = base.scheme {
        out.push_str(scheme);
        out.push(':');
    }
    if let Some(authority) = authority.or(base.authority) {
        out.push_str("//");
        out.push_str(authority);
    }
    let path_start = out.len();
    if authority.is_some() || reference.path.starts_with('/') {
        match standard {
            Standard::Rfc3986 => push_without_dot_segments(out, reference.path, DotSegments::DropExcess),
            _ => out.push_str(reference.path),
        }
    } else if reference.path.is_empty() && standard != Standard::Rfc2396 {
        out.push_str(base.path);
        if params.is_none() {
            params = base.params;
            query = query.or(base.query);
        }
    } else {
        push_merged(out, base, reference.path, standard);
    }
    if authority.or(base.authority).is_none() && out[path_start..].starts_with("//") {
        out.insert_str(path_start, "/.");
    }
    push(out, ';', params);
    push(out, '?', query);
    push(out, '#', fragment);
}

/// Returns the target of a same-document reference without its fragment, or `None` for another reference.
fn current_document<'a>(base: &'a BaseUrl, reference: &str) -> Option<&'a str> {
    let (before_fragment, has_fragment) = match reference.split_once('#') {
        Some((before, _)) => (before, true),
        None => (reference, false),
    };
    match base.standard() {
        _ if !before_fragment.is_empty() => None,
        // Draft-06, section 4, step 2a: an entirely empty reference is the entire base.
        Standard::Rfc1808 if !has_fragment => Some(base.as_str()),
        _ => Some(base.without_fragment()),
    }
}

/// Removes an empty component if the standard treats it as absent.
fn kept(standard: Standard, component: Option<&str>) -> Option<&str> {
    component.filter(|text| !(standard.joins_empty_and_absent() && text.is_empty()))
}

fn push_merged(out: &mut String, base: Components<'_>, path: &str, standard: Standard) {
    let directory = match base.path.rfind('/') {
        Some(slash) => &base.path[..=slash],
        None if base.authority.is_some() => "/",
        None => "",
    };
    let mut merged = String::with_capacity(directory.len() + path.len());
    merged.push_str(directory);
    merged.push_str(path);
    let rules = match standard {
        Standard::Rfc3986 => DotSegments::DropExcess,
        _ => DotSegments::KeepExcess,
    };
    push_without_dot_segments(out, &merged, rules);
}

fn push(out: &mut String, separator: char, component: Option<&str>) {
    if let Some(component) = component {
        out.push(separator);
        out.push_str(component);
    }
}
