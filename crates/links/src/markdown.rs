//! Links in Markdown (CommonMark 0.31 and GitHub Flavored Markdown).
//!
//! pulldown-cmark says which links there are, and what their destinations mean. Where a destination stands is found in the bytes of
//! its link; what does not mean the same there stays, with a remark. Markup in it is read by the tokenizer of HTML.

pub(crate) mod budget;
mod corrections;
mod destination;
pub(crate) mod front_matter;
pub(crate) mod pieces;

use crate::document::Document;
use crate::html::Fragments;
use crate::scan::{Link, Place, Refusal, RemarkKind, Scan};
use crate::table::Table;
use crate::table::row::Syntax;
use crate::value::wrappings::Wrappings;
use front_matter::Value;
use pieces::{Piece, Pieces};

/// Finds the links of a document in UTF-8.
pub(crate) fn scan(document: &Document<'_>, text: &str, table: &Table) -> Result<Scan, Refusal> {
    if budget::is_markdown_too_large(text) {
        return Err(Refusal::TreeTooLarge);
    }
    let Pieces { pieces, markup, unlocated, of_wiki, disputed, .. } = Pieces::of(text);
    let html = document.with_markup(&markup);
    let mut fragments = Fragments::new(&html, table);
    for Value { key, range, wrapping } in front_matter::values(text) {
        let row = table.row_of(Syntax::FrontMatter, "front-matter", key);
        row.into_iter().for_each(|row| fragments.add_value(row, range.clone(), wrapping));
    }
    for piece in pieces {
        match piece {
            Piece::Markup(range) => fragments.read(range),
            Piece::Link(range, wrapping, place) => fragments.push(Link {
                range,
                wrappings: Wrappings::of(wrapping),
                place: Place::Markdown(place),
                scope: 0,
            }),
        }
    }
    let mut scan = fragments.finish();
    of_wiki.into_iter().for_each(|byte| scan.remark(RemarkKind::WikiLink, byte));
    disputed.into_iter().for_each(|byte| scan.remark(RemarkKind::Mathematics, byte));
    unlocated.into_iter().for_each(|byte| scan.remark(RemarkKind::Composed, byte));
    Ok(scan)
}
