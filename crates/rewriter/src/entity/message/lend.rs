//! Which document lends its base to which part: the one that links it by a `cid:` URL, as Chromium writes it for a `<style>` and
//! for frames, or by a `wyciwyg:` URL, as WebKitGTK writes it for frames.

use std::collections::HashMap;
use std::iter::successors;
use std::sync::Arc;

use absolve_base::{Field, Layer};
use absolve_links::{Document, DocumentType, Scope, Table};
use absolve_resolver::is_no_place;

use crate::entity::header::Header;
use crate::entity::header_chain::HeaderChain;
use crate::entity::part::Part;
use crate::entity::siblings::lender::{Lender, Lent, placeless_url};
use crate::limits::NESTED_PARTS;
use crate::report::Unclear;

/// Returns what documents lend to parts, by the indexes of those.
pub(crate) fn lent<'p>(parts: &'p [Part], document: impl Fn(&'p Part) -> Document<'p>) -> Vec<(usize, Lent)> {
    // The first part of each name in each multipart, and of all.
    let mut named: HashMap<(&str, Option<&str>), usize> = HashMap::new();
    for (index, part) in parts.iter().enumerate() {
        for key in part.names.iter().flat_map(|name| [(&**name, Some(around(&part.path))), (name, None)]) {
            named.entry(key).or_insert(index);
        }
    }
    if named.is_empty() {
        return Vec::new();
    }
    let mut lending = Lending { parts, ..Lending::default() };
    let table = Table::default();
    for (index, part) in parts.iter().enumerate() {
        if matches!(part.document_type, DocumentType::Field | DocumentType::Text) {
            continue;
        }
        let document = document(part);
        let Ok(scan) = document.scan(&table) else { continue };
        if let Some(element) = scan.base {
            lending.elements.insert(index, document.reference(&scan.links[element]).text().to_owned());
        }
        // The base of a document within the document is another.
        for link in scan.links.iter().filter(|link| !matches!(scan.scopes[link.scope], Scope::Nested { .. })) {
            let Some(name) = placeless_url(document.reference(link).text()) else { continue };
            let target = outwards(&part.path).find_map(|within| named.get(&(&*name, within)));
            let linking = target.map(|target| lending.linking.entry(*target).or_default());
            linking
                .filter(|linking| linking.last() != Some(&index))
                .into_iter()
                .for_each(|linking| linking.push(index));
        }
    }
    let placeless = (0..parts.len()).filter(|index| !parts[*index].names.is_empty());
    placeless.map(|index| (index, lending.lent(index, 0))).collect()
}

/// Returns the multiparts around the part of this path, by their paths, and at last the whole message: the nearest part counts, as where
/// a message holds two copies of a page.
fn outwards(path: &str) -> impl Iterator<Item = Option<&str>> {
    let multiparts = successors(Some(around(path)), |within| (!within.is_empty()).then_some(around(within)));
    multiparts.map(Some).chain([None])
}

/// Returns the path of what is around the part of this path.
fn around(path: &str) -> &str {
    path.rsplit_once('.').map_or("", |(around, _)| around)
}

/// What a lender declares: documents that declare the same have the same base.
type Declared = (Option<String>, Vec<(Layer, String)>, Option<*const Lender>);

#[derive(Default)]
struct Lending<'p> {
    parts: &'p [Part],
    /// The values of BASE elements.
    elements: HashMap<usize, String>,
    /// The parts that link a part.
    linking: HashMap<usize, Vec<usize>>,
    lent: HashMap<usize, Lent>,
    lenders: HashMap<usize, Result<Arc<Lender>, Unclear>>,
    by_declared: HashMap<Declared, Arc<Lender>>,
}

impl Lending<'_> {
    fn lent(&mut self, index: usize, depth: usize) -> Lent {
        if let Some(known) = self.lent.get(&index) {
            return known.clone();
        }
        if depth == NESTED_PARTS {
            return Lent::Unclear(Unclear::Circle);
        }
        // Until its lender is known, what leads back to it is a circle.
        self.lent.insert(index, Lent::Unclear(Unclear::Circle));
        let linking = self.linking.remove(&index).unwrap_or_default();
        let mut lent = match self.parts[index].document_type {
            DocumentType::Css if linking.is_empty() => Lent::Unclear(Unclear::NotLinked),
            _ => Lent::Nothing,
        };
        for from in linking {
            lent = match (lent, self.lender(from, depth + 1)) {
                (Lent::Unclear(why), _) | (_, Err(why)) => Lent::Unclear(why),
                (Lent::By(one), Ok(other)) if !Arc::ptr_eq(&one, &other) => Lent::Unclear(Unclear::SeveralBases),
                (_, Ok(lender)) => Lent::By(lender),
            };
        }
        self.lent.insert(index, lent.clone());
        lent
    }

    /// Returns the document whose base a document lends: itself, or the one that links it.
    fn lender(&mut self, from: usize, depth: usize) -> Result<Arc<Lender>, Unclear> {
        if let Some(known) = self.lenders.get(&from) {
            return known.clone();
        }
        let Part { path, headers, names, .. } = &self.parts[from];
        let around = match if names.is_empty() { Lent::Nothing } else { self.lent(from, depth) } {
            Lent::Nothing => Ok(None),
            Lent::By(lender) => Ok(Some(lender)),
            Lent::Unclear(why) => Err(why),
        };
        let element = self.elements.get(&from).cloned();
        let lender = around.map(|around| match (around, element) {
            (Some(around), None) => around,
            (around, element) => {
                let declared = headers.as_ref().map_or_else(Vec::new, |headers| headers.declarations(0));
                let declared = declared.into_iter().map(|declaration| (declaration.layer, declaration.value)).collect();
                let key = (element.clone(), declared, around.as_ref().map(Arc::as_ptr));
                let new = || Arc::new(Lender { path: path.clone(), element, headers: headers.clone(), around });
                self.by_declared.entry(key).or_insert_with(new).clone()
            }
        });
        self.lenders.insert(from, lender.clone());
        lender
    }
}

/// Returns the URLs that lead to a part which is no place of its own: its `Content-Location` says so, or Chromium wrote it
/// without one, which it does for the frame of a `srcdoc`.
pub(crate) fn names(headers: Option<&HeaderChain>, header: &Header, message: &[u8]) -> Vec<String> {
    let own = headers.map_or(&[][..], HeaderChain::own);
    let is_location = |layer| matches!(layer, Layer::Header { field: Field::ContentLocation, .. });
    let is_place = own.iter().any(|declaration| !is_location(declaration.layer) || !is_no_place(&declaration.value));
    if is_place {
        return Vec::new();
    }
    let id = header.content_id(message).filter(|id| !own.is_empty() || id.ends_with(OF_CHROMIUM));
    own.iter().filter_map(|location| placeless_url(&location.value)).chain(id.map(|id| format!("cid:{id}"))).collect()
}

/// The end of the names that Chromium gives to parts.
const OF_CHROMIUM: &str = "@mhtml.blink";
