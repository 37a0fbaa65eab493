//! The hosts that links lead to.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use absolve_rewriter::results::HostLinks;

/// How many hosts are counted one by one.
const COUNTED: usize = 20_000;

/// How many hosts beyond those are still kept apart, by their hash, so that their number is right.
const KNOWN: usize = 100_000;

/// The longest name in bytes.
const NAME: usize = 255;

/// How many are in the page.
const SHOWN: usize = 100;

/// The numbers of links by their host.
#[derive(Debug, Default)]
pub(crate) struct Hosts {
    counts: HashMap<Box<str>, HostLinks>,
    /// The hosts beyond the limit by their hash, and whether each is new.
    beyond: HashMap<u64, bool>,
    /// Links to hosts beyond the limit.
    uncounted: u64,
    /// Whether there were even more hosts, whose number is unknown.
    is_full: bool,
}

/// Returns the number of all links to a host.
pub(crate) const fn all(links: HostLinks) -> u64 {
    links.absolute + links.rewritten
}

/// Returns whether no link led to a host before the run.
pub(crate) const fn is_new(links: HostLinks) -> bool {
    links.absolute == 0 && links.rewritten > 0
}

/// The hosts in the page, and what is not.
#[derive(Debug)]
pub(crate) struct TopHosts<'h> {
    pub(crate) shown: Vec<(&'h str, HostLinks)>,
    /// The number of hosts; the least number if `is_full`.
    pub(crate) hosts: u64,
    pub(crate) new: u64,
    pub(crate) links_not_shown: u64,
    /// The number of hosts of which only the links of all were counted, and those links.
    pub(crate) beyond: u64,
    pub(crate) uncounted: u64,
    pub(crate) is_full: bool,
}

impl Hosts {
    /// Adds the hosts of a document, those with the most links first where their number has its limit: they must not be missing.
    pub(crate) fn add_all<'h>(&mut self, hosts: impl Iterator<Item = (&'h String, &'h HostLinks)> + Clone) {
        if self.counts.len() + hosts.clone().count() <= COUNTED {
            return hosts.for_each(|(host, links)| self.add(host, *links));
        }
        let mut hosts: Vec<_> = hosts.collect();
        hosts.sort_by_key(|(_, links)| Reverse(all(**links)));
        hosts.into_iter().for_each(|(host, links)| self.add(host, *links));
    }

    pub(crate) fn add(&mut self, host: &str, links: HostLinks) {
        if all(links) == 0 {
            return;
        }
        let host = &host[..host.floor_char_boundary(NAME)];
        if let Some(counted) = self.counts.get_mut(host) {
            counted.absolute += links.absolute;
            counted.rewritten += links.rewritten;
        } else if self.counts.len() < COUNTED {
            self.counts.insert(host.into(), links);
        } else {
            self.add_beyond(host, links);
        }
    }

    fn add_beyond(&mut self, host: &str, links: HostLinks) {
        self.uncounted += all(links);
        let mut hasher = DefaultHasher::new();
        host.hash(&mut hasher);
        let hash = hasher.finish();
        if let Some(known) = self.beyond.get_mut(&hash) {
            *known &= is_new(links);
        } else if self.beyond.len() < KNOWN {
            self.beyond.insert(hash, is_new(links));
        } else {
            self.is_full = true;
        }
    }

    /// Returns those with the most links first.
    pub(crate) fn top(&self) -> TopHosts<'_> {
        let mut shown: Vec<(&str, HostLinks)> = self.counts.iter().map(|(host, counts)| (&**host, *counts)).collect();
        shown.sort_by(|one, other| all(other.1).cmp(&all(one.1)).then(one.0.cmp(other.0)));
        let beyond = self.beyond.len() as u64;
        let hosts = shown.len() as u64 + beyond;
        let new = shown.iter().filter(|(_, counts)| is_new(*counts)).count()
            + self.beyond.values().filter(|is_new| **is_new).count();
        let rest = shown.split_off(SHOWN.min(shown.len()));
        let links_not_shown = rest.iter().map(|(_, counts)| all(*counts)).sum::<u64>() + self.uncounted;
        let (uncounted, is_full) = (self.uncounted, self.is_full);
        TopHosts { shown, hosts, new: new as u64, links_not_shown, beyond, uncounted, is_full }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_hosts_are_counted_together() {
        let mut hosts = Hosts::default();
        for number in 0..COUNTED + 10 {
            hosts.add(&format!("h{number}"), HostLinks { absolute: 0, rewritten: 1 });
        }
        hosts.add("h7", HostLinks { absolute: 1, rewritten: 5 });
        let top = hosts.top();
        assert_eq!((top.shown[0].0, all(top.shown[0].1), is_new(top.shown[0].1)), ("h7", 7, false));
        assert_eq!((top.shown.len(), top.hosts, top.new), (SHOWN, COUNTED as u64 + 10, COUNTED as u64 + 9));
        assert_eq!((top.links_not_shown, top.uncounted), ((COUNTED - SHOWN + 10) as u64, 10));
        assert_eq!((top.beyond, top.is_full), (10, false));
    }

    #[test]
    fn hosts_beyond_the_limit_are_reported_as_uncounted() {
        let mut hosts = Hosts::default();
        for number in 0..=COUNTED + KNOWN {
            hosts.add(&format!("h{number}"), HostLinks { absolute: 1, rewritten: 0 });
        }
        let top = hosts.top();
        assert_eq!((top.hosts, top.uncounted, top.is_full), ((COUNTED + KNOWN) as u64, KNOWN as u64 + 1, true));
    }

    #[test]
    fn a_long_name_keeps_its_links() {
        let mut hosts = Hosts::default();
        (0..3).for_each(|_| hosts.add(&"h".repeat(300), HostLinks { absolute: 1, rewritten: 0 }));
        assert_eq!((all(hosts.top().shown[0].1), hosts.top().hosts), (3, 1));
    }
}
