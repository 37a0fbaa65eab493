//! Reads tables of files and the URLs they were retrieved from.

use std::collections::HashMap;
use std::io::{self, BufRead};

use serde_json::Value;

use crate::discover::url_table_lines::Lines;
use crate::discover::wget_log::Row;
use crate::input::selection::UrlList;

/// The URLs that files were retrieved from, by path. Paths have `/` as the separator.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UrlTable {
    /// URLs by path.
    pub by_path: HashMap<String, String>,
    /// Paths that have different URLs in two rows, sorted. They are not in `by_path`.
    pub contradicted: Vec<String>,
    /// Ignored rows in their order, each with its path and URL: only http and https URLs are used, besides ftp.
    pub unfit: Vec<(String, String)>,
    /// What it was read from.
    pub list: UrlList,
}

/// The header of the list of an unpacked site.
pub const UNPACKED: &str = "path,url,date,record";

/// Reads a table of paths and URLs: CSV, JSON Lines with `path` and `url`, CDX, CDXJ, or a log of wget. Rows with a
/// status other than 2xx are skipped.
///
/// ```
/// let table = absolve_files::read_urls(&b"path,url\na.html,http://h/a\n"[..])?;
/// assert_eq!(table.by_path["a.html"], "http://h/a");
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
///
/// If the input cannot be read, has another format, has no row with a path and a URL, or has a row of more than 16 MiB.
pub fn read_urls(mut input: impl BufRead) -> io::Result<UrlTable> {
    let is_unpacked = input.fill_buf()?.starts_with(UNPACKED.as_bytes());
    let invalid = |message| io::Error::new(io::ErrorKind::InvalidData, message);
    let mut lines = Lines::new(input);
    let rows = rows(&mut lines)?;
    // Any line may be one of a log.
    while lines.advance()? {}
    let list = match (lines.log.is_log(), lines.log.converts()) {
        (false, _) if is_unpacked => UrlList::Unpacked,
        (false, _) => UrlList::Table,
        (true, false) => UrlList::Log,
        (true, true) => UrlList::ConvertingLog,
    };
    let rows = lines.log.rows().or(rows).ok_or_else(|| {
        invalid("neither CSV with a path and a URL in each row, nor JSON Lines, CDX, CDXJ or a log of wget")
    })?;
    if rows.is_empty() && !is_unpacked {
        return Err(invalid("no row has a path and a URL; a log of wget has to be in English (LC_ALL=C)"));
    }
    Ok(UrlTable { list, ..table_of(rows) })
}

fn table_of(rows: Vec<Row>) -> UrlTable {
    let mut table = UrlTable::default();
    let is_success = |row: &Row| row.status.is_none_or(|status| (200..300).contains(&status));
    for Row { path, url, .. } in rows.into_iter().filter(is_success) {
        let path = path.replace('\\', "/").trim_start_matches("./").to_owned();
        if path.is_empty() {
            continue;
        }
        if !["http://", "https://", "ftp://"].iter().any(|start| url.to_ascii_lowercase().starts_with(start)) {
            table.unfit.push((path, url));
            continue;
        }
        match table.by_path.insert(path.clone(), url.clone()) {
            Some(other) if other != url => table.contradicted.push(path),
            _ => {}
        }
    }
    table.contradicted.sort();
    table.contradicted.dedup();
    for path in &table.contradicted {
        table.by_path.remove(path);
    }
    table
}

/// A format with one row in each line.
enum Format {
    Json,
    /// With the indexes of the columns of the path, the URL and the status.
    Cdx([Option<usize>; 3]),
    Cdxj,
}

/// Returns the rows that have a path and a URL; `None` if a line is not one of a table.
fn rows<R: BufRead>(lines: &mut Lines<R>) -> io::Result<Option<Vec<Row>>> {
    while lines.advance()? && lines.line().trim().is_empty() {}
    let first = lines.line();
    let format = if first.trim_start().starts_with('{') {
        Format::Json
    } else if is_cdx_header(first) {
        let columns: Vec<&str> = first.split_ascii_whitespace().skip(1).collect();
        Format::Cdx(["g", "a", "s"].map(|letter| columns.iter().position(|column| *column == letter)))
    } else if first.contains(" {") && first.ends_with('}') {
        Format::Cdxj
    } else {
        return csv_rows(lines);
    };
    let mut rows = Vec::new();
    loop {
        let line = lines.line();
        let row = match format {
            _ if line.trim().is_empty() => Some(Row::default()),
            Format::Json => json_row(line.trim()),
            Format::Cdx(_) if is_cdx_header(line) => Some(Row::default()),
            Format::Cdx(places) => Some(cdx_row(line, places)),
            Format::Cdxj if line.starts_with('!') => Some(Row::default()),
            Format::Cdxj => line.find('{').and_then(|start| json_row(&line[start..])),
        };
        let Some(row) = row else { return Ok(None) };
        rows.extend(Some(row).filter(Row::is_full));
        if !lines.advance()? {
            return Ok(Some(rows));
        }
    }
}

fn json_row(line: &str) -> Option<Row> {
    let object: Value = serde_json::from_str(line).ok()?;
    let text = |names: &[&str]| names.iter().find_map(|name| object[*name].as_str()).unwrap_or_default().to_owned();
    let status = object["status"].as_u64().or_else(|| object["status"].as_str()?.parse().ok());
    let status = status.and_then(|status| u16::try_from(status).ok());
    Some(Row { path: text(&["path", "filename", "file"]), url: text(&["url"]), status })
}

fn is_cdx_header(line: &str) -> bool {
    line.trim_start().starts_with("CDX ")
}

/// The columns have the letters of the Internet Archive: `a` is the original URL, `s` the status, `g` the file name.
fn cdx_row(line: &str, places: [Option<usize>; 3]) -> Row {
    let fields: Vec<&str> = line.split(' ').filter(|field| !field.is_empty()).collect();
    let [path, url, status] =
        places.map(|place| fields.get(place?).filter(|value| **value != "-").map(|value| (*value).to_owned()));
    let status = status.and_then(|status| status.parse().ok());
    Row { path: path.unwrap_or_default(), url: url.unwrap_or_default(), status }
}

/// The indexes of the columns of CSV.
struct Columns {
    path: usize,
    url: usize,
    status: Option<usize>,
}

fn csv_rows<R: BufRead>(lines: &mut Lines<R>) -> io::Result<Option<Vec<Row>>> {
    lines.rewind_line();
    let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(lines);
    let mut record = csv::StringRecord::new();
    if !reader.read_record(&mut record)? {
        return Ok(None);
    }
    let (columns, has_header) = match named_columns(&record) {
        Some(columns) => (columns, true),
        // Without a header, the first cell with a scheme is the URL, and the other one the path.
        None => match record.iter().position(|cell| cell.contains("://")) {
            Some(url) => (Columns { path: if url == 0 { 1 } else { 0 }, url, status: None }, false),
            None => return Ok(None),
        },
    };
    let row = |record: &csv::StringRecord| {
        let cell = |index: usize| record.get(index).unwrap_or_default().trim().to_owned();
        let status = columns.status.and_then(|index| cell(index).parse().ok());
        Some(Row { path: cell(columns.path), url: cell(columns.url), status }).filter(Row::is_full)
    };
    let mut rows: Vec<Row> = row(&record).filter(|_| !has_header).into_iter().collect();
    loop {
        reader.get_mut().begin_row();
        if !reader.read_record(&mut record)? {
            return Ok(Some(rows));
        }
        rows.extend(row(&record));
    }
}

/// Returns the columns by their names, if the first row is a header.
fn named_columns(first: &csv::StringRecord) -> Option<Columns> {
    let named =
        |names: &[&str]| first.iter().position(|cell| names.iter().any(|name| cell.trim().eq_ignore_ascii_case(name)));
    Some(Columns {
        path: named(&["path", "file", "filename"])?,
        url: named(&["url", "uri"])?,
        status: named(&["status"]),
    })
}

#[cfg(test)]
mod tests {
    use std::io::{self, BufReader, Read};

    use super::{Lines, Row, read_urls, rows};
    use crate::limits::TABLE_ROW;

    #[test]
    fn formats() -> io::Result<()> {
        let row = |path: &str, url: &str, status: Option<u16>| Row { path: path.into(), url: url.into(), status };
        for (text, expected) in [
            ("a/b.html,http://h/b\n", row("a/b.html", "http://h/b", None)),
            ("http://h/b,\"a,b.html\"\n", row("a,b.html", "http://h/b", None)),
            ("\r\n\"a\nb.html\",http://h/b", row("a\nb.html", "http://h/b", None)),
            ("url,x,Path,status\r\nhttp://h/b,1,a.html,301\r\n", row("a.html", "http://h/b", Some(301))),
            (
                "{\"path\": \"a.html\", \"url\": \"http://h/b\", \"status\": 200}\n\n",
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
            assert_eq!(rows(&mut Lines::new(text.as_bytes()))?, Some(vec![expected]), "{text}");
        }
        for text in ["", " \n", "a.html\nb.html\n", "{]\n"] {
            assert_eq!(rows(&mut Lines::new(text.as_bytes()))?, None, "{text}");
        }
        Ok(())
    }

    /// wget2 saves the pages of all folders to one file if it makes no folders.
    #[test]
    fn a_file_of_several_pages_in_a_log_has_no_url() -> io::Result<()> {
        let saved = |url: &str| format!("--2026-01-01 00:00:00--  {url}\nSaving to: 'm/index.html'\n");
        let read = |urls: &[&str]| read_urls(urls.iter().map(|url| saved(url)).collect::<String>().as_bytes());
        let several = read(&["http://h/", "http://h/docs/", "http://h/team/"])?;
        assert_eq!((several.by_path.len(), several.contradicted), (0, vec!["m/index.html".to_owned()]));
        let one = read(&["http://h/", "http://h/index.html", "http://h/"])?;
        assert_eq!((one.by_path["m/index.html"].as_str(), one.contradicted.len()), ("http://h/", 0));
        Ok(())
    }

    #[test]
    fn two_byte_order_marks_are_an_error() {
        let read = read_urls("\u{feff}\u{feff}".as_bytes());
        assert!(read.is_err_and(|error| error.to_string().contains("neither CSV")));
    }

    #[test]
    fn all_dots_before_a_path_are_removed() -> io::Result<()> {
        let table = read_urls(&b"././a.html,http://h/\n.\\.\\b.html,http://h/b\n"[..])?;
        assert!(table.by_path.contains_key("a.html") && table.by_path.contains_key("b.html"), "{table:?}");
        Ok(())
    }

    /// Neither a line nor a quoted row of many lines is read into memory without limit. A log has no rows of CSV.
    #[test]
    fn a_row_without_end_is_not_read_into_memory() -> io::Result<()> {
        let long_lines = ("y".repeat(1023) + "\n").repeat(TABLE_ROW >> 10);
        for (start, line) in [("", 1), ("a.html,http://h/\n", 2), ("{\"path\": \"a\", \"url\": \"http://h/\"}\n", 2)] {
            let endless = BufReader::new(start.as_bytes().chain(io::repeat(b'x')));
            let error = read_urls(endless).expect_err("an endless row").to_string();
            assert!(error.starts_with(&format!("line {line} begins a row")), "{start:?}: {error}");
        }
        let error = read_urls(["a.html,http://h/\n\"", &long_lines].concat().as_bytes()).expect_err("a long row");
        assert!(error.to_string().starts_with("line 2 begins a row"), "{error}");

        let longest = "x".repeat(TABLE_ROW - "a.html,http://h/\n".len());
        let table = ["a.html,http://h/", &longest, "\nb.html,http://h/\n"].concat();
        assert_eq!(read_urls(table.as_bytes())?.by_path.len(), 2);
        let log = ["--2026-11-20 20:10:06--  http://h/\n\"\n", &long_lines, "Saving to: 'a.html'\n"].concat();
        assert_eq!(read_urls(log.as_bytes())?.by_path["a.html"], "http://h/");
        Ok(())
    }
}
