//! The hosts that links lead to.

use std::collections::HashMap;

/// How many hosts are counted one by one.
const COUNTED: usize = 20_000;

/// How many are in the page.
const SHOWN: usize = 100;

/// The numbers of links by their host.
#[derive(Debug, Default)]
pub(crate) struct Hosts {
    counts: HashMap<Box<str>, HostCounts>,
    /// Links to hosts beyond the limit.
    pub(crate) uncounted: u64,
}

/// The links to a host.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct HostCounts {
    pub(crate) absolute: u64,
    pub(crate) changed: u64,
}

impl HostCounts {
    pub(crate) const fn links(self) -> u64 {
        self.absolute + self.changed
    }

    /// Returns whether no link led there before the run.
    pub(crate) const fn is_new(self) -> bool {
        self.absolute == 0 && self.changed > 0
    }
}

/// The hosts in the page, and what is not.
#[derive(Debug)]
pub(crate) struct TopHosts<'h> {
    pub(crate) shown: Vec<(&'h str, HostCounts)>,
    pub(crate) hosts: u64,
    pub(crate) new: u64,
    pub(crate) links_not_shown: u64,
}

impl Hosts {
    pub(crate) fn add(&mut self, host: &str, links: HostCounts) {
        if links.links() == 0 {
            return;
        }
        if let Some(counted) = self.counts.get_mut(host) {
            counted.absolute += links.absolute;
            counted.changed += links.changed;
        } else if self.counts.len() < COUNTED {
            let host = &host[..host.floor_char_boundary(255)];
            self.counts.insert(host.into(), links);
        } else {
            self.uncounted += links.links();
        }
    }

    /// Returns those with the most links first.
    pub(crate) fn top(&self) -> TopHosts<'_> {
        let mut shown: Vec<(&str, HostCounts)> = self.counts.iter().map(|(host, counts)| (&**host, *counts)).collect();
        shown.sort_by(|one, other| other.1.links().cmp(&one.1.links()).then(one.0.cmp(other.0)));
        let hosts = shown.len() as u64;
        let new = shown.iter().filter(|(_, counts)| counts.is_new()).count() as u64;
        let rest = shown.split_off(SHOWN.min(shown.len()));
        let links_not_shown = rest.iter().map(|(_, counts)| counts.links()).sum::<u64>() + self.uncounted;
        TopHosts { shown, hosts, new, links_not_shown }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_hosts_are_counted_together() {
        let mut hosts = Hosts::default();
        for number in 0..COUNTED + 10 {
            hosts.add(&format!("h{number}"), HostCounts { absolute: 0, changed: 1 });
        }
        hosts.add("h7", HostCounts { absolute: 1, changed: 5 });
        let top = hosts.top();
        assert_eq!((top.shown[0].0, top.shown[0].1.links(), top.shown[0].1.is_new()), ("h7", 7, false));
        assert_eq!((top.shown.len(), top.hosts, top.new), (SHOWN, COUNTED as u64, COUNTED as u64 - 1));
        assert_eq!((top.links_not_shown, hosts.uncounted), ((COUNTED - SHOWN + 10) as u64, 10));
    }
}
