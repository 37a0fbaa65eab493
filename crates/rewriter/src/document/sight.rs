//! Collects what there is to see of the links of a document.

use std::ops::Range;

use absolve_links::Link;

use crate::document::classify::Decision;
use crate::document::context::DocumentContext;
use crate::report::Status;
use crate::report::shown::{HostLinks, Shown};

/// Collects the first links of a document and the hosts of all.
#[derive(Debug)]
pub(crate) struct Sight<'c, 'r, 'd> {
    context: &'c DocumentContext<'r, 'd>,
    shown: Shown,
    /// The number of links of each scope that have the host of its base.
    at_bases: Vec<u64>,
    /// The begin of the last absolute link, up to its host, and how many begin so.
    last: (String, u64),
    /// How many plain links are still shown.
    left: usize,
}

impl<'c, 'r, 'd> Sight<'c, 'r, 'd> {
    /// Returns an empty collection.
    pub(crate) fn of(context: &'c DocumentContext<'r, 'd>) -> Self {
        Self {
            context,
            shown: Shown::default(),
            at_bases: vec![0; context.bases.len()],
            last: (String::new(), 0),
            left: Shown::LINKS,
        }
    }

    /// Adds a link.
    pub(crate) fn add(&mut self, link: &Link, decision: &Decision<'_, '_>) {
        let (reference, status, target) = match *decision {
            Decision::Fast { ref range, prefix } => return self.add_fast(link, range, prefix),
            // Its text is not shown.
            Decision::Absolute => return,
            Decision::Full { reference, status, target, .. } => (reference.text(), status, target),
        };
        match status {
            Status::Relative => self.shown.add_host(target, HostLinks { absolute: 0, rewritten: 1 }),
            Status::Absolute => self.add_absolute(reference),
            _ => {}
        }
        if !matches!(status, Status::Absolute | Status::SameDocument) {
            self.shown.add_link(reference, [target, ""], status);
        }
    }

    fn add_fast(&mut self, link: &Link, range: &Range<usize>, prefix: &str) {
        self.at_bases[link.scope] += 1;
        if self.left > 0 {
            self.left -= 1;
            // Such a link is ASCII.
            let reference = str::from_utf8(&self.context.document.bytes()[link.range.clone()]).unwrap_or_default();
            let rest = reference.get(range.len()..).unwrap_or_default();
            self.shown.add_link(reference, [prefix, rest], Status::Relative);
        }
    }

    /// Counts the host of an absolute link; most have that of the link before.
    fn add_absolute(&mut self, reference: &str) {
        let rest = reference.strip_prefix(&*self.last.0).filter(|_| self.last.1 > 0);
        if rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/')) {
            self.last.1 += 1;
            return;
        }
        self.flush();
        let host = reference.find("://").map_or(0, |scheme| scheme + 3);
        let end = reference[host..].find(['/', '?', '#', '\\']).map_or(reference.len(), |length| host + length);
        self.last.0.clear();
        self.last.0.push_str(&reference[..end]);
        self.last.1 = 1;
    }

    fn flush(&mut self) {
        self.shown.add_host(&self.last.0, HostLinks { absolute: self.last.1, rewritten: 0 });
        self.last.1 = 0;
    }

    /// Returns what was collected.
    pub(crate) fn finish(mut self) -> Shown {
        self.flush();
        for (base, rewritten) in self.context.bases.iter().zip(self.at_bases).filter(|(_, links)| *links > 0) {
            let url = base.as_ref().and_then(|base| base.url.as_ref());
            url.into_iter().for_each(|url| self.shown.add_host(url.as_str(), HostLinks { absolute: 0, rewritten }));
        }
        self.shown
    }
}
