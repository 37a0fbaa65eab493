//! Resolution by the URL Standard of the WHATWG, section 4.4, without its normalisation.
//!
//! The target keeps the spelling of the base and the reference. Parsed by the URL Standard, it is the URL that a
//! browser goes to. This module has all rules that decide about the target: controls and spaces are trimmed, tabs and
//! newlines dropped; `\` is `/` before the query of a special scheme; `http:g` is relative to an `http` base; `%2e` is
//! a dot; drive letters of `file:` are kept; an opaque base resolves only fragments.

use alloc::borrow::Cow;
use alloc::string::String;

use crate::base_url::{BaseUrl, NotABase, Unresolvable};
use crate::components::Components;
use crate::path::{self, DotSegments, is_drive_letter, starts_with_drive_letter};
use crate::scheme::{is_file, is_special, scheme_of_3986};
use crate::standard::Standard;
use crate::strip::strip;

/// Appends the target of `reference` to `out`.
pub(crate) fn resolve(base: Option<&BaseUrl>, reference: &str, out: &mut String) -> Result<(), Unresolvable> {
    let reference = strip(reference);
    let Some(scheme) = scheme_of_3986(&reference) else {
        return resolve_relative(base.ok_or(Unresolvable::NoBase)?, &reference, out);
    };
    if !is_special(scheme) {
        out.push_str(&reference);
        return Ok(());
    }
    let after_scheme = forward_slashes(&reference[scheme.len() + 1..]);
    match base {
        Some(base) if !after_scheme.starts_with("//") && has_scheme(base, scheme) => {
            resolve_relative(base, &after_scheme, out)
        }
        _ if is_file(scheme) => {
            push_file(out, &Components { scheme: Some(scheme), path: "/", ..Default::default() }, &after_scheme);
            Ok(())
        }
        _ => push_authority_and_path(out, scheme, &after_scheme),
    }
}

/// Normalises a base for merging: special schemes get `://`, and dot segments are removed.
pub(crate) fn absolute_base(text: &str) -> Result<String, NotABase> {
    let text = strip(text);
    let mut absolute = String::with_capacity(text.len());
    resolve(None, &text, &mut absolute).map_err(|why| match why {
        Unresolvable::NoHost => NotABase::NoHost,
        _ => NotABase::NotAbsolute,
    })?;
    let components = Components::split(&absolute, Standard::Whatwg);
    if components.authority.is_some_and(lacks_host) {
        return Err(NotABase::NoHost);
    }
    let is_special = components.scheme.is_some_and(is_special);
    if !is_special && components.authority.is_none() && !components.path.starts_with('/') {
        return Ok(absolute);
    }
    let mut base = String::with_capacity(absolute.len() + 1);
    let path = if is_special && components.path.is_empty() { "/" } else { components.path };
    push_url(&mut base, &components, components.authority, path);
    base.push_str(&absolute[absolute.find(['?', '#']).unwrap_or(absolute.len())..]);
    Ok(base)
}

fn resolve_relative(base: &BaseUrl, reference: &str, out: &mut String) -> Result<(), Unresolvable> {
    if base.is_opaque() && !reference.starts_with('#') {
        return Err(Unresolvable::OpaqueBase);
    }
    let components = base.components();
    let scheme = components.scheme.unwrap_or_default();
    let reference = if is_special(scheme) { forward_slashes(reference) } else { Cow::Borrowed(reference) };
    let (path, rest) = reference.split_at(reference.find(['?', '#']).unwrap_or(reference.len()));
    if path.is_empty() {
        let kept = if rest.starts_with('?') { base.without_query() } else { base.without_fragment() };
        out.push_str(kept);
        out.push_str(rest);
    } else if base.is_file() {
        push_file(out, &components, &reference);
    } else if path.starts_with("//") && is_special(scheme) {
        return push_authority_and_path(out, scheme, &reference);
    } else if let Some(after) = path.strip_prefix("//") {
        if after.split('/').next().is_some_and(lacks_host) {
            return Err(Unresolvable::NoHost);
        }
        out.push_str(scheme);
        out.push(':');
        out.push_str(&reference);
    } else {
        push_url(out, &components, components.authority, &merged(&components, path));
        out.push_str(rest);
    }
    Ok(())
}

/// Returns whether an authority ends where its host has to begin ("authority state").
fn lacks_host(authority: &str) -> bool {
    authority.ends_with('@')
}

/// "Special authority ignore slashes state": any number of slashes becomes two.
fn push_authority_and_path(out: &mut String, scheme: &str, text: &str) -> Result<(), Unresolvable> {
    let text = text.trim_start_matches('/');
    if text.is_empty() || text.starts_with(['?', '#']) {
        return Err(Unresolvable::NoHost);
    }
    out.push_str(scheme);
    out.push_str("://");
    out.push_str(text);
    Ok(())
}

/// "File state", "file slash state" and "file host state".
fn push_file(out: &mut String, base: &Components<'_>, reference: &str) {
    let (path, rest) = reference.split_at(reference.find(['?', '#']).unwrap_or(reference.len()));
    let base_host = Some(base.authority.unwrap_or_default());
    if let Some(after) = path.strip_prefix("//") {
        let (host, host_path) = after.split_at(after.find('/').unwrap_or(after.len()));
        if is_drive_letter(host) {
            push_url(out, base, Some(""), &path[1..]);
        } else {
            push_url(out, base, Some(host), if host_path.is_empty() { "/" } else { host_path });
        }
    } else if let Some(after) = path.strip_prefix('/') {
        let base_drive = base.path.get(..3).filter(|drive| drive.starts_with('/') && is_drive_letter(&drive[1..]));
        match base_drive {
            Some(drive) if !starts_with_drive_letter(after) => {
                push_url(out, base, base_host, &[drive, path].concat());
            }
            _ => push_url(out, base, base_host, path),
        }
    } else if starts_with_drive_letter(path) {
        push_url(out, base, base_host, &["/", path].concat());
    } else {
        push_url(out, base, base_host, &merged(base, path));
    }
    out.push_str(rest);
}

/// Returns the path of the base without its last segment, followed by `path`.
fn merged<'a>(base: &Components<'_>, path: &'a str) -> Cow<'a, str> {
    if path.starts_with('/') {
        return Cow::Borrowed(path);
    }
    let is_drive = base.scheme.is_some_and(is_file) && base.path.strip_prefix('/').is_some_and(is_drive_letter);
    let directory = match base.path.rfind('/') {
        Some(_) if is_drive => base.path,
        Some(slash) => &base.path[..slash],
        None => "",
    };
    Cow::Owned([directory, "/", path].concat())
}

/// Appends a URL with the scheme of `base`, and removes the dot segments of the path.
fn push_url(out: &mut String, base: &Components<'_>, authority: Option<&str>, path: &str) {
    let scheme = base.scheme.unwrap_or_default();
    let rules = if is_file(scheme) { DotSegments::DriveLetters } else { DotSegments::EscapedDots };
    path::push_url(out, scheme, authority, path, rules);
}

fn has_scheme(base: &BaseUrl, scheme: &str) -> bool {
    base.components().scheme.is_some_and(|other| other.eq_ignore_ascii_case(scheme))
}

/// Replaces `\` by `/` before the query and the fragment of a special scheme.
fn forward_slashes(text: &str) -> Cow<'_, str> {
    let end = text.find(['?', '#']).unwrap_or(text.len());
    if text[..end].contains('\\') {
        Cow::Owned([&*text[..end].replace('\\', "/"), &text[end..]].concat())
    } else {
        Cow::Borrowed(text)
    }
}
