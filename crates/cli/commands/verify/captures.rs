//! Which captures of a site serve a URL: its own, or, if it has none, one with escapes in another case, else those under the other one of http and https.

use std::collections::{HashMap, HashSet};

use absolve_site::Site;
use csv::StringRecord;
use url::Url;

/// The rows of the captures that a site has, by their URLs.
pub(crate) struct Captures<'s> {
    site: &'s Site,
    pub(crate) rows: Vec<StringRecord>,
    urls: HashSet<String>,
    /// The rows by what their URLs have in common with those that mean the same.
    by_meaning: HashMap<String, Vec<usize>>,
}

impl<'s> Captures<'s> {
    pub(crate) fn of(rows: Vec<StringRecord>, site: &'s Site) -> Self {
        let urls = rows.iter().map(|row| row[1].to_owned()).collect();
        let mut by_meaning: HashMap<String, Vec<usize>> = HashMap::new();
        for (index, row) in rows.iter().enumerate() {
            by_meaning.entry(meaning(&row[1])).or_default().push(index);
        }
        Self { site, rows, urls, by_meaning }
    }

    /// Returns whether the site has a capture for a URL.
    pub(crate) fn serve(&self, url: &str) -> bool {
        self.urls.contains(url) || (self.by_meaning.contains_key(&meaning(url)) && !self.site.was_captured(url))
    }

    /// Returns whether a row has the date and the record of the capture of its own URL.
    pub(crate) fn have(&self, row: &StringRecord) -> bool {
        self.rows.iter().any(|known| known[1] == row[1] && known[2] == row[2] && known[3] == row[3])
    }

    /// Returns whether a row is for a URL without a capture of its own, and names the file, the date and the record of the capture that serves it.
    pub(crate) fn are_for(&self, row: &StringRecord) -> bool {
        let url = &row[1];
        let served = self.by_meaning.get(&meaning(url)).filter(|_| !self.site.was_captured(url));
        let spelled = |known: &str| without_scheme(known).to_owned();
        let rank = |known: &&usize| {
            let known = &self.rows[**known][1];
            let escapes = if spelled(known) == spelled(url) { 0 } else { 1 + u8::from(known != upper(known)) };
            (known.split(':').next() != url.split(':').next(), escapes, known.to_owned())
        };
        let Some(first) = served.and_then(|served| served.iter().min_by_key(rank)) else { return false };
        let of_capture = &self.rows[*first];
        let file = |path: &str| path.split('?').next().unwrap_or_default().to_owned();
        row[0].contains('?')
            && file(&row[0]) == file(&of_capture[0])
            && [2, 3].iter().all(|at| row[*at] == of_capture[*at])
    }
}

/// Returns what URLs have in common that differ in http and https or in the case of escapes.
fn meaning(url: &str) -> String {
    let has_port = Url::parse(url).is_ok_and(|url| url.port().is_some());
    upper(if has_port { url } else { without_scheme(url) })
}

fn without_scheme(url: &str) -> &str {
    ["http:", "https:"].iter().find_map(|scheme| url.strip_prefix(scheme)).unwrap_or(url)
}

/// Returns a URL with the two digits behind each `%` in upper case.
fn upper(url: &str) -> String {
    let mut behind = usize::MAX;
    let of_character = |character: char| {
        behind = if character == '%' { 0 } else { behind.saturating_add(1) };
        match character {
            'a'..='f' if behind == 1 || behind == 2 => character.to_ascii_uppercase(),
            _ => character,
        }
    };
    url.chars().map(of_character).collect()
}
