//! Collects what there is to see of the links of a document.

use std::ops::Range;

use absolve_links::Link;

use crate::document::ascii::away;
use crate::document::classify::decision::Decision;
use crate::document::context::DocumentContext;
use crate::report::Status;
use crate::report::shown::{HostLinks, Shown};

/// How many begins of absolute links are kept apart before their hosts are looked up.
const BEGINS: usize = 16;

/// Collects the first links of a document and the hosts of all.
#[derive(Debug)]
pub(crate) struct Preview<'c, 'r, 'd> {
    context: &'c DocumentContext<'r, 'd>,
    shown: Shown,
    /// The begin of the last URL, up to its host, and how many begin so.
    last: (String, HostLinks),
    /// The begins of absolute links as they are written, likewise: a host is looked up once for all of them.
    begins: Vec<(&'d str, u64)>,
    /// The scope of the last plain links, and how many there are: all of them lead to the host of its base.
    plain: (usize, u64),
    /// How many plain links are still shown.
    left: usize,
}

impl<'c, 'r, 'd> Preview<'c, 'r, 'd> {
    /// Returns an empty collection.
    pub(crate) fn of(context: &'c DocumentContext<'r, 'd>) -> Self {
        let (last, begins) = (Default::default(), Vec::new());
        Self { context, shown: Shown::default(), last, begins, plain: (0, 0), left: Shown::LINKS }
    }

    /// Adds a link.
    #[inline]
    pub(crate) fn add(&mut self, link: &Link, decision: &Decision<'_, '_>) {
        match *decision {
            Decision::Fast { ref range, prefix } => self.add_fast(link, range, prefix),
            Decision::Absolute => self.add_absolute(link),
            // No page shows it.
            Decision::Local { .. } => {}
            Decision::Full { reference, status, target, .. } => self.add_full(link, reference.text(), status, target),
        }
    }

    fn add_full(&mut self, link: &Link, reference: &str, status: Status, target: &str) {
        match status {
            Status::Relative | Status::Mapped => self.add_host(target, status),
            Status::Absolute => self.add_host(reference, status),
            _ => {}
        }
        if !matches!(status, Status::Absolute | Status::SameDocument) {
            let away = away(self.context.document, link, target, self.context.options);
            self.shown.add_link(reference, [away.as_deref().unwrap_or(target), ""], status);
        }
    }

    #[inline]
    fn add_fast(&mut self, link: &Link, range: &Range<usize>, prefix: &str) {
        if self.plain.0 != link.scope {
            self.flush_plain();
            self.plain.0 = link.scope;
        }
        self.plain.1 += 1;
        if self.left > 0 {
            self.left -= 1;
            self.shown.add_plain_link(&self.context.document.bytes()[link.range.clone()], prefix, range.len());
        }
    }

    /// Counts the host of an absolute link; its text is not shown.
    fn add_absolute(&mut self, link: &Link) {
        let document = self.context.document;
        let raw = &document.bytes()[link.range.clone()];
        // Such a link begins with `http://` or `https://`.
        let host = raw.len().min("http://".len() + usize::from(raw.get(4) == Some(&b's')));
        let length = raw[host..].iter().position(|byte| matches!(byte, b'/' | b'?' | b'#'));
        let begin = &raw[..length.map_or(raw.len(), |length| host + length)];
        if let Some((_, links)) = self.begins.iter_mut().rev().find(|(known, _)| known.as_bytes() == begin) {
            *links += 1;
            return;
        }
        let Some(begin) = str::from_utf8(begin).ok().filter(|begin| !begin.contains('&')) else {
            return self.add_host(document.reference(link).text(), Status::Absolute);
        };
        if self.begins.len() == BEGINS {
            self.flush_begins();
        }
        self.begins.push((begin, 1));
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
        if !begin.is_empty() {
            self.shown.add_host(begin, std::mem::take(links));
            begin.clear();
        }
    }

    fn flush_plain(&mut self) {
        let (scope, rewritten) = std::mem::take(&mut self.plain);
        let base = self.context.bases.get(scope).and_then(|base| base.as_ref()?.url.as_ref());
        if let Some(base) = base.filter(|_| rewritten > 0) {
            self.shown.add_host(base.as_str(), HostLinks { absolute: 0, rewritten });
        }
    }

    fn flush_begins(&mut self) {
        for (begin, absolute) in self.begins.drain(..) {
            self.shown.add_host(begin, HostLinks { absolute, rewritten: 0 });
        }
    }

    /// Returns what was collected.
    pub(crate) fn finish(mut self) -> Shown {
        self.flush();
        self.flush_plain();
        self.flush_begins();
        self.shown
    }
}
