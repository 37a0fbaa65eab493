//! The documents that lend their base to a part which is no place of its own: a `<style>` and a frame, as Chromium writes them.

use std::collections::HashMap;
use std::iter::successors;
use std::mem;

use absolve_framing::FieldUrl;
use absolve_links::{Document, DocumentType, Table};
use absolve_resolver::is_no_place;
use percent_encoding::percent_decode_str;

use super::part::DEPTH;
use super::sides::Sides;
use super::transfer_encoding::text_of;
use super::walk::{Leaf, walk};
use crate::base::{LOCATION, Lent, Surroundings, of_document};
use crate::references::found::Scope;
use crate::references::references;
use crate::resolution::stripped;
use crate::settings::Settings;
use crate::text::Text;
use crate::verdict::Verdict;

/// Returns the bases that documents of a message lend to its parts, by the paths of those.
pub(super) fn lent_bases(message: &[u8], retrieval: Option<&str>, settings: &Settings) -> HashMap<String, Lent> {
    let mut lending = Lending::default();
    let each_leaf = |look: &mut dyn FnMut(&Leaf<'_>)| {
        walk(Sides { old: message, new: message }, retrieval, settings, &mut |leaf| {
            look(leaf);
            Verdict::default()
        });
    };
    each_leaf(&mut |leaf| lending.add_names(leaf));
    if lending.parts.is_empty() {
        return HashMap::new();
    }
    let table = Table::default();
    each_leaf(&mut |leaf| lending.add_links(leaf, &table));
    for path in mem::take(&mut lending.parts) {
        lending.lent(&path, 0, settings).ok();
    }
    lending.lent.into_iter().map(|(path, lent)| (path, lent.map_or(Lent::Unknown, Option::unwrap_or_default))).collect()
}

/// Returns the path of the multipart or message around a part.
fn folder_of(path: &str) -> &str {
    path.rsplit_once('.').map_or("", |(folder, _)| folder)
}

/// What is lent to a part; nothing if no document links it; an error if it is not certain.
type Found = Result<Option<Lent>, ()>;

/// Which documents link the parts that are no places of their own.
#[derive(Default)]
struct Lending {
    /// The first part of each name in each multipart, and of all.
    names: HashMap<(String, Option<String>), String>,
    /// The parts in their order.
    parts: Vec<String>,
    /// Whether each of them is a style.
    is_style: HashMap<String, bool>,
    /// The documents that link a part.
    linking: HashMap<String, Vec<String>>,
    /// What surrounds documents, and their BASE.
    documents: HashMap<String, (Surroundings, Option<String>)>,
    lent: HashMap<String, Found>,
}

impl Lending {
    fn add_names(&mut self, leaf: &Leaf<'_>) {
        for name in names_of(leaf) {
            for within in [Some(folder_of(leaf.path).to_owned()), None] {
                self.names.entry((name.clone(), within)).or_insert_with(|| leaf.path.to_owned());
            }
            if self.is_style.insert(leaf.path.to_owned(), leaf.document_type == DocumentType::Css).is_none() {
                self.parts.push(leaf.path.to_owned());
            }
        }
    }

    fn add_links(&mut self, leaf: &Leaf<'_>, table: &Table) {
        let Some((element, linked)) = links_of(leaf, table) else { return };
        for name in linked {
            if let Some(part) = self.nearest(leaf.path, &name).cloned() {
                self.linking.entry(part).or_default().push(leaf.path.to_owned());
            }
        }
        self.documents.insert(leaf.path.to_owned(), (leaf.surroundings.clone(), element));
    }

    /// Returns the path of the nearest part with a name: in the multipart around a document, in the next one outwards, or anywhere.
    fn nearest(&self, document: &str, name: &str) -> Option<&String> {
        let around = successors(Some(folder_of(document)), |path| (!path.is_empty()).then(|| folder_of(path)));
        let mut keys = around.map(|folder| Some(folder.to_owned())).chain([None]);
        keys.find_map(|folder| self.names.get(&(name.to_owned(), folder)))
    }

    /// Returns what is lent to a part.
    fn lent(&mut self, path: &str, depth: usize, settings: &Settings) -> Found {
        if let Some(known) = self.lent.get(path) {
            return known.clone();
        }
        if depth >= DEPTH {
            return Err(());
        }
        // It is in a circle if it is sought meanwhile.
        self.lent.insert(path.to_owned(), Err(()));
        let mut linking = self.linking.remove(path).unwrap_or_default();
        linking.dedup();
        let mut lent: Vec<Result<Lent, ()>> =
            linking.iter().map(|document| self.lent_by(document, depth + 1, settings)).collect();
        lent.dedup();
        let found = match (lent.pop(), lent.is_empty()) {
            (None, _) if !self.is_style[path] => Ok(None),
            (Some(one), true) => one.map(Some),
            _ => Err(()),
        };
        self.lent.insert(path.to_owned(), found.clone());
        found
    }

    /// Returns the base that a document lends: its own, or that of the one that links it.
    fn lent_by(&mut self, path: &str, depth: usize, settings: &Settings) -> Result<Lent, ()> {
        let around = if self.is_style.contains_key(path) { self.lent(path, depth, settings)? } else { None };
        Ok(match (around, &self.documents[path]) {
            (Some(around), (_, None)) => around,
            (around, (surroundings, element)) => {
                let surroundings = Surroundings { lent: around.unwrap_or_default(), ..surroundings.clone() };
                of_document(element.as_deref(), &surroundings, settings)
            }
        })
    }
}

/// Returns the `cid:` URLs of a leaf that is no place of its own: a `Content-Location` that is none, or none at all of a part by
/// Chromium.
fn names_of(leaf: &Leaf<'_>) -> Vec<String> {
    let own = &leaf.surroundings.headers[0];
    if !own.iter().all(|(name, location)| *name == LOCATION && is_no_place(&location.url)) {
        return Vec::new();
    }
    let id = leaf.old.named("content-id").next();
    let id = id.map(|id| format!("cid:{}", FieldUrl::of(id.value).url));
    let is_of_chromium = id.as_ref().is_some_and(|id| id.ends_with("@mhtml.blink"));
    match own.is_empty() && !is_of_chromium {
        true => Vec::new(),
        false => own.iter().filter_map(|(_, location)| named(&location.url)).chain(id).collect(),
    }
}

/// Returns the `cid:` URL in a reference, without percent-encoding and fragment, or that of a frame by WebKitGTK.
fn named(reference: &str) -> Option<String> {
    let reference = stripped(reference);
    let (scheme, rest) = reference.split('#').next()?.split_once(':')?;
    match &*scheme.to_ascii_lowercase() {
        "cid" => Some(format!("cid:{}", percent_decode_str(rest).decode_utf8_lossy())),
        frame @ "wyciwyg" => Some(format!("{frame}:{}", rest.to_ascii_lowercase())),
        _ => None,
    }
}

/// Returns the BASE of a document, and the `cid:` URLs in it, but not those in documents within it.
fn links_of(leaf: &Leaf<'_>, table: &Table) -> Option<(Option<String>, Vec<String>)> {
    let bytes = text_of(leaf.old)?;
    if leaf.media_type == DocumentType::UNTYPED && !leaf.document_type.may_be_that_of(&bytes) {
        return None;
    }
    let document = Document::new(&bytes, leaf.document_type);
    let label = leaf.label.iter();
    let encoding = label.fold(document, |document, label| document.with_label(label)).encoding();
    let found = references(&Text::of_document(&bytes, encoding), leaf.document_type, table).ok()?;
    let is_own = |scope: usize| !matches!(found.scopes[scope], Scope::Nested { .. });
    let own = found.references.iter().filter(|reference| is_own(reference.scope));
    let links = own.filter_map(|reference| named(&reference.text)).collect();
    Some((found.base, links))
}
