//! A message as one page, with all that it shows within it.

use std::borrow::Cow;
use std::collections::HashMap;
use std::rc::Rc;

use absolve_rewriter::internal::{Content, Leaf};
use absolve_rewriter::{Code, Counts, Finding};
use data_encoding::BASE64;

use crate::charset::declare;
use crate::error::UnpackError;
use crate::file::{Written, rewritten};
use crate::limits::{NESTED_PARTS, SINGLE_BYTES};
use crate::names::media_type;
use crate::part_links::{PartLink, PartLinks, references};
use crate::plan::Plan;
use crate::root::is_page_type;

/// A message as one page.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Single {
    /// The page.
    pub bytes: Vec<u8>,
    /// How many parts are within it.
    pub embedded: u64,
    /// How many links are `data:` URLs now.
    pub local: u64,
    /// The other links of the page, and of the parts within it.
    pub counts: Counts,
    /// Findings, with the path of the part; among them the parts that are not within the page.
    pub findings: Vec<Finding>,
}

impl Plan<'_> {
    /// Returns the document with all that it shows as `data:` URLs (RFC 2397). Its other links are absolute.
    ///
    /// # Errors
    ///
    /// If the message has no page, or the page would be too long.
    pub fn single(&self) -> Result<Single, UnpackError> {
        let root = self.root().filter(|root| is_page_type(&self.contents.leaves[*root].media_type));
        let root = root.ok_or(UnpackError::NoPage)?;
        let mut embedding = Embedding {
            plan: self,
            urls: HashMap::new(),
            around: Vec::new(),
            room: SINGLE_BYTES,
            local: 0,
            counts: Counts::default(),
            findings: Vec::new(),
        };
        let Embedded { bytes, .. } = embedding.embedded(root)?.ok_or(UnpackError::NoPage)?;
        let Embedding { urls, local, counts, mut findings, .. } = embedding;
        let is_left = |leaf: &usize| *leaf != root && self.names[*leaf].is_some() && !urls.contains_key(leaf);
        findings
            .extend((0..self.contents.leaves.len()).filter(is_left).map(|leaf| left_out(&self.contents.leaves[leaf])));
        Ok(Single { bytes, embedded: urls.len() as u64, local, counts, findings })
    }
}

fn left_out(leaf: &Leaf) -> Finding {
    let name = leaf.file_name.as_deref().map(|name| format!(", {name:?}")).unwrap_or_default();
    let message = format!("{}{name}: the page does not show it, so it is not in the page", leaf.media_type);
    Finding { part: leaf.path.clone(), ..Finding::new(Code::PartLeftOut, message) }
}

/// The work of putting parts into a page.
struct Embedding<'p, 'm> {
    plan: &'p Plan<'m>,
    /// The `data:` URLs of leaves.
    urls: HashMap<usize, Rc<str>>,
    /// The leaves within which one is put, the outermost first.
    around: Vec<usize>,
    /// The remaining bytes of `data:` URLs.
    room: u64,
    local: u64,
    counts: Counts,
    findings: Vec<Finding>,
}

/// A part with all that it shows.
struct Embedded {
    bytes: Vec<u8>,
    /// The charset of a document that needs one.
    charset: Option<&'static str>,
}

impl Embedding<'_, '_> {
    /// Returns a part with all that it shows as `data:` URLs; `None` if it cannot be decoded.
    fn embedded(&mut self, index: usize) -> Result<Option<Embedded>, UnpackError> {
        let plan = self.plan;
        let leaf = &plan.contents.leaves[index];
        let Some(Content { bytes, finding, .. }) = plan.contents.content(leaf) else { return Ok(None) };
        self.note(index, finding);
        let Some(document) = plan.contents.document(leaf, &bytes) else {
            return Ok(Some(Embedded { bytes: bytes.into_owned(), charset: None }));
        };
        let PartLinks { links, findings, .. } = plan.part_links(index, &document);
        self.note(index, findings);
        self.around.push(index);
        let targets = self.targets(index, &links)?;
        self.around.pop();
        self.local += targets.len() as u64;
        let Written { bytes, counts, findings, pins } = rewritten(&document, targets, &plan.options);
        let mut bytes: Cow<'_, [u8]> = Cow::Owned(bytes);
        self.note(index, plan.pinned(&pins, &links));
        self.counts += counts;
        self.note(index, findings);
        let encoding = document.document(&document.parts[0]).encoding();
        let charset = (!bytes.is_ascii() || !encoding.is_ascii_compatible()).then_some(encoding.name());
        if self.around.is_empty() && leaf.charset.is_some() {
            let declared = declare(&mut bytes, document.parts[0].document_type, encoding);
            self.note(index, declared.map(|declared| declared.finding("the message")));
        }
        Ok(Some(Embedded { bytes: bytes.into_owned(), charset }))
    }

    /// Returns the `data:` URLs for links, by their first bytes.
    fn targets(&mut self, index: usize, links: &[PartLink]) -> Result<HashMap<usize, String>, UnpackError> {
        let mut targets = HashMap::new();
        let (mut followed, mut in_circle) = (0, 0);
        for link in links {
            if !link.is_shown {
                followed += usize::from(link.is_by_id);
                continue;
            }
            let Some(url) = self.url(link.leaf)? else {
                in_circle += 1;
                continue;
            };
            let target = format!("{url}{}", link.fragment);
            self.room = self.room.checked_sub(target.len() as u64).ok_or(UnpackError::TooLong)?;
            targets.insert(link.start, target);
        }
        for (count, why) in [
            (followed, "the page does not show them"),
            (in_circle, "the parts show each other in a circle, or too deep"),
        ] {
            self.note(
                index,
                (count > 0)
                    .then(|| Finding::new(Code::PartLeftOut, format!("{} to a part left: {why}", references(count)))),
            );
        }
        Ok(targets)
    }

    /// Returns the `data:` URL of a part; `None` if it is around itself, or within too many others.
    fn url(&mut self, index: usize) -> Result<Option<Rc<str>>, UnpackError> {
        if let Some(url) = self.urls.get(&index) {
            return Ok(Some(url.clone()));
        }
        if self.around.contains(&index) || self.around.len() >= NESTED_PARTS {
            return Ok(None);
        }
        let Some(Embedded { bytes, charset }) = self.embedded(index)? else { return Ok(None) };
        let length = BASE64.encode_len(bytes.len()) as u64;
        if length > self.room {
            return Err(UnpackError::TooLong);
        }
        let leaf = &self.plan.contents.leaves[index];
        let media_type = media_type(leaf, self.plan.name(index).unwrap_or_default());
        let charset = charset.map(|charset| format!(";charset={}", charset.to_ascii_lowercase())).unwrap_or_default();
        let url: Rc<str> = format!("data:{media_type}{charset};base64,{}", BASE64.encode(&bytes)).into();
        self.urls.insert(index, url.clone());
        Ok(Some(url))
    }

    /// Adds findings of a part.
    fn note(&mut self, index: usize, findings: impl IntoIterator<Item = Finding>) {
        let part = &self.plan.contents.leaves[index].path;
        self.findings.extend(findings.into_iter().map(|finding| Finding { part: part.clone(), ..finding }));
    }
}
