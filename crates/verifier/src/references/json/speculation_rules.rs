//! The references of speculation rules (HTML Standard, section 7.6.1).

use std::collections::BTreeMap;
use std::slice;

use absolve_links::{Grammar, Row, Syntax};

use super::{Node, string};
use crate::references::escapes::{Around, without_references};
use crate::references::gatherer::Gatherer;
use crate::text::Text;
use crate::values::trimmed;

/// The objects and arrays around a link that is read.
const DEPTH: usize = 32;

/// Gathers the references of a set of rules; `of_document` is the scope of those that are relative to the document.
pub(crate) fn gather(text: &Text<'_>, of_document: usize, gatherer: &mut Gatherer<'_>) {
    // An array of links is not counted.
    if let Some(rules @ Node::Object(_)) = Node::of(text, DEPTH + 1) {
        gather_value(&rules, DEPTH, text, of_document, gatherer);
    }
}

fn gather_value(node: &Node, depth: usize, text: &Text<'_>, of_document: usize, gatherer: &mut Gatherer<'_>) {
    match node {
        Node::Array(elements) if depth > 0 => {
            elements.iter().for_each(|one| gather_value(one, depth - 1, text, of_document, gatherer));
        }
        Node::Object(members) if depth > 0 => gather_object(members, depth - 1, text, of_document, gatherer),
        _ => {}
    }
}

fn gather_object(
    members: &BTreeMap<String, Node>,
    depth: usize,
    text: &Text<'_>,
    of_document: usize,
    gatherer: &mut Gatherer<'_>,
) {
    let (table, around) = (gatherer.table, gatherer.scope);
    let is_of_document =
        members.get("relative_to").and_then(|node| string(text, node)).is_some_and(|place| place.text == "document");
    for (name, node) in members {
        let is_of_rules = |row: &&Row| row.syntax == Syntax::Json && row.element == "speculationrules";
        match (&**name, table.rows_of(name).find(is_of_rules)) {
            (_, Some(row)) => {
                gatherer.scope = if is_of_document { of_document } else { around };
                let links = if let Node::Array(all) = node { all } else { slice::from_ref(node) };
                for link in links {
                    if let Node::Text(range) = link
                        && !range.is_empty()
                    {
                        let value = without_references(text, range.clone(), Around::JsonString);
                        let written = match row.grammar {
                            Grammar::UrlPattern => 0..value.text.len(),
                            _ => trimmed(&value.text, 0..value.text.len()),
                        };
                        gatherer.add_value(row, &value.within(written), &row.element);
                    }
                }
                gatherer.scope = around;
            }
            ("where" | "and" | "or" | "not", _) => gather_value(node, depth, text, of_document, gatherer),
            (list, _) if list.starts_with("prefetch") || list.starts_with("prerender") => {
                gather_value(node, depth, text, of_document, gatherer);
            }
            _ => {}
        }
    }
}
