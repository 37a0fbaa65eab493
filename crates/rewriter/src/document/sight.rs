//! Collects what there is to see of the links of a document.

use std::ops::Range;

use absolve_links::Link;

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
    /// How many plain links are still shown.
    left: usize,
}

impl<'c, 'r, 'd> Sight<'c, 'r, 'd> {
    /// Returns an empty collection.
    pub(crate) fn of(context: &'c DocumentContext<'r, 'd>) -> Self {
        Self { context, shown: Shown::default(), at_bases: vec![0; context.bases.len()], left: Shown::LINKS }
    }

    /// Adds a link that is made absolute the fast way.
    pub(crate) fn add_fast(&mut self, link: &Link, range: &Range<usize>, prefix: &str) {
        self.at_bases[link.scope] += 1;
        if self.left > 0 {
            self.left -= 1;
            let bytes = self.context.document.bytes();
            let [reference, rest] =
                [&bytes[link.range.clone()], &bytes[range.end..link.range.end]].map(String::from_utf8_lossy);
            self.shown.add_link(&reference, [prefix, &rest], Status::Relative);
        }
    }

    /// Adds any other link.
    pub(crate) fn add(&mut self, reference: &str, status: Status, target: &str) {
        match status {
            Status::Relative => self.shown.add_host(target, HostLinks { absolute: 0, rewritten: 1 }),
            Status::Absolute => self.shown.add_host(reference, HostLinks { absolute: 1, rewritten: 0 }),
            _ => {}
        }
        if !matches!(status, Status::Absolute | Status::SameDocument) {
            self.shown.add_link(reference, [target, ""], status);
        }
    }

    /// Returns what was collected.
    pub(crate) fn finish(mut self) -> Shown {
        for (base, rewritten) in self.context.bases.iter().zip(self.at_bases).filter(|(_, links)| *links > 0) {
            let url = base.as_ref().and_then(|base| base.url.as_ref());
            url.into_iter().for_each(|url| self.shown.add_host(url.as_str(), HostLinks { absolute: 0, rewritten }));
        }
        self.shown
    }
}
