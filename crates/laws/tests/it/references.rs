//! Properties of resolution on generated references.

use absolve_laws::references::{BASES, means_the_same, recomposes, target_is_absolute};
use absolve_resolver::Standard;
use absolve_testing::{rounds, text_of_a_reference};

#[test]
fn split_recomposes() {
    let mut random = fastrand::Rng::with_seed(1);
    for _ in 0..rounds(20_000) {
        recomposes(&text_of_a_reference(&mut random, 12));
    }
}

#[test]
fn a_target_is_absolute() {
    let mut random = fastrand::Rng::with_seed(3);
    let mut targets = 0;
    for _ in 0..rounds(40_000) {
        let base = ["http://h/d/", &text_of_a_reference(&mut random, 5)].concat();
        let reference = text_of_a_reference(&mut random, 6);
        for standard in Standard::ALL {
            targets += usize::from(target_is_absolute(&base, &reference, standard));
        }
    }
    assert!(targets > rounds(100_000), "only {targets} targets");
}

/// Compares with the `url` crate.
#[test]
fn targets_mean_what_they_mean_to_the_url_crate() {
    const PIECES: [&str; 40] = [
        "a", "b", "..", ".", "/", "/", "//", "\\", "../", "./", "..\\", "?", "#", "%2e", "%2E.", ":", ";x", "=", "&",
        "@", " ", "\t", "\n", "é", "日", "%20", "http:", "HTTP://", "https:/", "foo:", "ftp:", "//h", "h:80", "[", "^",
        "|", "~", "{", "\"", "'",
    ];
    let mut random = fastrand::Rng::with_seed(4);
    let mut targets = 0;
    for round in 0..rounds(60_000) {
        let reference: String = (0..random.usize(0..8)).map(|_| PIECES[random.usize(..PIECES.len())]).collect();
        targets += usize::from(means_the_same(BASES[round % BASES.len()], &reference));
    }
    assert!(targets > rounds(30_000), "only {targets} targets");
}
