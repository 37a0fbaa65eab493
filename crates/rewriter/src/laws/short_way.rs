//! The fast way for plain references makes the same edits and the same rows as the full way.

use std::ops::ControlFlow;
use std::sync::{Arc, LazyLock};

use absolve_base::Retrieval;
use absolve_links::{Document, DocumentType, Edits};

use crate::document::classify::decide_all;
use crate::document::classify::decision::{Decision, Depth};
use crate::document::context::DocumentContext;
use crate::entity::Entity;
use crate::list::row::row;
use crate::options::Options;
use crate::provenance::local_copies::LocalPaths;
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

/// Files of half of all URLs.
#[derive(Debug)]
struct Half;

impl LocalPaths for Half {
    fn reference(&self, url: &str) -> Option<String> {
        let (page, fragment) = url.split_at(url.find('#').unwrap_or(url.len()));
        (page.len() % 2 == 0).then(|| format!("local.html{fragment}"))
    }
}

/// Returns how many references went the fast way, and how many the full one.
pub(crate) fn compared(html: &[u8], base: usize) -> (usize, usize) {
    let base = BASES[base % BASES.len()];
    let entity = Entity::bare_file(html, DocumentType::Html).retrieved_from(Retrieval::given(base));
    let [(short, long), _] =
        [entity.clone(), entity.with_local_paths(Arc::new(Half))].map(|entity| both_ways(&entity, base));
    (short, long)
}

fn both_ways(entity: &Entity<'_>, base: &str) -> (usize, usize) {
    let (mut short, mut long) = (0, 0);
    let html = entity.bytes;
    static OPTIONS: LazyLock<Options> = LazyLock::new(Options::default);
    let options: &Options = &OPTIONS;
    let document = Document::new(html, DocumentType::Html);
    let Ok(scan) = document.scan(&options.table) else { return (0, 0) };
    let Some(context) = DocumentContext::new(&document, &scan, &entity.parts[0], options) else { return (0, 0) };
    let outcomes = [Depth::Fast, Depth::Full].map(|depth| {
        let (mut edits, mut absolute, mut full) = (Edits::default(), 0, 0);
        let (mut rows, mut scratch) = (Vec::new(), String::new());
        let _ = decide_all(&context, depth, |link, decision| {
            let mut read = None;
            rows.extend(row(&context, link, &decision, (&mut read, &mut scratch)).map(|row| format!("{row:?}")));
            match decision {
                Decision::Fast { range, prefix } => {
                    edits.push(range, prefix.as_bytes());
                    short += 1;
                }
                Decision::Full { reference, status: Status::Relative, target, .. } => {
                    reference.edit_to(target, &mut edits);
                    full += 1;
                }
                Decision::Local { reference: Some(reference), path } => reference.edit_to(path, &mut edits),
                Decision::Local { reference: None, path } => edits.push(link.range.clone(), path.as_bytes()),
                Decision::Absolute | Decision::Full { status: Status::Absolute, .. } => absolute += 1,
                Decision::Full { .. } => {}
            }
            ControlFlow::Continue(())
        });
        long = full;
        // What a path has in common with the reference at its end may be left out.
        let written = entity.parts[0].local_paths.is_some().then(|| edits.splice(html));
        (if written.is_some() { Edits::default() } else { edits }, written, absolute, rows)
    });
    assert_eq!(outcomes[0], outcomes[1], "{} at {base}", String::from_utf8_lossy(html));
    (short, long)
}
