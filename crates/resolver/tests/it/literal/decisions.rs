//! Decisions of the project for all standards, whatever their texts say (`docs/standards.md`).

/// "A base without hierarchy resolves nothing but fragments": no slash follows its scheme.
pub(super) fn has_hierarchy(base: &str) -> bool {
    base.split_once(':').is_some_and(|(_, rest)| rest.starts_with('/'))
}

/// Returns the base without its fragment, followed by the reference, which is only a fragment.
pub(super) fn fragment_of_current_document(base: &str, reference: &str) -> String {
    let document = base.split('#').next().unwrap_or_default();
    format!("{document}{reference}")
}

/// "`/.` is written before a path that begins with two slashes where there is no authority", so that the path is not
/// read as one.
pub(super) fn path_without_authority(path: &str) -> String {
    if path.starts_with("//") { format!("/.{path}") } else { path.to_owned() }
}
