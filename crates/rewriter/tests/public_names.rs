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
    let root =
        "mod a;\npub use a::{B,\n    C};\npub use d::e::F;\n#[cfg(any(test, fuzzing))]\npub mod laws;\npub mod g;\n";
    assert_eq!(names_of(root), BTreeSet::from(["B", "C", "F", "g"]));
}

/// Returns the names that a root exports, but for those of tests.
fn names_of(root: &str) -> BTreeSet<&str> {
    let mut names = BTreeSet::new();
    for item in root.split(';').filter(|item| !item.contains("cfg(any(test")) {
        if let Some((_, module)) = item.split_once("pub mod ") {
            names.insert(module.trim());
        }
        if let Some((_, path)) = item.split_once("pub use ") {
            let used = match path.split_once('{') {
                Some((_, inside)) => inside.trim_end().trim_end_matches('}'),
                None => path.rsplit("::").next().unwrap_or_default(),
            };
            names.extend(used.split(',').map(str::trim).filter(|name| !name.is_empty()));
        }
    }
    names
}
