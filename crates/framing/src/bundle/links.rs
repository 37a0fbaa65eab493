//! Links among the members of a bundle, followed as they are once it is unpacked.

use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};

use crate::bundle::member::{Member, MemberKind, NAME_BYTES};
use crate::bundle::paths::{normal, os_path};

/// The links of a bundle, by their paths.
#[derive(Debug, Default)]
pub struct Links<'m> {
    /// The members that contain their targets.
    links: HashMap<&'m Path, &'m Member>,
    /// The paths that they lead to; `None` if that is outside, in a circle, or not known yet.
    targets: HashMap<&'m Path, Option<PathBuf>>,
}

impl<'m> Links<'m> {
    /// Follows the links among members with these paths.
    pub fn of(members: &'m [Member], paths: &'m [PathBuf]) -> Self {
        let mut all = Self::default();
        for (member, path) in members.iter().zip(paths) {
            match member.kind {
                MemberKind::SymbolicLink => all.links.insert(path, member),
                MemberKind::HardLink => {
                    // Another name of a link is a link.
                    let linked = all.links.get(&*normal(&os_path(&member.target))).copied();
                    all.links.insert(path, linked.unwrap_or(member))
                }
                // A later member supersedes an earlier one.
                _ => all.links.remove(&**path),
            };
        }
        let links: Vec<&Path> = all.links.keys().copied().collect();
        links.into_iter().for_each(|link| all.follow(link));
        all
    }

    /// Returns the path in the bundle that the link with this path leads to; `None` if it leads nowhere in it.
    pub fn target(&self, link: &Path) -> Option<&Path> {
        self.targets.get(link)?.as_deref()
    }

    fn follow(&mut self, link: &'m Path) {
        let mut needed = if self.targets.contains_key(link) { Vec::new() } else { vec![link] };
        while let Some(link) = needed.last().copied() {
            // One that needs its own target leads nowhere.
            self.targets.entry(link).or_default();
            match self.target_of(link) {
                Ok(target) => {
                    self.targets.insert(link, target);
                    needed.pop();
                }
                Err(unknown) => needed.push(unknown),
            }
        }
    }

    /// Returns where a link leads to. The error is a link on the way whose target is not known yet.
    fn target_of(&self, link: &Path) -> Result<Option<PathBuf>, &'m Path> {
        let member = self.links[link];
        let folder = link.parent().filter(|_| member.kind == MemberKind::SymbolicLink).unwrap_or(Path::new(""));
        let target = os_path(&member.target);
        if member.target.is_empty() || member.target.len() > NAME_BYTES {
            return Ok(None);
        }
        let mut reached = PathBuf::new();
        for component in folder.components().chain(target.components()) {
            match component {
                Component::CurDir => continue,
                Component::ParentDir if reached.pop() => continue,
                Component::Normal(name) if reached.as_os_str().len() <= NAME_BYTES => reached.push(name),
                _ => return Ok(None),
            }
            let Some((link, _)) = self.links.get_key_value(&*reached) else { continue };
            match self.targets.get(link) {
                Some(Some(target)) => reached.clone_from(target),
                Some(None) => return Ok(None),
                None => return Err(link),
            }
        }
        Ok(Some(reached))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_lead_through_links() {
        use MemberKind::{File, HardLink, SymbolicLink};
        let long = "x/".repeat(NAME_BYTES);
        let members = [
            ("M/cur/1", File, "", None),
            ("M2", SymbolicLink, "M", Some("M")),
            ("M/k", SymbolicLink, "cur", Some("M/cur")),
            ("l", SymbolicLink, "M2/k/1", Some("M/cur/1")),
            ("d/to-l", SymbolicLink, "../l", Some("M/cur/1")),
            ("d/up", SymbolicLink, "../M2/k/..", Some("M")),
            ("d/hard", HardLink, "M2/k/1", Some("M/cur/1")),
            ("d/k", HardLink, "M/k", Some("d/cur")),
            ("all", SymbolicLink, ".", Some("")),
            ("through-all", SymbolicLink, "all/all/M2/new", Some("M/new")),
            ("out", SymbolicLink, "../x", None),
            ("root", SymbolicLink, "/x", None),
            ("through-out", SymbolicLink, "out/../M", None),
            ("one", SymbolicLink, "two", None),
            ("two", SymbolicLink, "d/../one/x", None),
            ("three", SymbolicLink, "two", None),
            ("itself", HardLink, "itself", None),
            ("empty", SymbolicLink, "", None),
            ("long", SymbolicLink, &long, None),
            ("file", SymbolicLink, "M", None),
            ("file", File, "", None),
        ];
        let member = |(name, kind, target, _): &(&str, MemberKind, &str, Option<&str>)| Member {
            name: name.as_bytes().to_vec(),
            size: 0,
            kind: *kind,
            target: target.as_bytes().to_vec(),
        };
        let paths: Vec<PathBuf> = members.iter().map(|(name, ..)| name.into()).collect();
        let all: Vec<Member> = members.iter().map(member).collect();
        let links = Links::of(&all, &paths);
        for (name, _, _, expected) in members {
            assert_eq!(links.target(Path::new(name)), expected.map(Path::new), "{name}");
        }
    }

    /// Each leads through the next one, and the last one to the first, or to a file.
    #[test]
    fn long_chains_and_circles_end() {
        const LINKS: usize = 20_000;
        let paths: Vec<PathBuf> = (0..LINKS).map(|index| index.to_string().into()).collect();
        for (last, expected) in [("file", Some("file")), ("0", None)] {
            let target = |index: usize| if index + 1 < LINKS { (index + 1).to_string() } else { last.to_owned() };
            let link = |index| Member {
                name: Vec::new(),
                size: 0,
                kind: MemberKind::SymbolicLink,
                target: target(index).into_bytes(),
            };
            let members: Vec<Member> = (0..LINKS).map(link).collect();
            let links = Links::of(&members, &paths);
            assert!(paths.iter().all(|path| links.target(path) == expected.map(Path::new)));
        }
    }
}
