//! The rows for JSON Feed.

use super::row::{Grammar, Syntax};
use super::rows::{Rows, holding, url};

const fn member(objects: &'static str, names: &'static str, source: &'static str) -> Rows {
    let mut rows = url(objects, names, source);
    rows.row.syntax = Syntax::Json;
    rows
}

/// The rows. The names of objects are ours.
pub(super) static ROWS: [Rows; 5] = [
    member("feed", "home_page_url feed_url next_url icon favicon", "JSON Feed 1.1"),
    member("author", "url avatar", "JSON Feed 1.1"),
    member("hub attachment", "url", "JSON Feed 1.1"),
    member("item", "url external_url image banner_image", "JSON Feed 1.1"),
    holding(Grammar::Html, member("item", "content_html", "JSON Feed 1.1")),
];
