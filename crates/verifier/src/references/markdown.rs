//! The references of Markdown, by comrak.
//!
//! The tree of comrak says what is a link, but its places are not exact. So all that may be a destination or a tag is marked first, and
//! what has a mark in the tree is one.

mod marks;
mod trees;

use absolve_links::{Syntax, front_matter_end, is_markdown_too_large, is_text_in_markdown};
use comrak::arena_tree::NodeEdge;
use comrak::nodes::{AstNode, NodeValue};

use super::found::Reference;
use super::gatherer::{Gatherer, TooMuchWork};
use super::html::gather_fragment;
use crate::text::Text;
use marks::{Candidate, Kind, Marked};
use trees::{Definitions, each_tree};

/// Gathers the references of a document.
pub(crate) fn gather(text: &Text<'_>, gatherer: &mut Gatherer<'_>) -> Result<(), TooMuchWork> {
    if is_markdown_too_large(&text.text) {
        return Err(TooMuchWork);
    }
    gather_front_matter(text, gatherer);
    let marked = Marked::of(&text.text);
    let definitions = Definitions::of(&marked);
    let mut uses = vec![Uses::default(); marked.candidates.len()];
    each_tree(&marked, &definitions, &mut |tree, first_line| {
        gather_tree(text, tree, (&marked, &definitions, first_line), &mut uses, gatherer);
    });
    for (candidate, uses) in marked.candidates.iter().zip(uses) {
        if candidate.kind == Kind::Tag || !(uses.by_link || uses.by_image || uses.by_label) {
            continue;
        }
        let place = gatherer.place(if uses.by_image && !uses.by_link { "image" } else { "" }, "");
        let found = marks::read(text, candidate);
        gatherer.found.references.push(Reference { is_whole: true, ..Reference::of(found, place, gatherer.scope) });
    }
    gatherer.found.needs_line_ends = true;
    Ok(())
}

/// Gathers the tags of a tree, and how its destinations are used.
fn gather_tree<'a>(
    text: &Text<'_>,
    tree: &'a AstNode<'a>,
    (marked, definitions, first_line): (&Marked, &Definitions, usize),
    uses: &mut [Uses],
    gatherer: &mut Gatherer<'_>,
) {
    // Of each link around the place, whether it holds another one and so is not a link.
    let (mut images, mut links) = (0_usize, Vec::new());
    for edge in tree.traverse() {
        let (node, is_start) = match edge {
            NodeEdge::Start(node) => (node, true),
            NodeEdge::End(node) => (node, false),
        };
        match &node.data().value {
            NodeValue::Image(_) if !is_start => images -= 1,
            NodeValue::Link(link) if !is_start => {
                let is_probe = node.data().sourcepos.start.line < first_line;
                let is_link = links.pop() == Some(false) && images == 0;
                for number in marked.numbers(&link.url).filter(|_| is_link) {
                    uses[definitions.first(number)].by_link |= !is_probe;
                    uses[number].by_label |= is_probe && definitions.first(number) == number;
                }
            }
            _ if !is_start => {}
            NodeValue::Link(link) => {
                let holds_link = !marked.is_autolink(&link.url);
                links.iter_mut().for_each(|around| *around |= holds_link);
                links.push(false);
            }
            // The text of an image is shown as text.
            NodeValue::Image(link) => {
                let shown = if images == 0 { marked.numbers(&link.url).next() } else { None };
                shown.into_iter().for_each(|number| uses[definitions.first(number)].by_image = true);
                images += 1;
            }
            NodeValue::HtmlBlock(block) if images == 0 => {
                if let Some(block) = marked.block(&block.literal, text) {
                    gather_fragment(&block, 0..block.text.len(), gatherer);
                }
            }
            // In a comment or an instruction, tags are text.
            NodeValue::HtmlInline(html) if html.starts_with("<?") || is_comment(html) => {}
            NodeValue::HtmlInline(html) if images == 0 => {
                let is_in_cell = || node.ancestors().any(|around| matches!(around.data().value, NodeValue::TableCell));
                for number in marked.numbers(html) {
                    let Candidate { range, kind, .. } = &marked.candidates[number];
                    let written = &text.text[range.clone()];
                    let has_escaped_bar = written.contains("\\|") && is_in_cell();
                    if *kind == Kind::Tag && !is_text_in_markdown(written) && !has_escaped_bar {
                        gather_fragment(text, range.clone(), gatherer);
                    }
                }
            }
            _ => {}
        }
    }
}

/// Gathers the references of front matter: those of keys that begin a line, if their value ends in it.
fn gather_front_matter(text: &Text<'_>, gatherer: &mut Gatherer<'_>) {
    let Some(end) = front_matter_end(&text.text) else { return };
    let is_toml = text.text.trim_start_matches('\u{FEFF}').starts_with('+');
    let is_long = |line: &&str| line.contains("'''") || line.contains("\"\"\"") || line.starts_with('[');
    let block = text.text[..end].split_inclusive('\n').skip(1).collect::<Vec<_>>();
    let lines = block.iter().copied().take_while(|line| !is_toml || !is_long(line));
    for (line, next) in lines.zip(block.iter().skip(1)) {
        let Some((key, behind)) = line.split_once([':', '=']) else { continue };
        let row = gatherer.table.rows_of(key.trim_end()).find(|row| row.syntax == Syntax::FrontMatter);
        let (Some(row), Some(value)) = (row, single_line(behind, is_toml)) else { continue };
        let is_alone = is_toml || !next.starts_with([' ', '\t']) || next.trim().is_empty();
        if is_alone && line[key.len()..].starts_with(if is_toml { '=' } else { ':' }) {
            let start = value.as_ptr() as usize - text.text.as_ptr() as usize;
            gatherer.add_value(row, &text.within(start..start + value.len()), &row.element);
        }
    }
}

/// Returns the text of a scalar that ends in its line, if it is written without escapes.
fn single_line(behind: &str, is_toml: bool) -> Option<&str> {
    let value = behind.trim();
    let quote = value.chars().next().filter(|first| matches!(first, '"' | '\''));
    let Some(quote) = quote else {
        let scalar = value.find(" #").map_or(value, |comment| &value[..comment]).trim_end();
        let is_mapping = scalar.contains(": ") || scalar.ends_with(':') || !behind.starts_with([' ', '\t']);
        let is_other = ["~", "null", "true", "false", "yes", "no", "off"].contains(&&*scalar.to_ascii_lowercase());
        let is_indicated = scalar.starts_with(|first: char| "-?,[]{}#&*!|>%@`".contains(first));
        return (!is_toml && !is_mapping && !is_other && !is_indicated).then_some(scalar);
    };
    let end = 1 + value[1..].find(quote)?;
    let rest = value[end + 1..].trim_start();
    let is_end = rest.is_empty() || rest.starts_with('#');
    (is_end && !(quote == '"' && value[..end].contains('\\'))).then_some(&value[1..end])
}

/// Reports whether inline HTML is a comment or a section, and no conditional comment.
fn is_comment(html: &str) -> bool {
    html.starts_with("<!") && !html.starts_with("<!--[if")
}

/// What leads to a destination.
#[derive(Clone, Copy, Default)]
struct Uses {
    by_link: bool,
    by_image: bool,
    /// The reference to its label that was put before the document.
    by_label: bool,
}
