//! Scripts that programs which replay archives put into pages.

use std::ops::Range;

use absolve_base::UrlSource;

use super::mark::{Mark, local, of_copy};
use super::places::Places;
use crate::provenance::retrieval::Saver;
use crate::provenance::wayback::ArchivePrefix;

/// Returns the marks of pywb or wabac.js, and of warc2zim. All begin with the same comment.
pub(super) fn of_replay(places: &Places<'_>) -> impl Iterator<Item = Mark> {
    let inserted = |text: Range<usize>| (&places.page[text.clone()] == b" WB Insert ").then_some(text.end);
    let scripts = places.in_comments(inserted).take(1).flat_map(|end| places.scripts(end));
    let scripts: Vec<_> = scripts.map(String::from_utf8_lossy).collect();
    let first = |of: fn(&str) -> Option<Mark>| scripts.iter().find_map(|script| of(script));
    [first(of_wbinfo), first(of_zim)].into_iter().flatten()
}

/// Returns the mark of pywb and wabac.js: the page was retrieved from the archive.
fn of_wbinfo(script: &str) -> Option<Mark> {
    let value = |name: &str, open: &str, close: &str| {
        let (_, rest) = script.split_once(&format!("  wbinfo.{name} = {open}\""))?;
        Some(rest.split_once(&format!("\"{close};\n"))?.0)
    };
    let (url, time) = (value("url", "", "")?, value("request_ts", "", "")?);
    let (prefix, kind) = (value("prefix", "decodeURI(", ")")?, value("mod", "", "")?);
    // Without a time, only a modifier makes it the URL of a copy.
    let is_of_copies = !(time.is_empty() && kind.is_empty());
    let archive = ArchivePrefix::new(prefix).filter(|_| is_of_copies && prefix.ends_with('/'))?;
    Some(of_copy(UrlSource::Pywb, &format!("{prefix}{time}{kind}/{url}"), archive))
}

/// Returns the mark of warc2zim: the URL of the page is the fourth argument, and links lead to entries of the ZIM.
fn of_zim(script: &str) -> Option<Mark> {
    let (_, arguments) = script.split_once("wombatSetup.getWombatInfo(")?;
    let mut arguments = arguments.split(',').map(str::trim);
    let is_own = arguments.next() == Some("current_url");
    let mut text = || arguments.next()?.strip_prefix('"')?.strip_suffix('"').map(str::to_owned);
    let (host, scheme) = (text()?, text()?);
    let (_, rest) = script.split_once(&format!("\"{host}\",\n    \"{scheme}\",\n    \""))?;
    let (url, _) = rest.split_once("\",\n")?;
    (is_own && url.starts_with(&format!("{scheme}://{host}"))).then(|| local(UrlSource::Warc2zim, Saver::Zim, Ok(url)))
}

#[cfg(test)]
mod tests {
    use absolve_base::UrlSource;

    use super::super::marks_of;

    fn wbinfo(url: &str, time: &str, prefix: &str, kind: &str) -> String {
        format!(
            "<head>\n<!-- WB Insert -->\n<script>\n  wbinfo = {{}};\n  wbinfo.top_url = \"x\";\n  wbinfo.url = \"{url}\";\n  \
             wbinfo.timestamp = \"1\";\n  wbinfo.request_ts = \"{time}\";\n  wbinfo.prefix = decodeURI(\"{prefix}\");\n  \
             wbinfo.mod = \"{kind}\";\n</script>"
        )
    }

    fn zim(url: &str) -> String {
        format!(
            "<head>\n<!-- WB Insert -->\n<script>\n  const wbinfo = wombatSetup.getWombatInfo(\n    current_url,\n    \"h.example\",\n    \
             \"https\",\n    \"{url}\",\n    current_url.substring(0, 1)\n  );"
        )
    }

    #[test]
    fn of_programs_that_replay() {
        for (page, source, url) in [
            (
                wbinfo("http://h/p?a,b", "20260301000000", "http://a:8080/c/", "mp_"),
                UrlSource::Pywb,
                "http://a:8080/c/20260301000000mp_/http://h/p?a,b",
            ),
            (wbinfo("http://h/", "2026", "https://a/c/", ""), UrlSource::Pywb, "https://a/c/2026/http://h/"),
            (wbinfo("http://h/", "", "https://a/w/c/", "mp_"), UrlSource::Pywb, "https://a/w/c/mp_/http://h/"),
            (zim("https://h.example/p?a,b"), UrlSource::Warc2zim, "https://h.example/p?a,b"),
            (zim("https://h.example:8080/"), UrlSource::Warc2zim, "https://h.example:8080/"),
        ] {
            let found = marks_of(page.as_bytes(), None);
            let found: Vec<_> = found.iter().map(|mark| (mark.source, mark.url.as_deref())).collect();
            assert_eq!(found, [(source, Ok(url))], "{page}");
        }
        for page in [
            wbinfo("http://h/", "", "https://a/c/", ""),
            wbinfo("http://h/", "2026", "/c/", "mp_"),
            zim("https://other.example/"),
            zim("https://h.example/").replace("current_url,", "location,"),
            zim("https://h.example/").replace("<!-- WB Insert -->", ""),
            wbinfo("http://h/", "2026", "https://a/c/", "").replace("<head>", "<body>"),
        ] {
            assert!(marks_of(page.as_bytes(), None).is_empty(), "{page}");
        }
    }
}
