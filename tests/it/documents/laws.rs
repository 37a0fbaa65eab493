//! Laws 2 to 5: over fixtures and generated feeds, the bytes outside changed references stay, each rewritten link means
//! what it meant, and a second run changes nothing.

use crate::support::Outcome;
use crate::support::corpora::{CorpusDocument, documents};
use absolve_laws::documents::Given;
use absolve_links::DocumentType;
use absolve_testing::{fixtures, rounds};

#[test]
fn over_fixtures() -> Outcome {
    assert_eq!(check_all(&documents(&fixtures())?), 652);
    Ok(())
}

#[test]
fn over_generated_feeds() -> Outcome {
    const FEEDS: [&str; 4] = [
        "<rss xml:base='$'><item><link>$</link><description>&lt;a href='$'>&lt;p style='a:url($)'></description></item></rss>",
        "<feed xmlns='http://www.w3.org/2005/Atom'><link href=\"$\"/><content type='html' xml:base=\"$\">&lt;img src=\"$\" srcset=\"$ 1x, $\"></content></feed>",
        "<svg xmlns='http://www.w3.org/2000/svg'><style>a{b:url($);c:url('$')}</style><g xml:base='$'><image href='$'/></g></svg>",
        "<rss><description>&lt;base href=$>&lt;iframe srcdoc='$&lt;a href=$>'></description></rss>",
    ];
    const PIECES: [&str; 24] = [
        "x",
        "y.html",
        "../",
        "./",
        "/",
        "//h/",
        "?q=1",
        "#s",
        "&amp;",
        "&amp;amp;",
        "&#46;",
        "&quot;",
        "é",
        "%2e%2e/",
        "\\",
        ",",
        "<![CDATA[",
        "]]>",
        "<!-- -->",
        "&amp;#46;",
        "http:",
        " ",
        "\n",
        "&unknown;",
    ];
    let mut random = fastrand::Rng::with_seed(21);
    let mut edits = 0;
    for round in 0..rounds(20_000) {
        let mut text = String::new();
        for stretch in FEEDS[round % FEEDS.len()].split_inclusive('$') {
            text.push_str(stretch.trim_end_matches('$'));
            text.extend((0..random.usize(..4)).map(|_| PIECES[random.usize(..PIECES.len())]));
        }
        let (name, bytes) = (text.clone(), text.into_bytes());
        edits += check(&CorpusDocument { name, bytes, document_type: DocumentType::Xml, label: None });
    }
    assert!(edits > rounds(20_000), "only {edits} edits");
    Ok(())
}

/// Checks all laws on documents; the number of edits.
pub(crate) fn check_all(documents: &[CorpusDocument]) -> usize {
    documents.iter().map(check).sum()
}

/// Checks all laws on one document; the number of edits.
fn check(CorpusDocument { name, bytes, document_type, label }: &CorpusDocument) -> usize {
    absolve_laws::documents::check(&Given { name, bytes, document_type: *document_type, label: label.as_deref() })
}
