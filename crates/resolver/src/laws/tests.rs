//! The law over generated references.

use absolve_testing::{rounds, text_of_a_reference};

use super::compared;

#[test]
fn the_short_way_is_the_long_way() {
    let mut random = fastrand::Rng::with_seed(2);
    let mut short = 0;
    for _ in 0..rounds(40_000) {
        let start = ["http://h", "http://h/", "http://h/d/", "file:///", "file:///C:/", "foo:/", "foo://x/"];
        let base = [start[random.usize(..start.len())], &text_of_a_reference(&mut random, 4)].concat();
        let reference = text_of_a_reference(&mut random, 5);
        short += compared(&base, &reference, |target| target.ends_with(&reference));
    }
    assert!(short > rounds(10_000), "only {short} references stood whole at the end of their target");
}
