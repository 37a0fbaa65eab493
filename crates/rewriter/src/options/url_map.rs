//! Where URLs that begin alike lead instead.

use std::collections::HashMap;
use std::{error, fmt};

use absolve_base::Rules;
use absolve_resolver::{BaseUrl, Standard};
use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
use url::Url;

use crate::provenance::retrieval_url::{BaseError, retrieval_url};

/// Where targets lead instead: one that begins with the first URL of a pair begins with the second one.
///
/// A URL covers what follows it at the boundary of a segment: `http://h/a` covers `http://h/a`, `http://h/a/b` and `http://h/a?q`, but not
/// `http://h/ab`. One that ends with a slash covers what is below it. The longest one that covers a target decides. Schemes, hosts, ports
/// and the characters of paths are compared as the URL Standard spells them; what follows is written as it was. A target that begins
/// with the second URL stays, if that is below the first.
///
/// ```
/// use absolve_rewriter::settings::UrlMap;
/// use absolve_rewriter::{Options, Rewriter};
/// let map = UrlMap::new([("http://old.example/docs", "https://new.example")])?;
/// let rewriter = Rewriter::from(Options { map, ..Options::default() });
/// let page = rewriter.html("<a href=x><a href=HTTP://old.example:80/docs?q>", "http://old.example/docs/")?;
/// assert_eq!(page.text(), "<a href=https://new.example/x><a href=https://new.example/?q>");
/// assert_eq!((page.counts().rewritten, page.counts().mapped), (1, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UrlMap {
    pairs: Vec<(String, String)>,
    /// The pair that covers what begins so, and whether it begins with its second URL already.
    by_start: HashMap<String, (usize, Begins)>,
    /// The most slashes in the path of a first URL.
    most_slashes: usize,
}

/// What a URL of a pair is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Begins {
    /// The first one.
    From,
    /// The second one, below the first.
    To,
}

impl UrlMap {
    /// Returns the map of these pairs.
    ///
    /// # Errors
    ///
    /// [`MapError`] if one of them is no URL with a host, or has a query, a fragment or a user name; if two contradict each other; or if one
    /// leads to what another one covers.
    ///
    /// ```
    /// use absolve_rewriter::settings::UrlMap;
    /// let error = UrlMap::new([("http://a/", "http://b/"), ("http://b/", "http://c/")]).unwrap_err();
    /// assert_eq!(error.to_string(), "\"http://a/\" leads to \"http://b/\", but \"http://b/\" leads to \"http://c/\"; give the last URL to each, or run twice");
    /// ```
    pub fn new<S: Into<String>>(pairs: impl IntoIterator<Item = (S, S)>) -> Result<Self, MapError> {
        let mut map = Self::default();
        let mut seconds = HashMap::new();
        for (from, to) in pairs {
            let (start, end) = (Compared::of_given(&from.into())?, Compared::of_given(&to.into())?);
            let (key, number) = (start.key(), map.pairs.len());
            match map.by_start.get(&key) {
                Some((other, _)) if map.pairs[*other].1 == end.url => continue,
                Some((other, _)) => {
                    return Err(MapError::Contradiction {
                        one: map.pairs[*other].clone(),
                        other: (start.url, end.url),
                    });
                }
                None => {}
            }
            map.most_slashes = map.most_slashes.max(start.slashes()).max(end.slashes());
            map.by_start.insert(key, (number, Begins::From));
            seconds.entry(end.key()).or_insert(number);
            map.pairs.push((start.url, end.url));
        }
        map.check_chains(&seconds)?;
        Ok(map)
    }

    /// Refuses a pair whose second URL leads on: another first URL covers it, or is below it.
    fn check_chains(&mut self, seconds: &HashMap<String, usize>) -> Result<(), MapError> {
        let chain = |one: usize, next: usize| {
            Err(MapError::Chain { one: self.pairs[one].clone(), next: self.pairs[next].clone() })
        };
        let mut own = Vec::new();
        for (number, (from, to)) in self.pairs.iter().enumerate() {
            let (start, end) = (Compared::of_given(from)?, Compared::of_given(to)?);
            match end.starts(self.most_slashes).find_map(|(key, _)| self.by_start.get(&key)) {
                Some((next, _)) if *next != number => return chain(number, *next),
                Some(_) => own.push((end.key(), (number, Begins::To))),
                None => {}
            }
            let before = start.starts(self.most_slashes).filter_map(|(key, _)| seconds.get(&key));
            if let Some(before) = before.into_iter().find(|before| **before != number) {
                return chain(*before, number);
            }
        }
        // Equal ones change nothing.
        self.by_start.extend(own);
        Ok(())
    }

    /// Returns whether it leads nowhere else.
    pub const fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    /// Returns its pairs, in their order.
    pub fn pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        self.pairs.iter().map(|(from, to)| (&**from, &**to))
    }

    /// Returns where an absolute URL leads instead, if it is covered. `resolve` resolves references by the URL Standard.
    pub(crate) fn target_of(&self, url: &str, resolve: Resolve<'_>) -> Option<String> {
        if self.is_empty() {
            return None;
        }
        let compared = Compared::of(url, resolve)?;
        let (rest, found) =
            compared.starts(self.most_slashes).find_map(|(key, rest)| Some((rest, self.by_start.get(&key)?)))?;
        let (number, Begins::From) = *found else { return None };
        let to = &*self.pairs[number].1;
        let to = to.strip_suffix('/').filter(|_| rest.starts_with('/')).unwrap_or(to);
        Some([to, rest].concat())
    }
}

/// Resolves a reference at a base.
type Resolve<'r> = &'r dyn Fn(&BaseUrl, &str) -> Option<String>;

/// The characters of paths that the URL Standard escapes.
const ESCAPED: &AsciiSet = &CONTROLS.add(b' ').add(b'"').add(b'<').add(b'>').add(b'`').add(b'{').add(b'}').add(b'^');

/// A URL as it is compared.
#[derive(Debug)]
struct Compared {
    url: String,
    /// Its scheme, host and port.
    server: String,
    /// Its path, at least a slash.
    path: String,
    /// What follows the server, as it is written, and how much of it is the path.
    written: String,
    path_length: usize,
}

impl Compared {
    /// Returns a URL of a pair.
    fn of_given(url: &str) -> Result<Self, MapError> {
        let base = retrieval_url(url, Rules::default()).map_err(MapError::NoUrl)?;
        let unfit = || MapError::Unfit(url.trim().to_owned());
        let is_prefix = !url.contains(['?', '#', '@']);
        let compared =
            Self::of(base.as_str(), &|base, url| base.resolve(url).ok()).filter(|_| is_prefix).ok_or_else(unfit)?;
        Ok(Self { url: base.as_str().to_owned(), ..compared })
    }

    /// Returns an absolute URL without dot segments; `None` if it has no host, or a user name.
    fn of(url: &str, resolve: Resolve<'_>) -> Option<Self> {
        // The base of an absolute reference does not matter.
        let absolute = resolve(&BaseUrl::parse("http://h/", Standard::Whatwg).ok()?, url)?;
        let start = absolute.find("://")? + "://".len();
        let end = absolute[start..].find(['/', '?', '#']).map_or(absolute.len(), |length| start + length);
        let parsed = Url::parse(&absolute[..end]).ok()?;
        let is_anonymous = parsed.username().is_empty() && parsed.password().is_none();
        let (host, port) = (parsed.host_str().filter(|_| is_anonymous)?, parsed.port_or_known_default());
        let server = BaseUrl::parse(&format!("{}/", &absolute[..end]), Standard::Whatwg).ok()?;
        let slash = if absolute[end..].starts_with('/') { "" } else { "/" };
        let target = resolve(&server, &[".", slash, &absolute[end..]].concat())?;
        let written = target.strip_prefix(&server.as_str()[..server.as_str().len() - 1])?.to_owned();
        let path_length = written.find(['?', '#']).unwrap_or(written.len());
        Some(Self {
            url: url.to_owned(),
            server: format!("{}://{host}:{}", parsed.scheme(), port.unwrap_or_default()),
            path: utf8_percent_encode(&written[..path_length], ESCAPED).to_string(),
            written,
            path_length,
        })
    }

    fn key(&self) -> String {
        [&*self.server, &self.path].concat()
    }

    fn slashes(&self) -> usize {
        self.path.matches('/').count()
    }

    /// Returns the keys of all URLs that may cover it, the longest first, each with what follows that URL. None of them has more slashes.
    fn starts(&self, most_slashes: usize) -> impl Iterator<Item = (String, &str)> {
        let start = |path: &str| [&*self.server, path].concat();
        let whole = (!self.path.ends_with('/') && self.slashes() <= most_slashes)
            .then(|| (self.key(), &self.written[self.path_length..]));
        // Escapes change no slash.
        let slashes = self.path.match_indices('/').zip(self.written.match_indices('/')).take(most_slashes + 1);
        let slashes: Vec<(usize, usize)> = slashes.map(|((at, _), (written, _))| (at, written)).collect();
        let below = slashes.into_iter().rev().flat_map(move |(at, written)| {
            let file =
                (!self.path[..at].is_empty() && !self.path[..at].ends_with('/')).then(|| start(&self.path[..at]));
            [Some(start(&self.path[..=at])), file].into_iter().flatten().map(move |key| (key, &self.written[written..]))
        });
        whole.into_iter().chain(below)
    }
}

/// Error: URLs that are no map.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MapError {
    /// One of them is no URL.
    NoUrl(BaseError),
    /// One of them has no host, or a query, a fragment or a user name.
    Unfit(String),
    /// Two pairs lead to different URLs from the same one.
    Contradiction {
        /// The first pair.
        one: (String, String),
        /// The second one.
        other: (String, String),
    },
    /// A pair leads to what another one covers.
    Chain {
        /// The first pair.
        one: (String, String),
        /// The other one.
        next: (String, String),
    },
}

impl fmt::Display for MapError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoUrl(error) => error.fmt(formatter),
            Self::Unfit(url) => {
                write!(
                    formatter,
                    "{url:?} has to be a URL with a host, and without a query, a fragment and a user name"
                )
            }
            Self::Contradiction { one: (from, one), other: (_, other) } => {
                write!(formatter, "{from:?} leads to both {one:?} and {other:?}; give one of them")
            }
            Self::Chain { one: (from, to), next: (next, last) } => write!(
                formatter,
                "{from:?} leads to {to:?}, but {next:?} leads to {last:?}; give the last URL to each, or run twice"
            ),
        }
    }
}

impl error::Error for MapError {}

#[cfg(test)]
mod tests {
    use super::UrlMap;

    #[test]
    fn time_is_linear_in_the_pairs_and_the_slashes() {
        let pairs = (0..20_000).map(|number| (format!("http://a/{number}/x"), format!("http://b/{number}")));
        let map = UrlMap::new(pairs).expect("none of them chain");
        let long = format!("http://a/7/x/{}", "y/".repeat(100_000));
        let target = |url: &str| map.target_of(url, &|base, url| base.resolve(url).ok());
        let found = target(&long).unwrap_or_default();
        assert_eq!(found.len() + "/x".len(), long.len());
        assert_eq!(target(&format!("http://a/{}", "7/".repeat(100_000))), None);
    }
}
