//! Links that were left relative, and what the rewriter says of them.

use std::collections::{BTreeMap, HashSet};
use std::io;
use std::path::PathBuf;

use absolve_rewriter::{Cause, Entry, Finding, ListedLink, Options, Status, inspect_all, links_of};
use absolve_verifier::{Difference, Rule};

/// Takes out the differences that the rewriter explains, and counts them by its reasons: links that it keeps on purpose
/// or has no target for, documents that it does not touch, and targets that it finds out of other files of a mirror.
///
/// # Errors
///
/// None but those of the reader.
pub(crate) fn explained(
    found: &mut [(&Entry, Vec<Difference>)],
    entries: &[Entry],
    options: &Options,
) -> io::Result<BTreeMap<String, u64>> {
    let needs_reason = |difference: &Difference| matches!(difference.rule, Rule::Relative | Rule::Target | Rule::Kept);
    let open = found.iter().flat_map(|(entry, differences)| {
        let open = differences.iter().filter(|difference| needs_reason(difference));
        open.map(|difference| (entry.name.clone(), difference.record.clone()))
    });
    let open: HashSet<(PathBuf, String)> = open.collect();
    let mut left = BTreeMap::new();
    if open.is_empty() {
        return Ok(left);
    }
    let mut told: Vec<(PathBuf, Told)> = Vec::new();
    inspect_all(
        entries,
        options,
        &|entry, record, entity| {
            let is_open = open.contains(&(entry.name.clone(), record.to_owned()));
            is_open.then(|| {
                let mut told = Told { record: record.to_owned(), is_saved: entity.is_saved(), ..Told::default() };
                told.unread.extend(entity.findings.iter().filter_map(unread));
                for part in &entity.parts {
                    let listing = links_of(entity, part, options);
                    told.unread.extend(listing.findings.iter().filter_map(unread));
                    told.links.extend(listing.links);
                }
                (entry.name.clone(), told)
            })
        },
        &mut |one| {
            told.extend(one);
            Ok(())
        },
    )?;
    for (entry, differences) in found {
        differences.retain(|difference| {
            let of_record = |(path, told): &&(PathBuf, Told)| *path == entry.name && told.record == difference.record;
            let mut all = told.iter().filter(of_record);
            match all.find_map(|(_, told)| told.reason(difference)).filter(|_| needs_reason(difference)) {
                Some(reason) => {
                    *left.entry(reason.to_owned()).or_default() += 1;
                    false
                }
                None => true,
            }
        });
    }
    Ok(left)
}

/// What the rewriter says of the links of an entity.
#[derive(Default)]
struct Told {
    record: String,
    links: Vec<ListedLink>,
    /// Parts of which it leaves something unread, and why.
    unread: Vec<(String, &'static str)>,
    is_saved: bool,
}

impl Told {
    /// Why a link is as it is, if the rewriter says so of the very link, or says that it has not seen it.
    fn reason(&self, difference: &Difference) -> Option<&'static str> {
        let is_there = |link: &&ListedLink| link.part == difference.part && Some(link.start) == difference.byte;
        let link = self.links.iter().find(is_there);
        match (difference.rule, link) {
            (Rule::Relative, Some(link)) => match link.status {
                // Whether there is a base, verify knows as well.
                Status::Unresolved(Cause::NoBase) => None,
                Status::Kept | Status::Unresolved(_) => Some(link.status.name()),
                _ => None,
            },
            (Rule::Relative, None) => {
                let is_around = |outer: &str| {
                    let rest = difference.part.strip_prefix(outer);
                    rest.is_some_and(|rest| outer.is_empty() || rest.is_empty() || rest.starts_with('.'))
                };
                self.unread.iter().find(|(part, _)| is_around(part)).map(|(_, code)| *code)
            }
            (_, Some(link)) if self.is_saved && link.target.as_deref() == Some(&difference.rewritten) => {
                Some("found in a mirror")
            }
            _ => None,
        }
    }
}

/// The part and the code of a finding that something was left unread.
fn unread(finding: &Finding) -> Option<(String, &'static str)> {
    finding.code.leaves_unread().then(|| (finding.part.clone(), finding.code.name()))
}
