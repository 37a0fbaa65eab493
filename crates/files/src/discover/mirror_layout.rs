//! Maps paths in a mirror to URLs: `example.org/a/b.html`.

use std::ffi::OsStr;
use std::net::Ipv6Addr;
use std::path::Component;

use absolve_rewriter::{Saver, Scheme, escaped};
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Names {
    /// They are those of the URLs.
    Plain,
    /// wget may have appended `.html` to names without it (`--adjust-extension`).
    PerhapsAdjusted,
}

/// Returns whether wget would append `.html` to this name of a page with `--adjust-extension`.
pub(crate) fn is_plain(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let is_html = [".html", ".htm"].iter().any(|end| name.to_ascii_lowercase().ends_with(end));
    // The suffix of wget for originals (`--backup-converted`).
    !is_html && !name.ends_with("orig") && (!name.contains('.') || has_query(name) || is_program(name))
}

impl Names {
    /// Returns the URL of a file by its path below the folder of a host, with `/` as the separator. `root` is the URL of
    /// that folder, with a slash at the end. `None` if the URL is ambiguous.
    pub(crate) fn url_below(self, tool: Tool, root: &str, path: &str) -> Option<String> {
        let (folders, name) = path.rsplit_once('/').map_or(("", path), |(folders, name)| (folders, name));
        let name = match tool {
            Tool::Wget => self.name_before_wget(name)?,
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

    /// Returns the last segment of the URL, with the query, of a file that wget named `name`; `None` if it is ambiguous.
    fn name_before_wget(self, name: &str) -> Option<String> {
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
        let name = match (without_appended(name), self == Self::PerhapsAdjusted) {
            (Some(before), true) if has_query(before) => (!names_file(before)).then_some(before)?,
            (Some(before), true) if is_program(before) => before,
            // `about.html` may have been `about`.
            (Some(_), true) if name.ends_with(".html") && name != "index.html" => return None,
            _ => name,
        };
        let index = name.strip_prefix("index.html").filter(|rest| rest.is_empty() || rest.starts_with('?'));
        Some(index.unwrap_or(name).to_owned())
    }
}

/// Returns a name without the extension that wget may have appended.
fn without_appended(name: &str) -> Option<&str> {
    name.strip_suffix(".html").or_else(|| name.strip_suffix(".css"))
}

fn has_query(name: &str) -> bool {
    name.contains('?')
}

/// Returns whether the last value of a query may be the name of a file, whose `.html` is its own: `?file=a`, not `?page=2` or
/// `?lang=de`.
fn names_file(name: &str) -> bool {
    const NAMES: [&str; 14] = [
        "file", "filename", "f", "path", "page", "p", "doc", "document", "name", "url", "src", "template", "include",
        "to",
    ];
    let last = name.rsplit(['?', '&', ';']).next().unwrap_or_default();
    match last.split_once('=') {
        Some((_, value)) if value.bytes().all(|byte| byte.is_ascii_digit()) => value.is_empty(),
        Some((key, value)) => value.contains(['.', '%']) || NAMES.iter().any(|name| name.eq_ignore_ascii_case(key)),
        None => true,
    }
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

/// Returns the beginnings of paths that may be folders of hosts, each with a slash at its end. In a row, none stands twice.
pub(crate) fn tops(entries: &[Entry]) -> Vec<String> {
    let mut tops: Vec<String> = Vec::new();
    let mut last: Option<[&OsStr; 2]> = None;
    for entry in entries {
        let mut names = entry.path.components().map(Component::as_os_str);
        let (Some(first), Some(second)) = (names.next(), names.next()) else { continue };
        // `wget --protocol-directories`
        let has_scheme = ["http", "https"].iter().any(|scheme| first == *scheme);
        let top = [first, if has_scheme { second } else { OsStr::new("") }];
        if last != Some(top) {
            last = Some(top);
            tops.extend(first.to_str().zip(top[1].to_str()).map(|(first, second)| format!("{first}/{second}/")));
        }
    }
    tops
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
    use super::{Names, Scheme, Tool, is_plain, split_host};

    #[test]
    fn names_of_wget_and_httrack() {
        let (plain, adjusted) = (Names::Plain, Names::PerhapsAdjusted);
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
            (adjusted, Tool::Wget, "h.x/index.html?q=1.html", Some("https://h.x/?q=1")),
            (adjusted, Tool::Wget, "h.x/index.html?lang=de.html", Some("https://h.x/?lang=de")),
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
