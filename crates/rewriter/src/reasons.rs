//! Why links of an entity stay relative, link by link.

use std::collections::{HashMap, HashSet};

use crate::entity::Entity;
use crate::finding::{Code, Finding};
use crate::list::links_of;
use crate::options::Options;
use crate::plan::edits_of;
use crate::report::{Cause, Report, Status};

/// The reasons why links of an entity stay relative.
///
/// ```
/// use absolve_links::DocumentType;
/// use absolve_rewriter::internal::{Entity, Reasons, Retrieval};
/// use absolve_rewriter::Options;
/// let entity = Entity::bare_file(b"<a href='{{x}}'>", DocumentType::Html).retrieved_from(Retrieval::given("http://h/d/"));
/// let reasons = Reasons::of(&entity, &Options::default());
/// assert_eq!(reasons.of_relative("", 9), Some("kept"));
/// assert_eq!(reasons.of_relative("", 10), None);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Reasons {
    /// Status and target of each link, by part and byte.
    links: HashMap<String, HashMap<usize, (Status, Option<String>)>>,
    /// Parts with something left unread, and the code of the finding.
    unread: HashMap<String, &'static str>,
    /// Why all of it is left unchanged, although its links have targets.
    stays: Option<&'static str>,
    is_saved: bool,
}

impl Reasons {
    /// Collects the reasons for all links of an entity.
    pub fn of(entity: &Entity<'_>, options: &Options) -> Self {
        let mut reasons = Self { is_saved: entity.is_saved(), ..Self::default() };
        let mut findings = entity.findings.clone();
        let mut report = Report::default();
        edits_of(entity, options, &mut report);
        // Their links would have targets, and a list of those in a document that becomes too large is as large.
        let leaves_all = |finding: &Finding| matches!(finding.code, Code::OutputTooLarge | Code::LineTooLong);
        findings.extend(report.findings.into_iter().filter(leaves_all));
        let left = findings.iter().filter(|finding| leaves_all(finding));
        let left: HashSet<String> = left.map(|finding| finding.part.clone()).collect();
        for part in entity.parts.iter().filter(|part| !left.contains(&part.path)) {
            let listing = links_of(entity, part, options);
            findings.extend(listing.findings);
            let links = reasons.links.entry(part.path.clone()).or_default();
            links.extend(listing.links.into_iter().map(|link| (link.start, (link.status, link.target))));
        }
        let separator = findings.iter().find(|finding| finding.code == Code::MessageSeparator);
        reasons.stays = separator.map(|finding| finding.code.name());
        for finding in findings.into_iter().filter(|finding| leaves_all(finding) || finding.code.leaves_unread()) {
            reasons.unread.entry(finding.part).or_insert(finding.code.name());
        }
        reasons
    }

    /// Returns why the link at this byte of a part stays relative. For a link that was not found, that is the finding
    /// of what was left unread in its part or around it. A missing base is not a reason here.
    pub fn of_relative(&self, part: &str, byte: usize) -> Option<&'static str> {
        match self.link(part, byte) {
            Some((Status::Unresolved(Cause::NoBase), _)) => None,
            Some((status @ (Status::Kept | Status::Unresolved(_)), _)) => Some(status.name()),
            Some(_) => self.stays,
            None => self.of_unread(part),
        }
    }

    /// Returns whether the link at this byte of a part is left as it is, by whatever reason.
    pub fn is_left(&self, part: &str, byte: usize) -> bool {
        self.stays.is_some() || self.link(part, byte).is_none_or(|(status, _)| !status.is_written())
    }

    /// Returns whether the target of a link was resolved by other files of a mirror, and is this one.
    pub fn is_found_in_mirror(&self, part: &str, byte: usize, target: &str) -> bool {
        self.is_saved && self.link(part, byte).is_some_and(|(_, found)| found.as_deref() == Some(target))
    }

    fn link(&self, part: &str, byte: usize) -> Option<&(Status, Option<String>)> {
        self.links.get(part)?.get(&byte)
    }

    /// Returns why something in a part, or around it, was left unread.
    fn of_unread(&self, part: &str) -> Option<&'static str> {
        let mut part = part;
        loop {
            match (self.unread.get(part), part.rsplit_once('.')) {
                (Some(code), _) => return Some(code),
                (None, Some((around, _))) => part = around,
                (None, None) if part.is_empty() => return None,
                (None, None) => part = "",
            }
        }
    }
}
