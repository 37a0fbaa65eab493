//! Properties of lists of files and their URLs.

use std::collections::{BTreeMap, HashSet};

use absolve_files::{UrlTable, read_urls};
use memchr::memmem;

/// Checks any bytes as a list: what is read is in it, is the same in a list of another format, and does not come from
/// truncated rows. Returns the number of rows used or reported.
pub fn urls(bytes: &[u8]) -> usize {
    let Ok(table) = read_urls(bytes) else { return 0 };
    fits(&table);
    stands_in(&table, bytes);
    is_read_again(&table);
    if let Some(first) = end_of_first_row(bytes) {
        (0..CUTS).map(|cut| first + (bytes.len() - first) * cut / CUTS).for_each(|end| cut(&table, bytes, end));
    }
    table.by_path.len() + table.contradicted.len() + table.unfit.len()
}

/// The number of places at which a list is truncated.
const CUTS: usize = 16;

/// A second URL for a path.
const OTHER: &str = "http://other.example/";

/// Checks that URLs are those of pages, and that each path names one file.
fn fits(table: &UrlTable) {
    let is_of_page = |url: &str| ["http", "https", "ftp"].contains(&scheme(url).as_str()) && url.contains("://");
    let is_path = |path: &str| !path.is_empty() && !path.contains('\\') && !path.starts_with("./");
    assert!(table.by_path.values().all(|url| is_of_page(url)), "a URL of no page: {table:?}");
    assert!(!table.unfit.iter().any(|(_, url)| url.is_empty()), "no URL is of no use: {table:?}");
    assert!(paths(table).all(is_path), "a path that is none: {table:?}");
    assert!(table.contradicted.is_sorted_by(|one, next| one < next), "not sorted: {table:?}");
    assert!(!table.contradicted.iter().any(|path| table.by_path.contains_key(path)), "a path with two URLs: {table:?}");
}

fn scheme(url: &str) -> String {
    url.split(':').next().unwrap_or_default().to_ascii_lowercase()
}

/// Returns all paths of a table.
fn paths(table: &UrlTable) -> impl Iterator<Item = &str> {
    let unfit = table.unfit.iter().map(|(path, _)| path);
    table.by_path.keys().chain(&table.contradicted).chain(unfit).map(String::as_str)
}

/// Checks that paths and URLs are in the text: literally, or escaped as in JSON or by wget. Quotes and slashes are not
/// compared: CSV doubles quotes, and both kinds of slashes count as one.
fn stands_in(table: &UrlTable, bytes: &[u8]) {
    let plain = |bytes: &[u8]| -> Vec<u8> { bytes.iter().copied().filter(|byte| !b"\"\\/".contains(byte)).collect() };
    let text = String::from_utf8_lossy(bytes);
    let texts =
        [plain(text.as_bytes()), plain(without_escapes(&text).as_bytes()), plain(&without_octal(text.as_bytes()))];
    let stands = |value: &str| texts.iter().any(|text| memmem::find(text, &plain(value.as_bytes())).is_some());
    for value in paths(table).chain(table.by_path.values().map(String::as_str)) {
        assert!(stands(value), "{value:?} stands nowhere in {text:?}");
    }
}

/// Decodes the escapes of JSON.
fn without_escapes(text: &str) -> String {
    let (mut units, mut rest) = (Vec::new(), text);
    while let Some(character) = rest.chars().next() {
        let four = rest.get(2..6).filter(|_| rest.starts_with("\\u"));
        let unit = four.and_then(|digits| u16::from_str_radix(digits, 16).ok());
        let short = ["\\n\n", "\\r\r", "\\t\t", "\\b\u{8}", "\\f\u{c}", "\\\\\\", "\\\"\""]
            .iter()
            .find(|short| rest.starts_with(&short[..2]));
        let (unit, length) = match (unit, short) {
            (Some(unit), _) => (vec![unit], 6),
            (None, Some(short)) => (short[2..].encode_utf16().collect(), 2),
            (None, None) => (character.encode_utf16(&mut [0; 2]).to_vec(), character.len_utf8()),
        };
        units.extend(unit);
        rest = &rest[length..];
    }
    String::from_utf16_lossy(&units)
}

/// Decodes escapes of three octal digits.
fn without_octal(bytes: &[u8]) -> Vec<u8> {
    let (mut decoded, mut at) = (Vec::new(), 0);
    while let Some(byte) = bytes.get(at) {
        decoded.push(match bytes[at..] {
            [b'\\', high @ b'0'..=b'3', middle @ b'0'..=b'7', low @ b'0'..=b'7', ..] => {
                at += 3;
                (high - b'0') << 6 | (middle - b'0') << 3 | (low - b'0')
            }
            _ => *byte,
        });
        at += 1;
    }
    decoded
}

/// Checks that the same is read if it is written as JSON Lines or CSV, in any order, once or twice; with other URLs for
/// the same paths, none counts.
fn is_read_again(table: &UrlTable) {
    let rows: BTreeMap<&str, &str> = table.by_path.iter().map(|(path, url)| (&**path, &**url)).collect();
    if rows.is_empty() {
        return;
    }
    let expected = UrlTable { by_path: table.by_path.clone(), ..UrlTable::default() };
    let json: Vec<String> = rows.iter().map(|(path, url)| json(path, url)).collect();
    let reversed: String = json.iter().rev().map(String::as_str).collect();
    let json = json.concat();
    for text in [json.clone(), reversed, json.repeat(2)] {
        assert_eq!(read(&text), expected, "as {text:?}");
    }
    if !rows.values().any(|url| *url == OTHER) {
        let others: String = rows.keys().map(|path| self::json(path, OTHER)).collect();
        let contradicted = rows.keys().map(|path| (*path).to_owned()).collect();
        let none = UrlTable { contradicted, ..UrlTable::default() };
        assert_eq!(read(&(others + &json)), none, "two URLs count as one");
    }
    // Cells are trimmed, and a line that begins like those of a log makes the list a log.
    let is_cell = |text: &str| text.trim() == text && !text.contains(char::is_control);
    if rows.iter().all(|(path, url)| is_cell(path) && is_cell(url)) {
        let text = csv(&rows);
        assert_eq!(read(&text), expected, "as {text:?}");
    }
}

fn read(text: &str) -> UrlTable {
    read_urls(text.as_bytes()).unwrap_or_else(|error| panic!("{error}: {text:?}"))
}

fn json(path: &str, url: &str) -> String {
    serde_json::json!({ "url": url, "path": path }).to_string() + "\n"
}

fn csv(rows: &BTreeMap<&str, &str>) -> String {
    let quoted = |cell: &str| format!("\"{}\"", cell.replace('"', "\"\""));
    let rows = rows.iter().map(|(path, url)| format!("{},{}\r\n", quoted(url), quoted(path)));
    "url,path\r\n".to_owned() + &rows.collect::<String>()
}

/// Returns the end of the first row, which determines the format; `None` if a later line may make the list a log.
fn end_of_first_row(bytes: &[u8]) -> Option<usize> {
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let is_blank = |line: &[u8]| String::from_utf8_lossy(line).trim().is_empty();
    let (mut end, mut first) = (bytes.len() - text.len(), None);
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        end += line.len();
        if !is_blank(line) {
            first = Some(line);
            break;
        }
    }
    let is_of_log = |line: &[u8]| line.starts_with(b"--") && memmem::find(line, b"--  ").is_some_and(|at| at > 1);
    let may_be_log = memmem::find(bytes, b"--  ").is_some() || memmem::find(bytes, b" URL:").is_some();
    first.filter(|line| is_of_log(line) || !may_be_log).map(|_| end)
}

/// Checks that a list truncated after its first row has no other paths than the whole list, except for the truncated
/// row; nor other URLs, unless it is a log, in which a later line counts.
fn cut(whole: &UrlTable, bytes: &[u8], end: usize) {
    let Ok(table) = read_urls(&bytes[..end]) else { return };
    let known: HashSet<&str> = paths(whole).collect();
    let new: HashSet<&str> = paths(&table).filter(|path| !known.contains(path)).collect();
    assert!(new.len() <= 1, "cut at {end}: {new:?} of {:?}", String::from_utf8_lossy(bytes));
    let is_log = memmem::find(bytes, b"--  ").is_some();
    let others = table
        .by_path
        .iter()
        .filter(|(path, url)| !is_log && whole.by_path.get(*path) != Some(*url) && !whole.contradicted.contains(*path));
    assert!(others.count() <= 1, "cut at {end}: URLs of {:?}", String::from_utf8_lossy(bytes));
}
