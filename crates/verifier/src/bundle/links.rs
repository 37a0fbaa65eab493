//! Links among the members of a bundle.

use std::collections::HashMap;

use crate::bundle::listed::{Link, Listed};

/// The paths of the members of a bundle, and of the folders that contain them.
#[derive(Debug, Default)]
pub(super) struct Paths<'l> {
    /// The paths by the number of their folder, and their name in it. The root is 0.
    numbers: HashMap<(usize, &'l [u8]), usize>,
    /// The folder of each path, and the target of a symbolic link.
    all: Vec<(usize, Option<&'l [u8]>)>,
}

impl<'l> Paths<'l> {
    pub(super) fn of(members: &'l [Listed]) -> Self {
        let mut paths = Self { numbers: HashMap::new(), all: vec![(0, None)] };
        for member in members {
            let target = match &member.link {
                Link::None => None,
                Link::Symbolic(target) => Some(&**target),
                // Another name of a link is a link.
                Link::Hard(target) => paths.find(target).and_then(|linked| paths.all[linked].1),
            };
            let path = paths.add(&member.name);
            // A later member supersedes an earlier one.
            paths.all[path].1 = target;
        }
        paths
    }

    /// Returns whether a link leads to a member, or to a folder of one.
    pub(super) fn contain_target_of(&self, member: &Listed) -> bool {
        match &member.link {
            Link::None => false,
            Link::Symbolic(_) => self.end_of(&member.name).is_some(),
            Link::Hard(target) => self.end_of(target).is_some(),
        }
    }

    fn add(&mut self, name: &'l [u8]) -> usize {
        segments(name).fold(0, |folder, segment| {
            let next = self.all.len();
            let path = *self.numbers.entry((folder, segment)).or_insert(next);
            if path == next {
                self.all.push((folder, None));
            }
            path
        })
    }

    fn find(&self, name: &[u8]) -> Option<usize> {
        segments(name).try_fold(0, |folder, segment| self.numbers.get(&(folder, segment)).copied())
    }

    /// Returns where a path leads to if symbolic links are followed; `None` if that is outside of the bundle, or not there.
    fn end_of(&self, path: &[u8]) -> Option<usize> {
        /// How many symbolic links Linux follows before it reports a circle.
        const LINKS: usize = 40;
        let (mut reached, mut ahead, mut followed) = (0, vec![segments(path)], 0);
        while let Some(names) = ahead.last_mut() {
            match names.next() {
                None => drop(ahead.pop()),
                Some(b"..") if reached == 0 => return None,
                Some(b"..") => reached = self.all[reached].0,
                Some(segment) => reached = *self.numbers.get(&(reached, segment))?,
            }
            let (folder, Some(target)) = self.all[reached] else { continue };
            followed += 1;
            if followed > LINKS || target.is_empty() || target.starts_with(b"/") {
                return None;
            }
            reached = folder;
            ahead.push(segments(target));
        }
        Some(reached)
    }
}

/// Yields the segments of a path but for those that change nothing.
fn segments(path: &[u8]) -> impl Iterator<Item = &[u8]> {
    path.split(|byte| *byte == b'/').filter(|segment| !matches!(segment, [] | [b'.']))
}
