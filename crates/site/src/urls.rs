//! The URLs of a site, and under which other ones links find them: a crawl has often captured a page by https to which older pages link by
//! http, or has escapes in another case than they do. That both mean one page is likely and not certain, so the list of the site names
//! each URL of a link that took the capture of another one.

use std::borrow::Cow;
use std::collections::HashSet;
use std::io;

use absolve_containers::{Rows, Sorter};
use sha2::{Digest, Sha256};

use crate::entry::has_no_file;
use crate::table::{NewTable, Table, Way};

/// The entries of a site by their URLs.
#[derive(Debug)]
pub(crate) struct Urls {
    entries: Table,
    /// The URLs with escapes in lower case, by their spellings in upper case.
    spellings: Table,
}

impl Urls {
    pub(crate) fn of(rows: Rows) -> io::Result<Self> {
        let (mut entries, mut spelled) = (NewTable::new()?, Sorter::default());
        for row in rows {
            let (url, entry) = row?;
            entries.add(&url, &entry)?;
            match with_upper_escapes(&String::from_utf8_lossy(&url)) {
                Cow::Owned(upper) if !has_no_file(&entry)? => spelled.push(upper.as_bytes(), &url)?,
                _ => {}
            }
        }
        let (mut spellings, mut last) = (NewTable::new()?, Vec::new());
        for row in spelled.finish()? {
            let (upper, url) = row?;
            // Of several, the first counts.
            if last != upper {
                spellings.add(&upper, &url)?;
                last = upper;
            }
        }
        Ok(Self { entries: entries.finish()?, spellings: spellings.finish()? })
    }

    /// Returns the way to a URL, from which those are found that begin like it.
    pub(crate) fn way(&self, url: &str) -> Way {
        self.entries.way(url.as_bytes())
    }

    /// Returns the entry of a URL that was captured under it.
    pub(crate) fn get_near(&self, url: &str, way: &Way) -> io::Result<Option<Cow<'_, [u8]>>> {
        self.entries.get_near(url.as_bytes(), way)
    }

    /// Passes each URL and entry to `each`, in order.
    pub(crate) fn for_each(&self, each: impl FnMut(&[u8], &[u8]) -> io::Result<()>) -> io::Result<()> {
        self.entries.for_each(each)
    }

    /// Returns the captured URLs that a URL may mean, the likeliest first, and their entries: the same, those with escapes in another case, and
    /// both under the other one of http and https. A capture that no file is made of counts for its own URL only.
    pub(crate) fn captured(&self, url: &str) -> impl Iterator<Item = io::Result<(String, Cow<'_, [u8]>)>> {
        let candidates = [Some(url.to_owned()), with_other_scheme(url)].into_iter().flatten();
        let spellings = candidates.flat_map(|candidate| {
            let has_escapes = candidate.contains('%');
            let upper = has_escapes.then(|| with_upper_escapes(&candidate).into_owned());
            let spelled = upper.as_ref().map_or(Ok(None), |upper| self.spellings.get(upper.as_bytes()));
            let spelled = spelled.map(|spelled| spelled.map(|url| String::from_utf8_lossy(&url).into_owned()));
            [Ok(Some(candidate)), Ok(upper), spelled]
        });
        spellings.filter_map(|spelled| spelled.and_then(|known| self.counted(known, url)).transpose())
    }

    /// Returns a spelling of a URL with its entry, if that counts for the URL.
    fn counted(&self, known: Option<String>, url: &str) -> io::Result<Option<(String, Cow<'_, [u8]>)>> {
        let Some(known) = known else { return Ok(None) };
        let Some(entry) = self.entries.get(known.as_bytes())? else { return Ok(None) };
        let counts = known == url || !has_no_file(&entry)?;
        Ok(counts.then_some((known, entry)))
    }
}

/// Returns a URL with the other one of http and https, unless it has a port.
fn with_other_scheme(url: &str) -> Option<String> {
    let schemes = [("http://", "https://"), ("https://", "http://")];
    let (rest, other) = schemes.iter().find_map(|(own, other)| Some((url.strip_prefix(own)?, other)))?;
    let authority = rest.split('/').next().unwrap_or_default();
    let host = authority.rsplit(['@', ']']).next().unwrap_or_default();
    (!host.contains(':')).then(|| format!("{other}{rest}"))
}

/// Returns a URL with its percent-encoding in upper case.
fn with_upper_escapes(url: &str) -> Cow<'_, str> {
    let is_lower = |escape: &str| escape.get(..2).is_some_and(|digits| digits != digits.to_ascii_uppercase());
    if !url.contains('%') || !url.split('%').skip(1).any(is_lower) {
        return Cow::Borrowed(url);
    }
    let upper = |(at, piece): (usize, &str)| match piece.split_at_checked(2).filter(|_| at > 0) {
        Some((digits, rest)) if digits.bytes().all(|byte| byte.is_ascii_hexdigit()) => {
            digits.to_ascii_uppercase() + rest
        }
        _ => piece.to_owned(),
    };
    url.split('%').enumerate().map(upper).collect::<Vec<_>>().join("%").into()
}

/// The URLs of links that lead to captures of other URLs.
#[derive(Debug, Default)]
pub(crate) struct Aliases {
    known: HashSet<u64>,
    urls: Sorter,
}

impl Aliases {
    pub(crate) fn add(&mut self, url: &str) -> io::Result<()> {
        let digest = Sha256::digest(url);
        let is_new = self.known.insert(u64::from_be_bytes(*digest.first_chunk().unwrap_or(&[0; 8])));
        if is_new { self.urls.push(url.as_bytes(), b"") } else { Ok(()) }
    }

    /// Returns the URLs in order.
    pub(crate) fn finish(self) -> io::Result<Rows> {
        self.urls.finish()
    }
}

/// Returns the query by which links to a URL lead back to it from the file of another one.
pub(crate) fn query_of(url: &str) -> String {
    Sha256::digest(url)[..8].iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::{with_other_scheme, with_upper_escapes};

    #[test]
    fn other_spellings() {
        for (url, other, upper) in [
            ("http://h/a%c3%A9", Some("https://h/a%c3%A9"), "http://h/a%C3%A9"),
            ("https://u:p@h/", Some("http://u:p@h/"), "https://u:p@h/"),
            ("http://h:8080/", None, "http://h:8080/"),
            ("http://[::1]/%", Some("https://[::1]/%"), "http://[::1]/%"),
            ("ftp://h/%zz%2f", None, "ftp://h/%zz%2F"),
        ] {
            assert_eq!((with_other_scheme(url).as_deref(), &*with_upper_escapes(url)), (other, upper), "{url}");
        }
    }
}
