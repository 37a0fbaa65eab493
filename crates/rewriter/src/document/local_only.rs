//! URLs that only their author can follow.

use std::net::{IpAddr, Ipv4Addr};

use absolve_links::Link;
use url::{Host, Url};

use crate::document::base_element::is_of_base;
use crate::document::context::DocumentContext;
use crate::options::Purpose;
use crate::report::Status;

/// Returns whether an absolute URL leads to the local computer: to a file or a drive, a `blob:`, `localhost` or a
/// loopback address. An invalid URL does not.
pub(crate) fn is_out_of_reach(url: &str) -> bool {
    let Ok(url) = Url::parse(url) else { return false };
    // A scheme of one letter is a drive, as in `C:\x.png`.
    if matches!(url.scheme(), "file" | "blob") || url.scheme().len() == 1 {
        return true;
    }
    match url.host() {
        Some(Host::Domain(name)) => is_own_name(name),
        Some(Host::Ipv4(address)) => is_own_address(address.into()),
        Some(Host::Ipv6(address)) => is_own_address(address.to_canonical()),
        None => false,
    }
}

/// Returns whether a link in a document for mail is local, or will be when it is absolute. A BASE is not.
pub(crate) fn is_link_out_of_reach(
    context: &DocumentContext<'_, '_>,
    link: &Link,
    status: Status,
    reference: &str,
    target: &str,
) -> bool {
    let url = match status {
        Status::Relative => target,
        Status::Absolute => reference,
        _ => return false,
    };
    context.options.purpose == Purpose::Mail && !is_of_base(context.scan, link) && is_out_of_reach(url)
}

fn is_own_name(name: &str) -> bool {
    let name = name.strip_suffix('.').unwrap_or(name).to_ascii_lowercase();
    // The parser recognises addresses in web schemes only.
    let is_address = || name.parse::<Ipv4Addr>().is_ok_and(|address| is_own_address(address.into()));
    name == "localhost" || name.ends_with(".localhost") || is_address()
}

fn is_own_address(address: IpAddr) -> bool {
    address.is_loopback() || address.is_unspecified()
}

#[cfg(test)]
mod tests {
    use super::is_out_of_reach;

    const OUT_OF_REACH: [&str; 28] = [
        "file:///home/me/img/a.png",
        "file:a.png",
        "FILE://server/share/a.png",
        " file:///a.png ",
        "blob:https://example.org/5f3c",
        "C:\\Users\\me\\a.png",
        "c:/a.png",
        "z:a.png",
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
    ];

    const IN_REACH: [&str; 24] = [
        "https://example.org/",
        "http://localhost.example/",
        "http://notlocalhost/",
        "http://example.org/localhost",
        "http://example.org/?u=http://localhost/",
        "http://localhost@example.org/",
        "http://10.0.0.1/",
        "http://192.168.1.1/",
        "http://172.16.0.1/",
        "http://128.0.0.1/",
        "http://[::2]/",
        "http://[fe80::1]/",
        "http://intranet/",
        "mailto:me@localhost",
        "tel:+49127001",
        "data:,file:///a",
        "cid:a@localhost",
        "filesystem:a",
        "{{file:}}",
        "{{ url }}",
        "http://{{host}}/",
        "http://[",
        "/a.png",
        "",
    ];

    #[test]
    fn vectors() {
        for url in OUT_OF_REACH {
            assert!(is_out_of_reach(url), "{url}");
        }
        for url in IN_REACH {
            assert!(!is_out_of_reach(url), "{url}");
        }
    }
}
