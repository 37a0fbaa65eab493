//! Pages of a ZIM by warc2zim: links lead to entries, whose names are URLs without scheme and port, decoded.

use url::{Position, Url};

use crate::provenance::urls::{decode_percent, escaped};

/// Returns the URL of the entry that a reference in the page with the URL `page` leads to, if that is of the same host.
pub(crate) fn target(page: &str, reference: &str) -> Option<String> {
    let page = Url::parse(page).ok()?;
    let host = page.host_str()?;
    let query = page.query().map(|query| format!("?{}", query.replace('+', " "))).unwrap_or_default();
    let name = String::from_utf8(decode_percent(&format!("{}{query}", page.path()))).ok()?;
    let (path, fragment) = reference.find('#').map_or((reference, ""), |hash| reference.split_at(hash));
    let path = String::from_utf8(decode_percent(path)).ok()?;
    let mut names: Vec<&str> = [host].into_iter().chain(name.split('/').filter(|name| !name.is_empty())).collect();
    if !name.ends_with('/') {
        names.pop();
    }
    for name in path.split('/').filter(|name| !["", "."].contains(name)) {
        if name != ".." {
            names.push(name);
        } else {
            names.pop()?;
        }
    }
    let (_, below) = names.split_first().filter(|(first, _)| **first == host)?;
    let end = if path.ends_with('/') && !below.is_empty() { "/" } else { "" };
    let below = format!("/{}{end}", below.join("/"));
    let (path, query) = below.split_once('?').map_or((&*below, None), |(path, query)| (path, Some(query)));
    let query = query.map(|query| format!("?{}", escaped(query.as_bytes(), b"/?").replace("%20", "+")));
    let (path, query) = (escaped(path.as_bytes(), b"/"), query.unwrap_or_default());
    Some(format!("{}{path}{query}{fragment}", &page[..Position::BeforePath]))
}

#[cfg(test)]
mod tests {
    use super::target;

    #[test]
    fn entries() {
        let page = "http://h:8765/docs/page.html?q=1";
        for (page, reference, expected) in [
            (page, "../other/dir/a.html%3Fx%3D1", Some("http://h:8765/other/dir/a.html?x=1")),
            (page, "a%20b/%C3%A4.html#f", Some("http://h:8765/docs/a%20b/%C3%A4.html#f")),
            (page, "../../h/x%3Fa%20b", Some("http://h:8765/x?a+b")),
            (page, "../", Some("http://h:8765/")),
            (page, "sub/", Some("http://h:8765/docs/sub/")),
            (page, "../../other.example/x", None),
            (page, "../../../x", None),
            ("https://h/d/?u=a/b", "../x", Some("https://h/d/x")),
            ("https://h/d//e/", "x", Some("https://h/d/e/x")),
        ] {
            assert_eq!(target(page, reference).as_deref(), expected, "{page} {reference}");
        }
    }
}
