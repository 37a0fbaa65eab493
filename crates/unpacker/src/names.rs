//! The names of files: what a message proposes, made safe, each once.

use absolve_links::DocumentType;
use absolve_rewriter::internal::{Contents, Leaf};
use percent_encoding::percent_decode_str;
use url::Url;

use crate::limits::NAME_BYTES;
use crate::safe_name::{Taken, safe_name, shortened};

/// Extensions of files that servers execute.
const EXECUTED: [&str; 39] = [
    "asa", "asax", "ashx", "asmx", "asp", "aspx", "axd", "cer", "cfc", "cfm", "cfml", "cgi", "cshtml", "fcgi", "jhtml",
    "jsp", "jspf", "jspx", "lua", "phar", "php", "php2", "php3", "php4", "php5", "php6", "php7", "php8", "pht",
    "phtml", "pl", "py", "rb", "shtm", "shtml", "stm", "svc", "vbhtml", "wsgi",
];

/// Returns the name of each leaf that becomes a file; that of the document is chosen first.
pub(crate) fn names(contents: &Contents<'_>, root: Option<usize>, urls: &[Option<String>]) -> Vec<Option<String>> {
    let mut taken = Taken::default();
    let mut names = vec![None; contents.leaves.len()];
    let others = (0..names.len()).filter(|leaf| Some(*leaf) != root);
    for index in root.into_iter().chain(others).filter(|leaf| contents.is_readable(*leaf)) {
        let leaf = &contents.leaves[index];
        let otherwise = || if Some(index) == root { "index".to_owned() } else { format!("part-{}", leaf.path) };
        let given = leaf.file_name.as_deref().and_then(safe_name);
        let found = || [urls[index].as_deref().and_then(name_in_url), name_in_id(leaf)].into_iter().flatten();
        let name = match given {
            Some(name) => with_extension(&name, &leaf.media_type, Origin::Sender),
            None => {
                let name = found().find_map(|name| safe_name(&name)).unwrap_or_else(otherwise);
                with_extension(&name, &leaf.media_type, Origin::Address)
            }
        };
        names[index] = Some(taken.take(&name));
    }
    names
}

/// Returns the media type of a leaf: of an untyped one, by its name.
pub(crate) fn media_type<'l>(leaf: &'l Leaf, name: &str) -> &'l str {
    match &*leaf.media_type {
        "application/octet-stream" => mime_guess::from_path(name).first_raw().unwrap_or("application/octet-stream"),
        declared => declared,
    }
}

/// Returns the last segment of the path of a URL, decoded; of a folder, the name that servers give its page.
fn name_in_url(url: &str) -> Option<String> {
    let url = Url::parse(url).ok()?;
    let name = match url.path_segments() {
        Some(mut segments) => segments.next_back().filter(|name| !name.is_empty()).unwrap_or("index").to_owned(),
        None => before_at(url.path()).to_owned(),
    };
    Some(percent_decode_str(&name).decode_utf8_lossy().into_owned())
}

fn name_in_id(leaf: &Leaf) -> Option<String> {
    leaf.content_id.as_deref().map(|id| before_at(id).to_owned())
}

fn before_at(id: &str) -> &str {
    id.split_once('@').map_or(id, |(before, _)| before)
}

/// Where a name comes from.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    /// The sender named the file.
    Sender,
    /// It is part of a URL or an id, and its extension is about a server.
    Address,
}

/// Returns a name with an extension by which servers and programs find the media type, and do not execute the file.
pub(crate) fn with_extension(name: &str, media_type: &str, origin: Origin) -> String {
    let with = |name: &str, extension: &str| shortened(&format!("{name}.{extension}"), NAME_BYTES);
    let is_executed = |extension: &str| EXECUTED.contains(&extension);
    let usual = extension_of(media_type);
    let named = match usual.filter(|usual| !fits(name, media_type, usual, origin)) {
        Some(extension) => with(name, extension),
        None => name.to_owned(),
    };
    if !is_executed(&extension_in(&named)) {
        return named;
    }
    let harmless = if media_type.starts_with("text/") { "txt" } else { "bin" };
    with(&named, usual.filter(|usual| !is_executed(usual)).unwrap_or(harmless))
}

/// Returns whether a file of this name is shown as this type, or as another one that shows the same.
fn fits(name: &str, media_type: &str, usual: &str, origin: Origin) -> bool {
    let extension = extension_in(name);
    let mut found = mime_guess::from_ext(&extension).iter_raw();
    if extension == usual || found.clone().any(|found| found == media_type) {
        return true;
    }
    if is_by_name(media_type) {
        return false;
    }
    let main = |media_type: &str| media_type.split('/').next().map(str::to_owned);
    let is_alike = |found: &str| origin == Origin::Sender || main(found) == main(media_type);
    found.next().is_some_and(|found| !is_by_name(found) && is_alike(found))
}

/// Returns the extension of a name in lower case; empty if it has none.
fn extension_in(name: &str) -> String {
    name.rsplit_once('.').map_or_else(String::new, |(_, extension)| extension.to_ascii_lowercase())
}

/// Returns whether servers and browsers find a type by the name alone. That of other images, say, the bytes show.
fn is_by_name(media_type: &str) -> bool {
    const TYPES: [&str; 5] = ["text/html", "application/xhtml+xml", "text/css", "image/svg+xml", "text/javascript"];
    TYPES.contains(&media_type) || DocumentType::of_media_type(media_type) == Some(DocumentType::JsonFeed)
}

/// Returns the usual extension of a media type; `None` if any may be right.
fn extension_of(media_type: &str) -> Option<&'static str> {
    Some(match media_type {
        "application/octet-stream" => return None,
        "text/html" => "html",
        "text/plain" => "txt",
        "text/javascript" | "application/javascript" | "application/x-javascript" => "js",
        "text/markdown" => "md",
        "image/jpeg" | "image/jpg" | "image/pjpeg" => "jpg",
        "image/vnd.microsoft.icon" => "ico",
        "audio/mpeg" => "mp3",
        "application/postscript" => "ps",
        "application/x-shockwave-flash" => "swf",
        _ => return by_subtype(media_type),
    })
}

/// Returns the extension that is the subtype of a media type; if none is, the first that is known.
fn by_subtype(media_type: &str) -> Option<&'static str> {
    let subtype = media_type.split_once('/')?.1.trim_end_matches("+xml");
    let known = mime_guess::get_mime_extensions_str(media_type);
    let of_subtype = known.iter().flat_map(|known| known.iter()).find(|extension| **extension == subtype);
    match of_subtype.or_else(|| known?.first()) {
        Some(extension) => Some(extension),
        None => match subtype {
            "woff" => Some("woff"),
            "otf" => Some("otf"),
            _ if subtype.ends_with("+json") => Some("json"),
            // A report on a delivery, say.
            _ => ["text/", "message/"].iter().any(|kind| media_type.starts_with(kind)).then_some("txt"),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::{Origin, with_extension};

    #[test]
    fn extensions_follow_the_media_type() {
        for (name, media_type, expected) in [
            ("lamp", "image/gif", "lamp.gif"),
            ("lamp.jpg", "image/png", "lamp.jpg"),
            ("lamp.png", "image/svg+xml", "lamp.png.svg"),
            ("lamp.svg", "image/png", "lamp.svg.png"),
            ("page.php", "text/html", "page.php.html"),
            ("page.htm", "text/html", "page.htm"),
            ("style", "text/css", "style.css"),
            ("README", "text/plain", "README.txt"),
            ("page.html", "text/plain", "page.html.txt"),
            ("a.c", "text/plain", "a.c"),
            ("invoice.pdf", "application/octet-stream", "invoice.pdf"),
            ("part-2", "application/octet-stream", "part-2"),
            ("part-2", "application/x-nobody-knows", "part-2"),
            ("part-2", "message/delivery-status", "part-2.txt"),
        ] {
            assert_eq!(with_extension(name, media_type, Origin::Sender), expected);
        }
        assert_eq!(with_extension(&"x".repeat(120), "text/html", Origin::Sender), format!("{}.html", "x".repeat(115)));
    }

    #[test]
    fn no_file_gets_a_name_that_servers_execute() {
        for (name, media_type, of_sender, of_address) in [
            ("i.php", "image/png", "i.php.png", "i.php.png"),
            ("j.ASPX", "image/png", "j.ASPX.png", "j.ASPX.png"),
            ("a.pl", "text/plain", "a.pl.txt", "a.pl.txt"),
            ("a.jsp", "application/pdf", "a.jsp.pdf", "a.jsp.pdf"),
            ("a.php", "application/x-httpd-php", "a.php.bin", "a.php.bin"),
            ("a", "application/x-httpd-php", "a.php.bin", "a.php.bin"),
            ("a.php", "application/octet-stream", "a.php.bin", "a.php.bin"),
            ("a.Phar", "application/x-nobody-knows", "a.Phar.bin", "a.Phar.bin"),
            ("a.py", "text/x-python", "a.py.txt", "a.py.txt"),
            ("a.shtml", "text/html", "a.shtml.html", "a.shtml.html"),
            ("a.css", "application/octet-stream", "a.css", "a.css"),
            ("lamp.txt", "image/png", "lamp.txt", "lamp.txt.png"),
            ("lamp.exe", "image/png", "lamp.exe", "lamp.exe.png"),
            ("lamp.jpg", "image/png", "lamp.jpg", "lamp.jpg"),
            ("lamp.jpg", "image/jpg", "lamp.jpg", "lamp.jpg"),
            ("lamp.jpeg", "image/jpg", "lamp.jpeg", "lamp.jpeg"),
            ("a.c", "text/plain", "a.c", "a.c"),
            ("a.woff2", "application/font-woff2", "a.woff2", "a.woff2"),
            ("a.woff", "application/font-woff", "a.woff", "a.woff"),
            ("a.ttf", "application/x-font-ttf", "a.ttf", "a.ttf"),
            ("a.js", "application/javascript", "a.js", "a.js"),
            ("a.js", "application/x-javascript", "a.js", "a.js"),
            ("a.ico", "image/vnd.microsoft.icon", "a.ico", "a.ico"),
            ("a.zip", "application/x-zip-compressed", "a.zip", "a.zip"),
            ("a.rss", "application/xml", "a.rss", "a.rss"),
            ("a", "application/feed+json", "a.json", "a.json"),
            ("a.xml", "application/feed+json", "a.xml.json", "a.xml.json"),
            ("a.feed.json", "application/feed+json", "a.feed.json", "a.feed.json"),
            ("a", "application/activity+json", "a.json", "a.json"),
        ] {
            assert_eq!(with_extension(name, media_type, Origin::Sender), of_sender, "{media_type}");
            assert_eq!(with_extension(name, media_type, Origin::Address), of_address, "{media_type}");
        }
    }
}
