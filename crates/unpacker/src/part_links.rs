//! The links of a document that lead to parts of its message.

use absolve_rewriter::internal::{Entity, MESSAGE_BASE, declares_base, links_of, part_key};
use absolve_rewriter::{BaseUrl, Code, Finding, ListedLink, Listing, Standard, Status};

use crate::plan::Plan;
use crate::root::is_page_type;

/// A link to a part.
#[derive(Debug)]
pub(crate) struct PartLink {
    /// Its first byte in the document.
    pub(crate) start: usize,
    /// The index of the leaf.
    pub(crate) leaf: usize,
    /// The fragment of its target, from its `#`.
    pub(crate) fragment: String,
    /// Whether the document shows the part, and does not only lead to it.
    pub(crate) is_shown: bool,
    /// Whether no other URL leads there.
    pub(crate) is_by_id: bool,
}

/// The links of a document to parts, and what stands in their way.
#[derive(Debug, Default)]
pub(crate) struct PartLinks {
    pub(crate) links: Vec<PartLink>,
    /// The first bytes of links that declare a base.
    pub(crate) bases: Vec<usize>,
    /// How many references lead to the BASE that is not the document.
    pub(crate) to_base: usize,
    pub(crate) findings: Vec<Finding>,
}

impl Plan<'_> {
    /// Returns the links of the document of a leaf that lead to parts.
    pub(crate) fn part_links(&self, from: usize, document: &Entity<'_>) -> PartLinks {
        let document = document.clone().finding_parts();
        let Listing { links, findings, .. } = links_of(&document, &document.parts[0], &self.options);
        let is_cut_off = |finding: &Finding| finding.code == Code::OutputTooLarge;
        let mut found =
            PartLinks { findings: findings.into_iter().filter(is_cut_off).collect(), ..PartLinks::default() };
        for link in links {
            if declares_base(&link.element, &link.attribute) {
                found.bases.push(link.start);
                continue;
            }
            if link.status == Status::SameDocument {
                found.to_base += usize::from(link.target.is_some() && self.leads_to_base(from, &link));
                continue;
            }
            let Some(target) = target_of(&link, self.options.rules.standard) else { continue };
            if let Some((leaf, fragment)) = self.addresses.find(&self.contents, from, &target) {
                found.links.push(PartLink {
                    start: link.start,
                    leaf,
                    fragment: fragment.to_owned(),
                    is_shown: is_shown(&link, &self.contents.leaves[leaf].media_type),
                    is_by_id: link.status == Status::Absolute && !target.contains("//"),
                });
            }
        }
        found
    }

    /// Returns whether a reference to the same document leads to a BASE that is another.
    fn leads_to_base(&self, from: usize, link: &ListedLink) -> bool {
        let without_fragment = |url: &str| part_key(url.split('#').next().unwrap_or_default());
        let own = self.urls[from].as_deref().unwrap_or(MESSAGE_BASE);
        link.base.as_deref().is_some_and(|base| without_fragment(base) != without_fragment(own))
    }
}

/// Returns the URL of a link, that at a base included which must not be written into documents.
fn target_of(link: &ListedLink, standard: Standard) -> Option<String> {
    let unwritten = || BaseUrl::parse(link.base.as_deref()?, standard).ok()?.resolve(&link.reference).ok();
    match link.status {
        Status::Unresolved(_) => unwritten(),
        _ => link.target.clone(),
    }
}

/// `1 reference`, `2 references`.
pub(crate) fn references(count: usize) -> String {
    format!("{count} reference{}", if count == 1 { "" } else { "s" })
}

/// Returns whether a document shows what is at the end of a link. Readers have to follow the others.
fn is_shown(link: &ListedLink, media_type: &str) -> bool {
    const FOLLOWED: [&str; 9] = ["a", "area", "form", "button", "blockquote", "q", "ins", "del", "meta"];
    const FRAMES: [&str; 4] = ["iframe", "frame", "object", "embed"];
    const NAMES: [&str; 5] = ["longdesc", "cite", "formaction", "profile", "usemap"];
    !FOLLOWED.contains(&&*link.element)
        && !NAMES.contains(&&*link.attribute)
        && (!is_page_type(media_type) || FRAMES.contains(&&*link.element))
}
