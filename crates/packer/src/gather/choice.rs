//! The link of an image that is embedded for mail programs: one of `src` and the candidates of `srcset`.

use std::collections::HashMap;

use absolve_links::{Document, Place, Table};
use absolve_rewriter::Status;

use crate::gather::ResourceLink;
use crate::gather::place::FolderPlace;

/// Links of which the first is taken that leads to a file.
#[derive(Debug)]
pub(crate) struct Choice {
    pub(crate) links: Vec<ResourceLink>,
    /// Where the link to that file is put, if that is not its own place.
    pub(crate) start: Option<usize>,
    /// The number of relative links that lose to it.
    pub(crate) candidates: u64,
}

impl Choice {
    /// Returns the choice of one link.
    pub(crate) fn of(link: ResourceLink) -> Self {
        Self { links: vec![link], start: None, candidates: 0 }
    }
}

/// Groups the links of a document: those of one image become one choice, all others stay alone. An image with a `src` in the
/// folder, or that stays as it is, has no other choice; one with a `src` elsewhere has its candidates, which take the place of that.
pub(crate) fn choices(links: Vec<ResourceLink>, document: &Document<'_>, table: &Table) -> Vec<Choice> {
    if !links.iter().any(is_candidate) {
        return links.into_iter().map(Choice::of).collect();
    }
    let scanned = document.scan(table).map(|scan| scan.links).unwrap_or_default();
    let tag_of = |place| match place {
        Place::Attribute { tag, nesting: 0, .. } => Some(tag),
        _ => None,
    };
    let tags: HashMap<usize, usize> =
        scanned.iter().filter_map(|link| Some((link.range.start, tag_of(link.place)?))).collect();
    let mut choices = Vec::new();
    let mut image = ImageChoice::default();
    for link in links {
        let tag = tags.get(&link.link.start).copied();
        match (&*link.link.element, tag) {
            ("img" | "source", Some(tag)) if is_candidate(&link) || link.link.attribute == "src" => {
                if image.tag != Some(tag) {
                    choices.extend(image.end_element());
                    image.tag = Some(tag);
                    image.is_source = link.link.element == "source";
                }
                match is_candidate(&link) {
                    true => image.candidates.push(link),
                    false => image.src = Some(link),
                }
            }
            // A script or nobody loads them.
            _ if is_candidate(&link) && tag.is_some() => {}
            _ => choices.push(Choice::of(link)),
        }
    }
    choices.extend(image.end());
    choices
}

fn is_candidate(link: &ResourceLink) -> bool {
    link.link.attribute.ends_with("srcset")
}

/// The links of an IMG and of the `source` elements before it.
#[derive(Debug, Default)]
struct ImageChoice {
    tag: Option<usize>,
    is_source: bool,
    src: Option<ResourceLink>,
    candidates: Vec<ResourceLink>,
    /// Those of the sources.
    sources: Vec<ResourceLink>,
}

impl ImageChoice {
    /// Ends the element before the next one. Returns the choice, if the element was the image itself.
    fn end_element(&mut self) -> Option<Choice> {
        if self.is_source {
            let candidates = std::mem::take(&mut self.candidates);
            self.sources.extend(candidates);
            return None;
        }
        std::mem::take(self).end()
    }

    fn end(self) -> Option<Choice> {
        let Self { src, candidates, sources, is_source, .. } = self;
        if is_source {
            return None;
        }
        let losers = candidates.into_iter().chain(sources);
        let is_relative = |link: &ResourceLink| link.link.status == Status::Relative;
        match src {
            None => {
                let links: Vec<_> = losers.collect();
                let candidates = links.iter().filter(|link| is_relative(link)).count().saturating_sub(1) as u64;
                (!links.is_empty()).then_some(Choice { links, start: None, candidates })
            }
            Some(src) if src.place == FolderPlace::Elsewhere => {
                let links: Vec<_> = losers.collect();
                let candidates = links.iter().filter(|link| is_relative(link)).count() as u64;
                Some(Choice { links, start: Some(src.link.start), candidates })
            }
            Some(src) => {
                let candidates = losers.filter(is_relative).count() as u64;
                Some(Choice { links: vec![src], start: None, candidates })
            }
        }
    }
}
