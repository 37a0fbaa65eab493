//! Pages from the Wayback Machine: their links lead to its copies, `/web/20080102030405im_/http://h/x`.

use crate::provenance::urls::is_page_url;

/// The origin of all copies.
pub(crate) const ARCHIVE: &str = "https://web.archive.org";

/// Returns the URL of a page in the Wayback Machine, by the script in it.
pub(crate) fn page_url(head: &[u8]) -> Option<String> {
    const SCRIPT: &[u8] = b"__wm.wombat(";
    let start = memchr::memmem::find(head, SCRIPT)? + SCRIPT.len();
    let text = String::from_utf8_lossy(&head[start..]);
    let quote = text.trim_start().chars().next().filter(|quote| ['"', '\''].contains(quote))?;
    let mut arguments = text.split(quote).skip(1).step_by(2);
    let (url, time) = (arguments.next()?, arguments.next()?);
    let is_time = (4..=14).contains(&time.len()) && time.bytes().all(|byte| byte.is_ascii_digit());
    let url = url.replace("&amp;", "&").replace("\\/", "/");
    (is_time && is_page_url(&url)).then(|| format!("{ARCHIVE}/web/{time}/{url}"))
}

/// The hosts of archives with such URLs, and what their paths begin with.
const ARCHIVES: [(&str, &str); 5] = [
    ("web.archive.org", "web/"),
    ("wayback.archive.org", "web/"),
    ("arquivo.pt", "wayback/"),
    ("webarchive.nationalarchives.gov.uk", "ukgwa/"),
    ("webarchive.nla.gov.au", "awa/"),
];

/// Returns the URL that the URL of a copy wraps: `http://h/x` in `https://web.archive.org/web/2008im_/http://h/x`.
pub(crate) fn unwrapped(url: &str) -> Option<&str> {
    let start = url.get(..8)?.to_ascii_lowercase();
    let rest =
        ["https://", "http://"].iter().find_map(|scheme| start.starts_with(scheme).then(|| &url[scheme.len()..]))?;
    let (host, path) = rest.split_once('/')?;
    let host = host.split(':').next()?;
    let (_, prefix) = ARCHIVES.iter().find(|(name, _)| host.eq_ignore_ascii_case(name))?;
    let (time, wrapped) = path.strip_prefix(prefix)?.split_once('/')?;
    let digits = time.bytes().take_while(u8::is_ascii_digit).count();
    let kind = &time[digits..];
    // `im_`, `js_`: how the copy is served.
    let is_kind = kind.is_empty() || (kind.len() == 3 && kind.ends_with('_'));
    let scheme = wrapped.get(..8).unwrap_or(wrapped).to_ascii_lowercase();
    let is_page = scheme.starts_with("http://") || scheme.starts_with("https://");
    (matches!(digits, 4..=14) && is_kind && is_page).then_some(wrapped)
}

#[cfg(test)]
mod tests {
    use super::unwrapped;

    #[test]
    fn wrapped_links() {
        for (url, expected) in [
            ("https://web.archive.org/web/20080102030405/http://h/x?y#z", Some("http://h/x?y#z")),
            ("http://web.archive.org:80/web/2008im_/https://h/", Some("https://h/")),
            ("https://arquivo.pt/wayback/20080102030405/http://h/x", Some("http://h/x")),
            (
                "https://webarchive.nationalarchives.gov.uk/ukgwa/20080102030405cs_/http://h/x.css",
                Some("http://h/x.css"),
            ),
            ("https://webarchive.nla.gov.au/awa/20080102030405/http://h/", Some("http://h/")),
            ("https://arquivo.pt/web/20080102030405/http://h/x", None),
            ("//web.archive.org/web/2008/http://h/", None),
            ("https://web.archive.org/web/*/http://h/", None),
            ("https://web.archive.org/web/2008/mailto:x", None),
            ("https://web.archive.org/about/", None),
            ("https://h/web/2008/http://h/", None),
        ] {
            assert_eq!(unwrapped(url), expected, "{url}");
        }
    }
}
