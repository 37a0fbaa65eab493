//! Reads the modules of a crate, and their imports, from the text of its files.
//!
//! Imports are `use` declarations and paths within code that begin with `crate`, `super`, `self` or a child module. Comments
//! and code for tests (`#[cfg(test)]`, files named `tests.rs`) are ignored.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::{fs, io};

use absolve_testing::{files, root};

/// Pairs of modules of which the first imports from the second, with the text of each import.
pub(super) type Imports = BTreeMap<(String, String), BTreeSet<String>>;

/// The text of each module of a crate, without its tests. The name of a module is its path from the root, which is "".
pub(crate) struct Sources {
    pub(crate) modules: BTreeMap<String, String>,
}

impl Sources {
    pub(crate) fn read(folder: &Path) -> io::Result<Self> {
        let mut modules: BTreeMap<String, String> = BTreeMap::new();
        for file in sources_in(folder)? {
            let path = file.strip_prefix(folder).unwrap_or(&file).with_extension("");
            let name = path.to_string_lossy().replace('/', "::");
            if name.rsplit("::").next() != Some("tests") {
                let name = if name == "lib" || name == "main" { String::new() } else { name };
                modules.entry(name).or_default().push_str(&without_tests(&fs::read_to_string(&file)?));
            }
        }
        Ok(Self { modules })
    }

    /// Returns the module of a path, which may name an item in it.
    fn module_at<'p>(&self, path: &'p str) -> &'p str {
        if path.is_empty() || self.modules.contains_key(path) { path } else { self.module_at(parent(path)) }
    }

    /// Returns the paths in a module: those of its crate, from the root, and those of `std` and of our other crates.
    pub(crate) fn paths_in(&self, module: &str) -> BTreeSet<String> {
        let mut paths = BTreeSet::new();
        let tokens = tokens_of(&self.modules[module]);
        let mut rest = tokens.as_slice();
        let mut before = "";
        while let [token, after @ ..] = rest {
            let start = match *token {
                _ if before == "::" => None,
                "crate" => Some(String::new()),
                "self" => Some(module.to_owned()),
                "super" => Some(parent(module).to_owned()),
                "std" => Some("std".to_owned()),
                _ if token.starts_with("absolve_") => Some((*token).to_owned()),
                _ => Some(join(module, token)).filter(|child| self.modules.contains_key(child)),
            };
            (before, rest) = (token, after);
            if let (Some(start), ["::", after @ ..]) = (start, after) {
                (before, rest) = ("", collect_paths(&start, after, &mut paths));
            }
        }
        paths
    }

    /// Returns the imports among the modules, and as errors those of names that the root re-exports.
    pub(super) fn imports(&self) -> (Imports, Vec<String>) {
        let exports = self.paths_in("");
        let (mut imports, mut from_root) = (Imports::new(), Vec::new());
        for module in self.modules.keys().filter(|module| !module.is_empty()) {
            for mut path in self.paths_in(module).into_iter().filter(|path| !is_outside(path)) {
                let text = format!("{module}: {path}");
                if self.module_at(&path).is_empty() {
                    let name = path.split("::").next().unwrap_or_default();
                    path =
                        exports.iter().find(|export| export.rsplit("::").next() == Some(name)).unwrap_or(&path).clone();
                    from_root.push(format!("{text} is imported from the root, not as {path}"));
                }
                let target = self.module_at(&path);
                if target != module {
                    imports.entry((module.clone(), target.to_owned())).or_default().insert(text);
                }
            }
        }
        (imports, from_root)
    }
}

/// Collects the paths that continue `path`: one, or those of a list in braces. Returns the tokens after them.
fn collect_paths<'t, 'c>(path: &str, tokens: &'t [&'c str], paths: &mut BTreeSet<String>) -> &'t [&'c str] {
    match tokens {
        ["{", list @ ..] => {
            let mut list = list;
            while let [first, ..] = list
                && *first != "}"
            {
                list = collect_paths(path, list, paths);
                let end = list.iter().position(|token| [",", "}"].contains(token)).unwrap_or(list.len());
                list = list[end..].strip_prefix(&[","]).unwrap_or(&list[end..]);
            }
            list.get(1..).unwrap_or_default()
        }
        [name, rest @ ..] if name.starts_with(is_name_character) => {
            let path = match *name {
                "self" => path.to_owned(),
                "super" => parent(path).to_owned(),
                name => join(path, name),
            };
            if let ["::", rest @ ..] = rest {
                return collect_paths(&path, rest, paths);
            }
            paths.insert(path);
            rest
        }
        _ => {
            paths.insert(path.to_owned());
            tokens
        }
    }
}

fn is_outside(path: &str) -> bool {
    path.starts_with("std::") || path.starts_with("absolve_")
}

pub(super) fn parent(path: &str) -> &str {
    path.rsplit_once("::").map_or("", |(parent, _)| parent)
}

fn join(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}::{name}") }
}

/// Removes comments, and code that is only compiled for tests.
pub(super) fn without_tests(text: &str) -> String {
    let mut kept = String::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if line.trim() == "#[cfg(test)]" {
            let indentation = &line[..line.len() - line.trim_start().len()];
            let first = lines.next().unwrap_or_default();
            if !first.ends_with([';', '}']) {
                let _end = lines.find(|line| line.strip_prefix(indentation).is_some_and(|rest| rest.starts_with('}')));
            }
        } else {
            kept.push_str(line.split("//").next().unwrap_or_default());
            kept.push('\n');
        }
    }
    kept
}

/// Splits code into names, `::` and single characters, without spaces.
fn tokens_of(code: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = code.trim_start();
    while let Some(first) = rest.chars().next() {
        let name = rest.find(|character: char| !is_name_character(character)).unwrap_or(rest.len());
        let length = if name > 0 {
            name
        } else if rest.starts_with("::") {
            2
        } else {
            first.len_utf8()
        };
        tokens.push(&rest[..length]);
        rest = rest[length..].trim_start();
    }
    tokens
}

fn is_name_character(character: char) -> bool {
    character == '_' || character.is_ascii_alphanumeric()
}

/// Returns the crates of the workspace, each with the folder of its sources.
pub(super) fn crates() -> io::Result<Vec<(String, PathBuf)>> {
    let mut crates = Vec::new();
    for entry in fs::read_dir(root().join("crates"))? {
        let entry = entry?;
        let folder = if entry.path().join("src").is_dir() { entry.path().join("src") } else { entry.path() };
        crates.push((entry.file_name().to_string_lossy().into_owned(), folder));
    }
    crates.sort();
    Ok(crates)
}

pub(super) fn sources_in(folder: &Path) -> io::Result<Vec<PathBuf>> {
    Ok(files(folder)?.into_iter().filter(|file| file.extension().is_some_and(|extension| extension == "rs")).collect())
}
