//! The names of files in a mirror: which names a URL may have, and which URL a name may have.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use absolve_framing::bundle::{normal, os_path};
use absolve_rewriter::internal::{Saver, decode_percent, escaped};
use url::Url;

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

/// Why the name of a file does not show its URL.
pub(crate) type Unclear = &'static str;

/// Nothing shows where the folders of hosts are, or their scheme.
pub(crate) const NO_HOST: Unclear = "its host or scheme is not known";

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

/// Returns the path that wget2 gives to what it retrieves from a URL, without an appended extension: `h/a/index.html`. The one of wget has the
/// port, too.
pub(crate) fn path_of(url: &str) -> Option<String> {
    let url = Url::parse(url).ok()?;
    let path = String::from_utf8(decode_percent(url.path())).ok()?;
    let index = if path.ends_with('/') { INDEX } else { "" };
    let query = url.query().map(|query| format!("?{query}")).unwrap_or_default();
    Some(format!("{}{path}{index}{query}", url.host_str()?))
}

/// Returns whether wget may have given a file this name for a relative reference in a page of `folder`.
pub(crate) fn is_name_of(file: &Path, original: &str, folder: &Path) -> bool {
    let original = without_fragment(original);
    if original.contains("://") {
        return false;
    }
    let (path, query) = original.find('?').map_or((original, ""), |mark| original.split_at(mark));
    let index = if path.is_empty() || path.ends_with(['/', '.']) { "/index.html" } else { "" };
    let name = os_path(&decode_percent(&format!("{path}{index}{query}")));
    let names = |end: &Path| appended(&end.display().to_string()).any(|name| file == Path::new(&name));
    match name.strip_prefix("/") {
        // Where the root of the site is, nothing says.
        Ok(below) => file.ancestors().any(|top| names(&top.join(below))),
        Err(_) => names(&normal(&folder.join(name))),
    }
}

/// Returns a URL with its folder in place of an index.
pub(crate) fn without_index(url: &str) -> &str {
    url.strip_suffix(INDEX).unwrap_or(url)
}

/// Returns a reference without its fragment.
pub(crate) fn without_fragment(reference: &str) -> &str {
    &reference[..reference.find('#').unwrap_or(reference.len())]
}

/// Returns the path of the copy with this original, among `files`.
pub(crate) fn copy_of(original: &Path, files: &HashSet<PathBuf>) -> Option<PathBuf> {
    let name = normal(original).to_str()?.strip_suffix(ORIGINAL)?.to_owned();
    [format!("{name}.html"), name].into_iter().map(PathBuf::from).find(|path| files.contains(path))
}

/// Returns the original of the copy with this path, and the path of the copy before wget appended `.html`.
pub(crate) fn original_of<'p>(path: &'p str, is_file: &dyn Fn(&str) -> bool) -> Option<(String, &'p str)> {
    let befores = [Some(path), path.strip_suffix(".html")].into_iter().flatten();
    befores.map(|before| (format!("{before}{ORIGINAL}"), before)).find(|(original, _)| is_file(original))
}

/// Returns whether a file has the name of an original, which wget keeps of a page whose links it converts.
pub(crate) fn is_original(path: &Path) -> bool {
    path.as_os_str().as_encoded_bytes().ends_with(ORIGINAL.as_bytes())
}

/// The extension of originals.
const ORIGINAL: &str = ".orig";

/// Returns whether a file has the name that wget gives to what it retrieves from the URL of a folder.
pub(crate) fn is_index_name(path: &Path) -> bool {
    path.file_name().and_then(|name| name.to_str()).is_some_and(is_index)
}

fn is_index(name: &str) -> bool {
    name.strip_prefix(INDEX).is_some_and(|rest| rest.is_empty() || rest.starts_with('?'))
}

/// The name of the index of a folder.
pub(crate) const INDEX: &str = "index.html";

/// Returns whether wget would append `.html` to this name of a page with `--adjust-extension`.
pub(crate) fn is_plain(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let is_html = [".html", ".htm"].iter().any(|end| name.to_ascii_lowercase().ends_with(end));
    // The suffix of wget for originals (`--backup-converted`).
    !is_html && !name.ends_with("orig") && (!name.contains('.') || name.contains('?') || is_program(name))
}

impl Names<'_> {
    /// Returns the URL of a file by its path below the folder of a host, with `/` as the separator. `root` is the URL of
    /// that folder, with a slash at the end.
    pub(crate) fn url_below(self, tool: Tool, root: &str, path: &str) -> Result<String, Unclear> {
        let (folders, name) = path.rsplit_once('/').map_or(("", path), |(folders, name)| (folders, name));
        let name = match tool {
            Tool::Wget => self.name_before_wget(root, name)?,
            Tool::Httrack => name_before_httrack(name).ok_or("HTTrack may have changed it")?,
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
        Ok(url)
    }

    /// Returns the last segment of the URL, with the query, of a file that wget named `name` below `root`.
    fn name_before_wget(self, root: &str, name: &str) -> Result<String, Unclear> {
        // For Windows, wget writes a query as `@a=1`.
        let is_unclear = name.split_once('@').is_some_and(|(_, rest)| rest.is_empty() || rest.contains('='));
        // `page.html.1` is a second file of that name.
        let is_numbered =
            name.rsplit_once('.').is_some_and(|(_, number)| number.bytes().all(|byte| byte.is_ascii_digit()));
        // wget writes a slash in a query as `%2F`, which may have been in the URL already.
        let is_slash = name.split_once('?').is_some_and(|(_, query)| query.to_ascii_uppercase().contains("%2F"));
        // `q%3Fname.html` is written like a query, but a query has an equals sign.
        let is_mark = name.split_once('?').is_some_and(|(_, query)| !query.contains('=') && query.contains('.'));
        if is_numbered {
            return Err("wget may have appended the number");
        }
        if is_unclear || is_slash || is_mark {
            return Err(UNCLEAR_QUERY);
        }
        let name = match (without_appended(name), self) {
            (Some((before, extension)), Self::PerhapsAdjusted(queries)) if before.contains('?') => {
                let appended = queries.map_or(Some(true), |queries| queries.is_appended(root, before, extension));
                if appended.ok_or(UNCLEAR_QUERY)? { before } else { name }
            }
            (Some((before, _)), Self::PerhapsAdjusted(_)) if is_program(before) => before,
            // `about.html` may have been `about`.
            (Some((_, ".html")), Self::PerhapsAdjusted(_)) if name != INDEX => {
                return Err("wget may have appended .html (-E)");
            }
            _ => name,
        };
        Ok(name.strip_prefix(INDEX).filter(|_| is_index(name)).unwrap_or(name).to_owned())
    }
}

const UNCLEAR_QUERY: Unclear = "its query may be written otherwise in the URL";

/// What wget appends to the name of a file (`--adjust-extension`), which may be nothing.
const APPENDED: [&str; 3] = ["", ".html", ".css"];

/// Returns the names that wget may have given a file with this name of its own.
pub(crate) fn appended(name: &str) -> impl Iterator<Item = String> {
    APPENDED.iter().map(move |extension| format!("{name}{extension}"))
}

/// Returns a name without the extension that wget may have appended, and that extension.
pub(crate) fn without_appended(name: &str) -> Option<(&str, &str)> {
    APPENDED[1..].iter().find_map(|extension| Some((name.strip_suffix(extension)?, *extension)))
}

/// Returns whether a file has a query in its name: behind `@`, where wget names files for Windows.
pub(crate) fn has_query(name: &str) -> bool {
    name.split_once(['?', '@']).is_some_and(|(_, query)| query.contains('='))
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
    use absolve_rewriter::internal::Scheme;

    use super::{Names, Queries, Tool, is_plain, key_of_query};
    use crate::discover::mirror_layout::split_host;

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
            let found = split_host(tool, path, Some(Scheme::Https))
                .and_then(|(root, rest)| names.url_below(tool, &root, rest).ok());
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
