//! Resolution by RFC 1808, the draft of 1996, RFC 2396 and RFC 3986: one algorithm with four sets of rules.

use alloc::borrow::Cow;
use alloc::string::String;

use crate::base_url::BaseUrl;
use crate::components::Components;
use crate::path::{DotSegments, push_url};
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

    let dots = if standard == Standard::Rfc3986 { DotSegments::DropExcess } else { DotSegments::KeepExcess };
    let (path, rules) = if authority.is_some() || reference.path.starts_with('/') {
        (Cow::Borrowed(reference.path), if standard == Standard::Rfc3986 { dots } else { DotSegments::KeepAll })
    } else if reference.path.is_empty() && standard != Standard::Rfc2396 {
        if params.is_none() {
            params = base.params;
            query = query.or(base.query);
        }
        (Cow::Borrowed(base.path), DotSegments::KeepAll)
    } else {
        (Cow::Owned(merged(base, reference.path)), dots)
    };
    push_url(out, base.scheme.unwrap_or_default(), authority.or(base.authority), &path, rules);
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

/// Returns the path of the base without its last segment, followed by `path`.
fn merged(base: Components<'_>, path: &str) -> String {
    let directory = match base.path.rfind('/') {
        Some(slash) => &base.path[..=slash],
        None if base.authority.is_some() => "/",
        None => "",
    };
    [directory, path].concat()
}

fn push(out: &mut String, separator: char, component: Option<&str>) {
    if let Some(component) = component {
        out.push(separator);
        out.push_str(component);
    }
}
