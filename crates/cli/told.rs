//! Links that were left relative, and what the rewriter says of them.

use std::collections::{BTreeMap, HashSet};
use std::io;
use std::path::PathBuf;

use absolve_rewriter::{Entry, ListedLink, Options, Status, inspect_all, links_of};
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
                told.untouched.extend(entity.findings.iter().map(|one| (one.part.clone(), one.code.name())));
                for part in &entity.parts {
                    let listing = links_of(entity, part, options);
                    told.untouched.extend(listing.findings.iter().map(|one| (one.part.clone(), one.code.name())));
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
    /// Parts, or stretches of them, that it does not touch, and why.
    untouched: Vec<(String, &'static str)>,
    is_saved: bool,
}

impl Told {
    fn reason(&self, difference: &Difference) -> Option<&'static str> {
        let is_within = |outer: &str| {
            let rest = difference.part.strip_prefix(outer);
            rest.is_some_and(|rest| outer.is_empty() || rest.is_empty() || rest.starts_with('.'))
        };
        let mut same = self.links.iter().filter(|link| {
            (link.part == difference.part || link.part.ends_with(&difference.part))
                && link.reference == difference.original
        });
        match difference.rule {
            Rule::Relative => {
                let stays = |link: &ListedLink| matches!(link.status, Status::Kept | Status::Unresolved(_));
                let untouched = || self.untouched.iter().find(|(part, _)| is_within(part)).map(|(_, code)| *code);
                same.find(|link| stays(link)).map(|link| link.status.name()).or_else(untouched)
            }
            _ if self.is_saved => {
                same.find(|link| link.target.as_deref() == Some(&difference.rewritten)).map(|_| "found in a mirror")
            }
            _ => None,
        }
    }
}
