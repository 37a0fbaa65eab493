//! The references of JSON Feed.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::slice;

use super::{Node, string};
use crate::references::escapes::{Around, without_references};
use crate::references::found::Scope;
use crate::references::gatherer::Gatherer;
use crate::text::Text;
use crate::values::trimmed;
use absolve_links::{Grammar, Row, Syntax};

/// The objects and arrays around the URL of an author of an item.
const DEPTH: usize = 5;

/// Gathers the references of a feed; there are none in what is no JSON, or states no version.
pub(crate) fn gather(text: &Text<'_>, gatherer: &mut Gatherer<'_>) {
    // What had to be decoded is not UTF-8.
    let is_utf_8 = !matches!(text.text, Cow::Owned(_));
    let Some(Node::Object(feed)) = Node::of(text, DEPTH).filter(|_| is_utf_8) else { return };
    let version = feed.get("version").and_then(|node| string(text, node));
    if version.is_some_and(|version| version.text.starts_with("https://jsonfeed.org/version/1")) {
        gatherer.found.value_end = Some("</");
        gather_object("feed", &feed, text, gatherer);
    }
}

/// Gathers the references of an object, whose members are those of a table of places.
fn gather_object(object: &str, members: &BTreeMap<String, Node>, text: &Text<'_>, gatherer: &mut Gatherer<'_>) {
    let (table, scope) = (gatherer.table, gatherer.scope);
    for (name, node) in members {
        let inner = match (object, &**name) {
            ("feed", "items") => "item",
            ("feed", "hubs") => "hub",
            ("feed" | "item", "author" | "authors") => "author",
            ("item", "attachments") => "attachment",
            _ => "",
        };
        let objects = if let Node::Array(all) = node { all } else { slice::from_ref(node) };
        for one in objects.iter().filter(|_| !inner.is_empty()) {
            if let Node::Object(inside) = one {
                gather_object(inner, inside, text, gatherer);
            }
        }
        let is_of_object = |row: &&Row| row.syntax == Syntax::Json && row.element == object;
        let (Node::Text(range), Some(row)) = (node, table.rows_of(name).find(is_of_object)) else { continue };
        let inside = trimmed(&text.text, range.clone());
        if inside.is_empty() {
            continue;
        }
        let is_html = row.grammar == Grammar::Html;
        if is_html {
            let url = members.get("url").and_then(|url| string(text, url)).map(|url| url.text.into_owned());
            let link = url.filter(|url| !url.trim().is_empty());
            gatherer.scope = gatherer.open(Scope::Item { link, is_unclear: false, within: scope });
        }
        let range = if is_html { range.clone() } else { inside };
        gatherer.add_value(row, &without_references(text, range, Around::JsonString), object);
        gatherer.scope = scope;
    }
}
