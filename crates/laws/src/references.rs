//! Properties of resolution.

use absolve_resolver::{BaseUrl, Components, ReferenceKind, Standard, resolve_without_base};
use url::Url;

/// Checks any bytes as references, at any base and at some fixed ones. Returns the number of targets.
pub fn any(bytes: &[u8]) -> usize {
    at_any_base(bytes) + as_the_url_crate(bytes)
}

/// Checks any reference (the lines after the first) at any base (the first line): in every standard, its components
/// recompose, and its target is absolute. Returns the number of targets.
pub fn at_any_base(bytes: &[u8]) -> usize {
    let text = String::from_utf8_lossy(bytes);
    let (base, reference) = text.split_once('\n').unwrap_or(("http://h/d/", &text));
    recomposes(base);
    recomposes(reference);
    Standard::ALL.into_iter().map(|standard| usize::from(target_is_absolute(base, reference, standard))).sum()
}

/// Checks law 1.
pub fn recomposes(text: &str) {
    for standard in Standard::ALL {
        assert_eq!(Components::split(text, standard).to_string(), text, "{standard}");
    }
}

/// Checks that a target is readable at any base. Returns whether there is one.
pub fn target_is_absolute(base: &str, reference: &str, standard: Standard) -> bool {
    if let Ok(target) = resolve_without_base(reference, standard) {
        assert_eq!(standard.kind_of(&target), ReferenceKind::Absolute, "{standard}: {reference:?} is {target:?}");
    }
    let Ok(base) = BaseUrl::parse(base, standard) else { return false };
    let Ok(target) = base.resolve(reference) else { return false };
    let kind = standard.kind_of(&target);
    assert_eq!(kind, ReferenceKind::Absolute, "{standard}: {reference:?} at {base} is {target:?}");
    true
}

/// Bases of all kinds except `file:`, where the crate loses empty segments and hosts.
pub const BASES: [&str; 9] = [
    "http://a/b/c/d;p?q",
    "https://user:word@host:8080/x/%2e%2e/y?z#f",
    "ftp://h/",
    "ws://h/a//b/",
    "http://h/a/../b/./c",
    "foo://bar/biff/baz?q",
    "foo://bar",
    "foo:/a/b",
    "mailto:x@example.org",
];

/// Checks that the reference after the first byte, which selects the base, has the same target as in the `url` crate.
/// Returns whether it has one.
pub fn as_the_url_crate(bytes: &[u8]) -> usize {
    let Some((first, rest)) = bytes.split_first() else { return 0 };
    let reference = String::from_utf8_lossy(rest);
    usize::from(means_the_same(BASES[usize::from(*first) % BASES.len()], &reference))
}

/// Checks a given reference at a given base. Returns whether it was compared, and has a target.
pub fn means_the_same(base: &str, reference: &str) -> bool {
    let (Ok(ours), Ok(theirs)) = (BaseUrl::parse(base, Standard::Whatwg), Url::parse(base)) else {
        panic!("{base} is no base");
    };
    if differs_by_a_known_bug(&theirs, reference) {
        return false;
    }
    let target = ours.resolve(reference).ok();
    let meant = theirs.join(reference).ok().map(String::from);
    assert_eq!(meaning(target.as_deref()), meant, "{reference:?} at {base} is {target:?}");
    meant.is_some()
}

fn meaning(target: Option<&str>) -> Option<String> {
    Url::parse(target?).ok().map(String::from)
}

/// Returns whether the crate deviates from the standard here.
fn differs_by_a_known_bug(base: &Url, reference: &str) -> bool {
    let text = reference.replace(['\t', '\n', '\r'], "").replace("%2e", ".").replace("%2E", ".");
    let forward = text.replace('\\', "/");
    // In a `file:` URL it reads `s:` before a line end as a drive letter, whatever follows.
    if forward
        .trim_start_matches(|first| first <= ' ')
        .get(..5)
        .is_some_and(|start| start.eq_ignore_ascii_case("file:"))
    {
        return true;
    }
    // It does not remove a segment like `h:` or `h|`, as if it were the drive letter of a file.
    let keeps_segment = forward.contains([':', '|']) && forward.contains("..");
    match base.is_special() {
        // It finds no host after three slashes.
        true => keeps_segment || forward.contains("///"),
        // It reads `\` as a slash, and misses no host behind an `@` at the end.
        false => keeps_segment || text.contains('\\') || text.trim_matches(|byte| byte <= ' ') == "//@",
    }
}
