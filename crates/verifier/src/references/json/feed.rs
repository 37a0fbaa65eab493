//! The references of JSON Feed, by a walk over its tokens.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;
use std::slice;

use absolve_links::{Grammar, Row, Syntax};
use serde_json::Deserializer;
use serde_json::value::RawValue;

use super::escapes::{Around, without_references};
use super::found::Scope;
use super::gatherer::Gatherer;
use crate::text::Text;
use crate::values::trimmed;

/// What is known of a value.
enum Node {
    /// A string, without its quotes.
    Text(Range<usize>),
    /// The members of an object; of several with one name, the last.
    Object(BTreeMap<String, Self>),
    /// The objects in an array.
    Array(Vec<Self>),
    Other,
}

/// The objects and arrays around the URL of an author of an item.
const DEPTH: usize = 5;

/// Gathers the references of a feed; there are none in what is no JSON, or states no version.
pub(crate) fn gather(text: &Text<'_>, gatherer: &mut Gatherer<'_>) {
    // What had to be decoded is not UTF-8.
    if matches!(text.text, Cow::Owned(_)) || serde_json::from_str::<&RawValue>(&text.text).is_err() {
        return;
    }
    let Node::Object(feed) = (Walk { text, at: 0 }).node(DEPTH) else { return };
    let version = feed.get("version").and_then(|node| string(text, node));
    if version.is_some_and(|version| version.text.starts_with("https://jsonfeed.org/version/1")) {
        gatherer.found.value_end = Some("</");
        gather_object("feed", &feed, text, gatherer);
    }
}

fn string<'t>(text: &'t Text<'_>, node: &Node) -> Option<Text<'t>> {
    let Node::Text(range) = node else { return None };
    Some(without_references(text, range.clone(), Around::JsonString))
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

/// A walk over what is known to be JSON.
struct Walk<'t> {
    text: &'t Text<'t>,
    at: usize,
}

impl Walk<'_> {
    /// Reads a value, with the objects and arrays in it up to a depth.
    fn node(&mut self, depth: usize) -> Node {
        match self.next() {
            b'"' => Node::Text(self.string()),
            open @ (b'{' | b'[') if depth > 0 => self.inside(open, depth - 1),
            _ => {
                self.skip();
                Node::Other
            }
        }
    }

    /// Reads an object or an array.
    fn inside(&mut self, open: u8, depth: usize) -> Node {
        let is_object = open == b'{';
        let (mut members, mut objects) = (BTreeMap::new(), Vec::new());
        self.at += 1;
        loop {
            match self.next() {
                b',' => self.at += 1,
                b'}' | b']' => break,
                _ if is_object => {
                    let name = string(self.text, &Node::Text(self.string()));
                    self.next();
                    self.at += ":".len();
                    members.insert(name.map(|name| name.text.into_owned()).unwrap_or_default(), self.node(depth));
                }
                _ => objects.extend(Some(self.node(depth)).filter(|node| matches!(node, Node::Object(_)))),
            }
        }
        self.at += 1;
        if is_object { Node::Object(members) } else { Node::Array(objects) }
    }

    /// Passes a string, and returns what is in its quotes.
    fn string(&mut self) -> Range<usize> {
        let start = self.at + 1;
        self.skip();
        start..self.at - 1
    }

    /// Passes a value, however deep.
    fn skip(&mut self) {
        let mut values = Deserializer::from_str(&self.text.text[self.at..]).into_iter::<&RawValue>();
        values.next();
        self.at += values.byte_offset();
    }

    /// Passes white space, and returns the byte behind it.
    fn next(&mut self) -> u8 {
        let text = &self.text.text;
        self.at = text.len() - text[self.at..].trim_start_matches([' ', '\t', '\n', '\r']).len();
        text.as_bytes()[self.at]
    }
}
