//! The folders of a mirror: which are named after hosts, and which host one of them is named after.

use std::net::Ipv6Addr;
use std::path::is_separator;

use absolve_rewriter::internal::Scheme;
use url::Url;

use crate::discover::file_names::{INDEX, Tool, has_query, is_original};
use crate::input::entry::Entry;

/// What the names of an input show, each looked at once.
#[derive(Debug, Default)]
pub(crate) struct Shape {
    /// The index of the first file with a query in its name.
    pub(crate) query: Option<usize>,
    /// Whether there is an original that wget kept.
    pub(crate) has_original: bool,
    /// Whether there is a file list of HTTrack.
    pub(crate) has_list: bool,
    /// The index of a file that HTTrack writes beside the folders of hosts.
    pub(crate) httrack: Option<usize>,
    /// Whether there is what `wget -r` retrieves first of a host.
    pub(crate) has_robots: bool,
    /// The first folders, with a slash at the end, that may be those of hosts.
    tops: Vec<String>,
}

impl Shape {
    pub(crate) fn of(entries: &[Entry]) -> Self {
        let mut shape = Self::default();
        let mut last: &[u8] = b"/";
        for (index, entry) in entries.iter().enumerate() {
            let path = entry.path.as_os_str().as_encoded_bytes();
            if shape.query.is_none() && memchr::memchr2(b'?', b'@', path).is_some() && entry.is_file() {
                // A message may have an address in its name.
                let may_have = path.contains(&b'?') || entry.kind.may_be_html();
                let name = entry.path.file_name().filter(|_| may_have);
                shape.query = name.and_then(|name| has_query(name.to_str()?).then_some(index));
            }
            shape.has_original |= is_original(&entry.path);
            shape.has_list |= path.ends_with(b"new.txt") && entry.path.ends_with("hts-cache/new.txt");
            shape.has_robots |= path == b"robots.txt";
            if [&b"hts-log.txt"[..], b"hts-cache", b"backblue.gif"].contains(&path) {
                shape.httrack.get_or_insert(index);
            }
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

/// Returns the host without a port of which a file is the index.
pub(crate) fn host_of_index(entry: &Entry) -> Option<&str> {
    let folder = entry.path.parent().filter(|_| entry.path.ends_with(INDEX))?.to_str()?;
    (!folder.is_empty() && !folder.contains([':', '+']) && !folder.contains(is_separator)).then_some(folder)
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

/// Returns whether a folder of this name is that of the host of `url`; of any host if none is given.
pub(crate) fn is_named_after_host(name: &str, url: Option<&str>) -> bool {
    is_below_host(Tool::Wget, &format!("{name}/"), url)
}

/// Returns whether two URLs have the same host, at any port: wget2 leaves the port out of the names of folders.
pub(crate) fn has_host(url: &str, other: &str) -> bool {
    let host = |url: &str| Some(Url::parse(url).ok()?.host_str()?.to_owned());
    host(url).is_some_and(|host_of_url| Some(host_of_url) == host(other))
}

/// Returns the name of the folder that is the input of an entry.
pub(crate) fn name_of_input(entry: &Entry) -> Option<String> {
    name_of_folder(entry, entry.path.components().count())
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
