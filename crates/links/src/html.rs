//! Links of HTML documents.

mod attributes;
mod budget;
mod collector;
mod feedback;
mod find;
#[cfg(any(test, fuzzing))]
pub(crate) mod laws;
mod lite;
mod name;
#[cfg(any(test, fuzzing))]
mod oracle;
mod special;
mod token_level;
mod tokenizer;
mod tree;

use std::ops::Range;

pub use attributes::Quote;
pub(crate) use attributes::{Attribute, attributes, is_space};
pub use budget::Budgeted;
pub(crate) use name::Name;
pub(crate) use tokenizer::ends_tag_name;

use collector::Collector;
use feedback::Feedback;
use lite::Lite;
use tokenizer::tokenize;
use tree::Tree;

use crate::{Document, Refusal, Scan, Table};

/// Finds the links and the embedded BASE of an HTML document.
///
/// The quick way first; where it turns out that only a tree can tell, once more with a tree.
pub(crate) fn scan(document: &Document<'_>, table: &Table) -> Result<Scan, Refusal> {
    let mut lite = Lite::default();
    let mut collector = Collector::new(document, table);
    tokenize(document.bytes(), 0, &mut lite, &mut collector);
    if !lite.is_ambiguous() {
        return Ok(collector.finish(lite.first_base()));
    }
    let mut tree = Tree::new(document.bytes());
    let mut collector = Collector::new(document, table);
    tokenize(document.bytes(), 0, &mut tree, &mut collector);
    if tree.is_over_budget() {
        return Err(Refusal::TreeTooLarge);
    }
    Ok(collector.finish(tree.first_base()))
}

/// The name of the element whose tag begins at byte `tag`, in lower case.
pub(crate) fn element_name(document: &[u8], tag: usize) -> String {
    let rest = &document[tag + 1..];
    let end = rest.iter().position(|byte| ends_tag_name(*byte)).unwrap_or(rest.len());
    String::from_utf8_lossy(&rest[..end]).to_ascii_lowercase()
}

/// The tag that begins at byte `tag`, and all its attributes of the name of that whose value holds `value`, each
/// with the white space before it.
pub(crate) fn tag_and_attributes(
    document: &[u8],
    tag: usize,
    value: &Range<usize>,
) -> Option<(Range<usize>, Vec<Range<usize>>)> {
    let name_length = document[tag + 1..].iter().position(|byte| ends_tag_name(*byte))?;
    let mut all: Vec<Attribute> = Vec::new();
    let end = attributes(document, tag + 1 + name_length, |attribute| all.push(attribute))?.end;
    let holds = |attribute: &&Attribute| attribute.value.start <= value.start && value.end <= attribute.value.end;
    let name = all.iter().find(holds)?.name;
    let whole = |attribute: &Attribute| {
        let quote = usize::from(matches!(attribute.quote, Quote::Double | Quote::Single));
        let before = document[..attribute.name_range.start].iter().rev();
        let start = attribute.name_range.start - before.take_while(|byte| is_space(**byte)).count();
        start..attribute.value.end + quote
    };
    Some((tag..end, all.iter().filter(|attribute| attribute.name == name).map(whole).collect()))
}
