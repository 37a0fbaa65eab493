//! The paths of the files of a site, by their URLs.

use percent_encoding::{AsciiSet, percent_decode_str, utf8_percent_encode};
use sha2::{Digest, Sha256};
use unicode_normalization::is_nfc;
use url::Url;

use crate::file::ESCAPED;
use crate::limits::{NAME_BYTES, PATH_BYTES};
use crate::names::{Origin, with_extension};
use crate::safe_name::{folded, is_device, is_forbidden, split};

/// Returns the path below the folder of the site where the content of a URL is written, with `/` between folders; `None` for a URL without
/// a host.
///
/// The path is `host/folder/name.html`, with the port and a rare scheme before the host. It is safe on Linux, macOS and Windows: what some
/// system forbids is written as `^` and two hexadecimal digits, and `?` as `@`. The name has an extension of the media type, and a
/// folder has none. What is too long is cut, behind `^~` with a digest of the URL.
///
/// ```
/// use absolve_unpacker::site_path;
/// let path = |url: &str| site_path(&url.parse().ok()?, "text/html");
/// assert_eq!(path("https://example.org/a/").as_deref(), Some("example.org/a/index.html"));
/// assert_eq!(path("http://h:81/caf%C3%A9?id=3").as_deref(), Some("h+81/café@id=3.html"));
/// assert_eq!(path("http://h/a:b.html/con").as_deref(), Some("h/a^3Ab.html^/^63on.html"));
/// ```
pub fn site_path(url: &Url, media_type: &str) -> Option<String> {
    let host = url.host_str().filter(|host| !host.is_empty())?;
    let scheme = if url.scheme().starts_with("http") { String::new() } else { format!("{}+", url.scheme()) };
    let port = url.port().map(|port| format!("+{port}")).unwrap_or_default();
    let login = &url[url::Position::BeforeUsername..url::Position::BeforeHost];
    let host = fitted(&format!("{scheme}{}{port}", escaped(&format!("{login}{host}"))), "");
    // Windows drops dots at the end.
    let is_taken = ["index.html", "urls.csv"].contains(&&*host) || host.ends_with('.');
    let host = if is_taken { format!("{host}^") } else { host };
    let segments: Vec<&str> = url.path().strip_prefix('/').unwrap_or_default().split('/').collect();
    let (name, folders) = segments.split_last()?;
    let folders: Vec<String> = folders.iter().map(|folder| folder_name(folder)).collect();
    let name = file_name(name, url.query(), media_type);
    let path = folders.iter().fold(format!("{host}/"), |path, folder| path + folder + "/") + &name;
    if path.len() <= PATH_BYTES {
        return Some(path);
    }
    let (_, extension) = split(&name);
    Some(format!("{host}/{}", cut(&name, &url[url::Position::BeforePath..], NAME_BYTES / 2, extension)))
}

/// Returns a path with a number in front of its extension, for a second URL with this path.
pub fn numbered(path: &str, number: u64) -> String {
    let (stem, extension) = split(path);
    format!("{stem}^-{number}{extension}")
}

/// Returns what two paths have in common that are one on some file system.
pub fn folded_path(path: &str) -> String {
    folded(path)
}

/// Returns the relative reference from one file of a site to another.
///
/// ```
/// use absolve_unpacker::relative_reference;
/// assert_eq!(relative_reference("h/a/b.html", "h/c/é.html"), "../c/%C3%A9.html");
/// assert_eq!(relative_reference("h/a/b.html", "h/a/b.html"), "b.html");
/// ```
pub fn relative_reference(from: &str, to: &str) -> String {
    const IN_PATH: &AsciiSet = &ESCAPED.remove(b'/');
    let same = from.bytes().zip(to.bytes()).take_while(|(one, other)| one == other).count();
    let common = from.as_bytes()[..same].iter().rposition(|byte| *byte == b'/').map_or(0, |slash| slash + 1);
    let above = from.as_bytes()[common..].iter().filter(|byte| **byte == b'/').count();
    let mut reference = "../".repeat(above);
    reference.extend(utf8_percent_encode(&to[common..], IN_PATH));
    reference
}

fn folder_name(segment: &str) -> String {
    let name = escaped(segment);
    // A folder must not have the name of a file, and Windows drops dots and spaces at the end.
    let is_like_file = has_known_extension(&name) || name.is_empty() || name.ends_with(['.', ' ']);
    fitted(&if is_like_file { format!("{name}^") } else { name }, "")
}

fn file_name(segment: &str, query: Option<&str>, media_type: &str) -> String {
    let segment = if segment.is_empty() { "index" } else { segment };
    let query = query.map(|query| format!("@{}", escaped(query))).unwrap_or_default();
    let name = format!("{}{query}", escaped(segment).replace('@', "^40"));
    let bare = with_extension(&name, media_type, Origin::Address);
    let named = if has_known_extension(&bare) { bare } else { format!("{bare}.bin") };
    let (_, extension) = split(&named);
    if name.len() > NAME_BYTES { fitted(&format!("{name}{extension}"), extension) } else { named }
}

fn has_known_extension(name: &str) -> bool {
    name.rsplit_once('.')
        .is_some_and(|(_, extension)| mime_guess::from_ext(extension).first().is_some() || extension == "bin")
}

/// Returns a name that is short enough, cut in front of its extension.
fn fitted(name: &str, extension: &str) -> String {
    if name.len() <= NAME_BYTES { name.to_owned() } else { cut(name, name, NAME_BYTES, extension) }
}

/// Returns the begin of a name with the digest of `whole` and an extension, in at most `limit` bytes.
fn cut(name: &str, whole: &str, limit: usize, extension: &str) -> String {
    let digest = Sha256::digest(whole);
    let digest: String = digest[..8].iter().map(|byte| format!("{byte:02x}")).collect();
    let mut end = limit.saturating_sub(digest.len() + 2 + extension.len()).min(name.len() - extension.len());
    while !name.is_char_boundary(end) {
        end -= 1;
    }
    // An escape is not cut.
    let whole_escapes = name[..end].rfind('^').filter(|at| at + 3 > end).unwrap_or(end);
    format!("{}^~{digest}{extension}", &name[..whole_escapes])
}

/// Returns a part of a URL as a part of a name: letters outside of ASCII are written out.
fn escaped(part: &str) -> String {
    let decoded = decoded(part);
    let mut name = String::with_capacity(decoded.len());
    for (index, character) in decoded.char_indices() {
        let is_first = index == 0 && (matches!(character, '.' | '-' | ' ') || is_device(&decoded));
        match character {
            _ if is_first || character == '^' || is_forbidden(character) => {
                name.push_str(&format!("^{:02X}", u32::from(character)));
            }
            _ => name.push(character),
        }
    }
    name
}

/// Returns a part of a URL with its percent-encoded characters outside of ASCII decoded, if they are the same after encoding.
fn decoded(part: &str) -> String {
    let mut decoded = String::with_capacity(part.len());
    let mut rest = part;
    while let Some(start) = rest.find('%') {
        decoded.push_str(&rest[..start]);
        rest = &rest[start..];
        let mut end = 0;
        while rest[end..].starts_with('%')
            && rest
                .get(end + 1..end + 3)
                .and_then(|digits| u8::from_str_radix(digits, 16).ok())
                .is_some_and(|byte| byte >= 0x80)
        {
            end += 3;
        }
        let is_usual = |text: &str| !text.contains(is_forbidden);
        match percent_decode_str(&rest[..end]).decode_utf8().ok().filter(|text| end > 0 && is_usual(text)) {
            Some(text) => decoded.push_str(&text),
            None => {
                end = end.max(1);
                decoded.push_str(&rest[..end]);
            }
        }
        rest = &rest[end..];
    }
    decoded.push_str(rest);
    if is_nfc(&decoded) { decoded } else { part.to_owned() }
}

#[cfg(test)]
mod tests {
    use url::Url;

    use super::{folded_path, numbered, site_path};

    #[test]
    fn paths_show_their_urls() {
        for (url, media_type, expected) in [
            ("https://example.org/", "text/html", "example.org/index.html"),
            ("http://example.org/a", "text/html", "example.org/a.html"),
            ("http://example.org/a.php?x=1&y=/", "text/html", "example.org/a.php@x=1&y=^2F.html"),
            ("http://example.org/@user", "text/html", "example.org/^40user.html"),
            ("http://example.org/@scope/x.js", "text/javascript", "example.org/@scope/x.js"),
            ("http://example.org/v1.2/data", "application/octet-stream", "example.org/v1.2/data.bin"),
            ("http://example.org/a.html/b.css", "text/css", "example.org/a.html^/b.css"),
            ("http://example.org/a%20b%2Fc.gif", "image/gif", "example.org/a%20b%2Fc.gif"),
            ("http://example.org/e%CC%81%FF.gif", "image/gif", "example.org/e%CC%81%FF.gif"),
            ("http://example.org//x./.well-known/-rf", "text/plain", "example.org/^/x.^/^2Ewell-known/^2Drf.txt"),
            ("http://example.org/aux.txt/LPT1", "text/html", "example.org/^61ux.txt^/^4CPT1.html"),
            ("http://example.org/a:b*c|d%5C", "text/css", "example.org/a^3Ab^2Ac^7Cd%5C.css"),
            ("http://[::1]:8080/", "text/html", "[^3A^3A1]+8080/index.html"),
            ("ftp://u:p@h/x.txt", "text/plain", "ftp+u^3Ap@h/x.txt"),
            ("http://urls.csv/", "text/html", "urls.csv^/index.html"),
            ("http://h.example./", "text/html", "h.example.^/index.html"),
        ] {
            let path = url.parse().ok().and_then(|url: Url| site_path(&url, media_type));
            assert_eq!(path.as_deref(), Some(expected), "{url}");
        }
        assert_eq!("mailto:a@b".parse().ok().and_then(|url: Url| site_path(&url, "text/html")), None);
    }

    #[test]
    fn long_names_are_cut_and_differ() {
        let mut seen = std::collections::HashSet::new();
        for end in ["a", "b"] {
            for middle in ["x".repeat(4_000), "%C3%A9".repeat(1_000), "a*".repeat(300), "a/".repeat(500)] {
                for tail in ["", "/x.png", "?q"] {
                    let url = format!("http://h/{middle}{end}{tail}");
                    let path = url.parse().ok().and_then(|url: Url| site_path(&url, "image/png")).unwrap_or_default();
                    assert!(path.len() <= 250 && path.ends_with(".png"), "{path}");
                    assert!(path.split('/').all(|name| name.len() <= 120), "{path}");
                    assert!(seen.insert(path), "{url}");
                }
            }
        }
        assert_eq!(seen.len(), 24);
    }

    #[test]
    fn a_second_path_has_a_number() {
        assert_eq!(numbered("h/a.b/c.html", 2), "h/a.b/c^-2.html");
        assert_eq!(folded_path("h/A.HTML"), folded_path("h/a.html"));
    }
}
