//! The documents that lend their base to a part which is no place of its own: a `<style>` and a frame, as Chromium writes them.

use std::collections::HashMap;
use std::iter::successors;

use absolve_links::{Document, DocumentType, Table};
use percent_encoding::percent_decode_str;

use super::part::{DEPTH, begins_like, is_untyped};
use super::sides::Sides;
use super::transfer_encoding::decode;
use super::walk::{Leaf, walk};
use crate::base::{Lent, Surroundings, is_no_place, of_document, url_of};
use crate::references::found::Scope;
use crate::references::references;
use crate::settings::Settings;
use crate::text::Text;
use crate::verdict::Verdict;

/// Returns the bases that documents of a message lend to its parts, by the paths of those.
pub(super) fn lent_bases(message: &[u8], retrieval: Option<&str>, settings: &Settings) -> HashMap<String, Lent> {
    // The first part of each name in each multipart, and of all.
    let mut names: HashMap<(String, Option<String>), String> = HashMap::new();
    let (mut paths, mut parts) = (Vec::new(), HashMap::new());
    let each_leaf = |look: &mut dyn FnMut(&Leaf<'_>)| {
        walk(Sides { old: message, new: message }, retrieval, settings, &mut |leaf| {
            look(leaf);
            Verdict::default()
        });
    };
    each_leaf(&mut |leaf| {
        let own = names_of(leaf);
        if own.is_empty() {
            return;
        }
        for name in own {
            for within in [Some(folder_of(leaf.path).to_owned()), None] {
                names.entry((name.clone(), within)).or_insert_with(|| leaf.path.to_owned());
            }
        }
        let is_style = leaf.document_type == DocumentType::Css;
        paths.push(leaf.path.to_owned());
        parts.insert(leaf.path.to_owned(), LinkedPart { is_style, linking: Vec::new() });
    });
    let mut lenders = Lenders { settings, parts, documents: HashMap::new(), found: HashMap::new() };
    if paths.is_empty() {
        return HashMap::new();
    }
    let table = Table::default();
    each_leaf(&mut |leaf| {
        let Some((element, linked)) = links_of(leaf, &table) else { return };
        for path in linked.into_iter().filter_map(|name| nearest(&names, leaf.path, &name)) {
            let part = lenders.parts.get_mut(path);
            part.into_iter().for_each(|part| part.linking.push(leaf.path.to_owned()));
        }
        lenders.documents.insert(leaf.path.to_owned(), (leaf.surroundings.clone(), element));
    });
    let lent = paths.into_iter().map(|path| {
        let lent = lenders.found(&path, 0).map_or(Lent::Unknown, Option::unwrap_or_default);
        (path, lent)
    });
    lent.collect()
}

/// Returns the path of the nearest part with a name: in the multipart around a document, in the next one outwards, or anywhere.
fn nearest<'n>(names: &'n HashMap<(String, Option<String>), String>, document: &str, name: &str) -> Option<&'n String> {
    let around = successors(Some(folder_of(document)), |path| (!path.is_empty()).then(|| folder_of(path)));
    let mut keys = around.map(|folder| Some(folder.to_owned())).chain([None]);
    keys.find_map(|folder| names.get(&(name.to_owned(), folder)))
}

/// Returns the path of the multipart or message around a part.
fn folder_of(path: &str) -> &str {
    path.rsplit_once('.').map_or("", |(folder, _)| folder)
}

/// A part that is no place of its own.
struct LinkedPart {
    is_style: bool,
    /// The paths of the documents that link it.
    linking: Vec<String>,
}

/// What is lent to a part; nothing if no document links it; an error if it is not certain.
type Found = Result<Option<Lent>, ()>;

struct Lenders<'l> {
    settings: &'l Settings,
    parts: HashMap<String, LinkedPart>,
    /// What surrounds documents, and their BASE.
    documents: HashMap<String, (Surroundings, Option<String>)>,
    /// What is lent to parts.
    found: HashMap<String, Found>,
}

impl Lenders<'_> {
    fn found(&mut self, path: &str, depth: usize) -> Found {
        if let Some(known) = self.found.get(path) {
            return known.clone();
        }
        let Some(part) = self.parts.get_mut(path).filter(|_| depth < DEPTH) else { return Err(()) };
        // It is in a circle if it is asked for meanwhile.
        self.found.insert(path.to_owned(), Err(()));
        let linking = std::mem::take(&mut part.linking);
        let nobody = if part.is_style { Err(()) } else { Ok(None) };
        let lent: Vec<Result<Lent, ()>> = linking.iter().map(|document| self.lent_by(document, depth + 1)).collect();
        let found = match lent.split_first() {
            None => nobody,
            Some((Ok(first), others)) if others.iter().all(|other| other.as_ref() == Ok(first)) => {
                Ok(Some(first.clone()))
            }
            Some(_) => Err(()),
        };
        self.found.insert(path.to_owned(), found.clone());
        found
    }

    /// Returns the base that a document lends: its own, or that of the one that links it.
    fn lent_by(&mut self, path: &str, depth: usize) -> Result<Lent, ()> {
        let around = if self.parts.contains_key(path) { self.found(path, depth)? } else { None };
        let (surroundings, element) = self.documents.get(path).ok_or(())?;
        Ok(match around {
            Some(around) if element.is_none() => around,
            around => {
                let surroundings = Surroundings { lent: around.unwrap_or_default(), ..surroundings.clone() };
                of_document(element.as_deref(), &surroundings, self.settings)
            }
        })
    }
}

/// Returns the `cid:` URLs of a leaf that is no place of its own: a `Content-Location` that is none, or none at all of a part by
/// Chromium.
fn names_of(leaf: &Leaf<'_>) -> Vec<String> {
    let own = &leaf.surroundings.headers[0];
    if !own.iter().all(|(name, value)| name == "content-location" && is_no_place(&url_of(value))) {
        return Vec::new();
    }
    let id = leaf.header.named("content-id").next();
    let id = id.map(|id| format!("cid:{}", url_of(&String::from_utf8_lossy(id.value))));
    let is_of_chromium = id.as_ref().is_some_and(|id| id.ends_with("@mhtml.blink"));
    match own.is_empty() && !is_of_chromium {
        true => Vec::new(),
        false => own.iter().filter_map(|(_, location)| named(&url_of(location))).chain(id).collect(),
    }
}

/// Returns the `cid:` URL in a reference, without percent-encoding and fragment.
fn named(reference: &str) -> Option<String> {
    let (scheme, id) = reference.trim().split_once(':').filter(|(scheme, _)| scheme.eq_ignore_ascii_case("cid"))?;
    let id = id.split('#').next().unwrap_or_default();
    Some(format!("{}:{}", scheme.to_ascii_lowercase(), percent_decode_str(id).decode_utf8_lossy()))
}

/// Returns the BASE of a document, and the `cid:` URLs in it, but not those in documents within it.
fn links_of(leaf: &Leaf<'_>, table: &Table) -> Option<(Option<String>, Vec<String>)> {
    let bytes = decode(leaf.bodies.old, leaf.encodings.0)?;
    if is_untyped(leaf.media_type) && !begins_like(&bytes, leaf.document_type) {
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
