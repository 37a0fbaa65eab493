//! The order of the modules: which of them import from each other.

mod arrows;
pub(crate) mod sources;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;

use absolve_testing::print_line;

use crate::support::Outcome;
use sources::{Imports, Sources, crates, parent, sources_in, without_tests};

/// Items that the crate `rewriter` does not use: it turns bytes into edits, without files, threads or a clock.
const NOT_IN_REWRITER: [&str; 4] = ["std::fs", "std::thread", "std::time::SystemTime", "std::time::Instant"];

const FILES_IN_A_FOLDER: usize = 15;
const MEDIAN_LINES: usize = 150;

#[test]
fn modules_are_in_order() -> Outcome {
    let mut problems = String::new();
    for (name, folder) in crates()? {
        let found = problems_of(&name, &Sources::read(&folder)?);
        if !found.is_empty() {
            writeln!(problems, "\ncrate {name}:\n{}", found.join("\n"))?;
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

/// Returns the problems of a crate, each with the imports that cause it.
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
        let cycles = cycles(&children).into_iter();
        problems.extend(cycles.map(|(_, text)| format!("among the children of `{folder}`: {text}")));
    }
    for module in sources.modules.keys().filter(|_| name == "rewriter") {
        let is_banned =
            |path: &String| NOT_IN_REWRITER.iter().any(|item| path.starts_with(item) || path == "std::time");
        problems.extend(
            sources.paths_in(module).iter().filter(|path| is_banned(path)).map(|path| format!("{module}: {path}")),
        );
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

/// Returns the child of a folder that is or contains a module.
fn child<'m>(folder: &str, module: &'m str) -> Option<&'m str> {
    let inside = if folder.is_empty() { module } else { module.strip_prefix(folder)?.strip_prefix("::")? };
    let length = inside.find("::").unwrap_or(inside.len());
    (length > 0).then(|| &module[..module.len() - inside.len() + length])
}
