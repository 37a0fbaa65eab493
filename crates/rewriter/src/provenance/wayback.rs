//! Pages from the Wayback Machine and other web archives: their links lead to its copies, `/web/20080102030405im_/http://h/x`.

use std::iter::successors;

use crate::provenance::urls::{has_host, host, is_page_url};

/// The origin of all copies.
pub(crate) const ARCHIVE: &str = "https://web.archive.org";

/// Returns the URL of a page in the Wayback Machine, by the arguments of the function that its script calls.
pub(crate) fn page_url(arguments: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(arguments);
    let quote = text.trim_start().chars().next().filter(|quote| ['"', '\''].contains(quote))?;
    let mut arguments = text.split(quote).skip(1).step_by(2);
    let (url, time) = (arguments.next()?, arguments.next()?);
    let is_time = (4..=14).contains(&time.len()) && time.bytes().all(|byte| byte.is_ascii_digit());
    let url = url.replace("&amp;", "&").replace("\\/", "/");
    (is_time && is_page_url(&url)).then(|| format!("{ARCHIVE}/web/{time}/{url}"))
}

/// The hosts of archives, and what precedes the timestamp in the paths of their copies.
const ARCHIVES: [(&str, &str); 7] = [
    ("web.archive.org", "/web/"),
    ("wayback.archive.org", "/web/"),
    ("arquivo.pt", "/wayback/"),
    ("arquivo.pt", "/noFrame/replay/"),
    ("webarchive.nationalarchives.gov.uk", "/ukgwa/"),
    ("webarchive.nationalarchives.gov.uk", "/"),
    ("webarchive.nla.gov.au", "/awa/"),
];

/// What precedes the timestamp in the URLs of the copies of a web archive.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ArchivePrefix {
    origin: String,
    /// Begins and ends with a slash.
    path: String,
}

impl ArchivePrefix {
    /// Returns the prefix `url`; `None` if it is not an http or https URL with a path.
    ///
    /// ```
    /// use absolve_rewriter::internal::ArchivePrefix;
    /// assert!(ArchivePrefix::new("https://archive.example/web/").is_some());
    /// assert!(ArchivePrefix::new("archive.example/web/").is_none() && ArchivePrefix::new("https://archive.example/?x").is_none());
    /// ```
    pub fn new(url: &str) -> Option<Self> {
        let (origin, path) = split(url).filter(|_| !url.contains(['?', '#']) && is_page_url(url))?;
        Some(Self { origin: origin.to_owned(), path: format!("{}/", path.trim_end_matches('/')) })
    }

    /// Returns the prefix of the Wayback Machine.
    pub(crate) fn of_wayback_machine() -> Self {
        Self { origin: ARCHIVE.to_owned(), path: "/web/".to_owned() }
    }

    /// Returns the prefix of the URL of a copy: of a known archive, or with `/web/` and a timestamp at any host.
    ///
    /// ```
    /// use absolve_rewriter::internal::ArchivePrefix;
    /// let of_copy = ArchivePrefix::of_copy("https://archive.example/web/2008im_/http://h/x");
    /// assert_eq!(of_copy, ArchivePrefix::new("https://archive.example/web/"));
    /// ```
    pub fn of_copy(url: &str) -> Option<Self> {
        let (origin, path) = split(url)?;
        let is_here = |prefix: &&str| wrapped_in(path, prefix).is_some();
        let prefix = known_prefixes(origin).chain(["/web/"]).find(is_here)?;
        Some(Self { origin: origin.to_owned(), path: prefix.to_owned() })
    }

    /// Returns the prefixes by which links in the copy at this URL are those of copies.
    pub fn all_of(url: &str, given: Option<&Self>) -> Vec<Self> {
        Self::of_copy(url).into_iter().chain(given.cloned()).collect()
    }

    /// Returns the URL in the archive of a reference that is the path of copies, whatever the base is. Behind the timestamp may be
    /// a wildcard.
    pub(crate) fn at_host(&self, reference: &str) -> Option<String> {
        let (time, wrapped) = reference.strip_prefix(&self.path)?.split_once('/')?;
        let is_of_copies = (time.bytes().take_while(u8::is_ascii_digit).count() >= 4 || time == OF_PAGES)
            && (wrapped.starts_with("http") || wrapped.starts_with("//"));
        is_of_copies.then(|| format!("{}{reference}", self.origin))
    }
}

/// What the URL of a copy says of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReplayedCopy<'u> {
    /// The URL that was archived.
    pub url: &'u str,
    /// When, in 4 to 14 digits.
    pub time: &'u str,
    /// Whether its links are as they were: those of other copies lead to the archive.
    pub is_original: bool,
}

impl<'u> ReplayedCopy<'u> {
    /// Returns what the URL of a copy says, in a known archive or in one of `archives`; of the copy of a copy, what the inner one says.
    ///
    /// ```
    /// use absolve_rewriter::internal::ReplayedCopy;
    /// let copy = ReplayedCopy::of("https://web.archive.org/web/2008id_/http://h/x", &[]);
    /// assert_eq!(copy, Some(ReplayedCopy { url: "http://h/x", time: "2008", is_original: true }));
    /// ```
    pub fn of(url: &'u str, archives: &[ArchivePrefix]) -> Option<Self> {
        let copies = copies(url, archives).filter(|copy| !copy.time.is_empty() && !copy.url.starts_with("//"));
        copies.reduce(|outer, copy| Self { is_original: outer.is_original && copy.is_original, ..copy })
    }
}

/// Returns the URL that the URL of a copy wraps, in a known archive or in one of `archives`: `http://h/x` in
/// `https://web.archive.org/web/2008im_/http://h/x`, and also if one archive has the copy of another. pywb and wabac.js leave out the
/// scheme where a link does: `//h/x`.
pub(crate) fn unwrapped<'u>(url: &'u str, archives: &[ArchivePrefix]) -> Option<&'u str> {
    copies(url, archives).last().map(|copy| copy.url)
}

/// Returns a copy, the copy that it is of, and so on.
fn copies<'u>(url: &'u str, archives: &[ArchivePrefix]) -> impl Iterator<Item = ReplayedCopy<'u>> {
    successors(unwrapped_once(url, archives), |copy| unwrapped_once(copy.url, archives))
}

fn unwrapped_once<'u>(url: &'u str, archives: &[ArchivePrefix]) -> Option<ReplayedCopy<'u>> {
    let (origin, path) = split(url)?;
    let given = archives.iter().filter(|archive| has_host(&archive.origin, origin));
    let mut in_given = given.filter_map(|archive| wrapped_in(path, &archive.path));
    in_given.next().or_else(|| known_prefixes(origin).find_map(|prefix| wrapped_in(path, prefix)))
}

/// Returns the prefixes of paths of the known archive at this origin.
fn known_prefixes(origin: &str) -> impl Iterator<Item = &'static str> {
    let host = host(origin);
    ARCHIVES.iter().filter(move |(name, _)| host.eq_ignore_ascii_case(name)).map(|(_, prefix)| *prefix)
}

/// Splits an http or https URL before its path.
fn split(url: &str) -> Option<(&str, &str)> {
    let start = url.get(..8).unwrap_or(url).to_ascii_lowercase();
    let scheme = ["https://", "http://"].into_iter().find(|scheme| start.starts_with(scheme))?.len();
    let path = scheme + url[scheme..].find('/')?;
    (path > scheme).then(|| url.split_at(path))
}

/// How pywb and wabac.js serve pages. wabac.js writes no timestamp in front of it where the page was asked for without one.
const OF_PAGES: &str = "mp_";

/// Returns the copy whose URL has a path with this prefix, a timestamp and how the copy is served (`im_`, `id_`).
fn wrapped_in<'p>(path: &'p str, prefix: &str) -> Option<ReplayedCopy<'p>> {
    let (time, wrapped) = path.strip_prefix(prefix)?.split_once('/')?;
    let digits = time.bytes().take_while(u8::is_ascii_digit).count();
    let kind = &time[digits..];
    let is_kind = kind.is_empty() || (kind.len() == 3 && kind.ends_with('_'));
    let scheme = wrapped.get(..8).unwrap_or(wrapped).to_ascii_lowercase();
    let is_page = ["http://", "https://", "//"].iter().any(|start| scheme.starts_with(start));
    let copy = ReplayedCopy { url: wrapped, time: &time[..digits], is_original: kind == "id_" };
    ((matches!(digits, 4..=14) && is_kind || time == OF_PAGES) && is_page).then_some(copy)
}

#[cfg(test)]
mod tests {
    use super::{ArchivePrefix, unwrapped};

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
            ("https://arquivo.pt/noFrame/replay/20080102030405mp_/http://h/x", Some("http://h/x")),
            ("https://webarchive.nationalarchives.gov.uk/20080102030405/http://h/", Some("http://h/")),
            ("https://web.archive.org/web/2020/http://arquivo.pt/wayback/2019im_/http://h/x", Some("http://h/x")),
            (
                "https://web.archive.org/web/2020/http://a.example/web/2019/http://h/",
                Some("http://a.example/web/2019/http://h/"),
            ),
            ("https://arquivo.pt/web/20080102030405/http://h/x", None),
            ("//web.archive.org/web/2008/http://h/", None),
            ("https://web.archive.org/web/2008mp_///h/x", Some("//h/x")),
            ("https://web.archive.org/web/mp_/http://h/x", Some("http://h/x")),
            ("https://web.archive.org/web/im_/http://h/x", None),
            ("https://web.archive.org/web/*/http://h/", None),
            ("https://web.archive.org/web/2008/mailto:x", None),
            ("https://web.archive.org/about/", None),
            ("https://h/web/2008/http://h/", None),
        ] {
            assert_eq!(unwrapped(url, &[]), expected, "{url}");
        }
        for (url, prefix, expected) in [
            ("http://H:80/web/2008/http://h/", "https://h/web", Some("http://h/")),
            ("http://localhost:8080/coll/2008mp_/http://h/", "http://localhost:8080/coll/", Some("http://h/")),
            ("http://localhost:8081/coll/2008/http://h/", "http://localhost:8080/coll/", None),
            ("http://h/collection/2008/http://h/", "http://h/coll", None),
            ("http://h/2008/http://h/", "http://h/", Some("http://h/")),
        ] {
            assert_eq!(unwrapped(url, ArchivePrefix::new(prefix).as_slice()), expected, "{url}");
        }
    }

    #[test]
    fn a_timestamp_in_the_url_of_a_document_names_its_archive() {
        for (url, prefix) in [
            ("https://archive.example:8443/web/20080102im_/http://h/x", Some("https://archive.example:8443/web/")),
            ("https://arquivo.pt/noFrame/replay/2008/http://h/", Some("https://arquivo.pt/noFrame/replay/")),
            (
                "https://webarchive.nationalarchives.gov.uk/2008/http://h/",
                Some("https://webarchive.nationalarchives.gov.uk/"),
            ),
            ("https://archive.example/web/x/http://h/x", None),
            ("https://archive.example/pages/2008/http://h/x", None),
        ] {
            assert_eq!(ArchivePrefix::of_copy(url), prefix.and_then(ArchivePrefix::new), "{url}");
        }
    }
}
