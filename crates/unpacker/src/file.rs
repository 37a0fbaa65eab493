//! One part of a message as a file.

use std::borrow::Cow;
use std::collections::HashMap;

use absolve_rewriter::internal::{Content, Entity, PinnedLink, Report, rewrite};
use absolve_rewriter::{BaseElement, Code, Counts, Finding, Options};

use crate::charset::declare;
use crate::part_links::{PartLink, PartLinks, references};
use crate::plan::Plan;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// Characters of a file name that are escaped in references to it.
pub(crate) const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// A file of an unpacked message.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct File<'p> {
    /// Its name.
    pub name: &'p str,
    /// Its bytes. Those of a document differ from those of the part in links only, and in a declaration of the charset that
    /// only the message contained.
    pub bytes: Cow<'p, [u8]>,
    /// How many of its links lead to files of the message.
    pub local: u64,
    /// Its other links.
    pub counts: Counts,
    /// Findings, with the path of the part.
    pub findings: Vec<Finding>,
}

impl Plan<'_> {
    /// Returns the file of a leaf; `None` for one without a name.
    pub fn file(&self, leaf: usize) -> Option<File<'_>> {
        let name = self.name(leaf)?;
        let Content { bytes, finding, .. } = self.contents.content(&self.contents.leaves[leaf])?;
        let file = File { name, bytes, local: 0, counts: Counts::default(), findings: finding.into_iter().collect() };
        Some(self.with_local_links(leaf, file))
    }

    fn with_local_links<'p>(&'p self, leaf: usize, mut file: File<'p>) -> File<'p> {
        let Some(document) = self.contents.document(&self.contents.leaves[leaf], &file.bytes) else { return file };
        let PartLinks { links, bases, to_base, findings } = self.part_links(leaf, &document);
        let reference = |link: &PartLink| Some((link.start, self.reference(link)?));
        let mut targets: HashMap<usize, String> = links.iter().filter_map(reference).collect();
        file.local = targets.len() as u64;
        file.findings.extend(findings);
        if !targets.is_empty() {
            if to_base > 0 {
                let message =
                    format!("{} led to the base, and lead to the document itself without it", references(to_base));
                file.findings.push(Finding::new(Code::FragmentMoves, message));
            }
            // A file would be looked for at a base that is declared.
            targets.extend(bases.iter().map(|base| (*base, String::new())));
        }
        let written = rewritten(&document, targets, &self.options);
        let mut bytes = Cow::Owned(written.bytes);
        let encoding = document.document(&document.parts[0]).encoding();
        let is_labelled = document.parts[0].charset.is_some();
        let declared = is_labelled.then(|| declare(&mut bytes, document.parts[0].document_type, encoding)).flatten();
        let declared = declared.map(|declared| declared.finding("the message"));
        file.counts = written.counts;
        file.findings.extend(self.pinned(&written.pins, &links));
        file.findings.extend(written.findings.into_iter().chain(declared));
        file.findings.iter_mut().for_each(|finding| finding.part.clone_from(&self.contents.leaves[leaf].path));
        File { bytes, ..file }
    }

    /// Returns a finding for each link with an integrity hash that covers a style which changes.
    pub(crate) fn pinned(&self, pins: &[PinnedLink], links: &[PartLink]) -> Vec<Finding> {
        let changed = |pin: &PinnedLink| {
            let link = links.iter().find(|link| link.start == pin.byte)?;
            let leaf = &self.contents.leaves[link.leaf];
            let part = self.contents.content(leaf).filter(|_| leaf.media_type == "text/css")?;
            let file = self.file(link.leaf).filter(|file| file.bytes != part.bytes)?;
            let message = format!("its integrity hash covers {}, which changes", file.name);
            Some(Finding::new(Code::Integrity, message).at(pin.byte))
        };
        pins.iter().filter_map(changed).collect()
    }

    /// Returns a relative reference to the file of a part.
    fn reference(&self, link: &PartLink) -> Option<String> {
        let name = self.name(link.leaf)?;
        Some(format!("{}{}", utf8_percent_encode(name, ESCAPED), link.fragment))
    }
}

/// A document with other targets.
#[derive(Debug)]
pub(crate) struct Written {
    pub(crate) bytes: Vec<u8>,
    /// Without the links with given targets.
    pub(crate) counts: Counts,
    pub(crate) findings: Vec<Finding>,
    /// Links with an integrity hash.
    pub(crate) pins: Vec<PinnedLink>,
}

/// Makes the links of a document absolute, but for those with given targets.
pub(crate) fn rewritten(document: &Entity<'_>, targets: HashMap<usize, String>, options: &Options) -> Written {
    let given = targets.len() as u64;
    let mut options = options.clone();
    if given > 0 {
        options.base_element = BaseElement::Keep;
    }
    let (mut report, mut bytes) = (Report::default(), Vec::new());
    rewrite(&document.clone().with_targets(targets), &options, &mut report, &mut bytes);
    report.counts.rewritten = report.counts.rewritten.saturating_sub(given);
    report.findings.iter_mut().for_each(|finding| finding.position = None);
    Written { bytes, counts: report.counts, findings: report.findings, pins: report.pins }
}
