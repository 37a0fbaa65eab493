//! The names at the root of the library are those of a list: adding one is a decision, and removing one breaks programs.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

const MOST: usize = 30;

#[test]
fn public_names_are_those_of_the_list() -> Result<(), Box<dyn std::error::Error>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = fs::read_to_string(folder.join("src/lib.rs"))?;
    let listed = fs::read_to_string(folder.join("tests/public_names.txt"))?;
    let names = names_of(&root);
    assert_eq!(names.iter().copied().collect::<Vec<_>>(), listed.lines().collect::<Vec<_>>());
    assert!(names.len() <= MOST, "{} names", names.len());
    Ok(())
}

#[test]
fn names_are_found() {
    let root = "mod a;\npub use a::{B,\n    C};\npub use d::e::F;\n#[cfg(any(test, fuzzing))]\npub mod laws;\n\
                /// G.\npub mod g {\n    pub use d::H;\n}\n";
    assert_eq!(names_of(root), BTreeSet::from(["B", "C", "F", "g"]));
}

/// Returns the names that a root exports, but for those of tests.
fn names_of(root: &str) -> BTreeSet<&str> {
    let mut names = BTreeSet::new();
    for item in root.split("\npub ").skip(1).filter(|item| !item.starts_with("mod laws")) {
        let item = item.split(';').next().unwrap_or_default();
        if let Some(module) = item.strip_prefix("mod ") {
            names.extend(module.split_whitespace().next());
        } else if let Some((_, inside)) = item.split_once('{') {
            let inside = inside.trim_end().trim_end_matches('}');
            names.extend(inside.split(',').map(str::trim).filter(|name| !name.is_empty()));
        } else {
            names.extend(item.rsplit("::").next());
        }
    }
    names
}
