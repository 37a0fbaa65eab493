//! Where a URL leads in the folder of a document.

use std::path::{Path, PathBuf};

use absolve_files::os_path;
use percent_encoding::percent_decode_str;
use url::Url;

/// The place of a URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum FolderPlace {
    /// On another host, or not in a folder.
    Elsewhere,
    /// Nowhere that is known: the reference stays as it is, or is not followed.
    Unknown,
    /// Outside the folder.
    Outside,
    /// One of these paths below the folder: a mirror may have the query in file names. None for a folder.
    Within(Vec<PathBuf>),
}

/// Returns the place of `target` for the document at `path` below the folder with the URL `url`.
pub(crate) fn place_of(target: &str, path: &Path, url: &str) -> FolderPlace {
    let (Ok(target), Ok(url)) = (Url::parse(target), Url::parse(url)) else { return FolderPlace::Elsewhere };
    let Some(from_document) = url.make_relative(&target).filter(|_| target.has_host()) else {
        return FolderPlace::Elsewhere;
    };
    let end = from_document.find(['?', '#']).unwrap_or(from_document.len());
    if end == 0 {
        return FolderPlace::Within(vec![path.to_owned()]);
    }
    let mut place = path.parent().unwrap_or(Path::new("")).to_owned();
    for name in from_document[..end].split('/') {
        match name {
            "" | "." => {}
            ".." if !place.pop() => return FolderPlace::Outside,
            ".." => {}
            name => match file_name(name) {
                Some(name) => place.push(name),
                None => return FolderPlace::Outside,
            },
        }
    }
    // A file is no folder.
    if from_document[..end].ends_with('/') && place.file_name().is_some() {
        return FolderPlace::Within(Vec::new());
    }
    let with_query = target.query().and_then(|query| {
        let name = place.file_name()?.to_str()?;
        Some(place.with_file_name(file_name(&format!("{name}?{query}"))?))
    });
    FolderPlace::Within(with_query.into_iter().chain([place]).collect())
}

/// Returns the file name for a segment of a path; `None` if no file can have it.
fn file_name(segment: &str) -> Option<PathBuf> {
    let bytes: Vec<u8> = percent_decode_str(segment).collect();
    let is_name = !bytes.contains(&b'/') && !bytes.contains(&0) && bytes != b"..";
    is_name.then(|| os_path(&bytes))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{FolderPlace, place_of};

    #[test]
    fn from_a_page_in_a_folder() {
        let page = Path::new("guide/night.html");
        for (target, expected) in [
            ("http://h/site/guide/a.png", Some("guide/a.png")),
            ("http://h/site/img/a%20b.png#x", Some("img/a b.png")),
            ("http://h/site/", Some("")),
            ("http://h/site/guide/night.html#dawn", Some("guide/night.html")),
            ("http://h/site/guide/%2e%2e/a", Some("a")),
            ("https://h/site/guide/a.png", None),
            ("http://other/site/guide/a.png", None),
            ("mailto:x@y", None),
            ("data:image/png,x", None),
        ] {
            let expected = expected.map_or(FolderPlace::Elsewhere, |path| FolderPlace::Within(vec![path.into()]));
            assert_eq!(place_of(target, page, "http://h/site/guide/night.html"), expected, "{target}");
        }
        for target in ["http://h/a.png", "http://h/site/..%2f..%2fetc/passwd", "http://h/site/a%00b"] {
            assert_eq!(place_of(target, page, "http://h/site/guide/night.html"), FolderPlace::Outside, "{target}");
        }
    }

    #[test]
    fn with_a_query() {
        let found = place_of("http://h/s/a.css?v=2", Path::new("p.html"), "http://h/s/p.html?id=3");
        assert_eq!(found, FolderPlace::Within(vec!["a.css?v=2".into(), "a.css".into()]));
    }
}
