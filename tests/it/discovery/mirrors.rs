//! Mirrors by wget and HTTrack, whose links were made to lead to copies: each link that becomes absolute is what the
//! server meant, and each other one stays as it is.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::process::Command;
use std::{fs, io};

use crate::support::places::{Placed, of_page, of_style_sheet};
use crate::support::{Outcome, argument, run};
use absolve_links::{Group, Table};
use absolve_testing::{fixtures, print_line, temporary_folder};

/// What became of the links of a mirror.
#[derive(Debug, Default, PartialEq, Eq)]
struct Verdicts {
    /// They are what the server meant.
    right: usize,
    /// They are as they were, and relative.
    left: usize,
    /// They were absolute and something else before, by the program that made the mirror.
    of_saver: usize,
    /// That program has left out or added some, so that they cannot be matched.
    unpaired: usize,
    wrong: Vec<String>,
}

#[test]
fn a_mirror_by_httrack() -> Outcome {
    let verdicts = verdicts_of("httrack", &[])?;
    assert_eq!(verdicts, Verdicts { right: 223, left: 37, of_saver: 0, unpaired: 0, wrong: Vec::new() });
    Ok(())
}

#[test]
fn a_mirror_by_wget_by_its_folders() -> Outcome {
    let verdicts = verdicts_of("wget", &["--layout", "wget", "--scheme", "http"])?;
    assert_eq!(verdicts, Verdicts { right: 134, left: 125, of_saver: 3, unpaired: 5, wrong: Vec::new() });
    Ok(())
}

#[test]
fn a_mirror_by_wget_by_its_log() -> Outcome {
    let log = fixtures().join("mirrors/wget/wget.log");
    let verdicts = verdicts_of("wget", &["--layout", "wget", "--scheme", "http", "--urls", argument(&log)])?;
    assert_eq!(verdicts, Verdicts { right: 252, left: 7, of_saver: 3, unpaired: 5, wrong: Vec::new() });
    Ok(())
}

/// What shows that wget has converted the links is seen without an option: the log, and the names that pages use.
#[test]
fn a_mirror_by_wget_is_recognised() -> Outcome {
    let log = fixtures().join("mirrors/wget/wget.log");
    let expected = |right, left| Verdicts { right, left, of_saver: 3, unpaired: 5, wrong: Vec::new() };
    assert_eq!(verdicts_of("wget", &["--urls", argument(&log)])?, expected(252, 7));
    assert_eq!(verdicts_of("wget", &["--url", "http://127.0.0.1:8765/"])?, expected(134, 125));
    Ok(())
}

/// Read as if nobody had made the links.
#[test]
fn wrong_links_are_seen() -> Outcome {
    let log = fixtures().join("mirrors/wget/wget.log");
    let verdicts = verdicts_of("wget", &["--urls", argument(&log), "--layout", "root"])?;
    assert_eq!(verdicts.wrong.len(), 97);
    Ok(())
}

/// Rewrites a mirror and compares the n-th link of each element and attribute with what the server meant.
fn verdicts_of(name: &str, flags: &[&str]) -> Result<Verdicts, Box<dyn std::error::Error>> {
    let fixture = fixtures().join("mirrors").join(name);
    let (mirror, output) = (fixture.join("mirror"), temporary_folder()?);
    let output = output.path().join("out");
    let arguments = ["rewrite", argument(&mirror), "-o", argument(&output), "--quiet"];
    let (status, _, errors) = run(&[&arguments[..], flags].concat())?;
    assert_eq!((status, &*errors), (0, ""));
    let redirects: HashMap<String, String> =
        rows(&fixture.join("redirects.tsv"))?.into_iter().map(|row| (normal(&row[0]), normal(&row[1]))).collect();
    // By file, element and attribute, in the order of the links.
    let mut truth: BTreeMap<String, BTreeMap<(String, String), Vec<String>>> = BTreeMap::new();
    for row in rows(&fixture.join("truth.tsv"))? {
        let [file, element, attribute, _, target] = &row[..] else { return Err("no row of five".into()) };
        let place = (element.clone(), attribute.clone());
        truth.entry(file.clone()).or_default().entry(place).or_default().push(target.clone());
    }
    let mut verdicts = Verdicts::default();
    for (file, places) in truth {
        let (before, after) = (links_of(&mirror.join(&file))?, links_of(&output.join(&file))?);
        let left_before = verdicts.left;
        for ((element, attribute), targets) in places {
            let of_place = |all: &[Placed]| -> Vec<String> {
                let is_there = |placed: &&Placed| placed.element == element && placed.attribute == attribute;
                all.iter().filter(is_there).map(|placed| placed.reference.clone()).collect()
            };
            let (before, after) = (of_place(&before), of_place(&after));
            if before.len() != targets.len() {
                verdicts.unpaired += targets.len();
                verdicts.wrong.extend((before.len() != after.len()).then(|| format!("{file} {element}@{attribute}")));
                continue;
            }
            for ((before, after), target) in before.iter().zip(&after).zip(&targets) {
                match () {
                    () if !is_absolute(after) && after == before => verdicts.left += 1,
                    () if is_absolute(after) && is_same(after, target, &redirects) => verdicts.right += 1,
                    () if is_absolute(after) && is_by_saver(before, after) => verdicts.of_saver += 1,
                    () => {
                        verdicts.wrong.push(format!("{file} {element}@{attribute}: {before} -> {after}, not {target}"))
                    }
                }
            }
            assert_eq!(before.len(), after.len(), "{file}");
        }
        let base = |all: &[Placed]| all.iter().find(|placed| placed.element == "base").cloned();
        if verdicts.left > left_before && base(&before) != base(&after) {
            verdicts.wrong.push(format!("{file}: the BASE has moved below links that stay"));
        }
    }
    Ok(verdicts)
}

fn links_of(file: &Path) -> io::Result<Vec<Placed>> {
    let text = fs::read_to_string(file)?;
    let is_style = file.extension().is_some_and(|extension| extension == "css");
    Ok(if is_style { of_style_sheet(&text) } else { of_page(&text, &Table::of_groups(&Group::ALL, Vec::new())) })
}

/// The rows of a table below its heading.
fn rows(file: &Path) -> io::Result<Vec<Vec<String>>> {
    let text = fs::read_to_string(file)?;
    Ok(text.lines().skip(1).map(|line| line.split('\t').map(str::to_owned).collect()).collect())
}

fn is_absolute(reference: &str) -> bool {
    reference.split_once(':').is_some_and(|(scheme, _)| scheme.bytes().all(|byte| byte.is_ascii_alphabetic()))
}

/// Whether two URLs mean the same: one may be redirected to the other, or name the index of its folder, or have empty
/// names in its path, which HTTrack takes away.
fn is_same(one: &str, other: &str, redirects: &HashMap<String, String>) -> bool {
    let meant = |url: &str| {
        let url = normal(url);
        let (page, fragment) = url.split_once('#').unwrap_or((&url, ""));
        let page = redirects.get(page).map_or(page, |target| target);
        let page = page.replacen("/index.html", "/", 1);
        let (start, rest) = page.split_at(page.find("://").map_or(0, |colon| colon + 3));
        (start.to_ascii_lowercase() + &rest.replace("//", "/"), fragment.to_owned())
    };
    meant(one) == meant(other)
}

/// Whether a program that made a mirror has made something else of a link, which is what it still means.
fn is_by_saver(before: &str, after: &str) -> bool {
    before == after || (before.starts_with('/') && after == format!("http://127.0.0.1:8765{before}"))
}

/// A URL with percent-encoding where it must be, and nowhere else.
fn normal(url: &str) -> String {
    let mut text = String::new();
    let mut rest = url.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        let digits = (byte == b'%').then(|| after.get(..2).and_then(|digits| str::from_utf8(digits).ok())).flatten();
        let escaped = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        rest = if escaped.is_some() { &after[2..] } else { after };
        match escaped {
            Some(escaped) if escaped.is_ascii_alphanumeric() || b"-._~".contains(&escaped) => {
                text.push(char::from(escaped));
            }
            Some(escaped) => text.push_str(&format!("%{escaped:02X}")),
            None if byte.is_ascii_graphic() => text.push(char::from(byte)),
            None => text.push_str(&format!("%{byte:02X}")),
        }
    }
    text
}

/// Mirrors a site of its own from loopback with wget, wget2 and HTTrack, and asks the site for each link.
#[test]
#[ignore = "long: wget, wget2, HTTrack and Python"]
fn no_live_link_of_real_mirrors_is_dead() -> Outcome {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/check_mirrors.py");
    let folder = temporary_folder()?;
    let mut command = Command::new("python3");
    command.arg(script).arg(folder.path()).args(["--absolve", env!("CARGO_BIN_EXE_absolve"), "--show", "WRONG"]);
    let Ok(done) = command.output() else {
        print_line("skipped: python3 is absent");
        return Ok(());
    };
    let says = String::from_utf8_lossy(&done.stdout);
    print_line(says.trim_end());
    assert!(done.status.success(), "{says}{}", String::from_utf8_lossy(&done.stderr));
    Ok(())
}
