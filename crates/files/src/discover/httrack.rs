//! The cache of HTTrack in a mirror, `hts-cache`: which file was retrieved from which URL.

use std::collections::BTreeMap;
use std::io::{self, Read};

use absolve_rewriter::internal::{decode_percent, is_page_url};

use crate::limits::{COMMAND_BYTES, PARENT_FOLDERS, PATH_BYTES};

/// Returns the paths and URLs in `new.txt`. Its columns are separated by tabs: the eighth is the URL, the ninth the
/// path from the working directory of HTTrack. Rows of redirections and errors are left out: they have no files.
pub(crate) fn rows(list: &str) -> Vec<(String, String)> {
    let row = |line: &str| {
        let columns: Vec<&str> = line.split('\t').collect();
        let [.., status, _, _, _, url, file, _] = columns[..] else { return None };
        let is_saved =
            status.trim() == "200" && !file.ends_with(".delayed") && file.len() <= PATH_BYTES && is_page_url(url);
        is_saved.then(|| (file.to_owned(), url.to_owned()))
    };
    list.lines().filter_map(row).collect()
}

/// Returns whether HTTrack kept the original links (`-K4`), by the first line of `doit.log`, which is its command. Its
/// filters may begin with `-`, too.
pub(crate) fn keeps_links(log: impl Read) -> io::Result<bool> {
    const LONGEST: usize = 6;
    let mut bytes = Vec::new();
    log.take(COMMAND_BYTES).read_to_end(&mut bytes)?;
    let log = String::from_utf8_lossy(&bytes);
    let command = log.lines().next().unwrap_or_default();
    let is_option = |word: &str| word.len() <= LONGEST && word.bytes().skip(1).all(|byte| byte.is_ascii_alphanumeric());
    let keeps = |word: &str| word == "-%p" || (word.starts_with('-') && word.ends_with("K4") && is_option(word));
    Ok(command.split_whitespace().any(keeps))
}

/// Returns the rows of existing files, with the paths of these files.
///
/// The paths of rows may be percent-encoded, and may begin with parent folders of the input, whose own name is
/// `folder`. If these are ambiguous, no row is returned. A file with two different URLs is left out.
pub(crate) fn rows_of_files(
    rows: Vec<(String, String)>,
    folder: Option<&str>,
    is_file: &dyn Fn(&str) -> bool,
) -> Vec<(String, String)> {
    let rows: Vec<_> = rows.into_iter().map(|(path, url)| (path.replace('\\', "/"), url)).collect();
    let found = |path: &str| {
        let decoded = || String::from_utf8(decode_percent(path)).ok();
        if is_file(path) { Some(path.to_owned()) } else { decoded().filter(|path| is_file(path)) }
    };
    let Some(parents) = parent_folders(&rows, folder, &|path| found(path).is_some()) else { return Vec::new() };
    let mut urls: BTreeMap<String, Option<&str>> = BTreeMap::new();
    for (path, url) in &rows {
        let Some(path) = path.strip_prefix(&*parents).and_then(found) else { continue };
        let unique = urls.entry(path).or_insert(Some(url));
        *unique = unique.filter(|other| other == url);
    }
    urls.into_iter().filter_map(|(path, url)| Some((path, url?.to_owned()))).collect()
}

/// Returns the parent folders of the input with which the paths of rows begin: none if a file has the path of a row;
/// else those that end with `folder`; else those with which most files are found.
fn parent_folders(rows: &[(String, String)], folder: Option<&str>, is_there: &dyn Fn(&str) -> bool) -> Option<String> {
    const SAMPLED_ROWS: usize = 200;
    if rows.iter().any(|(path, _)| is_there(path)) {
        return Some(String::new());
    }
    // The list may contain many more files than the input.
    let starts = |path: &str| -> Vec<String> {
        let ends = path.match_indices('/').map(|(slash, _)| slash + 1).take(PARENT_FOLDERS);
        ends.filter(|end| is_there(&path[*end..])).map(|end| path[..end].to_owned()).collect()
    };
    let mut hits: BTreeMap<String, usize> = BTreeMap::new();
    for starts in rows.iter().map(|(path, _)| starts(path)).filter(|starts| !starts.is_empty()).take(SAMPLED_ROWS) {
        starts.into_iter().for_each(|start| *hits.entry(start).or_default() += 1);
    }
    let is_named = |start: &str| folder.is_some() && start.trim_end_matches('/').rsplit('/').next() == folder;
    if hits.keys().any(|start| is_named(start)) {
        hits.retain(|start, _| is_named(start));
    }
    let most = *hits.values().max()?;
    let mut best = hits.into_iter().filter(|(_, count)| *count == most);
    best.next().filter(|_| best.next().is_none()).map(|(start, _)| start)
}

#[cfg(test)]
mod tests {
    use super::{keeps_links, rows, rows_of_files};

    #[test]
    fn a_list_and_the_files_of_it() {
        let list = "date\tsize\tflags\tstatuscode\tstatus\tMIME\tEtag|Date\tURL\tlocalfile\t(from URL)\n\
            1\t1/1\t-\t200\tadded ('OK')\ttext/html\td\thttps://h/\tout/m/h/index.html\t(from )\n\
            1\t1/1\t-\t200\tadded ('OK')\ttext/html\td\thttps://h/caf%c3%a9/\tout/m/h/caf%c3%a9/index.html\t(from )\n\
            1\t1/1\t-\t200\tadded ('OK')\ttext/html\td\thttps://h/100%25\tout/m/h/100%.html\t(from )\n\
            1\t1/1\t-\t301\terror\ttext/html\td\thttps://h/x\tout/m/h/x.4.delayed\t(from )\n\
            1\t1/1\t-\t404\terror\ttext/html\td\thttps://h/y\tout/m/h/y.html\t(from )\n";
        let files = ["h/index.html", "h/café/index.html", "h/100%.html", "h/y.html"];
        let found = rows_of_files(rows(list), None, &|path| files.contains(&path));
        let expected =
            [(files[2], "https://h/100%25"), (files[1], "https://h/caf%c3%a9/"), ("h/index.html", "https://h/")];
        assert_eq!(found, expected.map(|(path, url)| (path.to_owned(), url.to_owned())));
    }

    /// The list is that of the whole site, the input a part of the site.
    #[test]
    fn rows_of_other_folders_do_not_count() {
        let rows = |paths: &[&str]| -> Vec<_> {
            paths.iter().map(|path| ((*path).to_owned(), format!("http://h/{path}"))).collect()
        };
        for (paths, folder, files, expected) in [
            (&["index.html", "a/index.html"][..], None, &["index.html"][..], &["http://h/index.html"][..]),
            (&["a/index.html", "b/index.html"], None, &["index.html"], &[]),
            (&["de/index.html", "en/index.html"], Some("en"), &["index.html"], &["http://h/en/index.html"]),
            (
                &["h/index.html", "h/blog/index.html"],
                None,
                &["index.html", "blog/index.html"],
                &["http://h/h/blog/index.html", "http://h/h/index.html"],
            ),
        ] {
            let found = rows_of_files(rows(paths), folder, &|path| files.contains(&path));
            let urls: Vec<_> = found.iter().map(|(_, url)| &**url).collect();
            assert_eq!(urls, expected, "{paths:?}");
        }
        let twice = vec![("a".to_owned(), "http://h/1".to_owned()), ("a".to_owned(), "http://h/2".to_owned())];
        assert!(rows_of_files(twice, None, &|_| true).is_empty());
    }

    /// No file is looked up after each slash of a path, without limit.
    #[test]
    fn a_path_of_slashes_is_not_looked_for_behind_each() {
        let row = |path: &str| format!("1\t1/1\t-\t200\tadded ('OK')\ttext/html\td\thttps://h/\t{path}\t(from )\n");
        assert!(rows(&row(&"/".repeat(100_000))).is_empty());
        let deep = rows(&row(&"a/".repeat(2_000)).repeat(10));
        let lookups = std::cell::Cell::new(0);
        let found = rows_of_files(deep, None, &|_| {
            lookups.set(lookups.get() + 1);
            false
        });
        assert!(found.is_empty() && (10..=10 * 2 * 65).contains(&lookups.get()), "{lookups:?}");
    }

    #[test]
    fn the_command() {
        let keeps_links = |log: &str| keeps_links(log.as_bytes()).is_ok_and(|keeps| keeps);
        assert!(keeps_links("http://h/ -O m -K4\nmore") && keeps_links("http://h/ -%p"));
        assert!(!keeps_links("http://h/K4 -O m -q -*backup%page* -*K4* -h/K4\n-K4"));
    }
}
