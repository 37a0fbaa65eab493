//! The fast way for plain references makes the same edits as the full way.

use std::ops::ControlFlow;
use std::sync::LazyLock;

use absolve_base::Retrieval;
use absolve_links::{Document, DocumentType, Edits};

use crate::document::classify::{Decision, Depth, decide_all};
use crate::document::context::DocumentContext;
use crate::entity::Entity;
use crate::options::Options;
use crate::report::Status;

const BASES: [&str; 7] = [
    "http://h/a/b./c/d.html",
    "https://h.example:80/",
    "http://h/a//b/",
    "http://h/%2e/x(1)/y?q",
    "ftp://h/d/;type=d",
    "foo:/a/b/c",
    "http://h/a/.hidden/x",
];

/// Checks the law on any bytes: the first one selects the base, the rest is a page. Returns the number of references
/// that went the full way.
pub fn short_way_makes_the_same_edits(bytes: &[u8]) -> usize {
    bytes.split_first().map_or(0, |(base, html)| compared(html, usize::from(*base)).1)
}

/// Returns how many references went the fast way, and how many the full one.
pub(crate) fn compared(html: &[u8], base: usize) -> (usize, usize) {
    let base = BASES[base % BASES.len()];
    let (mut short, mut long) = (0, 0);
    let entity = Entity::bare_file(html, DocumentType::Html).retrieved_from(Retrieval::given(base));
    static OPTIONS: LazyLock<Options> = LazyLock::new(Options::default);
    let options: &Options = &OPTIONS;
    let document = Document::new(html, DocumentType::Html);
    let Ok(scan) = document.scan(&options.table) else { return (0, 0) };
    let Some(context) = DocumentContext::new(&document, &scan, &entity.parts[0], options) else { return (0, 0) };
    let outcomes = [Depth::Fast, Depth::Full].map(|depth| {
        let (mut edits, mut absolute, mut full) = (Edits::default(), 0, 0);
        let _ = decide_all(&context, depth, |_, decision| {
            match decision {
                Decision::Fast { range, prefix } => {
                    edits.push(range, prefix.as_bytes());
                    short += 1;
                }
                Decision::Full { reference, status: Status::Relative, target, .. } => {
                    reference.edit_to(target, &mut edits);
                    full += 1;
                }
                Decision::Absolute | Decision::Full { status: Status::Absolute, .. } => absolute += 1,
                Decision::Full { .. } => {}
            }
            ControlFlow::Continue(())
        });
        long = full;
        (edits, absolute)
    });
    assert_eq!(outcomes[0], outcomes[1], "{} at {base}", String::from_utf8_lossy(html));
    (short, long)
}
