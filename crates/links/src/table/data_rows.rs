//! The rows for JSON Feed, for speculation rules, and for the front matter of Markdown.

use super::row::{Grammar, Group, Syntax};
use super::rows::{Rows, holding, of, url};

const fn in_json(mut rows: Rows) -> Rows {
    rows.row.syntax = Syntax::Json;
    rows
}

const fn member(objects: &'static str, names: &'static str) -> Rows {
    in_json(url(objects, names, "JSON Feed 1.1"))
}

const fn rule(name: &'static str) -> Rows {
    in_json(url("speculationrules", name, "WHATWG HTML"))
}

const fn key(names: &'static str) -> Rows {
    let mut rows = of(Group::FrontMatter, url("front-matter", names, "generators of sites"));
    rows.row.syntax = Syntax::FrontMatter;
    rows
}

/// The rows. The names of objects are ours.
pub(super) static ROWS: [Rows; 8] = [
    member("feed", "home_page_url feed_url next_url icon favicon"),
    member("author", "url avatar"),
    member("hub attachment", "url"),
    member("item", "url external_url image banner_image"),
    holding(Grammar::Html, member("item", "content_html")),
    rule("urls"),
    holding(Grammar::UrlPattern, rule("href_matches")),
    key("image url"),
];
