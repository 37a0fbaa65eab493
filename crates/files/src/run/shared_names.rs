//! Names that several members of a bundle have. When it is unpacked, the last one supersedes the others.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use absolve_framing::bundle::{Member, normal, os_path};

use crate::bundle::replacements::Replacements;
use crate::input::entry::{Entry, Storage};
use crate::run::document_job::{FileReport, name_clash};

/// Lets the messages of a bundle keep their names unless all members of a name get the same new one: one that was superseded would
/// be unpacked, too.
pub(crate) fn keep_shared_names(
    files: &[&Entry],
    done: &mut [(usize, FileReport)],
    replacements: Option<&Replacements>,
) {
    let mut renamed = HashMap::<PathBuf, Vec<usize>>::new();
    let mut bundle = None;
    for (index, (place, report)) in done.iter().enumerate() {
        if let (Storage::Member(of, member), Some(_)) = (&files[*place].storage, &report.renamed) {
            // Where an entry goes depends on the other inputs, the name of its member does not.
            renamed.entry(path_of(&of.members()[*member])).or_default().push(index);
            bundle = Some(of);
        }
    }
    let Some(bundle) = bundle else { return };
    let mut numbers = HashMap::<&Path, usize>::new();
    for member in bundle.members() {
        if let Some((path, _)) = renamed.get_key_value(&path_of(member)) {
            *numbers.entry(path).or_default() += 1;
        }
    }
    for (path, messages) in &renamed {
        let get_the_same = messages.iter().all(|index| done[*index].1.renamed == done[messages[0]].1.renamed);
        if get_the_same && numbers.get(&**path) == Some(&messages.len()) {
            continue;
        }
        for index in messages {
            let (place, report) = &mut done[*index];
            report.report.findings.push(name_clash("another member has its name, and does not get the same new one"));
            if let (Some(replacements), Some(member)) = (replacements, files[*place].member()) {
                replacements.keep_name(member);
            }
        }
    }
}

fn path_of(member: &Member) -> PathBuf {
    normal(&os_path(&member.name))
}
