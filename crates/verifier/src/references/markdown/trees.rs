//! The trees of a document, one after another: the tree of a long document would take two hundred times as much memory as the document.

use std::collections::HashMap;
use std::sync::Arc;

use absolve_links::markdown_cut;
use comrak::nodes::{AstNode, NodeCodeBlock, NodeHtmlBlock, NodeValue};
use comrak::options::BrokenLinkReference;
use comrak::{Arena, Options, ResolvedReference, parse_document};

use super::marks::Marked;

/// The bytes of which a tree is made at least, unless the document ends.
const LEAST: usize = 32 << 10;

/// The definitions of a document of several trees: each is known in all of them.
#[derive(Default)]
pub(super) struct Definitions {
    /// The number of the first definition of each label.
    by_label: HashMap<String, usize>,
    /// The labels of all.
    labels: HashMap<usize, String>,
}

impl Definitions {
    pub(super) fn of(marked: &Marked) -> Self {
        let mut found = Self::default();
        let numbered = marked.labels.iter().filter_map(|label| Some((label.number?, key(&label.label))));
        if marked.text.len() > LEAST {
            found.labels.extend(numbered);
        }
        if !found.labels.is_empty() {
            each_tree(marked, &Self::default(), &mut |tree, first_line| {
                let references = tree.children().take_while(|node| node.data().sourcepos.start.line < first_line);
                for link in references.filter_map(|paragraph| paragraph.first_child()) {
                    let NodeValue::Link(link) = &link.data().value else { continue };
                    let number = marked.numbers(&link.url).next();
                    let label = number.and_then(|number| found.labels.get(&number));
                    label.zip(number).into_iter().for_each(|(label, number)| {
                        found.by_label.entry(label.clone()).or_insert(number);
                    });
                }
            });
        }
        found
    }

    /// Returns the number of the definition that counts for the label of another one.
    pub(super) fn first(&self, number: usize) -> usize {
        self.labels.get(&number).and_then(|label| self.by_label.get(label)).copied().unwrap_or(number)
    }
}

/// Returns a label as labels are compared (CommonMark 0.31, section 6.3).
fn key(label: &str) -> String {
    label.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase().to_uppercase()
}

/// Reads the trees of a document, each behind references to the labels in it, with the line from 1 in which the document begins.
pub(super) fn each_tree(
    marked: &Marked,
    definitions: &Definitions,
    read: &mut dyn for<'a> FnMut(&'a AstNode<'a>, usize),
) {
    let resolved = |reference: BrokenLinkReference<'_>| {
        let number = definitions.by_label.get(&key(reference.normalized))?;
        Some(ResolvedReference { url: format!("{}{number}z", marked.mark), title: String::new() })
    };
    let mut options = options();
    options.parse.broken_link_callback = Some(Arc::new(resolved));
    let (mut start, mut least, mut labels) = (0, LEAST, &*marked.labels);
    while start < marked.text.len() {
        let end = markdown_cut(&marked.text, start + least);
        let (inside, others) = labels.split_at(labels.partition_point(|label| label.end < end));
        let mut text: String = inside.iter().map(|label| format!("[{}]\n\n", label.label)).collect();
        let first_line = 1 + text.matches('\n').count();
        text.push_str(&marked.text[start..end]);
        let arena = Arena::new();
        let tree = parse_document(&arena, &text, &options);
        if end < marked.text.len() && tree.last_child().is_some_and(|block| goes_on(block, &text)) {
            least *= 2;
            continue;
        }
        read(tree, first_line);
        (start, least, labels) = (end, LEAST, others);
    }
}

/// Reports whether the last block of a text may go on behind it.
fn goes_on<'a>(block: &'a AstNode<'a>, text: &str) -> bool {
    let last = text.lines().next_back().unwrap_or_default();
    let is_behind_blank = last.trim().is_empty();
    let block = block.data();
    match &block.value {
        NodeValue::CodeBlock(code) => {
            let NodeCodeBlock { fenced, closed, .. } = **code;
            fenced && !closed
        }
        NodeValue::HtmlBlock(NodeHtmlBlock { block_type, literal }) => {
            let end = literal.trim_end();
            let last = end[end.rfind('\n').unwrap_or(0)..].to_ascii_lowercase();
            let ends: &[&str] = match block_type {
                1 => &["</script>", "</pre>", "</style>", "</textarea>"],
                2 => &["-->"],
                3 => &["?>"],
                4 => &[">"],
                5 => &["]]>"],
                _ => return !is_behind_blank,
            };
            !ends.iter().any(|end| last.contains(end))
        }
        // Behind a definition, a paragraph may go on: then it is none.
        _ => last.starts_with('[') && block.sourcepos.end.line >= text.lines().count(),
    }
}

/// What decides about links. Whether text is struck out does not, and comrak takes quadratic time for that.
fn options<'c>() -> Options<'c> {
    let mut options = Options::default();
    let extension = &mut options.extension;
    (extension.table, extension.footnotes) = (true, true);
    (extension.tasklist, extension.math_dollars) = (true, true);
    options
}
