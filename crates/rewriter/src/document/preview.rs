//! Collects what there is to see of the links of a document.

use std::ops::Range;

use absolve_links::Link;

use crate::document::classify::decision::Decision;
use crate::document::context::DocumentContext;
use crate::report::Status;
use crate::report::shown::{HostLinks, Shown};

/// Collects the first links of a document and the hosts of all.
#[derive(Debug)]
pub(crate) struct Preview<'c, 'r, 'd> {
    context: &'c DocumentContext<'r, 'd>,
    shown: Shown,
    /// The begin of the last URL, up to its host, and how many begin so.
    last: (String, HostLinks),
    /// How many plain links are still shown.
    left: usize,
}

impl<'c, 'r, 'd> Preview<'c, 'r, 'd> {
    /// Returns an empty collection.
    pub(crate) fn of(context: &'c DocumentContext<'r, 'd>) -> Self {
        Self { context, shown: Shown::default(), last: Default::default(), left: Shown::LINKS }
    }

    /// Adds a link.
    pub(crate) fn add(&mut self, link: &Link, decision: &Decision<'_, '_>) {
        let (reference, status, target) = match *decision {
            Decision::Fast { ref range, prefix } => return self.add_fast(link, range, prefix),
            Decision::Absolute => return self.add_absolute(link),
            // No page shows it.
            Decision::Local { .. } => return,
            Decision::Full { reference, status, target, .. } => (reference.text(), status, target),
        };
        match status {
            Status::Relative | Status::Mapped => self.add_host(target, status),
            Status::Absolute => self.add_host(reference, status),
            _ => {}
        }
        if !matches!(status, Status::Absolute | Status::SameDocument) {
            self.shown.add_link(reference, [target, ""], status);
        }
    }

    fn add_fast(&mut self, link: &Link, range: &Range<usize>, prefix: &str) {
        self.add_host(prefix, Status::Relative);
        if self.left > 0 {
            self.left -= 1;
            // Such a link is ASCII.
            let reference = str::from_utf8(&self.context.document.bytes()[link.range.clone()]).unwrap_or_default();
            let rest = reference.get(range.len()..).unwrap_or_default();
            self.shown.add_link(reference, [prefix, rest], Status::Relative);
        }
    }

    /// Counts the host of an absolute link; its text is not shown.
    fn add_absolute(&mut self, link: &Link) {
        let document = self.context.document;
        let raw = &document.bytes()[link.range.clone()];
        let host = raw.iter().position(|byte| *byte == b':').map_or(0, |colon| raw.len().min(colon + 3));
        let length = raw[host..].iter().position(|byte| matches!(byte, b'/' | b'?' | b'#'));
        let begin = &raw[..length.map_or(raw.len(), |length| host + length)];
        match str::from_utf8(begin) {
            Ok(begin) if !begin.contains('&') => self.add_host(begin, Status::Absolute),
            _ => self.add_host(document.reference(link).text(), Status::Absolute),
        }
    }

    /// Counts the host of a URL; most have that of the one before.
    fn add_host(&mut self, url: &str, status: Status) {
        let rest = url.strip_prefix(&*self.last.0).filter(|_| !self.last.0.is_empty());
        if !rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/')) {
            self.flush();
            let host = url.find("://").map_or(0, |scheme| scheme + 3);
            let end = url[host..].find(['/', '?', '#', '\\']).map_or(url.len(), |length| host + length);
            self.last.0.push_str(&url[..end]);
        }
        let HostLinks { absolute, rewritten } = &mut self.last.1;
        *(if status == Status::Absolute { absolute } else { rewritten }) += 1;
    }

    fn flush(&mut self) {
        let (begin, links) = &mut self.last;
        self.shown.add_host(begin, std::mem::take(links));
        begin.clear();
    }

    /// Returns what was collected.
    pub(crate) fn finish(mut self) -> Shown {
        self.flush();
        self.shown
    }
}
