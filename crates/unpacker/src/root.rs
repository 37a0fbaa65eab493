//! Which part of a message is the document that a reader shows.

use absolve_rewriter::internal::{Child, Composite, Contents, Disposition, Leaf};

/// Returns the root of each composite, and the document of the whole message: its first page, else its first leaf.
pub(crate) fn roots(contents: &Contents<'_>) -> (Vec<Option<usize>>, Option<usize>) {
    let Contents { leaves, composites, .. } = contents;
    let mut roots = vec![None; composites.len()];
    // Inner ones come after those around them.
    for (index, composite) in composites.iter().enumerate().rev() {
        roots[index] = root_of(contents, composite, &roots);
    }
    let whole = roots.first().copied().unwrap_or((!leaves.is_empty()).then_some(0));
    let is_shown = |leaf: &usize| is_page(&leaves[*leaf]) && contents.is_readable(*leaf);
    (roots, whole.filter(is_shown).or_else(|| (0..leaves.len()).find(is_shown)).or(whole))
}

/// Returns whether a leaf is a page that is shown with the others.
pub(crate) fn is_page(leaf: &Leaf) -> bool {
    is_page_type(&leaf.media_type) && leaf.disposition == Disposition::Inline
}

pub(crate) fn is_page_type(media_type: &str) -> bool {
    ["text/html", "application/xhtml+xml"].contains(&media_type)
}

fn root_of(contents: &Contents<'_>, composite: &Composite, roots: &[Option<usize>]) -> Option<usize> {
    let root = |child: &Child| match *child {
        Child::Leaf(leaf) => Some(leaf),
        Child::Composite(inner) => roots[inner],
    };
    let page = |child: &Child| root(child).filter(|leaf| is_page(&contents.leaves[*leaf]));
    let is_nested =
        |child: &Child| matches!(child, Child::Composite(inner) if is_message(&contents.composites[*inner]));
    let mut children = composite.children.iter();
    let first = || composite.children.iter().find_map(root);
    match &*composite.media_type {
        "multipart/related" => {
            let is_start = |child: &&Child| match child {
                Child::Leaf(leaf) => contents.leaves[*leaf].content_id == composite.start,
                Child::Composite(inner) => contents.composites[*inner].content_id == composite.start,
            };
            let start = children.find(|child| composite.start.is_some() && is_start(child));
            start.and_then(root).or_else(first)
        }
        // The last is the best (RFC 2046, section 5.1.4).
        "multipart/alternative" => {
            children.rev().find_map(page).or_else(|| composite.children.iter().rev().find_map(root))
        }
        _ => children.find_map(|child| page(child).filter(|_| !is_nested(child))).or_else(first),
    }
}

fn is_message(composite: &Composite) -> bool {
    composite.media_type.starts_with("message/")
}
