//! URLs that only their author can follow.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use absolve_links::Link;
use strsim::osa_distance;
use url::{Host, ParseError, Url};

use crate::document::base_element::is_of_base;
use crate::document::context::DocumentContext;
use crate::options::Purpose;
use crate::report::{OutOfReach, Status};

/// Returns why no reader elsewhere can follow a link in a document for mail, as it is or when it is absolute. A BASE is no
/// such link.
pub(crate) fn reach_of_link(
    context: &DocumentContext<'_, '_>,
    link: &Link,
    status: Status,
    reference: &str,
    target: &str,
) -> Option<OutOfReach> {
    if context.options.purpose != Purpose::Mail || is_of_base(context.scan, link) {
        return None;
    }
    let misspelt = || is_misspelt(reference).then_some(OutOfReach::MisspeltScheme);
    match status {
        Status::Relative => misspelt().or_else(|| reach_of_url(target)),
        Status::Absolute => misspelt().or_else(|| reach_of_url(reference)),
        Status::Unresolved(_) => misspelt(),
        _ => None,
    }
}

/// Returns why no reader elsewhere can follow an absolute URL. An invalid one says nothing, unless its host is missing.
fn reach_of_url(url: &str) -> Option<OutOfReach> {
    if has_empty_host(url) {
        return Some(OutOfReach::NoHost);
    }
    let url = match Url::parse(url) {
        Err(ParseError::EmptyHost) => return Some(OutOfReach::NoHost),
        parsed => parsed.ok()?,
    };
    // A scheme of one letter is a drive, as in `C:\x.png`.
    if matches!(url.scheme(), "file" | "blob") || url.scheme().len() == 1 {
        return Some(OutOfReach::LocalFile);
    }
    match url.host()? {
        Host::Domain(name) => reach_of_name(name, &url),
        Host::Ipv4(address) => reach_of_ipv4(address),
        Host::Ipv6(address) => match address.to_canonical() {
            IpAddr::V4(address) => reach_of_ipv4(address),
            IpAddr::V6(address) => reach_of_ipv6(address),
        },
    }
}

/// Returns whether a web URL has nothing between the slashes of its host, as `http:///x`. Parsers pass over that.
fn has_empty_host(url: &str) -> bool {
    let Some((scheme, rest)) = url.trim_start().split_once("://") else { return false };
    let is_web = ["http", "https"].iter().any(|web| web.eq_ignore_ascii_case(scheme));
    is_web && rest.trim_end().split(['/', '\\', '?', '#']).next().is_none_or(str::is_empty)
}

fn reach_of_name(name: &str, url: &Url) -> Option<OutOfReach> {
    /// Names for special use (RFC 6761, RFC 6762 with its appendix G), and `internal`, which ICANN has reserved.
    const LOCAL: [&str; 10] =
        ["local", "internal", "test", "invalid", "home.arpa", "intranet", "private", "corp", "home", "lan"];
    let name = name.strip_suffix('.').unwrap_or(name).to_ascii_lowercase();
    let is_below = |zone: &str| name.strip_suffix(zone).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'));
    if is_below("localhost") {
        return Some(OutOfReach::OwnComputer);
    }
    // The parser recognises addresses in web schemes only.
    if let Ok(address) = name.parse() {
        return reach_of_ipv4(address);
    }
    // In other schemes it is not the name of a computer, as in `fb://profile`; and `$UNSUB$` is a placeholder.
    let is_label = || name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
    let is_local = LOCAL.into_iter().any(is_below) || (url.is_special() && is_label());
    is_local.then_some(OutOfReach::LocalName)
}

fn reach_of_ipv4(address: Ipv4Addr) -> Option<OutOfReach> {
    let [first, second, third, _] = address.octets();
    let is_shared = first == 100 && second & 0xC0 == 64;
    if address.is_loopback() || address.is_unspecified() {
        Some(OutOfReach::OwnComputer)
    } else if address.is_private() || is_shared {
        Some(OutOfReach::PrivateAddress)
    } else {
        let is_reserved = address.is_link_local()
            || address.is_documentation()
            || address.is_multicast()
            || first == 0
            || first >= 240
            // Protocol assignments, benchmarks.
            || [first, second, third] == [192, 0, 0]
            || (first == 198 && second & 0xFE == 18);
        is_reserved.then_some(OutOfReach::ReservedAddress)
    }
}

fn reach_of_ipv6(address: Ipv6Addr) -> Option<OutOfReach> {
    let [first, second, third, fourth, ..] = address.segments();
    let is_documentation = [first, second] == [0x2001, 0x0DB8] || (first == 0x3FFF && second < 0x1000);
    // Former addresses of a site, translation, and what is discarded.
    let is_special = first & 0xFFC0 == 0xFEC0
        || [first, second, third] == [0x64, 0xFF9B, 1]
        || [first, second, third, fourth] == [0x100, 0, 0, 0];
    if address.is_loopback() || address.is_unspecified() {
        Some(OutOfReach::OwnComputer)
    } else if address.is_unique_local() {
        Some(OutOfReach::PrivateAddress)
    } else {
        let is_reserved = address.is_unicast_link_local() || address.is_multicast() || is_documentation || is_special;
        is_reserved.then_some(OutOfReach::ReservedAddress)
    }
}

/// Returns whether a reference begins with a misspelling of `http:`, `https:` or `mailto:`: one character is missing, added,
/// changed or in the place of its neighbour (the colon included, if two slashes follow), or the slashes are missing.
fn is_misspelt(reference: &str) -> bool {
    /// One character away from `http:`, and registered.
    const REGISTERED: &str = "shttp:";
    let reference = reference.trim_start();
    let colon = reference.find(':').map(|colon| colon + 1);
    let slash = reference.find(['/', '\\', '?', '#']).unwrap_or(reference.len());
    let (start, rest) = match colon.filter(|colon| *colon <= slash) {
        Some(colon) => reference.split_at(colon),
        None if reference[slash..].starts_with("//") => reference.split_at(slash),
        None => return false,
    };
    let start = start.to_ascii_lowercase();
    match &*start {
        "http:" | "https:" => rest.bytes().take_while(|byte| matches!(byte, b'/' | b'\\')).count() < 2,
        "mailto:" | REGISTERED => false,
        _ => start.len() < 10 && ["http:", "https:", "mailto:"].iter().any(|meant| osa_distance(&start, meant) == 1),
    }
}

#[cfg(test)]
mod tests {
    use super::{OutOfReach, is_misspelt, reach_of_url};
    use crate::report::OutOfReach::*;

    const OUT_OF_REACH: [(OutOfReach, &[&str]); 6] = [
        (
            LocalFile,
            &[
                "file:///home/me/img/a.png",
                "file:a.png",
                "FILE://server/share/a.png",
                " file:///a.png ",
                "blob:https://example.org/5f3c",
                "C:\\Users\\me\\a.png",
                "c:/a.png",
                "z:a.png",
            ],
        ),
        (
            OwnComputer,
            &[
                "http://localhost",
                "http://localhost/",
                "https://localhost:3000/a?b#c",
                "HTTP://LOCALHOST/",
                "http://LocalHost./",
                "http://shop.localhost:8080/",
                "http://a.b.localhost./",
                "http://me:pw@localhost/",
                "http://127.0.0.1/",
                "http://127.0.0.1:8000/a.png",
                "http://127.1/",
                "http://127.255.255.254/",
                "http://2130706433/",
                "http://0x7f.0.0.1/",
                "http://0.0.0.0:4000/",
                "http://[::1]/",
                "http://[::]:3000/",
                "http://[::ffff:127.0.0.1]/",
                "ftp://me@localhost/a",
                "rtsp://127.0.0.1/a",
            ],
        ),
        (
            PrivateAddress,
            &[
                "http://10.0.0.1/",
                "http://10.255.255.255:8080/a",
                "http://172.16.0.1/",
                "http://172.31.255.255/",
                "https://192.168.1.1/",
                "http://100.64.0.1/",
                "rtsp://192.168.0.9/a",
                "http://[fc00::1]/",
                "http://[fdff:1::1]/",
                "http://[::ffff:10.0.0.1]/",
            ],
        ),
        (
            ReservedAddress,
            &[
                "http://169.254.0.1/",
                "http://192.0.2.1/",
                "http://203.0.113.9/",
                "http://0.1.2.3/",
                "http://224.0.0.1/",
                "http://255.255.255.255/",
                "http://[fe80::1]/",
                "http://[febf::1]/",
                "http://[ff02::1]/",
                "http://[2001:db8::1]/",
                "http://192.0.0.1/",
                "http://198.18.0.1/",
                "http://198.19.255.255/",
                "http://[100::1]/",
                "http://[fec0::1]/",
                "http://[64:ff9b:1::1]/",
                "http://[3fff::1]/",
            ],
        ),
        (
            LocalName,
            &[
                "http://printer.local/",
                "http://wiki.internal/a",
                "http://shop.test./",
                "http://a.invalid/",
                "http://nas.home.arpa/",
                "http://wiki.corp/",
                "http://fritz.lan/",
                "http://intranet/",
                "https://build_7:8080/",
                "HTTP://Shop.TEST/",
                "ftp://files/a",
            ],
        ),
        (
            NoHost,
            &[
                "http:///x",
                "https://",
                "https:// ",
                "http://?a",
                "HTTP://#a",
                "http:////x",
                "http://:80/",
                "http://@/a",
            ],
        ),
    ];

    const IN_REACH: [&str; 33] = [
        "https://example.org/",
        "http://localhost.example/",
        "http://notlocalhost.example/",
        "http://example.org/localhost",
        "http://example.org/?u=http://localhost/",
        "http://localhost@example.org/",
        "http://11.0.0.1/",
        "http://172.15.255.255/",
        "http://172.32.0.1/",
        "http://192.169.1.1/",
        "http://100.128.0.1/",
        "http://128.0.0.1/",
        "http://[::2]/",
        "http://[2606:4700::1]/",
        "http://local.example/",
        "http://mylocal.org/",
        "http://a.notlocal/",
        "http://test.example/",
        "fb://profile",
        "whatsapp://send?text=a",
        "mailto:me@localhost",
        "tel:+49127001",
        "data:,file:///a",
        "cid:a@localhost",
        "filesystem:a",
        "{{file:}}",
        "{{ url }}",
        "http://{{host}}/",
        "http://[unsubscribe]",
        "http://$UNSUB$/",
        "http://[",
        "/a.png",
        "",
    ];

    #[test]
    fn vectors() {
        for (why, urls) in OUT_OF_REACH {
            for url in urls {
                assert_eq!(reach_of_url(url), Some(why), "{url}");
            }
        }
        for url in IN_REACH {
            assert_eq!(reach_of_url(url), None, "{url}");
        }
    }

    #[test]
    fn misspelt_schemes() {
        const MISSPELT: [&str; 21] = [
            "htps://example.org/",
            "htp://example.org/",
            "ttps://example.org/",
            "ttp://example.org/",
            "hhttp://example.org/",
            "htpps://example.org/",
            "httsp://example.org/",
            "HTTPSS://example.org/",
            "httpa:example.org",
            " htps:/x",
            "http//example.org/",
            "https//example.org",
            "http;//example.org/",
            "http.//example.org/",
            "https:/example.org/",
            "https:example.org/",
            "HTTP:",
            "http:\\example.org",
            "mailt:ada@example.org",
            "mialto:ada@example.org",
            "mailtoo:ada@example.org",
        ];
        const RIGHT: [&str; 24] = [
            "http://example.org/",
            "HTTPS://example.org/",
            "https:\\/example.org",
            "http:///x",
            "mailto:ada@example.org",
            "shttp://example.org/",
            "ftp://example.org/",
            "tftp://example.org/",
            "sftp://example.org/",
            "hxxp://example.org/",
            "tel:1",
            "sms:1",
            "data:,a",
            "http/a.html",
            "http/a//b",
            "https",
            "httpd/",
            "/http//a",
            "//http//a",
            "#http//a",
            "?http//a",
            "a/http:b",
            "maito.html",
            "",
        ];
        for reference in MISSPELT {
            assert!(is_misspelt(reference), "{reference}");
        }
        for reference in RIGHT {
            assert!(!is_misspelt(reference), "{reference}");
        }
    }
}
