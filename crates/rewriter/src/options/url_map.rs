//! Where URLs that begin alike lead instead.

use std::collections::{BTreeSet, HashMap};
use std::{error, fmt};

use absolve_base::Rules;
use absolve_resolver::{BaseUrl, Standard, authority_start};
use memchr::memchr_iter;
use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
use url::Url;

use crate::provenance::retrieval_url::retrieval_url;

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
    /// The pair that covers what begins so; none if that begins with the second URL of its pair, below the first.
    by_start: HashMap<String, Option<usize>>,
    /// The lengths of the URLs as they are compared: no other beginning of a URL is looked up.
    lengths: BTreeSet<usize>,
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
    pub fn new<S: AsRef<str>>(pairs: impl IntoIterator<Item = (S, S)>) -> Result<Self, MapError> {
        let (mut map, mut compared, mut seconds) = (Self::default(), Vec::new(), HashMap::new());
        for (from, to) in pairs {
            let ((from, one), (to, other)) = (given(from.as_ref())?, given(to.as_ref())?);
            let number = *map.by_start.entry(one.key.clone()).or_insert(Some(compared.len()));
            let before = number.and_then(|number| map.pairs.get(number)).map(|(_, to)| to);
            match before {
                Some(before) if *before == to => continue,
                Some(before) => {
                    return Err(MapError(format!("{from:?} leads to both {before:?} and {to:?}; give one of them")));
                }
                None => {}
            }
            map.lengths.extend([one.key.len(), other.key.len()]);
            seconds.entry(other.key.clone()).or_insert(compared.len());
            compared.push((one, other));
            map.pairs.push((from, to));
        }
        for (number, (from, to)) in compared.iter().enumerate() {
            // Where a second URL leads on, and which one leads to the first, or to what is above it.
            let next = to.starts(&map.lengths).find_map(|(start, _)| map.by_start.get(start).copied().flatten());
            let before = from.starts(&map.lengths).filter_map(|(start, _)| seconds.get(start));
            let before = before.into_iter().find(|before| **before != number).map(|before| (*before, number));
            if let Some((one, next)) = next.filter(|next| *next != number).map(|next| (number, next)).or(before) {
                let ((from, to), (next, last)) = (&map.pairs[one], &map.pairs[next]);
                return Err(MapError(format!(
                    "{from:?} leads to {to:?}, but {next:?} leads to {last:?}; give the last URL to each, or run twice"
                )));
            }
        }
        // Equal ones change nothing.
        let below =
            compared.into_iter().filter(|(from, to)| to.starts(&map.lengths).any(|(start, _)| start == from.key));
        map.by_start.extend(below.map(|(_, to)| (to.key, None)));
        Ok(map)
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
        let compared = Some(url).filter(|_| !self.is_empty()).and_then(|url| Compared::of(url, resolve))?;
        let covered = |(start, rest)| Some((*self.by_start.get(start)?, rest));
        let (number, rest) = compared.starts(&self.lengths).find_map(covered)?;
        let to = &*self.pairs[number?].1;
        let to = to.strip_suffix('/').filter(|_| rest.starts_with('/')).unwrap_or(to);
        Some([to, rest].concat())
    }
}

/// Resolves a reference at a base.
type Resolve<'r> = &'r dyn Fn(&BaseUrl, &str) -> Option<String>;

/// The characters of paths that the URL Standard escapes.
const ESCAPED: &AsciiSet = &CONTROLS.add(b' ').add(b'"').add(b'<').add(b'>').add(b'`').add(b'{').add(b'}').add(b'^');

/// Returns a URL of a pair as it is written into documents, and as it is compared.
fn given(text: &str) -> Result<(String, Compared), MapError> {
    let url = retrieval_url(text, Rules::default()).map_err(|error| MapError(error.to_string()))?;
    let compared = Compared::of(text, &|base, url| base.resolve(url).ok()).filter(|_| !text.contains(['?', '#']));
    let unfit = || format!("{text:?} has to be a URL with a host, and without a query, a fragment and a user name");
    Ok((url.as_str().to_owned(), compared.ok_or_else(|| MapError(unfit()))?))
}

/// A URL as it is compared.
#[derive(Debug)]
struct Compared {
    /// Its scheme, host, port and path, which is at least a slash.
    key: String,
    /// Its path, query and fragment, as they are written.
    rest: String,
}

impl Compared {
    /// Returns an absolute URL without dot segments; `None` if it has no host, or a user name.
    fn of(url: &str, resolve: Resolve<'_>) -> Option<Self> {
        // The base of an absolute reference does not matter.
        let absolute = resolve(&BaseUrl::parse("http://h/", Standard::Whatwg).ok()?, url)?;
        let start = authority_start(&absolute)?;
        let end = absolute[start..].find(['/', '?', '#']).map_or(absolute.len(), |length| start + length);
        let parsed =
            Url::parse(&absolute[..end]).ok().filter(|url| url.username().is_empty() && url.password().is_none())?;
        let server = BaseUrl::parse(&format!("{}/", &absolute[..end]), Standard::Whatwg).ok()?;
        let slash = if absolute[end..].starts_with('/') { "" } else { "/" };
        let target = resolve(&server, &[".", slash, &absolute[end..]].concat())?;
        let rest = target.strip_prefix(server.as_str()).map(|rest| format!("/{rest}"))?;
        let path = utf8_percent_encode(&rest[..rest.find(['?', '#']).unwrap_or(rest.len())], ESCAPED);
        let port = parsed.port_or_known_default().unwrap_or_default();
        Some(Self { key: format!("{}://{}:{port}{path}", parsed.scheme(), parsed.host_str()?), rest })
    }

    /// Returns the keys with these lengths of all URLs that may cover it, the longest first, each with what follows that URL.
    fn starts(&self, lengths: &BTreeSet<usize>) -> impl Iterator<Item = (&str, &str)> {
        let longest = lengths.last().copied().unwrap_or_default();
        let end = self.rest.find(['?', '#']).unwrap_or(self.rest.len());
        let whole = (!self.key.ends_with('/')).then_some((&*self.key, &self.rest[end..]));
        // Escapes change no slash; the first two are those of the scheme.
        let slashes = memchr_iter(b'/', self.key.as_bytes()).skip(2).zip(memchr_iter(b'/', self.rest.as_bytes()));
        let slashes: Vec<_> = slashes.take_while(|(at, _)| *at <= longest).collect();
        let cut = slashes.into_iter().rev().flat_map(move |(at, rest)| {
            let is_name = !self.key[..at].ends_with('/');
            [Some(at + 1), is_name.then_some(at)]
                .into_iter()
                .flatten()
                .map(move |end| (&self.key[..end], &self.rest[rest..]))
        });
        whole.into_iter().chain(cut).filter(move |(start, _)| lengths.contains(&start.len()))
    }
}

/// Error: URLs that are no map. The message names them, and says what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MapError(String);

impl fmt::Display for MapError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
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
        let long = |end: &str| format!("http://a{}{end}", "/a".repeat(96_000));
        let map = UrlMap::new([(long(""), "http://b/".to_owned())]).expect("it does not chain");
        let target = |url: &str| map.target_of(url, &|base, url| base.resolve(url).ok());
        assert_eq!(target(&long("/x")).as_deref(), Some("http://b/x"));
    }
}
