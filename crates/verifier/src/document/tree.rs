//! The trees of two documents.

use absolve_links::{DocumentType, Table};
use html5ever::tendril::TendrilSink;
use html5ever::tree_builder::TreeBuilderOpts;
use html5ever::{Attribute, ParseOpts, parse_document};
use markup5ever_rcdom::{Handle, Node, NodeData, RcDom};

use crate::references::markup::is_conditional;
use crate::references::pieces::depth;

/// Returns the first difference between the trees of two documents, apart from links.
pub(crate) fn difference(old: &str, new: &str, document_type: DocumentType, table: &Table) -> Option<String> {
    let tree = |text: &str| match document_type {
        DocumentType::Html => Some(html_tree(text)),
        // xml5ever visits all open elements for each element.
        DocumentType::Xml if depth(text) > DEPTH => None,
        DocumentType::Xml => {
            Some(xml5ever::driver::parse_document(RcDom::default(), Default::default()).one(text).document)
        }
        _ => None,
    };
    tree_difference(tree(old)?, tree(new)?, table)
}

/// The deepest XML document whose tree is built.
const DEPTH: usize = 1000;

fn html_tree(text: &str) -> Handle {
    let tree_builder = TreeBuilderOpts { scripting_enabled: false, ..TreeBuilderOpts::default() };
    let options = ParseOpts { tree_builder, ..ParseOpts::default() };
    // The same tree was built before within the budget.
    parse_document(RcDom::default(), options).one(text).document
}

fn tree_difference(old: Handle, new: Handle, table: &Table) -> Option<String> {
    let mut pairs = vec![(old, new)];
    while let Some((old, new)) = pairs.pop() {
        if let Some(difference) = node_difference(&old, &new, table) {
            return Some(difference);
        }
        let (old_children, new_children) = (old.children.borrow(), new.children.borrow());
        if old_children.len() != new_children.len() {
            let (before, after) = (old_children.len(), new_children.len());
            return Some(format!("{} has {after} children instead of {before}", name(&old)));
        }
        pairs.extend(old_children.iter().cloned().zip(new_children.iter().cloned()));
        if let (NodeData::Element { template_contents: old, .. }, NodeData::Element { template_contents: new, .. }) =
            (&old.data, &new.data)
        {
            pairs.extend(old.borrow().iter().cloned().zip(new.borrow().iter().cloned()));
        }
    }
    None
}

fn node_difference(old: &Node, new: &Node, table: &Table) -> Option<String> {
    match (&old.data, &new.data) {
        (NodeData::Document, NodeData::Document) => None,
        (NodeData::Doctype { name: old, .. }, NodeData::Doctype { name: new, .. }) if old == new => None,
        (
            NodeData::Element { name: old_name, attrs: old, .. },
            NodeData::Element { name: new_name, attrs: new, .. },
        ) if old_name == new_name => {
            let (old, new) = (old.borrow(), new.borrow());
            let differs = old.iter().zip(new.iter()).find(|(old, new)| !are_alike(old, new, table));
            match differs {
                Some((attribute, _)) => Some(format!("{}@{} differs", old_name.local, attribute.name.local)),
                None if old.len() != new.len() => Some(format!("{} has other attributes", old_name.local)),
                None => None,
            }
        }
        (NodeData::Text { contents: old_text }, NodeData::Text { contents: new_text }) => {
            let is_same = old_text == new_text || may_hold_links(old, table);
            (!is_same).then(|| format!("the text {:?} differs", shortened(&old_text.borrow())))
        }
        (NodeData::Comment { contents: old }, NodeData::Comment { contents: new }) => (old != new
            && !(is_conditional(old) && is_conditional(new)))
        .then(|| format!("the comment {:?} differs", shortened(old))),
        (NodeData::ProcessingInstruction { target: old, .. }, NodeData::ProcessingInstruction { target: new, .. })
            if old == new =>
        {
            None
        }
        _ => Some(format!("{} has become {}", name(old), name(new))),
    }
}

fn are_alike(old: &Attribute, new: &Attribute, table: &Table) -> bool {
    let local = old.name.local.to_ascii_lowercase();
    let is_known =
        || table.rows().iter().any(|row| row.attribute.rsplit(':').next().is_some_and(|name| *name == *local));
    old.name == new.name && (old.value == new.value || is_known())
}

/// Reports whether the text of an element may hold links.
fn may_hold_links(text: &Node, table: &Table) -> bool {
    let parent = text.parent.take();
    let element = parent.as_ref().and_then(|parent| parent.upgrade());
    text.parent.set(parent);
    let Some(element) = element else { return false };
    let NodeData::Element { name, .. } = &element.data else { return false };
    let local = name.local.to_ascii_lowercase();
    let is_row = |element: &str| element.rsplit(':').next().is_some_and(|name| *name == *local);
    *local == *"style" || table.rows().iter().any(|row| row.attribute.is_empty() && is_row(&row.element))
}

fn name(node: &Node) -> String {
    match &node.data {
        NodeData::Document => "the document".into(),
        NodeData::Element { name, .. } => format!("the element {}", name.local),
        NodeData::Text { .. } => "a text".into(),
        NodeData::Comment { .. } => "a comment".into(),
        NodeData::Doctype { .. } => "the doctype".into(),
        NodeData::ProcessingInstruction { .. } => "an instruction".into(),
    }
}

fn shortened(text: &str) -> String {
    text.chars().take(40).collect()
}
