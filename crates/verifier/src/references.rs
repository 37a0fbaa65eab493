//! The references of a document of any type.

pub(crate) mod attributes;
mod codebase;
mod css;
mod entities;
mod escapes;
pub(crate) mod found;
mod gatherer;
mod html;
mod items;
pub(crate) mod markup;
mod namespaces;
pub(crate) mod pieces;
pub(crate) mod xml;

use absolve_links::{DocumentType, Table};
use found::{Found, Place, UNKNOWN};
use gatherer::{Gatherer, Unread};

use crate::text::Text;
use crate::values;

/// Returns the references of a document.
pub(crate) fn references(text: &Text<'_>, document_type: DocumentType, table: &Table) -> Result<Found, Unread> {
    let mut gatherer = Gatherer::new(table, html::gather);
    match document_type {
        DocumentType::Html => html::gather(text, &mut gatherer)?,
        DocumentType::Xml => xml::gather(text, &mut gatherer)?,
        DocumentType::Css => gatherer.add_css(text, &Place::default(), UNKNOWN),
        DocumentType::Field => gatherer.add_all(text, values::field(&text.text), &Place::default()),
        _ => gatherer.add_all(text, values::marked(&text.text), &Place::default()),
    }
    let mut found = gatherer.found;
    found.references.sort_by_key(|reference| (reference.range.start, reference.range.end));
    Ok(found)
}
