//! Links in JSON Feed 1.0 and 1.1.
//!
//! serde_json says where the members of objects stand. Of several members with one name the last counts, as for nearly all readers.

use std::borrow::Cow;

use crate::document::{Document, behind_mark};
use crate::document_type::JSON_FEED;
use crate::gather::Gatherer;
use crate::html;
use crate::scan::{Place, Refusal, Scan, Scope};
use crate::table::Table;
use crate::table::row::{Grammar, Syntax};
use crate::value::json::{each, text_of, whole};
use crate::value::wrapping::Wrapping;

/// Finds the links of a feed.
pub(crate) fn scan(document: &Document<'_>, table: &Table) -> Result<Scan, Refusal> {
    let bytes = document.bytes();
    let mark = behind_mark(bytes);
    let (text, feed) = whole(&bytes[mark..]).map_err(|byte| Refusal::NotJson(mark + byte))?;
    let mut version = None;
    each(feed, |name, value| version = if text_of(name) == "version" { Some(value) } else { version });
    if !version.is_some_and(|version| text_of(version).starts_with(JSON_FEED)) {
        return Err(Refusal::NotItsType);
    }
    let mut walker =
        Walker { gatherer: Gatherer::new(document, table, table.html(|| document.is_amp()), html::scan), text, mark };
    walker.object("feed", feed);
    Ok(walker.gatherer.finish(None))
}

struct Walker<'c, 'd> {
    gatherer: Gatherer<'c, 'd>,
    text: &'d str,
    /// The byte of the document at which the text begins.
    mark: usize,
}

impl<'d> Walker<'_, 'd> {
    /// Gathers the links of an object, and of those in it that have links.
    fn object(&mut self, object: &'static str, json: &'d str) {
        let mut members: Vec<(Cow<'d, str>, &'d str)> = Vec::new();
        each(json, |name, value| {
            let name = text_of(name);
            members.retain(|(known, _)| *known != name);
            if self.gatherer.table.row_of(Syntax::Json, object, &name).is_some() || object_of(object, &name).is_some() {
                members.push((name, value));
            }
        });
        // The URL of an item may stand behind its content.
        let (around, mut url) = (self.gatherer.scope, None);
        let is_content = |(name, value): &(Cow<'_, str>, &str)| name == "content_html" && value.starts_with('"');
        let content = (object == "item" && members.iter().any(is_content)).then(|| {
            let scopes = &mut self.gatherer.scan.scopes;
            scopes.push(Scope::Item { link: None, is_ambiguous: false, is_unclear: false, within: around });
            scopes.len() - 1
        });
        for (name, value) in members {
            let first = self.gatherer.scan.links.len();
            match object_of(object, &name) {
                Some(inner) if value.starts_with('[') => each(value, |_, element| self.object(inner, element)),
                Some(inner) => self.object(inner, value),
                None => self.member(object, &name, value, content.unwrap_or(around)),
            }
            if name == "url" && self.gatherer.scan.links.len() > first {
                url = Some(first);
            }
        }
        if let Some(Scope::Item { link, .. }) = content.map(|content| &mut self.gatherer.scan.scopes[content]) {
            *link = url;
        }
    }

    /// Gathers the links of a member that is a string and not blank, in scope `content` if it is a document.
    fn member(&mut self, object: &str, name: &str, value: &str, content: usize) {
        let is_text = value.starts_with('"') && !value.trim_matches(['"', ' ']).is_empty();
        let Some(row) = self.gatherer.table.row_of(Syntax::Json, object, name).filter(|_| is_text) else { return };
        let start = self.mark + (value.as_ptr() as usize - self.text.as_ptr() as usize);
        let inside = start + 1..start + value.len() - 1;
        let around = self.gatherer.scope;
        if self.gatherer.table.rows()[usize::from(row)].grammar == Grammar::Html {
            self.gatherer.scope = content;
        }
        self.gatherer.row(row, inside, Wrapping::JsonString, Place::Attribute { tag: start, row, nesting: 0 });
        self.gatherer.scope = around;
    }
}

/// Returns what a member is or contains, if that is objects.
fn object_of(object: &str, name: &str) -> Option<&'static str> {
    match (object, name) {
        ("feed", "items") => Some("item"),
        ("feed", "hubs") => Some("hub"),
        ("feed" | "item", "author" | "authors") => Some("author"),
        ("item", "attachments") => Some("attachment"),
        _ => None,
    }
}
