//! A site: the snapshots that were chosen, each with its path.

use std::io;
use std::iter;
use std::sync::OnceLock;

use absolve_unpacker::{folded_path, numbered, site_path};
use url::Url;

use crate::index::Skipped;
use crate::limits::REDIRECTS;
use crate::snapshot_row::{Place, SnapshotRow, place_key};
use crate::sorter::{Rows, Sorter};
use crate::table::{NewTable, Table};

/// The files that archives hold, and how links lead to them. It is on disk beyond some megabytes; see [`index`](crate::index).
#[derive(Debug)]
pub struct Site {
    /// The entries by their URLs.
    urls: Table,
    /// What is found by a URL.
    found: Table,
    /// The files by the places of the records that have their contents.
    files: Table,
    pub(crate) skipped: Skipped,
    /// The first error of looking up a URL.
    failure: OnceLock<io::Error>,
}

/// What there is of a URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SiteEntry {
    /// The best snapshot; of a redirect that leads nowhere, the best one with content.
    pub(crate) row: SnapshotRow,
    /// The path of the file that it would be.
    pub(crate) path: Option<String>,
    /// The URL that the best snapshot redirects to, with its date and record.
    pub(crate) redirect: Option<(String, String, String)>,
    /// Its number among all URLs of the site.
    pub(crate) number: u64,
}

/// Where links to a URL lead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    /// The path of the file.
    pub(crate) path: String,
    /// The number of the URL, if it redirects to that of the file.
    pub(crate) redirected: Option<u64>,
}

impl Found {
    fn to_bytes(&self) -> Vec<u8> {
        [&self.redirected.unwrap_or_default().to_le_bytes()[..], self.path.as_bytes()].concat()
    }

    fn from_bytes(bytes: &[u8]) -> Self {
        let (number, path) = bytes.split_at_checked(8).unwrap_or_default();
        let number = number.try_into().map_or(0, u64::from_le_bytes);
        Self { path: String::from_utf8_lossy(path).into_owned(), redirected: (number > 0).then_some(number) }
    }

    /// Returns what a link has behind the path of the file: a query, which no file has, leads back to a URL that redirects.
    pub(crate) fn query(&self) -> String {
        self.redirected.map(|number| format!("?{number}")).unwrap_or_default()
    }
}

/// Snapshots in the order of their keys.
pub(crate) struct Snapshots {
    pub(crate) rows: Rows,
    pub(crate) skipped: Skipped,
}

/// Chooses the best snapshot of each URL.
pub(crate) fn choose(snapshots: Snapshots) -> io::Result<Site> {
    let (mut by_path, mut entries) = (Sorter::default(), Sorter::default());
    let mut add = |first: SnapshotRow, content: Option<SnapshotRow>| {
        let redirect = first.redirect.clone().map(|to| (to, first.date.clone(), first.record.clone()));
        let row = content.unwrap_or(first);
        let url = row.url.clone();
        let media_type = row.content_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        let path = row.redirect.is_none().then(|| site_path(&Url::parse(&url).ok()?, &media_type)).flatten();
        let entry = SiteEntry { row, path, redirect, number: 0 };
        match &entry.path {
            Some(path) => by_path.push(&[folded_path(path).as_bytes(), b"\0", url.as_bytes()].concat(), &entry.to_bytes()?),
            None => entries.push(url.as_bytes(), &entry.to_bytes()?),
        }
    };
    let mut group: Option<(SnapshotRow, Option<SnapshotRow>)> = None;
    for row in snapshots.rows {
        let row = SnapshotRow::from_bytes(&row?.1)?;
        let content = row.redirect.is_none().then(|| row.clone());
        match &mut group {
            Some((first, best)) if first.url == row.url => *best = best.take().or(content),
            _ => {
                if let Some((first, best)) = group.replace((row, content)) {
                    add(first, best)?;
                }
            }
        }
    }
    group.map_or(Ok(()), |(first, best)| add(first, best))?;
    name_each(by_path.finish()?, &mut entries)?;
    Site::of(entries.finish()?, snapshots.skipped)
}

/// Gives the second and further entries with one path numbers. The entries come in the order of their paths, in one case.
fn name_each(by_path: Rows, entries: &mut Sorter) -> io::Result<()> {
    let (mut last, mut count) = (Vec::new(), 0);
    for row in by_path {
        let (key, value) = row?;
        let folded = key.split(|byte| *byte == 0).next().unwrap_or_default();
        count = if folded == last { count + 1 } else { 1 };
        last = folded.to_owned();
        let mut entry = SiteEntry::from_bytes(&value)?;
        if count > 1 {
            entry.path = entry.path.map(|path| numbered(&path, count));
        }
        entries.push(entry.row.url.as_bytes(), &entry.to_bytes()?)?;
    }
    Ok(())
}

impl Site {
    fn of(entries: Rows, skipped: Skipped) -> io::Result<Self> {
        let mut urls = NewTable::new()?;
        for (number, row) in iter::zip(1.., entries) {
            let (key, value) = row?;
            urls.add(&key, &SiteEntry { number, ..SiteEntry::from_bytes(&value)? }.to_bytes()?)?;
        }
        let urls = urls.finish()?;
        let (mut by_url, mut files) = (NewTable::new()?, Sorter::default());
        urls.for_each(|url, value| {
            let entry = SiteEntry::from_bytes(value)?;
            let place = place_key(entry.row.place);
            match follow(&urls, entry)? {
                Some(found) => {
                    by_url.add(url, &found.to_bytes())?;
                    if found.redirected.is_none() { files.push(&[&place, url].concat(), value) } else { Ok(()) }
                }
                None => Ok(()),
            }
        })?;
        let mut by_place = NewTable::new()?;
        files.finish()?.try_for_each(|row| row.and_then(|(key, value)| by_place.add(&key, &value)))?;
        Ok(Self { urls, found: by_url.finish()?, files: by_place.finish()?, skipped, failure: OnceLock::new() })
    }

    /// Returns what the archives have that is not in the site.
    pub const fn skipped(&self) -> Skipped {
        self.skipped
    }

    /// Passes each entry with the file that it leads to, in the order of URLs.
    pub(crate) fn for_each(&self, mut each: impl FnMut(SiteEntry, Found) -> io::Result<()>) -> io::Result<()> {
        self.urls.for_each(|url, value| match self.found.get(url)? {
            Some(found) => each(SiteEntry::from_bytes(value)?, Found::from_bytes(&found)),
            None => Ok(()),
        })
    }

    /// Returns the files whose contents the record at a place has.
    pub(crate) fn files_of(&self, place: Place) -> io::Result<Vec<SiteEntry>> {
        let (archive, member, number) = place;
        let behind = place_key((archive, member, number + 1));
        let values = self.files.range(&place_key(place), &behind)?;
        values.iter().map(|value| SiteEntry::from_bytes(value)).collect()
    }

    /// Returns where links to a URL lead, which has no fragment; `None` if no file is of that URL.
    pub(crate) fn find(&self, url: &str) -> Option<Found> {
        let found = self.found.get(url.as_bytes());
        let value = found.unwrap_or_else(|error| {
            self.failure.get_or_init(|| error);
            None
        });
        value.map(|value| Found::from_bytes(&value))
    }

    /// Returns an error if one of looking up a URL has occurred: then links that lead to files were written as if they did not.
    pub(crate) fn failure(&self) -> io::Result<()> {
        self.failure.get().map_or(Ok(()), |error| Err(io::Error::new(error.kind(), error.to_string())))
    }
}

/// Follows the redirects of an entry. Where they lead to no snapshot, the last on the way with content counts; in a circle, the first of
/// its URLs with content. So what is found always leads to itself.
fn follow(urls: &Table, first: SiteEntry) -> io::Result<Option<Found>> {
    let number = first.number;
    let mut way = vec![first];
    let circle = loop {
        let Some((to, ..)) = way.last().and_then(|last| last.redirect.as_ref()) else { break way.len() };
        if let Some(start) = way.iter().position(|passed| passed.row.url == *to) {
            break start;
        }
        let Some(value) = urls.get(to.as_bytes())? else { break way.len() };
        if way.len() > REDIRECTS {
            return Ok(None);
        }
        way.push(SiteEntry::from_bytes(&value)?);
    };
    let is_content = |entry: &&SiteEntry| entry.path.is_some();
    let in_circle = way[circle..].iter().filter(is_content).min_by_key(|entry| entry.number);
    let found = in_circle.or_else(|| way[..circle].iter().rfind(is_content));
    Ok(found.and_then(|found| {
        Some(Found { path: found.path.clone()?, redirected: (found.number != number).then_some(number) })
    }))
}

impl SiteEntry {
    fn to_bytes(&self) -> io::Result<Vec<u8>> {
        let Self { row, path, redirect, number } = self;
        postcard::to_stdvec(&(row.to_bytes()?, path, redirect, number)).map_err(io::Error::other)
    }

    fn from_bytes(bytes: &[u8]) -> io::Result<Self> {
        let (row, path, redirect, number): (Vec<u8>, _, _, _) = postcard::from_bytes(bytes).map_err(io::Error::other)?;
        Ok(Self { row: SnapshotRow::from_bytes(&row)?, path, redirect, number })
    }
}
