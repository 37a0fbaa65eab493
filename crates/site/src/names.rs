//! The names of archives in the list of a site.

use std::collections::HashMap;
use std::path::{Component, PathBuf, absolute};

/// Returns the names of archives: that of the file, and before it as many of the folders around it as distinguish it from the others.
pub(crate) fn names<'p>(paths: impl Iterator<Item = &'p PathBuf>) -> Vec<String> {
    let parts = |path: &PathBuf| -> Vec<String> {
        let path = absolute(path).unwrap_or_else(|_| path.clone());
        let named = path.components().filter(|part| matches!(part, Component::Normal(_)));
        named.map(|part| part.as_os_str().to_string_lossy().into_owned()).collect()
    };
    let mut archives: Vec<(usize, Vec<String>)> = paths.map(|path| (1, parts(path))).collect();
    loop {
        let name = |(count, parts): &(usize, Vec<String>)| parts[parts.len().saturating_sub(*count)..].join("/");
        let names: Vec<String> = archives.iter().map(name).collect();
        let mut seen = HashMap::new();
        names.iter().for_each(|name| *seen.entry(name).or_insert(0) += 1);
        let mut is_distinct = true;
        for ((count, parts), _) in archives.iter_mut().zip(&names).filter(|(_, name)| seen[name] > 1) {
            is_distinct &= *count >= parts.len();
            *count += 1;
        }
        if is_distinct {
            return names;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::names;

    #[test]
    fn archives_of_one_name_have_their_folders() {
        for (paths, expected) in [
            (&["/c/a/x.warc", "/c/b/y.warc"][..], &["x.warc", "y.warc"][..]),
            (&["/c/a/x.warc", "/c/b/x.warc", "/z.warc"], &["a/x.warc", "b/x.warc", "z.warc"]),
            (&["/c/a/d/x.warc", "/c/b/d/x.warc", "/c/e/x.warc"], &["a/d/x.warc", "b/d/x.warc", "e/x.warc"]),
            (&["/x.warc", "/c/x.warc", "/x.warc"], &["x.warc", "c/x.warc", "x.warc"]),
        ] {
            let paths: Vec<_> = paths.iter().map(Into::into).collect();
            assert_eq!(names(paths.iter()), expected);
        }
    }
}
