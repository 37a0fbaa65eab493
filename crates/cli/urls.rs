//! `--urls FILE`: which file was retrieved from which URL.

use std::collections::HashMap;
use std::path::Path;
use std::{fs, io};

use serde_json::Value;

use crate::wget_log;

/// A row of the file: a path, its URL, and the status of the response, as far as they are told.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Row {
    pub(crate) path: String,
    pub(crate) url: String,
    pub(crate) status: Option<u16>,
}

/// What the file says.
#[derive(Debug, Default)]
pub(crate) struct Urls {
    /// URLs by paths, with `/` between names.
    pub(crate) by_path: HashMap<String, String>,
    /// Paths of which two rows tell different URLs; they have none.
    pub(crate) contradicted: Vec<String>,
    /// Rows whose URL is none that a page can be retrieved from: the path and that URL.
    pub(crate) unfit: Vec<(String, String)>,
}

/// Reads the file: CSV with a path and a URL in each row, JSON Lines with `path` and `url`, CDX or CDXJ, or a log of wget.
/// Rows of redirections say where another page is, and tell nothing of a file.
pub(crate) fn read_urls(file: &Path) -> io::Result<Urls> {
    // wget writes what it is told, in whatever encoding.
    let text = String::from_utf8_lossy(&fs::read(file)?).into_owned();
    // Programs that make tables put a mark before them.
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(&text);
    let rows = wget_log::rows(text).or_else(|| rows(text)).ok_or_else(|| {
        let message = "neither CSV with a path and a URL in each row, nor JSON Lines, CDX, CDXJ or a log of wget";
        io::Error::new(io::ErrorKind::InvalidData, message)
    })?;
    if rows.iter().all(|row| row.path.is_empty() || row.url.is_empty()) {
        let message = "it tells no file and URL; a log of wget is read if it is in English (LC_ALL=C)";
        return Err(io::Error::new(io::ErrorKind::InvalidData, message));
    }
    let mut urls = Urls::default();
    let is_page = |row: &Row| row.status.is_none_or(|status| (200..300).contains(&status));
    for Row { path, url, .. } in rows.into_iter().filter(is_page) {
        let path = path.replace('\\', "/");
        let path = path.strip_prefix("./").unwrap_or(&path).to_owned();
        if path.is_empty() || url.is_empty() {
            continue;
        }
        if !["http://", "https://", "ftp://"].iter().any(|start| url.to_ascii_lowercase().starts_with(start)) {
            urls.unfit.push((path, url));
            continue;
        }
        match urls.by_path.insert(path.clone(), url.clone()) {
            Some(other) if other != url => urls.contradicted.push(path),
            _ => {}
        }
    }
    urls.contradicted.sort();
    urls.contradicted.dedup();
    for path in &urls.contradicted {
        urls.by_path.remove(path);
    }
    Ok(urls)
}

fn rows(text: &str) -> Option<Vec<Row>> {
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let first = lines.clone().next()?;
    if first.trim_start().starts_with('{') {
        lines.map(|line| of_json(line.trim())).collect()
    } else if first.trim_start().starts_with("CDX ") {
        let columns: Vec<&str> = lines.next()?.split_ascii_whitespace().skip(1).collect();
        let places = ["g", "a", "s"].map(|letter| columns.iter().position(|column| *column == letter));
        Some(lines.map(|line| of_cdx(line, places)).collect())
    } else if first.contains(" {") && first.ends_with('}') {
        lines.filter(|line| !line.starts_with('!')).map(|line| of_json(&line[line.find('{')?..])).collect()
    } else {
        of_csv(text)
    }
}

fn of_json(line: &str) -> Option<Row> {
    let object: Value = serde_json::from_str(line).ok()?;
    let text = |names: &[&str]| names.iter().find_map(|name| object[*name].as_str()).unwrap_or_default().to_owned();
    let status = object["status"].as_u64().or_else(|| object["status"].as_str()?.parse().ok());
    let status = status.and_then(|status| u16::try_from(status).ok());
    Some(Row { path: text(&["path", "filename", "file"]), url: text(&["url"]), status })
}

/// The letters of the columns are those of the Internet Archive: `a` the original URL, `s` the status, `g` the file.
fn of_cdx(line: &str, places: [Option<usize>; 3]) -> Row {
    let fields: Vec<&str> = line.split(' ').filter(|field| !field.is_empty()).collect();
    let [path, url, status] =
        places.map(|place| fields.get(place?).filter(|value| **value != "-").map(|value| (*value).to_owned()));
    let status = status.and_then(|status| status.parse().ok());
    Row { path: path.unwrap_or_default(), url: url.unwrap_or_default(), status }
}

fn of_csv(text: &str) -> Option<Vec<Row>> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(text.as_bytes());
    let records: Vec<csv::StringRecord> = reader.records().collect::<Result<_, _>>().ok()?;
    let named = |names: &[&str]| {
        records[0].iter().position(|cell| names.iter().any(|name| cell.trim().eq_ignore_ascii_case(name)))
    };
    let (path, url, status, first) = match (named(&["path", "file", "filename"]), named(&["url", "uri"])) {
        (Some(path), Some(url)) => (path, url, named(&["status"]), 1),
        // Without a heading, the cell of the first row with a scheme is the URL, and the other one the path.
        _ => {
            let url = records[0].iter().position(|cell| cell.contains("://"))?;
            (if url == 0 { 1 } else { 0 }, url, None, 0)
        }
    };
    let cell = |record: &csv::StringRecord, index: usize| record.get(index).unwrap_or_default().trim().to_owned();
    let row = |record: &csv::StringRecord| Row {
        path: cell(record, path),
        url: cell(record, url),
        status: status.and_then(|index| cell(record, index).parse().ok()),
    };
    Some(records[first..].iter().map(row).collect())
}

#[cfg(test)]
mod tests {
    use super::{Row, rows};

    #[test]
    fn formats() {
        let row = |path: &str, url: &str, status: Option<u16>| Row { path: path.into(), url: url.into(), status };
        for (text, expected) in [
            ("a/b.html,http://h/b\n", row("a/b.html", "http://h/b", None)),
            ("http://h/b,\"a,b.html\"\n", row("a,b.html", "http://h/b", None)),
            ("url,x,Path,status\r\nhttp://h/b,1,a.html,301\r\n", row("a.html", "http://h/b", Some(301))),
            (
                "{\"path\": \"a.html\", \"url\": \"http://h/b\", \"status\": 200}\n",
                row("a.html", "http://h/b", Some(200)),
            ),
            (
                " CDX N b a m s k r M S V g\ncom,h)/b 20200101000000 http://h/b text/html 200 K - - 1 2 a.html\n",
                row("a.html", "http://h/b", Some(200)),
            ),
            (
                "com,h)/b 20200101000000 {\"url\": \"http://h/b\", \"status\": \"302\", \"filename\": \"a.html\"}\n",
                row("a.html", "http://h/b", Some(302)),
            ),
        ] {
            assert_eq!(rows(text), Some(vec![expected]), "{text}");
        }
        assert_eq!((rows(""), rows("a.html\nb.html\n"), rows("{]\n")), (None, None, None));
    }
}
