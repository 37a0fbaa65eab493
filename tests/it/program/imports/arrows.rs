//! The map of crates in `docs/architecture.md`: its arrows are the dependencies of the manifests.

use std::collections::{BTreeMap, BTreeSet};
use std::{fs, io};

use absolve_testing::{print_line, root};

use crate::support::Outcome;

/// The crates that each crate leads to.
type Arrows = BTreeMap<String, BTreeSet<String>>;

#[test]
fn the_map_draws_every_dependency() -> Outcome {
    let drawn = drawn(&fs::read_to_string(root().join("docs/architecture.md"))?);
    let declared = declared()?;
    let all =
        |arrows: &Arrows| arrows.iter().flat_map(|(from, to)| to.iter().map(|to| (from.clone(), to.clone()))).collect();
    let (all_drawn, all_declared): (BTreeSet<_>, BTreeSet<_>) = (all(&drawn), all(&declared));
    let undrawn: Vec<_> = all_declared.iter().filter(|(from, to)| !leads_to(&drawn, from, to)).collect();
    let undeclared: Vec<_> = all_drawn.difference(&all_declared).collect();
    print_line(&format!("{} dependencies, {} arrows", all_declared.len(), all_drawn.len()));
    assert!(undrawn.is_empty(), "dependencies that no arrows lead to: {undrawn:?}");
    assert!(undeclared.is_empty(), "arrows without a dependency: {undeclared:?}");
    assert!(all_declared.len() > 30);
    Ok(())
}

#[test]
fn arrows_are_followed() {
    let arrows =
        drawn("cli --> a\n\n```mermaid\nflowchart LR\n    cli --> files & report\n    files --> links\n```\nb --> c\n");
    assert!(leads_to(&arrows, "cli", "report") && leads_to(&arrows, "cli", "links"));
    assert!(!leads_to(&arrows, "links", "cli") && !leads_to(&arrows, "cli", "a") && !leads_to(&arrows, "b", "c"));
}

/// Returns whether arrows lead from one crate to another, directly or through others.
fn leads_to(arrows: &Arrows, from: &str, to: &str) -> bool {
    arrows.get(from).is_some_and(|next| next.contains(to) || next.iter().any(|next| leads_to(arrows, next, to)))
}

/// Returns the arrows of the first drawing of a page.
fn drawn(page: &str) -> Arrows {
    let mut arrows = Arrows::new();
    let drawing = page.lines().skip_while(|line| *line != "```mermaid").skip(1).take_while(|line| *line != "```");
    for (from, to) in drawing.filter_map(|line| line.split_once(" --> ")) {
        arrows.entry(from.trim().to_owned()).or_default().extend(to.split(" & ").map(|to| to.trim().to_owned()));
    }
    arrows
}

/// Returns the dependencies of the published crates and of Python on each other.
fn declared() -> io::Result<Arrows> {
    let mut arrows = Arrows::new();
    let name_of = |name: &str| name.strip_prefix("absolve-").unwrap_or("cli").to_owned();
    let folders = fs::read_dir(root().join("crates"))?.map(|entry| entry.map(|entry| entry.path()));
    for folder in folders.chain([Ok(root())]) {
        let Ok(manifest) = fs::read_to_string(folder?.join("Cargo.toml")) else { continue };
        let name =
            manifest.lines().find_map(|line| line.strip_prefix("name = \"absolve")).map(|name| name.trim_matches('"'));
        let name = name_of(&format!("absolve{}", name.unwrap_or_default()));
        if ["bench", "laws", "packaging", "testing"].contains(&&*name) {
            continue;
        }
        let dependencies = manifest.lines().skip_while(|line| *line != "[dependencies]").skip(1);
        let names = dependencies.take_while(|line| !line.starts_with('[')).filter(|line| line.starts_with("absolve"));
        arrows
            .entry(name)
            .or_default()
            .extend(names.map(|line| name_of(line.split(['.', ' ']).next().unwrap_or_default())));
    }
    Ok(arrows)
}
