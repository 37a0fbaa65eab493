//! The order of the modules: which file imports from which, read from the text of the sources.
//!
//! Imports are `use` declarations and paths within code, of `crate`, `super`, `self` or a module declared in the same
//! file. Code for tests (`#[cfg(test)]`, files named `tests.rs`) and comments are left out.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{fs, io};

use absolve_testing::{files, print_line, root};

use crate::support::Outcome;

/// Crates whose modules are not yet in order.
const NOT_YET: &[&str] = &["cli", "laws", "packer"];

/// What the crate `rewriter` does not use: it turns bytes into edits, without files, threads or a clock.
const NOT_IN_REWRITER: [&str; 4] = ["std::fs", "std::thread", "std::time::SystemTime", "std::time::Instant"];

const FILES_IN_A_FOLDER: usize = 15;
const MEDIAN_LINES: usize = 150;

#[test]
fn modules_are_in_order() -> Outcome {
    let mut problems = String::new();
    for (name, folder) in crates()? {
        let found = problems_of(&name, &Sources::read(&folder)?);
        match (found.is_empty(), NOT_YET.contains(&name.as_str())) {
            (false, false) => writeln!(problems, "\ncrate {name}:\n{}", found.join("\n"))?,
            (true, true) => writeln!(problems, "\ncrate {name} is in order: take it out of NOT_YET")?,
            _ => {}
        }
    }
    assert!(problems.is_empty(), "{problems}");
    Ok(())
}

#[test]
fn files_are_short() -> Outcome {
    let mut lines = Vec::new();
    for (_, folder) in crates()? {
        for file in sources_in(&folder)? {
            lines.push(fs::read_to_string(file)?.lines().count());
        }
    }
    lines.sort_unstable();
    let median = lines[lines.len() / 2];
    print_line(&format!("{} files, median {median} lines", lines.len()));
    assert!(median <= MEDIAN_LINES, "the median of {} files is {median} lines", lines.len());
    Ok(())
}

#[test]
fn problems_are_found() {
    let sources = |files: &[(&str, &str)]| Sources {
        modules: files.iter().map(|(module, text)| ((*module).to_owned(), without_tests(text))).collect(),
    };
    let found = |name: &str, files: &[(&str, &str)]| problems_of(name, &sources(files)).join("\n");
    let pair = [("", "mod a;\nmod b;"), ("a", "use crate::b::{\n    self, B};"), ("a::c", ""), ("b", "")];
    assert_eq!(found("x", &pair), "");
    let circle =
        [("", ""), ("a", "use super::{\n    x::X, b::{B, c}};"), ("b", ""), ("b::c", "fn f() { crate::a::f() }")];
    assert!(
        found("x", &circle).contains("among the children of ``: cycle of 2:\n    a: b::B\n    a: b::c\n    b::c: a::f")
    );
    let three = [("", ""), ("a", "mod b;\nmod c;\nb::f();"), ("a::b", "use super::c::C;"), ("a::c", "use super::A;")];
    assert!(found("x", &three).contains("cycle of 3:\n    a: a::b::f\n    a::b: a::c::C\n    a::c: a::A"));
    let harmless = "// crate::b::B\n#[cfg(test)]\nmod tests {\n    use crate::b::B;\n}\n#[cfg(test)]\nuse crate::b::B;";
    assert_eq!(found("x", &[("", ""), ("a", harmless), ("b", "use crate::a::A;")]), "");
    assert!(
        found("x", &[("", "pub use a::A;"), ("a", ""), ("b", "use crate::A;")])
            .contains("b: A is imported from the root, not as a::A")
    );
    let clock = [("", ""), ("a", "use std::{io, time::{Duration, Instant}};\nfn f() { std::fs::read(p) }")];
    assert!(found("rewriter", &clock).contains("a: std::fs::read\na: std::time::Instant"));
    assert_eq!(found("x", &clock), "");
}

/// Pairs of modules of which the first imports from the second, with the text of each import.
type Imports = BTreeMap<(String, String), BTreeSet<String>>;

/// The text of each module of a crate, without its tests. The name of a module is its path from the root, which is "".
struct Sources {
    modules: BTreeMap<String, String>,
}

impl Sources {
    fn read(folder: &Path) -> io::Result<Self> {
        let mut modules = BTreeMap::new();
        for file in sources_in(folder)? {
            let path = file.strip_prefix(folder).unwrap_or(&file).with_extension("");
            let name = path.to_string_lossy().replace('/', "::");
            if name.rsplit("::").next() != Some("tests") {
                let name = if name == "lib" || name == "main" { String::new() } else { name };
                modules.insert(name, without_tests(&fs::read_to_string(&file)?));
            }
        }
        Ok(Self { modules })
    }

    /// Returns the module that contains what has a path.
    fn module_at<'p>(&self, path: &'p str) -> &'p str {
        if path.is_empty() || self.modules.contains_key(path) { path } else { self.module_at(parent(path)) }
    }

    /// Returns the paths that a module names: of its own crate from the root, and of `std`.
    fn paths_in(&self, module: &str) -> BTreeSet<String> {
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
                _ => Some(join(module, token)).filter(|child| self.modules.contains_key(child)),
            };
            (before, rest) = (token, after);
            if let (Some(start), ["::", after @ ..]) = (start, after) {
                (before, rest) = ("", collect_paths(&start, after, &mut paths));
            }
        }
        paths
    }

    /// Returns who imports from whom, and the imports that the root stands between.
    fn imports(&self) -> (Imports, Vec<String>) {
        let exports = self.paths_in("");
        let (mut imports, mut from_root) = (Imports::new(), Vec::new());
        for module in self.modules.keys().filter(|module| !module.is_empty()) {
            for mut path in self.paths_in(module).into_iter().filter(|path| !path.starts_with("std::")) {
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

/// Collects the paths that begin with `path`, `::`: one, or those of a list in braces. Returns the tokens behind them.
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

fn problems_of(name: &str, sources: &Sources) -> Vec<String> {
    let (imports, mut problems) = sources.imports();
    problems.extend(cycles(&imports).into_iter().filter(|(size, _)| *size > 2).map(|(_, text)| text));
    let folders: BTreeSet<&str> = sources.modules.keys().map(|module| parent(module)).collect();
    for folder in folders {
        let files = sources.modules.keys().filter(|module| parent(module) == folder).count();
        if files > FILES_IN_A_FOLDER {
            problems.push(format!("{files} files in the folder of `{folder}`"));
        }
        let mut children = Imports::new();
        for ((from, to), texts) in &imports {
            if let (Some(from), Some(to)) = (child(folder, from), child(folder, to)) {
                children.entry((from.to_owned(), to.to_owned())).or_default().extend(texts.iter().cloned());
            }
        }
        problems
            .extend(cycles(&children).into_iter().map(|(_, text)| format!("among the children of `{folder}`: {text}")));
    }
    if name == "rewriter" {
        for module in sources.modules.keys() {
            let paths = sources.paths_in(module).into_iter().filter(|path| {
                NOT_IN_REWRITER
                    .iter()
                    .any(|item| path.starts_with(item) || path.starts_with("std::") && item.starts_with(path))
            });
            problems.extend(paths.map(|path| format!("{module}: {path}")));
        }
    }
    problems
}

/// Returns the size and the imports of each set of modules that import each other, directly or not.
fn cycles(imports: &Imports) -> Vec<(usize, String)> {
    let all: BTreeMap<&str, _> = imports.keys().map(|(from, _)| (from.as_str(), reached(imports, from))).collect();
    let mut cycles = BTreeMap::new();
    for (from, reached) in &all {
        let mutual = |to: &&str| all.get(to).is_some_and(|back| back.contains(from));
        let members: BTreeSet<&str> = reached.iter().copied().filter(mutual).collect();
        let inside = |from: &str, to: &str| from != to && members.contains(from) && members.contains(to);
        let made = imports.iter().filter(|((from, to), _)| inside(from, to)).flat_map(|(_, texts)| texts);
        let text = made.fold(format!("cycle of {}:", members.len()), |text, made| text + "\n    " + made);
        if members.len() > 1 {
            cycles.insert(text, members.len());
        }
    }
    cycles.into_iter().map(|(text, size)| (size, text)).collect()
}

/// Returns all modules that a module imports from, directly or not.
fn reached<'i>(imports: &'i Imports, start: &'i str) -> BTreeSet<&'i str> {
    let mut reached = BTreeSet::new();
    let mut waiting = vec![start];
    while let Some(module) = waiting.pop() {
        let targets = imports.keys().filter(|(from, _)| from == module).map(|(_, to)| to.as_str());
        waiting.extend(targets.filter(|to| reached.insert(*to)));
    }
    reached
}

/// Returns the child of a folder that a module is or lies in.
fn child<'m>(folder: &str, module: &'m str) -> Option<&'m str> {
    let inside = if folder.is_empty() { module } else { module.strip_prefix(folder)?.strip_prefix("::")? };
    let length = inside.find("::").unwrap_or(inside.len());
    (length > 0).then(|| &module[..module.len() - inside.len() + length])
}

fn parent(path: &str) -> &str {
    path.rsplit_once("::").map_or("", |(parent, _)| parent)
}

fn join(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}::{name}") }
}

/// Returns the text of a file without comments and without what is compiled for tests alone.
fn without_tests(text: &str) -> String {
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
fn crates() -> io::Result<Vec<(String, PathBuf)>> {
    let mut crates = Vec::new();
    for entry in fs::read_dir(root().join("crates"))? {
        let entry = entry?;
        let folder = if entry.path().join("src").is_dir() { entry.path().join("src") } else { entry.path() };
        crates.push((entry.file_name().to_string_lossy().into_owned(), folder));
    }
    crates.sort();
    Ok(crates)
}

fn sources_in(folder: &Path) -> io::Result<Vec<PathBuf>> {
    Ok(files(folder)?.into_iter().filter(|file| file.extension().is_some_and(|extension| extension == "rs")).collect())
}
