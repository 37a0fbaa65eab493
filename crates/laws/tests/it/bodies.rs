//! Each property on generated input, on fixtures, and on what fuzzing has found: a test for each, so that they share the
//! processors.

use std::ffi::OsStr;
use std::path::Path;
use std::{fs, io};

use absolve_laws::{BODIES, Body};
use absolve_testing::{IN_FULL, files, fixtures, root, rounds};

/// The number of generated inputs for each property.
const GENERATED: usize = rounds(1_000);

/// How many parsers read a fixture of another type, where laws do not run in full.
const FOREIGN: usize = 3;

/// A test for each parser, and how many per cent of the generated inputs hold something for it.
macro_rules! tests {
    ($($name:ident: $held:literal,)*) => {
        $(#[test]
        fn $name() -> io::Result<()> {
            holds(stringify!($name), $held)
        })*

        #[test]
        fn each_body_has_a_test() {
            assert_eq!(BODIES.map(|body| body.name), [$(stringify!($name)),*]);
        }
    };
}

tests! {
    resolver: 50,
    base: 90,
    html: 20,
    css: 10,
    srcset: 90,
    xml: 0,
    text: 0,
    message: 0,
    quoted_printable: 20,
    base64: 20,
    pack: 20,
    emlx: 0,
    mmdf: 90,
    babyl: 90,
    compressed: 90,
    unpack: 10,
    mbox: 0,
    warc: 0,
    warc_gzip: 0,
    http: 0,
    wacz: 0,
    bundle: 40,
    urls: 20,
}

fn holds(name: &str, percent: usize) -> io::Result<()> {
    let at = BODIES.iter().position(|body| body.name == name).expect("it is one of them");
    over_what_fuzzing_found(&BODIES[at])?;
    over_generated_input(&BODIES[at], percent)?;
    over_fixtures(at)
}

fn over_generated_input(Body { dictionary, check, .. }: &Body, percent: usize) -> io::Result<()> {
    let mut seeds = Vec::new();
    for file in files(&fixtures())? {
        seeds.push(fs::read(file)?);
    }
    seeds.retain(|seed| seed.len() < 4_000);
    let words = words(&root().join(format!("fuzz/dictionaries/{dictionary}.dict")))?;
    let mut random = fastrand::Rng::with_seed(90);
    let held = (0..GENERATED).filter(|_| check(&made(&mut random, &words, &seeds)) > 0).count();
    // Few rounds may hold less.
    let percent = if IN_FULL { percent } else { percent / 2 };
    assert!(held * 100 >= GENERATED * percent, "{held} of {GENERATED} hold something");
    Ok(())
}

/// Each fixture is read by the parser of its type and by three others; in full by all.
fn over_fixtures(at: usize) -> io::Result<()> {
    const LARGEST: u64 = 20_000;
    let (mut seen, mut all) = (0, 0);
    for file in files(&fixtures())? {
        if fs::metadata(&file)?.len() <= LARGEST && !file.to_string_lossy().contains("fixtures/fuzz") {
            let is_one_of_others = (all + at) % BODIES.len() < FOREIGN;
            if IN_FULL || is_one_of_others || is_of_type(&file, BODIES[at].name) {
                (BODIES[at].check)(&fs::read(file)?);
                seen += 1;
            }
            all += 1;
        }
    }
    assert!(all > 200 && seen > all / BODIES.len(), "{seen} of {all} fixtures");
    Ok(())
}

/// Returns whether the parser of this name is for files with the extension of this one.
fn is_of_type(file: &Path, parser: &str) -> bool {
    let extension = file.extension().and_then(OsStr::to_str).unwrap_or_default().to_ascii_lowercase();
    let parsers: &[&str] = match &*extension {
        "html" | "htm" => &["html", "pack"],
        "xhtml" | "svg" | "xml" => &["xml", "html"],
        "css" => &["css"],
        "eml" => &["message", "unpack", "emlx"],
        "txt" | "md" => &["text"],
        "csv" | "tsv" | "log" => &["urls"],
        _ => &[],
    };
    parsers.contains(&parser)
}

/// Input that once broke a property.
fn over_what_fuzzing_found(Body { name, check, .. }: &Body) -> io::Result<()> {
    let folder = root().join("fixtures/fuzz").join(name);
    for file in if folder.exists() { files(&folder)? } else { Vec::new() } {
        check(&fs::read(file)?);
    }
    Ok(())
}

/// What fuzzing has found is read by the property of its folder.
#[test]
fn each_finding_is_read() -> io::Result<()> {
    let found = files(&root().join("fixtures/fuzz"))?;
    let is_read = |file: &Path| {
        let folder = file.parent().and_then(Path::file_name).unwrap_or_default();
        BODIES.iter().any(|body| body.name == folder)
    };
    assert!(found.iter().all(|file| is_read(file)), "{found:?}");
    assert_eq!(found.len(), FOUND);
    Ok(())
}

const FOUND: usize = 86;

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
pub(crate) fn words(file: &Path) -> io::Result<Vec<Vec<u8>>> {
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
