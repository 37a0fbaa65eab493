//! Every character reference before a link, in every wrapping; and any bytes.

use absolve_laws::documents::delimiters::{IN_CSS, IN_HTML, IN_SRCSET, NAMES, any, is_kept};
use absolve_links::Refusal;
use absolve_testing::long_rounds;

#[test]
fn every_reference_without_a_semicolon_is_kept() -> Result<(), Refusal> {
    let (mut seen, mut with_semicolon) = (0, 0);
    for name in &*NAMES {
        for text in ["/a.png", "a.png", "=a", ";a", "../é", "0"] {
            for around in IN_HTML.iter().chain(&IN_CSS).chain(&IN_SRCSET) {
                with_semicolon += is_kept(*around, name, text)?;
                seen += 1;
            }
        }
    }
    assert!(seen > 3_500 && with_semicolon > 300, "{seen} documents, {with_semicolon} with a semicolon");
    Ok(())
}

#[test]
fn any_text_behind_one_is_kept() {
    let mut random = fastrand::Rng::with_seed(30);
    let (rounds, mut seen) = (long_rounds(5_000, 20_000), 0);
    for _ in 0..rounds {
        let mut bytes = vec![random.u8(..), random.u8(..)];
        bytes
            .extend((0..random.usize(..12)).map(|_| *b"az09;&#=?./:%x"[random.usize(..14)..].first().unwrap_or(&b'a')));
        seen += [&IN_HTML[..], &IN_CSS, &IN_SRCSET].map(|documents| any(&bytes, documents)).iter().sum::<usize>();
    }
    assert_eq!(seen, rounds * 6);
}
