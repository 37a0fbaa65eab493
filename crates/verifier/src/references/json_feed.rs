//! The references of JSON Feed, by a walk over its tokens.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use absolve_links::{Grammar, Row, Syntax};
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
        gather_object("feed", &feed, text, gatherer);
    }
}

fn string<'t>(text: &'t Text<'_>, node: &Node) -> Option<Text<'t>> {
    let Node::Text(range) = node else { return None };
    Some(without_references(text, range.clone(), Around::JsonString))
}

/// Gathers the references of an object, whose members are those of a table of places.
fn gather_object(object: &str, members: &BTreeMap<String, Node>, text: &Text<'_>, gatherer: &mut Gatherer<'_>) {
    let table = gatherer.table;
    let scope = gatherer.scope;
    for (name, node) in members {
        let is_of_object = |row: &&Row| row.syntax == Syntax::Json && row.element == object;
        let inner = match (object, &**name) {
            ("feed", "items") => "item",
            ("feed", "hubs") => "hub",
            ("feed" | "item", "author" | "authors") => "author",
            ("item", "attachments") => "attachment",
            _ => "",
        };
        match (node, table.rows_of(name).find(is_of_object)) {
            (Node::Object(inside), _) if !inner.is_empty() => gather_object(inner, inside, text, gatherer),
            (Node::Array(all), _) if !inner.is_empty() => {
                for one in all {
                    if let Node::Object(inside) = one {
                        gather_object(inner, inside, text, gatherer);
                    }
                }
            }
            (Node::Text(range), Some(row)) if !trimmed(&text.text, range.clone()).is_empty() => {
                let is_html = row.grammar == Grammar::Html;
                let range = if is_html { range.clone() } else { trimmed(&text.text, range.clone()) };
                if is_html {
                    let url = members.get("url").and_then(|url| string(text, url)).map(|url| url.text.into_owned());
                    let link = url.filter(|url| !url.trim().is_empty());
                    gatherer.scope = gatherer.open(Scope::Item { link, within: scope });
                }
                gatherer.add_value(row, &without_references(text, range, Around::JsonString), object);
                gatherer.scope = scope;
            }
            _ => {}
        }
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
            b'{' if depth > 0 => Node::Object(self.object(depth - 1)),
            b'[' if depth > 0 => Node::Array(self.array(depth - 1)),
            _ => {
                self.skip();
                Node::Other
            }
        }
    }

    fn object(&mut self, depth: usize) -> BTreeMap<String, Node> {
        let mut members = BTreeMap::new();
        self.at += 1;
        loop {
            match self.next() {
                b'}' => {
                    self.at += 1;
                    return members;
                }
                b',' => self.at += 1,
                _ => {
                    let name = string(self.text, &Node::Text(self.string()));
                    let name = name.map(|name| name.text.into_owned()).unwrap_or_default();
                    self.next();
                    self.at += ":".len();
                    members.insert(name, self.node(depth));
                }
            }
        }
    }

    /// Returns the objects in an array.
    fn array(&mut self, depth: usize) -> Vec<Node> {
        let mut objects = Vec::new();
        self.at += 1;
        loop {
            match self.next() {
                b']' => {
                    self.at += 1;
                    return objects;
                }
                b',' => self.at += 1,
                _ => {
                    let node = self.node(depth);
                    objects.extend(matches!(node, Node::Object(_)).then_some(node));
                }
            }
        }
    }

    /// Passes a string, and returns what is in its quotes.
    fn string(&mut self) -> Range<usize> {
        let (start, bytes) = (self.at + 1, self.text.text.as_bytes());
        let mut end = start;
        while bytes[end] != b'"' {
            end += if bytes[end] == b'\\' { 2 } else { 1 };
        }
        self.at = end + 1;
        start..end
    }

    /// Passes another value, however deep.
    fn skip(&mut self) {
        let mut depth = 0_usize;
        loop {
            match self.next() {
                b'"' => drop(self.string()),
                b'{' | b'[' => (depth, self.at) = (depth + 1, self.at + 1),
                b'}' | b']' => (depth, self.at) = (depth - 1, self.at + 1),
                _ => {
                    let is_end = |character| matches!(character, ',' | '}' | ']' | ' ' | '\t' | '\n' | '\r');
                    let rest = &self.text.text[self.at + 1..];
                    self.at += 1 + if depth == 0 { rest.find(is_end).unwrap_or(rest.len()) } else { 0 };
                }
            }
            if depth == 0 {
                return;
            }
        }
    }

    /// Passes white space, and returns the byte behind it.
    fn next(&mut self) -> u8 {
        let text = &self.text.text;
        self.at = text.len() - text[self.at..].trim_start_matches([' ', '\t', '\n', '\r']).len();
        text.as_bytes()[self.at]
    }
}
