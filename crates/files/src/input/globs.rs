//! Globs as those of a `.gitignore` file.

use std::iter;
use std::path::Path;

use absolve_links::InvalidPattern;

/// Globs as in a `.gitignore` file, over paths below the input: one without a slash matches at any depth, a folder stands
/// for all that is in it, the last glob that matches wins, and `!` before it takes paths out again. `{a,b}` is one of two.
///
/// ```
/// let globs = absolve_files::Globs::new(&["node_modules".to_owned()])?;
/// assert!(globs.is_match("a/node_modules/b.html".as_ref()));
/// # Ok::<(), absolve_links::InvalidPattern>(())
/// ```
#[derive(Clone, Debug)]
pub struct Globs(Vec<Glob>);

#[derive(Clone, Debug)]
struct Glob {
    pattern: String,
    /// What paths that begin with a slash are matched with; none of a pattern that matches nothing.
    anchored: Option<String>,
    /// Whether it ends with a slash.
    folders_only: bool,
    takes_out: bool,
}

impl Globs {
    /// Compiles patterns.
    ///
    /// # Errors
    ///
    /// The first pattern that is not a glob.
    pub fn new(patterns: &[String]) -> Result<Self, InvalidPattern> {
        patterns.iter().map(|pattern| Glob::new(pattern)).collect::<Result<_, _>>().map(Self)
    }

    /// Returns whether a file is matched, by its own path or by that of a folder around it.
    pub fn is_match(&self, path: &Path) -> bool {
        let path = slashed(path);
        let last = self.0.iter().rev().find(|glob| glob.matches(&path, Last::File));
        last.is_some_and(|glob| !glob.takes_out)
    }

    /// Returns the patterns that match none of these paths.
    pub(crate) fn unmatched<'p>(
        &self,
        paths: impl Iterator<Item = (&'p Path, Last)> + Clone,
    ) -> impl Iterator<Item = &str> {
        let matches = move |glob: &Glob| paths.clone().any(|(path, last)| glob.matches(&slashed(path), last));
        self.0.iter().filter(move |glob| !matches(glob)).map(|glob| &*glob.pattern)
    }
}

/// What the last name of a path is of.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Last {
    File,
    Folder,
}

impl Glob {
    fn new(pattern: &str) -> Result<Self, InvalidPattern> {
        fast_glob::validate(pattern).map_err(|error| InvalidPattern::new(pattern, "glob", &error))?;
        let (takes_out, glob) = pattern.strip_prefix('!').map_or((false, pattern), |rest| (true, rest));
        let (folders_only, glob) = glob.strip_suffix('/').map_or((false, glob), |rest| (true, rest));
        // A slash at the beginning or in the middle binds a glob to the top.
        let below = if glob.contains('/') { "/" } else { "/**/" };
        let glob = glob.strip_prefix('/').unwrap_or(glob);
        // Of a folder, `x/**` matches what is in it, not itself.
        let within = if glob.ends_with("/**") { "/*" } else { "" };
        // A slash alone matches nothing in git.
        let anchored = glob.contains(|character| character != '/').then(|| format!("{below}{glob}{within}"));
        Ok(Self { pattern: pattern.to_owned(), anchored, folders_only, takes_out })
    }

    /// Returns whether the path or one of a folder around it is matched.
    fn matches(&self, path: &[u8], last: Last) -> bool {
        let Some(glob) = &self.anchored else { return false };
        let folders = memchr::memchr_iter(b'/', path).filter(|at| *at > 0).map(|at| &path[..at]);
        let itself = iter::once(path).filter(|_| last == Last::Folder || !self.folders_only);
        folders.chain(itself).any(|path| fast_glob::glob_match(glob, path))
    }
}

/// Returns a path with a slash before each name.
fn slashed(path: &Path) -> Vec<u8> {
    let names = path.components().flat_map(|name| [b"/", name.as_os_str().as_encoded_bytes()]);
    names.collect::<Vec<_>>().concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn globs_are_those_of_gitignore() -> Result<(), InvalidPattern> {
        // A pattern, paths that it matches, and paths that it does not.
        let cases: [(&str, &[&str], &[&str]); 15] = [
            ("a", &["a", "b/a", "a/b", "b/a/c"], &["ab", "b"]),
            ("/a", &["a", "a/b"], &["b/a"]),
            ("a/b", &["a/b", "a/b/c"], &["c/a/b", "b"]),
            ("a/", &["a/b", "c/a/b"], &["a", "c/a"]),
            ("*/", &["a/b"], &["a"]),
            ("*.html", &["x.html", "a/x.html"], &["x.htm"]),
            ("d/*", &["d/x", "d/e/x"], &["d", "x"]),
            ("a/**", &["a/b", "a/b/c"], &["a", "b/a/c"]),
            ("**/b", &["b", "a/b", "a/c/b"], &["ab"]),
            ("a/**/b", &["a/b", "a/c/b", "a/c/d/b"], &["b"]),
            ("?.x", &["a.x"], &["ab.x"]),
            ("a[!b]c", &["adc"], &["a/c", "abc"]),
            ("*.{css,js}", &["a.css", "b/a.js"], &["a.ts"]),
            (r"\!a", &["!a"], &["a"]),
            ("/", &[], &["a", "a/b"]),
        ];
        for (pattern, matched, others) in cases {
            let globs = Globs::new(&[pattern.to_owned()])?;
            for path in matched.iter().chain(others) {
                assert_eq!(globs.is_match(path.as_ref()), matched.contains(path), "{pattern} {path}");
            }
        }
        let last_wins = Globs::new(&["a".to_owned(), "!a/b".to_owned()])?;
        assert!(last_wins.is_match("a/c".as_ref()) && !last_wins.is_match("a/b".as_ref()));
        for invalid in ["[a", "{a", "a\\"] {
            assert!(Globs::new(&[invalid.to_owned()]).is_err(), "{invalid}");
        }
        Ok(())
    }
}
