//! Maps paths in a mirror to URLs: `example.org/a/b.html`.

use std::collections::HashMap;
use std::net::Ipv6Addr;
use std::path::{Path, is_separator};

use absolve_rewriter::{Saver, Scheme, decode_percent, escaped};
use url::Url;

use crate::input::entry::Entry;

/// A tool that makes mirrors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tool {
    Wget,
    Httrack,
}

impl Tool {
    /// Returns the tool as the program that rewrote the links.
    pub(crate) const fn saver(self) -> Saver {
        match self {
            Self::Wget => Saver::Wget,
            Self::Httrack => Saver::Httrack,
        }
    }
}

/// How the names of files in a mirror were made.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Names<'q> {
    /// They are those of the URLs.
    Plain,
    /// wget may have appended `.html` to names without it (`--adjust-extension`). Behind a query, these references decide; without them, it
    /// counts as appended.
    PerhapsAdjusted(Option<&'q Queries>),
}

/// Whether queries end in `.html` (`.css`) themselves: the keys of those in references that no tool converted.
#[derive(Debug, Default)]
pub(crate) struct Queries(HashMap<String, [bool; 2]>);

impl FromIterator<(String, bool)> for Queries {
    fn from_iter<I: IntoIterator<Item = (String, bool)>>(queries: I) -> Self {
        let mut found = Self::default();
        for (key, ends_so) in queries {
            found.0.entry(key).or_default()[usize::from(ends_so)] = true;
        }
        found
    }
}

impl Queries {
    /// Returns whether wget appended `extension` to a name with a query, below `root`; `None` if it may have been in the URL.
    fn is_appended(&self, root: &str, before: &str, extension: &str) -> Option<bool> {
        let (name, query) = before.split_once('?')?;
        let root = Url::parse(root).ok()?;
        let seen = [root.host_str(), None].map(|host| self.0.get(&key_of_query(host, name, query)));
        match seen.into_iter().flatten().copied().reduce(|one, other| [one[0] | other[0], one[1] | other[1]]) {
            Some([without, with]) if without != with => Some(without),
            // Who has the extension in the path has no need of it in the query.
            None if name.ends_with(extension) && !is_index(name) => Some(true),
            _ => None,
        }
    }
}

/// Returns what the queries of one list of pages have in common: the host (none in a relative reference), the last name of the path, and the
/// last key.
pub(crate) fn key_of_query(host: Option<&str>, name: &str, query: &str) -> String {
    let key = query.rsplit(['&', ';']).next().and_then(|last| last.split_once('=')).map_or("", |(key, _)| key);
    let name = if is_index(name) { "" } else { name };
    String::from_utf8_lossy(&decode_percent(&format!("{}/{name}?{key}", host.unwrap_or_default()))).into_owned()
}

/// What the names of an input show, each looked at once.
#[derive(Debug, Default)]
pub(crate) struct Shape {
    /// The index of the first file with a query in its name.
    pub(crate) query: Option<usize>,
    /// Whether there is an original that wget kept.
    pub(crate) has_original: bool,
    /// Whether there is a file list of HTTrack.
    pub(crate) has_list: bool,
    /// The first folders, with a slash at the end, that may be those of hosts.
    tops: Vec<String>,
}

impl Shape {
    pub(crate) fn of(entries: &[Entry]) -> Self {
        let mut shape = Self::default();
        let mut last: &[u8] = b"/";
        for (index, entry) in entries.iter().enumerate() {
            let path = entry.path.as_os_str().as_encoded_bytes();
            if shape.query.is_none() && memchr::memchr(b'?', path).is_some() && entry.is_file() {
                shape.query = entry.path.file_name().and_then(|name| has_query(name.to_str()?).then_some(index));
            }
            shape.has_original |= is_original(&entry.path);
            shape.has_list |= path.ends_with(b"new.txt") && entry.path.ends_with("hts-cache/new.txt");
            if !path.starts_with(last) {
                let top = top_of(path);
                last = if top.is_empty() { last } else { top };
                let name = str::from_utf8(top).ok().filter(|top| !top.is_empty());
                shape.tops.extend(name.map(|top| top.replace(is_separator, "/")));
            }
        }
        shape.tops.sort_unstable();
        shape.tops.dedup();
        shape
    }

    /// Returns the folders of hosts at the top of the input; of the host of `url` only, if one is given.
    pub(crate) fn hosts(&self, tool: Tool, url: Option<&str>) -> impl Iterator<Item = &str> {
        let tops = self.tops.iter().filter(move |top| is_below_host(tool, top, url));
        tops.map(|top| top.trim_end_matches('/'))
    }
}

/// Returns the beginning of a path that may be the folder of a host, with a slash at its end; it is empty without one.
fn top_of(path: &[u8]) -> &[u8] {
    let mut ends = path.iter().enumerate().filter(|(_, byte)| is_separator(char::from(**byte))).map(|(slash, _)| slash);
    let top = ends.next().map_or(&[][..], |slash| &path[..=slash]);
    // `wget --protocol-directories`
    match top.strip_suffix(b"/") {
        Some(b"http" | b"https") => ends.next().map_or(&[][..], |slash| &path[..=slash]),
        _ => top,
    }
}

/// Returns whether a file has the name of an original, which wget keeps of a page whose links it converts.
pub(crate) fn is_original(path: &Path) -> bool {
    path.as_os_str().as_encoded_bytes().ends_with(ORIGINAL.as_bytes())
}

/// The extension of originals.
pub(crate) const ORIGINAL: &str = ".orig";

/// Returns whether a file has the name that wget gives to what it retrieves from the URL of a folder.
pub(crate) fn is_index_name(path: &Path) -> bool {
    path.file_name().and_then(|name| name.to_str()).is_some_and(is_index)
}

fn is_index(name: &str) -> bool {
    name.strip_prefix(INDEX).is_some_and(|rest| rest.is_empty() || rest.starts_with('?'))
}

const INDEX: &str = "index.html";

/// Returns the host without a port of which a file is the index.
pub(crate) fn host_of_index(entry: &Entry) -> Option<&str> {
    let folder = entry.path.parent().filter(|_| entry.path.ends_with(INDEX))?.to_str()?;
    (!folder.is_empty() && !folder.contains([':', '+']) && !folder.contains(is_separator)).then_some(folder)
}

/// Returns whether wget would append `.html` to this name of a page with `--adjust-extension`.
pub(crate) fn is_plain(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let is_html = [".html", ".htm"].iter().any(|end| name.to_ascii_lowercase().ends_with(end));
    // The suffix of wget for originals (`--backup-converted`).
    !is_html && !name.ends_with("orig") && (!name.contains('.') || name.contains('?') || is_program(name))
}

impl Names<'_> {
    /// Returns the URL of a file by its path below the folder of a host, with `/` as the separator. `root` is the URL of
    /// that folder, with a slash at the end. `None` if the URL is ambiguous.
    pub(crate) fn url_below(self, tool: Tool, root: &str, path: &str) -> Option<String> {
        let (folders, name) = path.rsplit_once('/').map_or(("", path), |(folders, name)| (folders, name));
        let name = match tool {
            Tool::Wget => self.name_before_wget(root, name)?,
            Tool::Httrack => name_before_httrack(name)?,
        };
        let mut url = root.to_owned();
        for folder in folders.split('/').filter(|folder| !folder.is_empty()) {
            url.push_str(&with_escapes(folder, b""));
            url.push('/');
        }
        match name.split_once('?') {
            Some((name, query)) => {
                url.push_str(&format!("{}?{}", with_escapes(name, b""), with_escapes(query, b"?/[]|")));
            }
            None => url.push_str(&with_escapes(&name, b"")),
        }
        Some(url)
    }

    /// Returns the last segment of the URL, with the query, of a file that wget named `name` below `root`; `None` if it is ambiguous.
    fn name_before_wget(self, root: &str, name: &str) -> Option<String> {
        // For Windows, wget writes a query as `@a=1`.
        let is_unclear = name.split_once('@').is_some_and(|(_, rest)| rest.is_empty() || rest.contains('='));
        // `page.html.1` is a second file of that name.
        let is_numbered =
            name.rsplit_once('.').is_some_and(|(_, number)| number.bytes().all(|byte| byte.is_ascii_digit()));
        // wget writes a slash in a query as `%2F`, which may have been in the URL already.
        let is_slash = name.split_once('?').is_some_and(|(_, query)| query.to_ascii_uppercase().contains("%2F"));
        // `q%3Fname.html` is written like a query, but a query has an equals sign.
        let is_mark = name.split_once('?').is_some_and(|(_, query)| !query.contains('=') && query.contains('.'));
        if is_unclear || is_numbered || is_slash || is_mark {
            return None;
        }
        let name = match (without_appended(name), self) {
            (Some((before, extension)), Self::PerhapsAdjusted(queries)) if before.contains('?') => {
                let appended = queries.map_or(Some(true), |queries| queries.is_appended(root, before, extension));
                if appended? { before } else { name }
            }
            (Some((before, _)), Self::PerhapsAdjusted(_)) if is_program(before) => before,
            // `about.html` may have been `about`.
            (Some((_, ".html")), Self::PerhapsAdjusted(_)) if name != INDEX => return None,
            _ => name,
        };
        Some(name.strip_prefix(INDEX).filter(|_| is_index(name)).unwrap_or(name).to_owned())
    }
}

/// What wget appends to the name of a file (`--adjust-extension`), which may be nothing.
pub(crate) const APPENDED: [&str; 3] = ["", ".html", ".css"];

/// Returns a name without the extension that wget may have appended, and that extension.
pub(crate) fn without_appended(name: &str) -> Option<(&str, &str)> {
    APPENDED[1..].iter().find_map(|extension| Some((name.strip_suffix(extension)?, *extension)))
}

/// Returns whether a file has a query in its name.
pub(crate) fn has_query(name: &str) -> bool {
    name.split_once('?').is_some_and(|(_, query)| query.contains('='))
}

/// Returns whether the extension is that of a program, or of a page without `.html` or `.htm`.
fn is_program(name: &str) -> bool {
    const PROGRAMS: [&str; 14] =
        ["php", "php3", "php4", "php5", "asp", "aspx", "jsp", "cfm", "cgi", "pl", "do", "xhtml", "shtml", "phtml"];
    name.rsplit_once('.')
        .is_some_and(|(_, extension)| PROGRAMS.iter().any(|known| known.eq_ignore_ascii_case(extension)))
}

/// Returns the last segment of the URL of a file that HTTrack named `name`; `None` if it is ambiguous. HTTrack names
/// all pages `.html`, and appends four digits for a query.
fn name_before_httrack(name: &str) -> Option<String> {
    let (stem, extension) = name.rsplit_once('.')?;
    let is_page = ["html", "htm", "css"].contains(&&*extension.to_ascii_lowercase());
    let end = stem.get(stem.len().checked_sub(4)?..);
    let is_hashed = end.is_some_and(|end| end.bytes().all(|byte| byte.is_ascii_hexdigit()));
    (!is_page && !is_hashed).then(|| name.to_owned())
}

/// Returns the URL of the root of the host that a path in a mirror begins with, and the path below the folder of the host.
pub(crate) fn split_host(tool: Tool, path: &str, scheme: Option<Scheme>) -> Option<(String, &str)> {
    let (first, rest) = path.split_once('/')?;
    // `wget --protocol-directories`
    let (scheme, host, rest) = match ["http", "https"].contains(&first) {
        true => rest.split_once('/').map(|(host, rest)| (first, host, rest))?,
        false => (scheme?.name(), first, rest),
    };
    let root = Url::parse(&format!("{scheme}://{}/", authority(tool, host)?)).ok()?;
    Some((root.into(), rest))
}

/// Returns whether a path in a mirror begins with the folder of the host of `url`; of any host if none is given.
pub(crate) fn is_below_host(tool: Tool, path: &str, url: Option<&str>) -> bool {
    split_host(tool, path, Some(Scheme::Http)).is_some_and(|(root, _)| url.is_none_or(|url| has_host(url, &root)))
}

/// Returns whether two URLs have the same host, at any port: wget2 leaves the port out of the names of folders.
pub(crate) fn has_host(url: &str, other: &str) -> bool {
    let host = |url: &str| Some(Url::parse(url).ok()?.host_str()?.to_owned());
    host(url).is_some_and(|host_of_url| Some(host_of_url) == host(other))
}

/// Returns the name of the folder `names` levels above an entry.
pub(crate) fn name_of_folder(entry: &Entry, names: usize) -> Option<String> {
    let folder = entry.source.ancestors().nth(names)?;
    let folder = folder.canonicalize().ok()?;
    Some(folder.file_name()?.to_str()?.to_owned())
}

/// Returns the host and the port of a folder: wget names it `h:8`, wget for Windows `h+8`, HTTrack `h_8`.
fn authority(tool: Tool, folder: &str) -> Option<String> {
    let sign = match tool {
        Tool::Wget if folder.contains('+') => '+',
        Tool::Wget => ':',
        Tool::Httrack => '_',
    };
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let parted = folder.rsplit_once(sign).filter(|(_, port)| is_number(port));
    let is_ipv6 = |host: &str| host.parse::<Ipv6Addr>().is_ok();
    let (host, port) = match parted {
        // `::1:8` is a port behind an address, `::1` is none.
        Some((host, port)) if !is_ipv6(folder) || is_ipv6(host) => (host, Some(port)),
        _ => (folder, None),
    };
    let is_host_byte = |byte: u8| byte.is_ascii_alphanumeric() || !byte.is_ascii() || b"-.".contains(&byte);
    let is_host = (host.contains('.') || host == "localhost") && host.bytes().all(is_host_byte);
    let host = if is_ipv6(host) { format!("[{host}]") } else { is_host.then(|| host.to_owned())? };
    Some(port.map_or_else(|| host.clone(), |port| format!("{host}:{port}")))
}

/// Percent-encodes a name except for `kept`, and keeps the escapes that it contains.
fn with_escapes(name: &str, kept: &[u8]) -> String {
    let mut text = String::with_capacity(name.len());
    let mut rest = name;
    while let Some(percent) = rest.find('%') {
        let (before, after) = rest.split_at(percent);
        text.push_str(&escaped(before.as_bytes(), kept));
        let is_escape = after.len() > 2 && after.as_bytes()[1..3].iter().all(u8::is_ascii_hexdigit);
        text.push_str(if is_escape { "%" } else { "%25" });
        rest = &after[1..];
    }
    text + &escaped(rest.as_bytes(), kept)
}

#[cfg(test)]
mod tests {
    use super::{Names, Queries, Scheme, Tool, is_plain, key_of_query, split_host};

    #[test]
    fn names_of_wget_and_httrack() {
        let queries = [
            ("", "lang", false),
            ("view.php", "id", false),
            ("list", "y", true),
            ("both", "y", true),
            ("both", "y", false),
        ];
        let key = |(name, key, ends_so)| (key_of_query(Some("h.x"), name, &format!("a=1&{key}=2")), ends_so);
        let queries: Queries = queries.into_iter().map(key).collect();
        let (plain, adjusted) = (Names::Plain, Names::PerhapsAdjusted(Some(&queries)));
        for (names, tool, path, expected) in [
            (plain, Tool::Wget, "h.x/index.html", Some("https://h.x/")),
            (plain, Tool::Wget, "h.x:8/a/index.html", Some("https://h.x:8/a/")),
            (plain, Tool::Wget, "h.x+8/a/b", Some("https://h.x:8/a/b")),
            (plain, Tool::Wget, "::1:8/a", Some("https://[::1]:8/a")),
            (plain, Tool::Wget, "::1+8/a", Some("https://[::1]:8/a")),
            (plain, Tool::Wget, "2001:db8::1/a", Some("https://[2001:db8::1]/a")),
            (plain, Tool::Wget, "b\u{fc}cher.x/a", Some("https://xn--bcher-kva.x/a")),
            (plain, Tool::Wget, "http/h.x/a/b", Some("http://h.x/a/b")),
            (plain, Tool::Wget, "h.x/a.html", Some("https://h.x/a.html")),
            (plain, Tool::Wget, "h.x/list?page=2", Some("https://h.x/list?page=2")),
            (plain, Tool::Wget, "h.x/caf\u{e9}/a b", Some("https://h.x/caf%C3%A9/a%20b")),
            (plain, Tool::Wget, "h.x/100%.html", Some("https://h.x/100%25.html")),
            (plain, Tool::Wget, "h.x/a%2Fb", Some("https://h.x/a%2Fb")),
            (plain, Tool::Wget, "h.x/a.html.1", None),
            (plain, Tool::Wget, "h.x/q?name.html", None),
            (plain, Tool::Wget, "h.x+8/a@b=1", None),
            (plain, Tool::Wget, "h.x/go?to=%2Fx", None),
            (plain, Tool::Wget, "a.html", None),
            (plain, Tool::Wget, "images/a.html", None),
            (adjusted, Tool::Wget, "h.x/index.html", Some("https://h.x/")),
            (adjusted, Tool::Wget, "h.x/index.html?q=1.html", None),
            (Names::PerhapsAdjusted(None), Tool::Wget, "h.x/index.html?q=1.html", Some("https://h.x/?q=1")),
            (adjusted, Tool::Wget, "h.x/index.html?lang=de.html", Some("https://h.x/?lang=de")),
            (adjusted, Tool::Wget, "h.x/list?y=1.html", Some("https://h.x/list?y=1.html")),
            (adjusted, Tool::Wget, "h.x/both?y=1.html", None),
            (adjusted, Tool::Wget, "h.x/list?z=1.html", None),
            (adjusted, Tool::Wget, "h.x/s.css?v=1.css", Some("https://h.x/s.css?v=1")),
            (adjusted, Tool::Wget, "h.x/app.php?page=help.html", None),
            (adjusted, Tool::Wget, "h.x/view.php.html", Some("https://h.x/view.php")),
            (adjusted, Tool::Wget, "h.x/view.php?id=1.html", Some("https://h.x/view.php?id=1")),
            (adjusted, Tool::Wget, "h.x/x?file=a.html", None),
            (adjusted, Tool::Wget, "h.x/a.html", None),
            (adjusted, Tool::Wget, "h.x/img/a.png", Some("https://h.x/img/a.png")),
            (plain, Tool::Httrack, "h.x_8/img/logo.png", Some("https://h.x:8/img/logo.png")),
            (plain, Tool::Httrack, "h.x/img/logo3f2a.png", None),
            (plain, Tool::Httrack, "h.x/index.html", None),
        ] {
            let found =
                split_host(tool, path, Some(Scheme::Https)).and_then(|(root, rest)| names.url_below(tool, &root, rest));
            assert_eq!(found.as_deref(), expected, "{path} of {names:?}");
        }
        assert_eq!(split_host(Tool::Wget, "h.x/a", None), None);
        for (name, expected) in [
            ("h/a", true),
            ("h/a?b.c", true),
            ("h/a.php", true),
            ("h/a.html", false),
            ("h/a?b.orig", false),
            ("h/a.png", false),
        ] {
            assert_eq!(is_plain(name), expected, "{name}");
        }
    }
}
