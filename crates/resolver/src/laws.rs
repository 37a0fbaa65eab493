//! Laws that hold for every text, on generated input.

use alloc::string::{String, ToString};

use crate::{BaseUrl, Components, ReferenceKind, Standard};

const PIECES: [&str; 52] = [
    "?q=1",
    "#s",
    "&b",
    "(",
    "+",
    "./",
    "/g",
    "..x",
    "a",
    "b",
    "Z",
    "9",
    "-",
    "_",
    "~",
    ".",
    "..",
    "/",
    "//",
    "///",
    "\\",
    ":",
    "?",
    "#",
    ";",
    "=",
    "&",
    "@",
    "%2e",
    "%2E",
    "%",
    "%0a",
    " ",
    "\t",
    "\n",
    "|",
    "C:",
    "C|",
    "http:",
    "HTTPS:",
    "file:",
    "foo:",
    "mailto:",
    "http://h",
    "http://h:",
    "//h/",
    "é",
    "日",
    "[::1]",
    "\u{1}",
    "x/",
    "../",
];

fn text(random: &mut fastrand::Rng, pieces: usize) -> String {
    (0..random.usize(..=pieces)).map(|_| PIECES[random.usize(..PIECES.len())]).collect()
}

#[test]
fn split_recomposes() {
    let mut random = fastrand::Rng::with_seed(1);
    for _ in 0..20_000 {
        let text = text(&mut random, 12);
        for standard in Standard::ALL {
            assert_eq!(Components::split(&text, standard).to_string(), text, "{standard}");
        }
    }
}

#[test]
fn the_short_way_is_the_long_way() {
    let mut random = fastrand::Rng::with_seed(2);
    let mut short = 0;
    for _ in 0..40_000 {
        let start = ["http://h", "http://h/", "http://h/d/", "file:///", "file:///C:/", "foo:/", "foo://x/"];
        let base = [start[random.usize(..start.len())], &text(&mut random, 4)].concat();
        let reference = text(&mut random, 5);
        for standard in Standard::ALL {
            let Ok(base) = BaseUrl::parse(&base, standard) else { continue };
            let mut long = String::new();
            let outcome = base.resolve_fully(&reference, &mut long).map(|()| long);
            assert_eq!(base.resolve(&reference), outcome, "{standard}: {reference:?} at {base}");
            short += usize::from(outcome.is_ok_and(|target| target.ends_with(&reference)));
        }
    }
    assert!(short > 10_000, "only {short} references stood whole at the end of their target");
}

#[test]
fn a_target_is_absolute() {
    let mut random = fastrand::Rng::with_seed(3);
    let mut targets = 0;
    for _ in 0..40_000 {
        let base = ["http://h/d/", &text(&mut random, 5)].concat();
        let reference = text(&mut random, 6);
        for standard in Standard::ALL {
            let Ok(base) = BaseUrl::parse(&base, standard) else { continue };
            let Ok(target) = base.resolve(&reference) else { continue };
            assert_eq!(
                standard.kind_of(&target),
                ReferenceKind::Absolute,
                "{standard}: {reference:?} at {base} is {target:?}"
            );
            targets += 1;
        }
    }
    assert!(targets > 100_000, "only {targets} targets");
}
