//! The references of a document with the places where they stand, in their order, as html5ever sees them.

use absolve_links::Table;
use html5ever::tendril::TendrilSink;
use html5ever::tree_builder::TreeBuilderOpts;
use html5ever::{ParseOpts, parse_document};
use markup5ever_rcdom::{Handle, NodeData, RcDom};

use super::second_opinion::{References, of_css, of_value, row_of, text_of};

/// A reference in a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Placed {
    pub(crate) element: String,
    pub(crate) attribute: String,
    pub(crate) reference: String,
}

/// The references of a style sheet.
pub(crate) fn of_style_sheet(text: &str) -> Vec<Placed> {
    let mut found = Vec::new();
    of_css(text, &mut found);
    placed("css", "url", found)
}

/// The references of an HTML page.
pub(crate) fn of_page(text: &str, table: &Table) -> Vec<Placed> {
    let tree_builder = TreeBuilderOpts { scripting_enabled: false, ..TreeBuilderOpts::default() };
    let tree = parse_document(RcDom::default(), ParseOpts { tree_builder, ..ParseOpts::default() }).one(text);
    let mut found = Vec::new();
    of_node(&tree.document, table, &mut found);
    found
}

fn of_node(node: &Handle, table: &Table, found: &mut Vec<Placed>) {
    if let NodeData::Element { name, attrs, .. } = &node.data {
        let element = &*name.local;
        for attribute in attrs.borrow().iter() {
            if let Some(row) = row_of(element, attribute, &attrs.borrow(), table) {
                let mut references = References::default();
                of_value(row.grammar, &attribute.value, table, &mut references);
                found.extend(placed(element, &attribute.name.local, references.all));
            }
        }
        if element == "style" {
            let mut references = Vec::new();
            of_css(&text_of(node), &mut references);
            found.extend(placed(element, "text", references));
        }
    }
    node.children.borrow().iter().for_each(|child| of_node(child, table, found));
}

fn placed(element: &str, attribute: &str, references: Vec<String>) -> Vec<Placed> {
    let (element, attribute) = (element.to_owned(), attribute.to_owned());
    let placed = |reference| Placed { element: element.clone(), attribute: attribute.clone(), reference };
    references.into_iter().map(placed).collect()
}
