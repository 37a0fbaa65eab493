//! Links that were left relative, and the reasons of the rewriter.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::io;
use std::path::PathBuf;

use absolve_containers::ArchiveOptions;
use absolve_files::{Entry, inspect_all};
use absolve_rewriter::internal::Reasons;
use absolve_verifier::{Difference, Rule};

use crate::commands::verify::found::Compared;

/// The reason for targets that are those of other files.
pub(crate) const IN_MIRROR: &str = "found in a mirror";

/// The reason for links that have stayed and are not known to have been others.
const AS_SAVED: &str = "as saved";

/// A file and a record of it.
type RecordPlace = (PathBuf, String);

/// Removes the differences that the rewriter explains, and counts them by its reasons: links that it leaves unchanged on
/// purpose or for want of a target, documents that it skips, and targets that it finds in other files of a mirror.
///
/// # Errors
///
/// Those of the reader.
pub(crate) fn explained(
    compared: &mut [Compared<'_>],
    entries: &[Entry],
    options: &ArchiveOptions,
) -> io::Result<BTreeMap<String, u64>> {
    let place = |entry: &Entry, record: &str| (entry.source.clone(), record.to_owned());
    let open: HashSet<RecordPlace> = compared
        .iter()
        .flat_map(|Compared { entry, verdict }| {
            let open = verdict.differences.iter().filter(|difference| needs_reason(difference));
            open.map(|difference| place(entry, &difference.record))
        })
        .collect();
    let mut left = BTreeMap::new();
    if open.is_empty() {
        return Ok(left);
    }
    let mut reasons: HashMap<RecordPlace, Vec<Reasons>> = HashMap::new();
    inspect_all(
        entries,
        options,
        &|entry, record, entity| {
            let place = place(entry, record);
            open.contains(&place).then(|| (place, Reasons::of(entity, &options.documents)))
        },
        &mut |one| {
            if let Some((place, one)) = one {
                reasons.entry(place).or_default().push(one);
            }
            Ok(())
        },
        &|_| {},
    )?;
    for Compared { entry, verdict } in compared {
        verdict.differences.retain(|difference| {
            let reasons = reasons.get(&place(entry, &difference.record)).into_iter().flatten();
            let Some(reason) = reasons.filter_map(|reasons| reason(difference, reasons)).next() else { return true };
            *left.entry(reason.to_owned()).or_default() += 1;
            false
        });
    }
    left.remove(AS_SAVED);
    Ok(left)
}

fn needs_reason(difference: &Difference) -> bool {
    matches!(difference.rule, Rule::Relative | Rule::Target | Rule::Kept)
}

/// Returns why a link is as it is.
fn reason(difference: &Difference, reasons: &Reasons) -> Option<&'static str> {
    let Difference { part, byte, rewritten, expected, .. } = difference;
    match difference.rule {
        Rule::Relative if expected.is_empty() => reasons.is_left(part, (*byte)?).then_some(AS_SAVED),
        Rule::Relative => reasons.of_relative(part, (*byte)?),
        Rule::Target | Rule::Kept if reasons.is_found_in_mirror(part, (*byte)?, rewritten) => Some(IN_MIRROR),
        _ => None,
    }
}
