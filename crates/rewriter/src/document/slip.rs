//! Slips at the beginning of a reference.

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
    use super::is_misspelt;

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
