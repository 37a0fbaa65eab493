//! The values of JSON with their bytes, by a walk over its tokens.

pub(super) mod feed;
pub(super) mod speculation_rules;

use std::collections::BTreeMap;
use std::ops::Range;

use serde_json::Deserializer;
use serde_json::value::RawValue;

use super::escapes::{Around, without_references};
use crate::text::Text;

/// What is known of a value.
pub(super) enum Node {
    /// A string, without its quotes.
    Text(Range<usize>),
    /// The members of an object; of several with one name, the last.
    Object(BTreeMap<String, Self>),
    /// The elements of an array.
    Array(Vec<Self>),
    Other,
}

impl Node {
    /// Reads a text, with the objects and arrays in it up to a depth; `None` if it is not JSON.
    fn of(text: &Text<'_>, depth: usize) -> Option<Self> {
        serde_json::from_str::<&RawValue>(&text.text).ok()?;
        Some(Walk { text, at: 0 }.node(depth))
    }
}

/// Returns the text of a string.
pub(super) fn string<'t>(text: &'t Text<'_>, node: &Node) -> Option<Text<'t>> {
    let Node::Text(range) = node else { return None };
    Some(without_references(text, range.clone(), Around::JsonString))
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
        let (mut members, mut elements) = (BTreeMap::new(), Vec::new());
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
                _ => elements.push(self.node(depth)),
            }
        }
        self.at += 1;
        if is_object { Node::Object(members) } else { Node::Array(elements) }
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
