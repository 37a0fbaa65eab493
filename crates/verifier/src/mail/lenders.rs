//! The documents that lend their base to a part which is no place of its own: a `<style>` and a frame, as Chromium writes them.

use std::collections::HashMap;
use std::rc::Rc;

use absolve_links::{Document, DocumentType, Table};

use super::header::Header;
use super::multipart::{is_plain, split};
use super::parameters::{media_type, parameter};
use super::part::{DEPTH, begins_like, child, declared_by, is_doubtful, is_untyped, named_type};
use super::transfer_encoding::{Encoding, decode};
use crate::base::{Lent, Surroundings, is_no_place, of_document, url_of};
use crate::references::found::Scope;
use crate::references::references;
use crate::settings::Settings;
use crate::text::Text;
use crate::values::unescaped;

/// Returns the bases that documents of a message lend to its parts, by the paths of those.
pub(super) fn lent_bases(message: &[u8], retrieval: Option<&str>, settings: &Settings) -> HashMap<String, Lent> {
    let mut names: HashMap<(String, Option<String>), String> = HashMap::new();
    let (mut paths, mut parts) = (Vec::new(), HashMap::new());
    walk_message(message, "", &Vec::new(), &mut |leaf| {
        let own = names_of(&leaf);
        if !own.is_empty() {
            for (name, within) in
                own.into_iter().flat_map(|name| [(name.clone(), Some(folder_of(&leaf.path))), (name, None)])
            {
                names.entry((name, within)).or_insert_with(|| leaf.path.clone());
            }
            let is_style = leaf.document_type == DocumentType::Css;
            paths.push(leaf.path.clone());
            parts.insert(leaf.path, LinkedPart { is_style, linking: Vec::new() });
        }
    });
    if parts.is_empty() {
        return HashMap::new();
    }
    let mut documents = HashMap::new();
    walk_message(message, "", &Vec::new(), &mut |leaf| {
        let Some((element, linked)) = links_of(&leaf) else { return };
        for path in linked.into_iter().filter_map(|name| nearest(&names, &leaf.path, name)) {
            parts.get_mut(path).into_iter().for_each(|part: &mut LinkedPart| part.linking.push(leaf.path.clone()));
        }
        documents.insert(leaf.path, (leaf.headers, element));
    });
    let mut lenders = Lenders {
        settings,
        retrieval,
        parts,
        documents,
        found: HashMap::new(),
        of: HashMap::new(),
        alike: HashMap::new(),
    };
    paths.into_iter().map(|path| (path.clone(), lenders.base_of(&path))).collect()
}

/// Returns the path of the nearest part with a name: in the multipart around a document, in the next one outwards, or anywhere.
fn nearest<'n>(
    names: &'n HashMap<(String, Option<String>), String>,
    document: &str,
    name: String,
) -> Option<&'n String> {
    let mut key = (name, Some(document.to_owned()));
    while let Some(path) = key.1.take().filter(|path| !path.is_empty()) {
        key.1 = Some(folder_of(&path));
        if let Some(found) = names.get(&key) {
            return Some(found);
        }
    }
    names.get(&(key.0, None))
}

/// Returns the path of the multipart or message around a part.
fn folder_of(path: &str) -> String {
    path.rfind('.').map_or_else(String::new, |dot| path[..dot].to_owned())
}

/// A part that is no place of its own.
struct LinkedPart {
    is_style: bool,
    /// The paths of the documents that link it.
    linking: Vec<String>,
}

/// The headers around a document, and its BASE.
type Declared = (Vec<Vec<(String, String)>>, Option<String>);

/// A lender, or nothing for a document that is linked by none; an error if it is not certain.
type Found = Result<Option<Rc<Lender>>, ()>;

/// A document with a base of its own.
struct Lender {
    base: Lent,
}

struct Lenders<'l> {
    settings: &'l Settings,
    retrieval: Option<&'l str>,
    parts: HashMap<String, LinkedPart>,
    documents: HashMap<String, Declared>,
    /// The lenders of parts.
    found: HashMap<String, Found>,
    /// The lenders that documents are or have.
    of: HashMap<String, Result<Rc<Lender>, ()>>,
    /// One of the documents that declare the same.
    alike: HashMap<String, Rc<Lender>>,
}

impl Lenders<'_> {
    fn base_of(&mut self, path: &str) -> Lent {
        match self.found(path, 0) {
            Ok(None) => Lent::Nothing,
            Ok(Some(lender)) => lender.base.clone(),
            Err(()) => Lent::Unknown,
        }
    }

    fn found(&mut self, path: &str, depth: usize) -> Found {
        if let Some(known) = self.found.get(path) {
            return known.clone();
        }
        let Some(part) = self.parts.get_mut(path).filter(|_| depth < DEPTH) else { return Err(()) };
        // It is in a circle if it is asked for meanwhile.
        self.found.insert(path.to_owned(), Err(()));
        let linking = std::mem::take(&mut part.linking);
        let nobody = if part.is_style { Err(()) } else { Ok(None) };
        let lenders: Vec<_> = linking.iter().map(|document| self.lender(document, depth + 1)).collect();
        let found = match lenders.split_first() {
            None => nobody,
            Some((Ok(first), others))
                if others.iter().flatten().filter(|other| Rc::ptr_eq(first, other)).count() == others.len() =>
            {
                Ok(Some(first.clone()))
            }
            Some(_) => Err(()),
        };
        self.found.insert(path.to_owned(), found.clone());
        found
    }

    /// Returns the document whose base a document has: itself, or the one that links it.
    fn lender(&mut self, path: &str, depth: usize) -> Result<Rc<Lender>, ()> {
        if let Some(known) = self.of.get(path) {
            return known.clone();
        }
        let around = if self.parts.contains_key(path) { self.found(path, depth) } else { Ok(None) };
        let (headers, element) = self.documents.get(path).ok_or(())?;
        let lender = around.map(|around| match around {
            Some(around) if element.is_none() => around,
            around => {
                let pointer = around.as_ref().map(Rc::as_ptr);
                let urls: Vec<Vec<_>> = headers
                    .iter()
                    .map(|header| header.iter().map(|(name, value)| (name, url_of(value))).collect())
                    .collect();
                let new = || {
                    let lent = around.map(|around| around.base.clone()).unwrap_or_default();
                    let retrieval = self.retrieval.map(str::to_owned);
                    let surroundings =
                        Surroundings { headers: headers.clone(), retrieval, lent, ..Surroundings::default() };
                    Rc::new(Lender { base: of_document(element.as_deref(), &surroundings, self.settings) })
                };
                self.alike.entry(format!("{urls:?}{element:?}{pointer:?}")).or_insert_with(new).clone()
            }
        });
        self.of.insert(path.to_owned(), lender.clone());
        lender
    }
}

/// A leaf of a message that is a document.
struct Leaf<'l> {
    path: String,
    header: Header,
    /// The headers around it, its own included.
    headers: Vec<Vec<(String, String)>>,
    document_type: DocumentType,
    body: &'l [u8],
}

fn walk_message(message: &[u8], path: &str, around: &[Vec<(String, String)>], visit: &mut dyn FnMut(Leaf<'_>)) {
    let is_multipart = media_type(&Header::read(message)).starts_with("multipart/");
    let own = if is_multipart { path.to_owned() } else { child(path, 1) };
    walk(message, own, "text/plain", around, visit);
}

fn walk(
    entity: &[u8],
    path: String,
    default_type: &str,
    around: &[Vec<(String, String)>],
    visit: &mut dyn FnMut(Leaf<'_>),
) {
    let header = Header::read(entity);
    let body = &entity[header.body..];
    let headers = [vec![declared_by(&header)], around.to_vec()].concat();
    if headers.len() > DEPTH || is_doubtful(&header) {
        return;
    }
    let written_type = media_type(&header);
    let name = if written_type.is_empty() { default_type } else { &*written_type };
    if name.starts_with("multipart/") {
        let boundary = parameter(&header, "content-type", "boundary").filter(|boundary| !boundary.is_empty());
        let is_read = |boundary: &String| is_plain(body, boundary, Encoding::of(&header));
        let Some(boundary) = boundary.filter(is_read) else { return };
        let default_type = if name == "multipart/digest" { "message/rfc822" } else { "text/plain" };
        for (index, part) in split(body, &boundary).parts.into_iter().enumerate() {
            walk(&body[part], child(&path, index + 1), default_type, &headers, visit);
        }
    } else if matches!(name, "message/rfc822" | "message/global") {
        let message = decode(body, Encoding::of(&header));
        message.into_iter().for_each(|message| walk_message(&message, &path, &headers, visit));
    } else if let Some(document_type) = DocumentType::of_media_type(name).or_else(|| named_type(&header, name)) {
        visit(Leaf { path, header, headers, document_type, body });
    }
}

/// Returns the `cid:` URLs of a leaf that is no place of its own: a `Content-Location` that is none, or none at all of a part by
/// Chromium.
fn names_of(leaf: &Leaf<'_>) -> Vec<String> {
    let own = &leaf.headers[0];
    if !own.iter().all(|(name, value)| name == "content-location" && is_no_place(&url_of(value))) {
        return Vec::new();
    }
    let id = leaf.header.value("content-id").map(|id| format!("cid:{}", url_of(&id)));
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
    Some(format!("{}:{}", scheme.to_ascii_lowercase(), String::from_utf8_lossy(&unescaped(id))))
}

/// Returns the BASE of a document, and the `cid:` URLs in it, but not those in documents within it.
fn links_of(leaf: &Leaf<'_>) -> Option<(Option<String>, Vec<String>)> {
    let bytes = decode(leaf.body, Encoding::of(&leaf.header))?;
    if is_untyped(&media_type(&leaf.header)) && !begins_like(&bytes, leaf.document_type) {
        return None;
    }
    let label = parameter(&leaf.header, "content-type", "charset");
    let document = Document::new(&bytes, leaf.document_type);
    let encoding = label.iter().fold(document, |document, label| document.with_label(label)).encoding();
    let text = Text::of_document(&bytes, encoding);
    let found = references(&text, leaf.document_type, &Table::default()).ok()?;
    let is_own = |scope: usize| !matches!(found.scopes[scope], Scope::Nested { .. });
    let own = found.references.iter().filter(|reference| is_own(reference.scope));
    let links = own.filter_map(|reference| named(&reference.text)).collect();
    Some((found.base, links))
}
