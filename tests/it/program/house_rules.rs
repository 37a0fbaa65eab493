//! What the documentation says is so, and the house is in order.

use std::fs;
use std::process::Command;

use crate::support::{Outcome, argument, run};
use absolve_rewriter::Code;
use absolve_testing::{files, fixtures, root};

#[test]
fn every_finding_is_documented() -> Outcome {
    let page = fs::read_to_string(root().join("docs/findings.md"))?;
    for code in Code::all() {
        assert!(page.contains(&format!("### `{code}`\n")), "{code} is not in docs/findings.md");
    }
    assert_eq!(page.matches("\n### `").count(), Code::all().count(), "docs/findings.md documents what there is not");
    Ok(())
}

#[test]
fn the_library_page_is_the_example() -> Outcome {
    let page = fs::read_to_string(root().join("docs/library.md"))?;
    let example = fs::read_to_string(root().join("examples/library.rs"))?;
    let functions: Vec<&str> = page.split("```rust\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    for function in &functions {
        assert!(example.contains(function), "the example lacks:\n{function}");
        assert!(function.lines().count() <= 6, "{function}");
    }
    assert_eq!(functions.len(), 4, "what is used, and three functions");
    Ok(())
}

#[test]
fn the_first_screen_of_the_readme_is_true() -> Outcome {
    let page = fs::read_to_string(root().join("README.md"))?;
    let blocks: Vec<&str> = page.split("```html\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    let folder = crate::support::folder_with(&[("page.html", blocks[0])])?;
    let file = folder.path().join("page.html");
    let arguments = ["rewrite", argument(&file), "-o", "-", "--quiet", "--url", "https://example.org/lighthouse/"];
    assert_eq!(run(&arguments)?.1, blocks[1]);
    Ok(())
}

#[test]
fn the_pictures_of_precedence_are_what_the_program_draws() -> Outcome {
    let page = fs::read_to_string(root().join("docs/precedence.md"))?;
    let pictures: Vec<&str> = page.split("```console\n$ absolve ").skip(1).collect();
    for picture in &pictures {
        let (command, drawn) = picture.split_once('\n').ok_or("no picture")?;
        let drawn = drawn.split("```").next().unwrap_or_default();
        let output =
            Command::new(env!("CARGO_BIN_EXE_absolve")).args(command.split(' ')).current_dir(root()).output()?;
        assert_eq!(String::from_utf8(output.stdout)?.trim_end(), drawn.trim_end(), "{command}");
    }
    assert_eq!(pictures.len(), 2);
    Ok(())
}

#[test]
fn files_stay_readable() -> Outcome {
    let mut seen = 0;
    for folder in ["crates", "tests", "examples"] {
        for file in files(&root().join(folder))? {
            if file.extension().is_some_and(|extension| extension == "rs") {
                let lines = fs::read_to_string(&file)?.lines().count();
                assert!(lines <= 400, "{} has {lines} lines", file.display());
                seen += 1;
            }
        }
    }
    assert!(seen > 50, "{seen} files");
    Ok(())
}

#[test]
fn dependencies_point_one_way() -> Outcome {
    for (name, others) in [
        ("options", &["resolver", "base", "links", "rewriter", "packer", "unpacker"][..]),
        ("resolver", &["base", "links", "rewriter", "packer", "unpacker"]),
        ("framing", &["resolver", "base", "rewriter", "packer", "unpacker"]),
        ("base", &["links", "rewriter", "packer", "unpacker"]),
        ("links", &["base", "rewriter", "packer", "unpacker"]),
        ("rewriter", &["packer", "unpacker", "verifier"]),
        ("verifier", &["base", "rewriter", "packer", "unpacker"]),
        ("unpacker", &["files", "packer", "verifier"]),
    ] {
        let manifest = fs::read_to_string(root().join("crates").join(name).join("Cargo.toml"))?;
        let dependencies = manifest.split("[dev-dependencies]").next().unwrap_or_default();
        for other in others {
            let mut lines = dependencies.lines();
            assert!(!lines.any(|line| line.starts_with(&format!("absolve-{other}"))), "{name} depends on {other}");
        }
    }
    Ok(())
}

/// `deny.toml` bans them; cargo-deny is not everywhere.
#[test]
fn nothing_is_linked_that_opens_connections() -> Outcome {
    let rules = fs::read_to_string(root().join("deny.toml"))?;
    let banned: Vec<&str> = rules.lines().filter_map(|line| line.trim().strip_prefix("{ crate = \"")).collect();
    let banned: Vec<&str> = banned.iter().filter_map(|rest| rest.split('"').next()).collect();
    let lock = fs::read_to_string(root().join("Cargo.lock"))?;
    for name in &banned {
        assert!(!lock.contains(&format!("\nname = \"{name}\"\n")), "{name} opens connections");
    }
    assert!(banned.len() > 10 && lock.contains("\nname = \"html5ever\"\n"), "{banned:?}");
    Ok(())
}

#[test]
fn every_fixture_folder_says_what_it_proves() -> Outcome {
    for entry in fs::read_dir(fixtures())? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            let page = fs::read_to_string(fixtures().join("README.md"))?;
            let name = entry.file_name().to_string_lossy().into_owned();
            assert!(page.contains(&format!("`{name}`")), "{name} is not in fixtures/README.md");
        }
    }
    Ok(())
}

/// Code and documents declare, contain, return and report.
#[test]
fn the_house_speaks_plain_english() -> Outcome {
    const BANNED: [&str; 6] = ["tell", "tells", "told", "hear", "hears", "heard"];
    let mut seen = 0;
    let all = [files(&root().join("crates"))?, files(&root().join("docs"))?].concat();
    let pages = ["README.md", "CONTRIBUTING.md"].map(|name| root().join(name));
    for file in all.into_iter().chain(pages) {
        if !file.extension().is_some_and(|extension| extension == "rs" || extension == "md") {
            continue;
        }
        for (number, line) in fs::read_to_string(&file)?.lines().enumerate() {
            let mut words = line.split(|character: char| !character.is_ascii_alphabetic());
            let banned = words.find(|word| BANNED.iter().any(|banned| banned.eq_ignore_ascii_case(word)));
            assert!(banned.is_none(), "{}:{}: {banned:?}", file.display(), number + 1);
        }
        seen += 1;
    }
    assert!(seen > 200, "{seen} files");
    Ok(())
}

/// A library does not know which program calls it: `Remedy` and `Refusal` name what helps, and each face has the options.
#[test]
fn libraries_name_no_options() -> Outcome {
    const LIBRARIES: [&str; 11] = [
        "options",
        "resolver",
        "base",
        "links",
        "rewriter",
        "containers",
        "files",
        "verifier",
        "packer",
        "unpacker",
        "report",
    ];
    let is_option =
        |(at, _): (usize, &str), line: &str| line[at + 2..].starts_with(|next: char| next.is_ascii_lowercase());
    let mut seen = 0;
    for library in LIBRARIES {
        for file in files(&root().join("crates").join(library).join("src"))? {
            if file.extension().is_none_or(|extension| extension != "rs") || file.ends_with("tests.rs") {
                continue;
            }
            let text = fs::read_to_string(&file)?;
            let code = text.split("#[cfg(test)]").next().unwrap_or_default();
            for line in code.lines().filter(|line| !line.trim_start().starts_with("//")) {
                let has_option = line.contains(" -o ") || line.match_indices("--").any(|found| is_option(found, line));
                assert!(!has_option, "{}: {line}", file.display());
            }
            seen += 1;
        }
    }
    assert!(seen > 250, "{seen} files");
    Ok(())
}
