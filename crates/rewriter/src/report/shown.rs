//! What a person wants to see of a document: where its base comes from, its first links, and the hosts they lead to.

use std::borrow::Cow;
use std::collections::BTreeMap;

use absolve_base::{Declared, Layer};

use crate::provenance::urls::without_login;
use crate::report::Status;

/// What there is to see of a document, with [`Detail::Shown`](crate::settings::Detail).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Shown {
    /// All declarations of its base, innermost first.
    pub declared: Vec<Declared>,
    /// The references and targets of its links, one after the other, and where each ends. Few are shown, so these are made texts then.
    text: Vec<u8>,
    links: Vec<Ends>,
    /// The hosts that its links lead to.
    pub hosts: BTreeMap<String, HostLinks>,
}

/// A link before and after.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ShownLink<'s> {
    /// The reference, its first [`Shown::TEXT`] bytes.
    pub reference: &'s str,
    /// The target that it was given, its first bytes.
    pub target: Option<&'s str>,
    /// What happened to it.
    pub status: Status,
}

/// Where the texts of a link end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Ends {
    reference: usize,
    target: usize,
    status: Status,
}

/// The number of links to a host.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HostLinks {
    /// Those that were absolute before.
    pub absolute: u64,
    /// Those that were made absolute.
    pub rewritten: u64,
}

impl Shown {
    /// The number of links of one kind that are shown.
    pub const LINKS: usize = 6;
    /// The bytes of a text that are shown.
    pub const TEXT: usize = 400;

    /// Returns its first relative links; at most [`Self::LINKS`] that became absolute, and as many that did not.
    pub fn links(&self) -> impl ExactSizeIterator<Item = ShownLink<'_>> {
        let text = |range| str::from_utf8(&self.text[range]).unwrap_or_default();
        let start = |index: usize| index.checked_sub(1).map_or(0, |before| self.links[before].target);
        self.links.iter().enumerate().map(move |(index, ends)| ShownLink {
            reference: text(start(index)..ends.reference),
            target: ends.status.is_written().then(|| text(ends.reference..ends.target)),
            status: ends.status,
        })
    }

    /// Sets the declarations of its base. Retrieval URLs come from a command line or a list: logins in them stay there.
    pub(crate) fn declare(&mut self, declared: Vec<Declared>) {
        self.declared = declared;
        for Declared { declaration, url, .. } in &mut self.declared {
            if declaration.layer == Layer::Retrieval {
                remove_login(&mut declaration.value);
                url.iter_mut().for_each(remove_login);
            }
        }
    }

    /// Adds a link, if there are not enough of its kind. The target comes in two parts.
    pub(crate) fn add_link(&mut self, reference: &str, target: [&str; 2], status: Status) {
        let is_like = |link: &&Ends| link.status.is_written() == status.is_written();
        if self.links.iter().filter(is_like).count() < Self::LINKS {
            self.add_beginnings(reference.as_bytes(), target.map(str::as_bytes), status);
        }
    }

    /// Adds a link of ASCII whose target is a prefix and the reference without its first `replaced` bytes, if there are not enough of its
    /// kind.
    pub(crate) fn add_plain_link(&mut self, reference: &[u8], prefix: &str, replaced: usize) {
        if self.links.iter().filter(|link| link.status.is_written()).count() < Self::LINKS {
            let rest = reference.get(replaced..).unwrap_or_default();
            self.add_beginnings(reference, [prefix.as_bytes(), rest], Status::Relative);
        }
    }

    fn add_beginnings(&mut self, reference: &[u8], target: [&[u8]; 2], status: Status) {
        if self.links.is_empty() {
            self.text.reserve(Self::TEXT * 2);
            self.links.reserve(Self::LINKS);
        }
        push_beginning(&mut self.text, reference);
        let reference = self.text.len();
        target.into_iter().for_each(|part| push_beginning(&mut self.text, part));
        self.links.push(Ends { reference, target: self.text.len(), status });
    }

    /// Adds links to the host of a URL, if it has one.
    pub(crate) fn add_host(&mut self, url: &str, links: HostLinks) {
        let Some(host) = host_of(url) else { return };
        let counted = match self.hosts.get_mut(host) {
            Some(counted) => counted,
            None => self.hosts.entry(host.to_ascii_lowercase()).or_default(),
        };
        counted.absolute += links.absolute;
        counted.rewritten += links.rewritten;
    }

    /// Returns what there is to see if nothing is written.
    pub(crate) fn unwritten(mut self) -> Self {
        self.links.iter_mut().for_each(|link| link.status = link.status.unwritten());
        self.hosts.values_mut().for_each(|links| links.rewritten = 0);
        self
    }
}

fn remove_login(url: &mut String) {
    if let Cow::Owned(without) = without_login(url) {
        *url = without;
    }
}

/// Adds the first bytes of a text, up to the begin of a character.
fn push_beginning(text: &mut Vec<u8>, part: &[u8]) {
    if part.len() <= Shown::TEXT {
        return text.extend_from_slice(part);
    }
    let is_inside = |at: &usize| part[*at] & 0xC0 == 0x80;
    let end = (0..=Shown::TEXT).rev().find(|at| !is_inside(at)).unwrap_or_default();
    text.extend_from_slice(&part[..end]);
    text.extend_from_slice("…".as_bytes());
}

/// Returns the host of a URL that begins with a scheme and an authority, as it is written, with its port unless that is the usual one.
fn host_of(url: &str) -> Option<&str> {
    if let Some(host) = plain_host(url) {
        return Some(host);
    }
    let (scheme, rest) = url.trim_start().split_once(':')?;
    let is_scheme = scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'));
    let rest = rest.strip_prefix("//").filter(|_| is_scheme)?;
    let authority = &rest[..rest.find(['/', '?', '#', '\\']).unwrap_or(rest.len())];
    let server = absolve_resolver::Server::split(authority);
    let usual = [("http", "80"), ("https", "443"), ("ftp", "21")];
    let is_usual = |port: &str| {
        port.is_empty() || usual.iter().any(|(of, known)| scheme.eq_ignore_ascii_case(of) && *known == port)
    };
    let with_port = &authority[authority.rfind('@').map_or(0, |at| at + 1)..];
    let host = if server.port.is_none_or(is_usual) { server.host } else { with_port };
    (!server.host.is_empty()).then_some(host)
}

/// Returns the host of a web URL if that is the whole authority, and a name: most are.
fn plain_host(url: &str) -> Option<&str> {
    let rest = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"))?;
    let is_of_name = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.');
    let length = rest.bytes().position(|byte| !is_of_name(byte)).unwrap_or(rest.len());
    (length > 0 && matches!(rest.as_bytes().get(length), None | Some(b'/'))).then(|| &rest[..length])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_of_urls() {
        for (url, host) in [
            ("http://h/x", Some("h")),
            ("https://user:pass@H.example:8080?x", Some("H.example:8080")),
            ("http://[::1]:80/", Some("[::1]")),
            ("http://h:443/", Some("h:443")),
            ("https://h:443/", Some("h")),
            ("http://h:/", Some("h")),
            ("http://:80/", None),
            ("mailto:a@b", None),
            ("javascript:open('http://h/')", None),
            ("data:text/html,<a href='http://h/'>", None),
            ("file:///a", None),
            ("x", None),
        ] {
            assert_eq!(host_of(url), host, "{url}");
        }
    }

    #[test]
    fn links_are_as_many_of_each_kind() {
        let mut shown = Shown::default();
        for number in 0..20 {
            shown.add_link(&format!("{number}"), ["http://h/", "x"], Status::Relative);
            shown.add_link(&"é".repeat(300), ["", ""], Status::Kept);
        }
        assert_eq!(shown.links().count(), 2 * Shown::LINKS);
        assert!(shown.links().all(|link| link.reference.len() <= Shown::TEXT + "…".len()));
        let first = shown.links().next();
        assert_eq!(first.map(|link| (link.reference, link.target)), Some(("0", Some("http://h/x"))));
        shown.add_host("http://H/", HostLinks { absolute: 1, rewritten: 0 });
        shown.add_host("http://h/", HostLinks { absolute: 0, rewritten: 2 });
        assert_eq!(shown.hosts["h"], HostLinks { absolute: 1, rewritten: 2 });
        let shown = shown.unwritten();
        assert!(shown.links().all(|link| link.target.is_none() && link.status == Status::Kept));
        assert_eq!(shown.hosts["h"].rewritten, 0);
    }
}
