//! URLs that only their author can follow.

use std::borrow::Cow;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use absolve_links::{Link, first_placeholder};
use percent_encoding::percent_decode_str;
use url::{Host, ParseError, Url};

use crate::document::base_element::is_of_base;
use crate::document::context::DocumentContext;
use crate::document::typo::{is_host_and_port, is_misspelt};
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
    let url = if status == Status::Absolute { reference } else { target };
    let why = match status {
        Status::Relative | Status::Mapped | Status::Absolute => slip_of(reference).or_else(|| reach_of_url(url)),
        Status::Unresolved(_) => slip_of(reference),
        _ => None,
    };
    why.filter(|_| !is_in_message(context, url))
}

/// Returns whether a URL names a part of the same message: it is the `Content-Location` of one, or leads to one (RFC 2557, section 8.2).
fn is_in_message(context: &DocumentContext<'_, '_>, url: &str) -> bool {
    let DocumentContext { part, options, .. } = context;
    let is_location = part.not_its_base.is_some();
    is_location || part.siblings.as_ref().is_some_and(|parts| parts.contains(url, &part.retrievals, options.rules))
}

/// Returns what is wrong with the beginning of a reference, whatever it would resolve to.
fn slip_of(reference: &str) -> Option<OutOfReach> {
    if is_misspelt(reference) {
        Some(OutOfReach::MisspeltScheme)
    } else if is_host_and_port(reference) {
        reach_of_url(&format!("http://{}", reference.trim_start())).or(Some(OutOfReach::NoScheme))
    } else {
        is_escaped_placeholder(reference).then_some(OutOfReach::EscapedPlaceholder)
    }
}

/// Returns whether a reference begins with a placeholder that a program has percent-encoded, as renderers of Markdown do.
fn is_escaped_placeholder(reference: &str) -> bool {
    let decoded = percent_decode_str(reference).decode_utf8_lossy();
    matches!(decoded, Cow::Owned(_)) && first_placeholder(&decoded, Purpose::Any).is_some()
}

/// Returns why no reader elsewhere can follow an absolute URL.
fn reach_of_url(url: &str) -> Option<OutOfReach> {
    let host = web_host(url);
    if host.is_some_and(str::is_empty) {
        return Some(OutOfReach::NoHost);
    }
    let url = match Url::parse(url) {
        Err(ParseError::EmptyHost) => return Some(OutOfReach::NoHost),
        Err(_) => return host.filter(|host| is_plain(host)).map(|_| OutOfReach::InvalidHost),
        Ok(url) => url,
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

/// Returns what a web URL has between the slashes of its host. Parsers pass over `http:///x`.
fn web_host(url: &str) -> Option<&str> {
    let (scheme, rest) = url.trim_start().split_once("://")?;
    let is_web = ["http", "https"].iter().any(|web| web.eq_ignore_ascii_case(scheme));
    is_web.then(|| rest.trim_end().split(['/', '\\', '?', '#']).next().unwrap_or_default())
}

/// Returns whether a host has no mark of a placeholder, as `http://[host]/` and `http://{{ host }}/` have.
fn is_plain(host: &str) -> bool {
    host.chars().all(|character| character.is_alphanumeric() || " .,:;@-_".contains(character))
}

fn reach_of_name(name: &str, url: &Url) -> Option<OutOfReach> {
    /// Names for special use (RFC 6761, RFC 6762 with its appendix G), and `internal`, which ICANN has reserved.
    const LOCAL: [&str; 11] = [
        "local",
        "localdomain",
        "internal",
        "test",
        "invalid",
        "home.arpa",
        "intranet",
        "private",
        "corp",
        "home",
        "lan",
    ];
    let name = name.strip_suffix('.').unwrap_or(name).to_ascii_lowercase();
    let is_below = |zone: &str| name.strip_suffix(zone).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'));
    if is_below("localhost") || name == "localhost.localdomain" {
        return Some(OutOfReach::OwnComputer);
    }
    // The parser recognises addresses in web schemes only.
    if let Ok(address) = name.parse() {
        return reach_of_ipv4(address);
    }
    if url.is_special() && is_plain(&name) && (name.contains(',') || name.split('.').any(str::is_empty)) {
        return Some(OutOfReach::InvalidHost);
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

#[cfg(test)]
mod tests {
    use super::{OutOfReach, reach_of_url, slip_of};
    use crate::report::OutOfReach::*;

    const OUT_OF_REACH: [(OutOfReach, &[&str]); 7] = [
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
                "http://localhost.localdomain/",
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
                "http://files.localdomain/",
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
        (
            InvalidHost,
            &[
                "http:// shop.example/x",
                "https://shop example/",
                "https://shop.example:99999/",
                "HTTPS://shop.example:80a",
                "http://256.1.1.1/",
                "https://shop.example https://b.example",
                "https://shop,example/",
                "https://.shop.example/",
                "https://shop..example/",
            ],
        ),
    ];

    const IN_REACH: [&str; 38] = [
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
        "http://{{ host }}/",
        "https://shop.example:{{ port }}/",
        "http://<host name>/",
        "http://shop.example:8080/",
        "fb://a b",
        "/a.png",
        "",
    ];

    #[test]
    fn placeholders_that_a_program_has_escaped() {
        for reference in ["%7B%7Bunsubscribe_url%7D%7D", "%7b%7B%20x%20%7d%7d/a", "*%7CUNSUB%7C*", "%25%25unsub%25%25"]
        {
            assert_eq!(slip_of(reference), Some(EscapedPlaceholder), "{reference}");
        }
        for reference in ["%7Bid%7D.png", "a/%7B%7Bid%7D%7D", "?id=%7B%7Bid%7D%7D", "%de%20", "%C3%A4", "100%25"] {
            assert_eq!(slip_of(reference), None, "{reference}");
        }
    }

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
    fn hosts_without_a_scheme() {
        for (reference, why) in [
            ("localhost:3000/preview", Some(OwnComputer)),
            ("LocalHost:3000", Some(OwnComputer)),
            (" 127.0.0.1:8000/x ", Some(OwnComputer)),
            ("10.0.0.1:80?a", Some(PrivateAddress)),
            ("nas.local:5000#a", Some(LocalName)),
            ("shop.example:99999/", Some(InvalidHost)),
            ("shop.example:8080/x", Some(NoScheme)),
            ("tel:12345", None),
            ("sms:12345?body=a", None),
            ("build:8080/x", None),
            ("com.example.app:/x", None),
            ("com.example.app:x", None),
            ("shop.example:123456", None),
            ("shop.example:", None),
            ("1.2:30", None),
            ("a/localhost:3000/", None),
            ("shop.example/x:8080", None),
            ("localhost/x", None),
        ] {
            assert_eq!(slip_of(reference), why, "{reference}");
        }
    }
}
