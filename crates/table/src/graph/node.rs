//! What the nodes of a graph are.

use std::borrow::Cow;
use std::net::Ipv4Addr;

use url::Url;

use crate::host::{host_of, named_host};

/// The nodes of a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nodes {
    /// URLs without fragments and user names, in the form of the URL Standard.
    Pages,
    /// Hosts.
    Hosts,
    /// Domains that someone can register, by the Public Suffix List; a host that is none, as an address, is a node itself.
    Domains,
}

impl Nodes {
    /// All kinds of nodes.
    pub const ALL: [Self; 3] = [Self::Pages, Self::Hosts, Self::Domains];

    /// Returns the name of this kind of nodes.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pages => "pages",
            Self::Hosts => "hosts",
            Self::Domains => "domains",
        }
    }

    /// Returns the node of a URL; `None` if it has no host.
    ///
    /// ```
    /// use absolve_table::Nodes;
    /// assert_eq!(Nodes::Domains.of("http://www.example.co.uk/a#b").as_deref(), Some("example.co.uk"));
    /// assert_eq!(Nodes::Pages.of("HTTP://h/../a#b").as_deref(), Some("http://h/a"));
    /// ```
    pub fn of(self, url: &str) -> Option<String> {
        match self {
            Self::Pages => page(url),
            Self::Hosts => host_of(url).map(Cow::into_owned),
            Self::Domains => host_of(url).map(|host| domain(&host).to_owned()),
        }
    }
}

fn page(url: &str) -> Option<String> {
    let mut url = Url::parse(url).ok().filter(|url| named_host(url).is_some())?;
    url.set_fragment(None);
    // Links of a page lead to it without them, as its base has none.
    url.set_username("").and_then(|()| url.set_password(None)).ok()?;
    Some(url.into())
}

/// Returns the domain of a host.
fn domain(host: &str) -> &str {
    if host.starts_with('[') || host.contains("..") || host.parse::<Ipv4Addr>().is_ok() {
        return host;
    }
    psl::domain_str(host).unwrap_or(host.strip_suffix('.').unwrap_or(host))
}

#[cfg(test)]
mod tests {
    use super::Nodes;

    #[test]
    fn nodes_of_odd_urls() {
        for (url, host, domain) in [
            ("http://user:pass@a.b.example.com:8080/", Some("a.b.example.com"), Some("example.com")),
            ("http://under_score.example.com/", Some("under_score.example.com"), Some("example.com")),
            ("http://192.168.0.1/", Some("192.168.0.1"), Some("192.168.0.1")),
            ("http://0x7f.1/", Some("127.0.0.1"), Some("127.0.0.1")),
            ("http://[::1]:80/", Some("[::1]"), Some("[::1]")),
            ("http://bücher.example/", Some("xn--bcher-kva.example"), Some("xn--bcher-kva.example")),
            ("http://xn--BCHER-kva.example/", Some("xn--bcher-kva.example"), Some("xn--bcher-kva.example")),
            ("http://www.食狮.公司.cn/", Some("www.xn--85x722f.xn--55qx5d.cn"), Some("xn--85x722f.xn--55qx5d.cn")),
            ("http://localhost/", Some("localhost"), Some("localhost")),
            ("http://co.uk/", Some("co.uk"), Some("co.uk")),
            ("http://co.uk./", Some("co.uk."), Some("co.uk")),
            ("http://ann.github.io/", Some("ann.github.io"), Some("ann.github.io")),
            ("http://example.com./", Some("example.com."), Some("example.com")),
            ("http://a.github.io../", Some("a.github.io.."), Some("a.github.io..")),
            ("http://a..b.example/", Some("a..b.example"), Some("a..b.example")),
            ("ftp://h.example/", Some("h.example"), Some("h.example")),
            ("file:///etc/passwd", None, None),
            ("file://server/share", None, None),
            ("data:text/html,<a>", None, None),
            ("mailto:ann@example.org", None, None),
            ("http://%zz/", None, None),
            ("", None, None),
        ] {
            assert_eq!(Nodes::Hosts.of(url).as_deref(), host, "{url}");
            assert_eq!(Nodes::Domains.of(url).as_deref(), domain, "{url}");
            assert_eq!(Nodes::Pages.of(url).is_some(), host.is_some(), "{url}");
        }
        assert_eq!(Nodes::Pages.of("http://user:pass@h/a#b").as_deref(), Some("http://h/a"));
    }
}
