//! Where targets lead by the map of the user, compared as the `url` crate spells URLs.

use std::collections::{BTreeSet, HashMap};

use url::{Position, Url};

/// Where targets that begin with the first URL of a pair begin with the second one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Map {
    /// The second URLs, as the crate spells them and as they are written, by the first.
    by_start: HashMap<String, [String; 2]>,
    /// The lengths of the first URLs.
    lengths: BTreeSet<usize>,
}

/// Where a target leads instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mapped<'m> {
    pub(crate) url: String,
    /// What it begins with, as it is written.
    pub(crate) start: &'m str,
}

impl<S: AsRef<str>> FromIterator<(S, S)> for Map {
    fn from_iter<T: IntoIterator<Item = (S, S)>>(pairs: T) -> Self {
        let mut map = Self::default();
        for (from, to) in pairs {
            let spelled = |url: &str| Url::parse(url).map(String::from).unwrap_or_default();
            let [from, to, written] = [spelled(from.as_ref()), spelled(to.as_ref()), to.as_ref().to_owned()];
            map.lengths.insert(from.len());
            map.by_start.insert(from, [to, written]);
        }
        map
    }
}

impl Map {
    /// Reports whether it leads nowhere else.
    pub(crate) fn is_empty(&self) -> bool {
        self.by_start.is_empty()
    }

    /// Reports whether a URL that a pattern matches may lead elsewhere: what the pattern begins with is the start of a first URL, or goes
    /// on behind one.
    pub(crate) fn moves_matches_of(&self, pattern: &str) -> bool {
        let (scheme, rest) = pattern.split_once("://").unwrap_or(("", ""));
        let rest = rest.split(['*', '{', '(', '?', ':', '\\']).next().unwrap_or_default();
        let known = format!("{scheme}://{}", rest.split("/.").next().unwrap_or_default()).to_ascii_lowercase();
        let mut starts = self.by_start.keys().map(|from| without_slash(from).to_ascii_lowercase());
        starts.any(|from| from.starts_with(&known) || known.starts_with(&from))
    }

    /// Returns where an absolute URL leads, if a first URL covers it.
    pub(crate) fn target(&self, url: &str) -> Option<Mapped<'_>> {
        let url = Url::parse(url).ok().filter(Url::has_host)?;
        let (path, root) = (url[..Position::AfterPath].to_owned(), url[..Position::BeforePath].len());
        let mut covering = starts(&path, root).filter(|start| self.lengths.contains(&start.len()));
        let (start, [to, written]) = covering.find_map(|start| Some((start, self.by_start.get(start)?)))?;
        let rest = &url.as_str()[without_slash(start).len()..];
        // What begins with the second URL below the first is there already.
        let is_there = to.starts_with(start) && starts(&path, root).any(|start| start == to);
        let before = |to| if rest.starts_with('/') { without_slash(to) } else { to };
        (!is_there).then(|| Mapped { url: [before(to), rest].concat(), start: before(written) })
    }
}

fn without_slash(url: &str) -> &str {
    url.strip_suffix('/').unwrap_or(url)
}

/// Returns the beginnings of a URL up to the end of a segment, the longest first: with the slash behind it, and without.
fn starts(url: &str, root: usize) -> impl Iterator<Item = &str> {
    let whole = (!url.ends_with('/')).then_some(url);
    let slashes = memchr::memrchr_iter(b'/', url.as_bytes()).take_while(move |at| *at >= root);
    let cut = slashes.flat_map(move |at| [Some(&url[..=at]), (at > root).then(|| &url[..at])]).flatten();
    whole.into_iter().chain(cut)
}

#[cfg(test)]
mod tests {
    use super::Map;

    #[test]
    fn the_longest_first_url_decides_at_the_boundary_of_a_segment() {
        let map: Map = [
            ("http://A:80/b", "https://z/"),
            ("http://a/b/c/", "https://y/d"),
            ("http://s/", "http://s/p/"),
            ("http://\u{fc}/\u{e4}", "http://v"),
        ]
        .into_iter()
        .collect();
        for (url, expected) in [
            ("http://a/b", Some("https://z/")),
            ("HTTP://a/b?q#f", Some("https://z/?q#f")),
            ("http://a/bc", None),
            ("http://a/b/x/../c", Some("https://z/c")),
            ("http://a/b/c/?q", Some("https://y/d/?q")),
            ("http://a/b/c/x", Some("https://y/d/x")),
            ("http://a/x/../b/c/x", Some("https://y/d/x")),
            ("https://a/b", None),
            ("http://u@a/b", None),
            ("http://s", Some("http://s/p/")),
            ("http://s/pq", Some("http://s/p/pq")),
            ("http://s/p/x", None),
            ("http://\u{fc}/%C3%A4/x", Some("http://v/x")),
            ("mailto:a@b", None),
        ] {
            assert_eq!(map.target(url).map(|mapped| mapped.url).as_deref(), expected, "{url}");
        }
    }
}
