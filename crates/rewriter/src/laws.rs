//! The short way for plain references makes the edits of the long way.

use std::ops::ControlFlow;

use absolve_links::{Document, DocumentType, Edits};

use crate::Entity;
use crate::judge::{Judged, Status, judge_all, judge_all_fully};
use crate::options::Options;
use crate::reading::Reading;

#[test]
fn the_short_way_makes_the_same_edits() {
    const BASES: [&str; 7] = [
        "http://h/a/b./c/d.html",
        "https://h.example:80/",
        "http://h/a//b/",
        "http://h/%2e/x(1)/y?q",
        "ftp://h/d/;type=d",
        "foo:/a/b/c",
        "http://h/a/.hidden/x",
    ];
    const PIECES: [&str; 30] = [
        "x", "y.html", "a.b", ".", "..", "/", "../", "./", "?q=1", "&amp;r=2", "&#9;", "&Tab;", "&copy=", "#s", "?",
        "#", "~", "(", ")", "+", "%41", "%2e", ":", ";", "=", "@", "é", " ", "//", "\\",
    ];
    let mut random = fastrand::Rng::with_seed(40);
    let (mut short, mut long) = (0, 0);
    for round in 0..20_000 {
        let values = (0..4).map(|_| (0..random.usize(0..6)).map(|_| PIECES[random.usize(..PIECES.len())]).collect());
        let html: String = values.map(|value: String| format!("<a href=\"{value}\">")).collect();
        let entity =
            Entity::bare_file(html.as_bytes(), DocumentType::Html).retrieved_from(BASES[round % BASES.len()], "--url");
        let options = Options::default();
        let document = Document::new(html.as_bytes(), DocumentType::Html);
        let Ok(scan) = document.scan(&options.table) else { continue };
        let Some(reading) = Reading::new(&document, &scan, &entity.parts[0], &options) else { continue };
        let (mut some, mut all) = (Edits::default(), Edits::default());
        let _ = judge_all(&reading, |_, judged| {
            match judged {
                Judged::Plain { range, prefix } => {
                    some.push(range, prefix.as_bytes());
                    short += 1;
                }
                Judged::Fully { reference, status: Status::Relative, target } => reference.edit_to(target, &mut some),
                Judged::Fully { .. } => {}
            }
            ControlFlow::Continue(())
        });
        let _ = judge_all_fully(&reading, |_, judged| {
            if let Judged::Fully { reference, status: Status::Relative, target } = judged {
                reference.edit_to(target, &mut all);
                long += 1;
            }
            ControlFlow::Continue(())
        });
        assert_eq!(some, all, "{html} at {}", BASES[round % BASES.len()]);
    }
    assert!(short > 4_000 && long > 50_000, "{short} short, {long} in all");
}
