//! Speculation rules that are a document of their own, which the header field `Speculation-Rules` names.

use crate::document::{Document, behind_mark};
use crate::gather::Gatherer;
use crate::html;
use crate::scan::{Refusal, Scan, Scope};
use crate::table::Table;
use crate::value::json::whole;

/// Finds the links of a set of rules that is a document of its own. Rules relative to `document` mean the pages that name it.
pub(crate) fn scan(document: &Document<'_>, table: &Table) -> Result<Scan, Refusal> {
    let mark = behind_mark(document.bytes());
    let text = mark..document.bytes().len();
    whole(&document.bytes()[text.clone()]).map_err(|byte| Refusal::NotJson(mark + byte))?;
    let mut gatherer = Gatherer::new(document, table, table.html(|| document.is_amp()), html::scan);
    gatherer.scan.scopes.push(Scope::Unknown);
    let of_document = gatherer.scan.scopes.len() - 1;
    gatherer.speculation_rules(text, 0, of_document);
    Ok(gatherer.finish(None))
}
