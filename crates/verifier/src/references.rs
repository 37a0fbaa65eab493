//! The references of a document of any type.

pub(crate) mod attributes;
mod construction;
mod css;
mod element;
mod escapes;
pub(crate) mod found;
mod gatherer;
mod html;
mod items;
mod json;
mod markdown;
mod markup;
mod pieces;
#[cfg(test)]
mod tests;
mod xml;

use absolve_links::{DocumentType, Table, field_references};
use css::custom_properties::mark_foreign;
use found::{Found, UNKNOWN};
use gatherer::{Gatherer, TooMuchWork};

use crate::text::Text;
use crate::values;

/// Returns the references of a document.
pub(crate) fn references(text: &Text<'_>, document_type: DocumentType, table: &Table) -> Result<Found, TooMuchWork> {
    let mut gatherer = Gatherer::new(table, html::gather);
    match document_type {
        DocumentType::Html => html::gather(text, &mut gatherer)?,
        DocumentType::Xml => xml::gather(text, &mut gatherer)?,
        DocumentType::Css => gatherer.add_css(text, &gatherer.place("", ""), UNKNOWN),
        DocumentType::Markdown => markdown::gather(text, &mut gatherer)?,
        DocumentType::JsonFeed => json::feed::gather(text, &mut gatherer),
        DocumentType::SpeculationRules => json::speculation_rules::gather(text, UNKNOWN, &mut gatherer),
        DocumentType::Field => gatherer.add_unfolded(text, field_references(text.text.as_bytes())),
        _ => gatherer.add_unfolded(text, values::marked(&text.text)),
    }
    mark_foreign(&mut gatherer.found, &text.text, document_type);
    let mut found = Found { length: text.raw(text.text.len()..text.text.len()).start, ..gatherer.found };
    found.references.sort_by_key(|reference| (reference.range.start, reference.range.end));
    Ok(found)
}
