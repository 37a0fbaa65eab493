//! Typos at the beginning of a reference.

use std::net::Ipv4Addr;

use strsim::osa_distance;

/// Returns whether a reference begins with a host and a port, as `localhost:3000/x`. Readers take the host for a scheme, or
/// an address for a folder.
pub(crate) fn is_host_and_port(reference: &str) -> bool {
    let reference = reference.trim_matches(|character: char| character <= ' ');
    let end = reference.find(['/', '\\', '?', '#']).unwrap_or(reference.len());
    let Some((host, port)) = reference[..end].split_once(':') else { return false };
    let is_name = || host.starts_with(|first: char| first.is_ascii_alphabetic()) && host.contains('.');
    let is_host = host.eq_ignore_ascii_case("localhost") || is_name() || host.parse::<Ipv4Addr>().is_ok();
    is_host && (1..=5).contains(&port.len()) && port.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns whether a relative reference is perhaps meant as a host: `www.shop.example`, or a name in one of the common domains of the Public
/// Suffix List, `shop.com/x`. Domains that are extensions of files as well do not count: `.md`, `.pl`, `.py`, `.sh`, `.zip`.
pub(crate) fn may_be_host(reference: &str) -> bool {
    const DOMAINS: [&str; 44] = [
        "com", "org", "net", "edu", "gov", "int", "info", "biz", "io", "co", "ai", "app", "dev", "shop", "store",
        "online", "eu", "uk", "de", "fr", "nl", "be", "ch", "at", "it", "es", "pt", "dk", "se", "no", "fi", "cz", "ie",
        "us", "ca", "mx", "br", "au", "nz", "jp", "cn", "in", "ru", "za",
    ];
    let reference = reference.trim_matches(|character: char| character <= ' ');
    let host = &reference[..reference.find(['/', '\\', '?', '#']).unwrap_or(reference.len())];
    // The dot of the root may end it.
    let host = host.strip_suffix('.').unwrap_or(host);
    let is_label = |label: &str| {
        !label.is_empty() && label.chars().all(|character| character.is_alphanumeric() || character == '-')
    };
    let Some((name, domain)) = host.rsplit_once('.').filter(|_| host.split('.').all(is_label)) else { return false };
    let is_web = name.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("www.")) && name.len() > 4;
    is_web || DOMAINS.iter().any(|known| known.eq_ignore_ascii_case(domain))
}

/// Returns whether a reference begins with a misspelling of `http:`, `https:` or `mailto:`: one character is missing, added,
/// changed or in the place of its neighbour (the colon included, if two slashes follow), or the slashes are missing.
pub(crate) fn is_misspelt(reference: &str) -> bool {
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
    use super::{is_misspelt, may_be_host};

    #[test]
    fn hosts_without_a_scheme() {
        for reference in [
            "www.example.org",
            "WWW.shop.example/x?y",
            "shop.com/x",
            " a-b.co.uk ",
            "news.shop.DE#x",
            "a.co",
            "a.co./x",
            "www.bücher.example",
        ] {
            assert!(may_be_host(reference), "{reference}");
        }
        for reference in [
            "index.html",
            "a/shop.com",
            "www.html",
            "readme.md",
            "ann@shop.com",
            "größe.html",
            "..com",
            "script.pl",
            "./shop.com",
            "a b.com",
            ".com",
            "shop..com",
            "img.2.png",
            "",
        ] {
            assert!(!may_be_host(reference), "{reference}");
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
