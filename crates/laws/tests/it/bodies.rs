//! Each property on fixtures, on generated input, and on what fuzzing has found.

use std::path::Path;
use std::{fs, io};

use absolve_laws::{BODIES, Body};
use absolve_testing::{files, fixtures, root, rounds};

/// The number of generated inputs for each property.
const GENERATED: usize = rounds(1_000);

#[test]
fn over_generated_input() -> io::Result<()> {
    let (mut inputs, mut looked_at) = (0, 0);
    let mut seeds = Vec::new();
    for file in files(&fixtures())? {
        seeds.push(fs::read(file)?);
    }
    seeds.retain(|seed| seed.len() < 4_000);
    for Body { dictionary, check, .. } in BODIES {
        let words = words(&root().join(format!("fuzz/dictionaries/{dictionary}.dict")))?;
        let mut random = fastrand::Rng::with_seed(90);
        for _ in 0..GENERATED {
            looked_at += check(&made(&mut random, &words, &seeds)).min(1);
            inputs += 1;
        }
    }
    assert!(inputs == BODIES.len() * GENERATED && looked_at > inputs / 4, "{looked_at} of {inputs} held something");
    Ok(())
}

#[test]
fn over_fixtures() -> io::Result<()> {
    const LARGEST: u64 = 20_000;
    let mut seen = 0;
    for file in files(&fixtures())? {
        if fs::metadata(&file)?.len() <= LARGEST && !file.to_string_lossy().contains("fixtures/fuzz") {
            let bytes = fs::read(&file)?;
            for body in BODIES {
                (body.check)(&bytes);
            }
            seen += 1;
        }
    }
    assert!(seen > 200, "{seen} fixtures");
    Ok(())
}

/// Input that once broke a property.
#[test]
fn found_by_fuzzing() -> io::Result<()> {
    let mut seen = 0;
    for Body { name, check, .. } in BODIES {
        let folder = root().join("fixtures/fuzz").join(name);
        for file in if folder.exists() { files(&folder)? } else { Vec::new() } {
            check(&fs::read(file)?);
            seen += 1;
        }
    }
    assert_eq!(seen, FOUND);
    Ok(())
}

const FOUND: usize = 48;

/// Each property has a fuzz target, and each target has a folder of findings only if it is one.
#[test]
fn each_body_is_fuzzed() -> io::Result<()> {
    let manifest = fs::read_to_string(root().join("fuzz/Cargo.toml"))?;
    for Body { name, dictionary, .. } in BODIES {
        assert!(manifest.contains(&format!("name = \"{name}\"")), "{name} has no target");
        let target = fs::read_to_string(root().join(format!("fuzz/fuzz_targets/{name}.rs")))?;
        assert!(target.contains("    absolve_laws::"), "{name} checks nothing");
        assert!(root().join(format!("fuzz/dictionaries/{dictionary}.dict")).exists(), "{dictionary}");
    }
    for file in files(&root().join("fuzz/fuzz_targets"))? {
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        assert!(manifest.contains(&format!("path = \"fuzz_targets/{name}.rs\"")), "{name} is not in the manifest");
    }
    Ok(())
}

/// Joins words, or inserts them into a seed; some of them broken.
fn made(random: &mut fastrand::Rng, words: &[Vec<u8>], seeds: &[Vec<u8>]) -> Vec<u8> {
    let word = |random: &mut fastrand::Rng| words[random.usize(..words.len())].clone();
    let mut bytes: Vec<u8> = (0..random.usize(1..30)).flat_map(|_| word(random)).collect();
    if random.bool() {
        bytes.clone_from(&seeds[random.usize(..seeds.len())]);
        for _ in 0..random.usize(1..5) {
            let at = random.usize(..=bytes.len());
            bytes.splice(at..at, word(random));
        }
    }
    for _ in 0..random.usize(..3) {
        let at = random.usize(..bytes.len());
        match random.u8(..3) {
            0 => bytes[at] = random.u8(..),
            1 => bytes.truncate(at.max(1)),
            _ => bytes.insert(at, random.u8(..)),
        }
    }
    bytes
}

/// Parses a dictionary of libFuzzer: one word a line, quoted, with escapes in hexadecimal.
fn words(file: &Path) -> io::Result<Vec<Vec<u8>>> {
    let word = |line: &str| {
        let inside = line.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or_default();
        let mut bytes = inside.bytes();
        let mut word = Vec::new();
        while let Some(byte) = bytes.next() {
            let escaped = (byte == b'\\').then(|| bytes.next()).flatten();
            word.push(match escaped {
                Some(b'x') => {
                    let digits = [bytes.next(), bytes.next()].map(|digit| char::from(digit.unwrap_or_default()));
                    digits.iter().fold(0, |number, digit| number << 4 | digit.to_digit(16).unwrap_or_default() as u8)
                }
                Some(character) => character,
                None => byte,
            });
        }
        word
    };
    Ok(fs::read_to_string(file)?.lines().map(word).collect())
}
