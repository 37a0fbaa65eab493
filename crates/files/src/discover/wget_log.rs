//! Reads a log of wget or wget2: which file was retrieved from which URL.

use std::collections::{BTreeMap, BTreeSet};
use std::mem::take;

use crate::discover::file_names::{appended, path_of, without_index};

/// The files and URLs in the lines of a log so far.
#[derive(Debug, Default)]
pub(crate) struct Log {
    is_log: bool,
    converts: bool,
    /// The URL of the last request.
    url: Option<String>,
    /// The files, each with the last URL saved to it.
    files: BTreeMap<String, String>,
    /// Files to which another page was saved before, each with the URL of that.
    others: Vec<(String, String)>,
    /// The same of wget2, by the names that it gives if it appends no extension.
    named: BTreeMap<String, String>,
    /// The names of files that wget2 saved.
    saved: BTreeSet<String>,
    /// The base of each page whose links wget2 converted: its URL, unless it has a BASE.
    converted: BTreeMap<String, String>,
}

impl Log {
    /// Adds the next line, without its line end. Names that are not UTF-8 are skipped.
    pub(crate) fn add_line(&mut self, line: &str) {
        if let Some(request) = line.strip_prefix("--").and_then(|line| line.split_once("--  ")) {
            // `(try: 2)  http://h/x`
            self.url = request.1.rsplit("  ").next().map(str::to_owned);
            self.is_log = true;
        } else if let Some(file) = line.strip_prefix("Saving to: ").and_then(quoted) {
            if let Some(url) = self.url.clone() {
                self.add_file(file, url);
            }
        } else if let Some((url, file)) = terse_row(line) {
            self.is_log = true;
            self.add_file(file, url);
        } else if let Some(file) = line.strip_prefix("Saving ").and_then(quoted) {
            self.saved.insert(file);
        } else if let Some(url) = line.strip_prefix("HTTP response 200 OK [").and_then(|line| line.strip_suffix(']')) {
            self.is_log = true;
            // It saves several files at a time, so the order of the lines does not show which is which.
            self.named.extend(path_of(url).map(|file| (file, url.to_owned())));
        } else {
            if let Some((file, url)) = converted_row(line).filter(|_| self.is_log) {
                let other = self.converted.insert(file.clone(), url.clone());
                self.add_other(file, other, &url);
            }
            let starts = ["Converting links in ", "Converted links in ", "convert "];
            self.converts |= starts.iter().any(|start| line.starts_with(start));
        }
    }

    /// Adds a file with its URL. The last one counts, unless another page was saved to the same file before.
    fn add_file(&mut self, file: String, url: String) {
        let other = self.files.insert(file.clone(), url.clone());
        self.add_other(file, other, &url);
    }

    fn add_other(&mut self, file: String, other: Option<String>, url: &str) {
        self.others.extend(other.filter(|other| without_index(other) != without_index(url)).map(|other| (file, other)));
    }

    /// Returns whether a line says that links were converted (`--convert-links`).
    pub(crate) fn converts(&self) -> bool {
        self.converts
    }

    /// Returns whether a line was one of a log.
    pub(crate) fn is_log(&self) -> bool {
        self.is_log
    }

    /// Returns the files with their URLs; `None` if no line was one of a log.
    pub(crate) fn rows(mut self) -> Option<Vec<Row>> {
        // A file that was redirected has the name of the first URL.
        for (file, url) in take(&mut self.converted) {
            self.named.entry(file).or_insert(url);
        }
        // wget2 may have appended an extension (`-E`).
        let saved = take(&mut self.saved);
        for (file, url) in take(&mut self.named) {
            if let Some(name) = appended(&file).find(|name| saved.contains(name)) {
                self.add_file(name, url);
            }
        }
        let is_full = |(path, url): &(String, String)| !path.is_empty() && !url.is_empty();
        let row = |(path, url)| Row { path, url, status: None };
        self.is_log.then(|| self.files.into_iter().chain(self.others).filter(is_full).map(row).collect())
    }
}

/// Returns the URL and the file in a line of `wget -nv`: `2026-11-20 20:10:16 URL:http://h/a [33/33] -> "h/a.html" [1]`.
fn terse_row(line: &str) -> Option<(String, String)> {
    let (date, rest) = line.split_once(" URL:")?;
    let (url, file) = rest.split_once(" -> ")?;
    let is_date = date.len() == 19 && date.starts_with(|first: char| first.is_ascii_digit());
    let url = url.rsplit_once(" [").filter(|_| is_date)?.0;
    Some((url.to_owned(), quoted(file.rsplit_once(" [")?.0)?))
}

/// Returns the file and the URL in a line of wget2: `convert h/a.html http://h/a.html utf-8`.
fn converted_row(line: &str) -> Option<(String, String)> {
    let (row, _charset) = line.strip_prefix("convert ")?.rsplit_once(' ')?;
    let (file, url) = row.split_once(" http")?;
    Some((file.to_owned(), format!("http{}", &url[..url.find('#').unwrap_or(url.len())])))
}

/// Returns the text in quotes, with the octal escapes of unprintable bytes decoded.
fn quoted(text: &str) -> Option<String> {
    let mut rest = text.trim().strip_prefix(['\u{2018}', '\u{201c}', '\'', '"'])?;
    rest = rest.strip_suffix(['\u{2019}', '\u{201d}', '\'', '"'])?;
    let mut bytes = Vec::new();
    while let Some(start) = rest.find('\\') {
        // Parsing would allow a sign.
        let digits = rest.get(start + 1..start + 4).filter(|digits| !digits.starts_with('+'));
        let escape = digits.and_then(|digits| u8::from_str_radix(digits, 8).ok());
        bytes.extend_from_slice(&rest.as_bytes()[..start]);
        bytes.push(escape.unwrap_or(b'\\'));
        rest = &rest[start + if escape.is_some() { 4 } else { 1 }..];
    }
    bytes.extend_from_slice(rest.as_bytes());
    String::from_utf8(bytes).ok().filter(|text| !text.contains('\u{fffd}'))
}

/// A row of a table: a path, its URL, and the status of the response. The strings are empty if missing.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Row {
    pub(crate) path: String,
    pub(crate) url: String,
    pub(crate) status: Option<u16>,
}

impl Row {
    pub(crate) fn is_full(&self) -> bool {
        !self.path.is_empty() && !self.url.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::{Log, Row};

    fn rows(log: &str) -> Option<Vec<Row>> {
        let mut read = Log::default();
        log.lines().for_each(|line| read.add_line(line));
        read.rows()
    }

    #[test]
    fn logs() {
        let log = "--2026-11-20 20:10:06--  http://h/dir\nHTTP request sent, awaiting response... 301 Moved\n\
            Location: http://h/dir/ [following]\n--2026-11-20 20:10:06--  http://h/dir/\nLength: 319 [text/html]\n\
            Saving to: \u{2018}h/dir.html\u{2019}\n\n--2026-11-20 20:10:07--  http://h/none\n\
            2026-11-20 20:10:07 ERROR 404: Not Found.\n\n--2026-11-20 20:10:08--  http://h/caf%C3%A9\n\
            Saving to: 'h/caf\\303\\251'\n";
        let terse = "2026-11-20 20:10:16 URL:http://h/list?page=2 [335/335] -> \"h/list?page=2.html\" [1]\n\
            http://h/none:\n2026-11-20 20:10:16 ERROR 404: Not Found.\n";
        for (log, expected) in [
            (log, &[("h/caf\u{e9}", "http://h/caf%C3%A9"), ("h/dir.html", "http://h/dir/")][..]),
            (terse, &[("h/list?page=2.html", "http://h/list?page=2")]),
        ] {
            let found = rows(log).unwrap_or_default();
            let found: Vec<_> = found.iter().map(|row| (&*row.path, &*row.url)).collect();
            assert_eq!(found, expected);
        }
        assert!(rows("a.html,http://h/a\n").is_none());
    }

    #[test]
    fn reads_logs_of_wget2() {
        let log = "[0] Downloading 'http://h:8/' ...\nSaving 'h/index.html'\nSaving 'h/caf\u{e9}/a?x=1.html'\n\
            HTTP response 200 OK [http://h:8/caf%C3%A9/a?x=1]\nHTTP response 301 Moved Permanently [http://h:8/b]\n\
            HTTP response 200 OK [http://h:8/]\nconvert h/index.html http://h:8/ utf-8\n";
        let found = rows(log).unwrap_or_default();
        let url_of = |path: &str| found.iter().find(|row| row.path == path).map(|row| &*row.url);
        assert_eq!(url_of("h/index.html"), Some("http://h:8/"));
        assert_eq!(url_of("h/caf\u{e9}/a?x=1.html"), Some("http://h:8/caf%C3%A9/a?x=1"));
        assert_eq!(url_of("h/b"), None);
        let mut read = Log::default();
        log.lines().for_each(|line| read.add_line(line));
        assert!(read.is_log() && read.converts());
    }

    #[test]
    fn a_sign_behind_a_backslash_was_a_digit() {
        let found = rows("--2026-11-20 20:10:06--  http://h/\nSaving to: 'a\\+12'\n").unwrap_or_default();
        assert_eq!(found[0].path, "a\\+12");
    }
}
