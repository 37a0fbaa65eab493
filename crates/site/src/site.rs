//! A site: the snapshots that were chosen, each with its path.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use absolve_containers::{Reading, Rows, Sorter};
use absolve_rewriter::internal::WaybackLinks;
use absolve_unpacker::{folded_path, numbered, site_path};
use url::Url;

use crate::entry::{SiteEntry, has_no_file, path_of};
use crate::limits::REDIRECTS;
use crate::sheets::Sheets;
use crate::snapshot_row::{PLACE_KEY, Place, SnapshotRow, place_key};
use crate::table::{NewTable, Table, Way};
use crate::urls::{Aliases, Urls, query_of};

/// What the archives of a run have that is not in the site.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Skipped {
    /// Answers with an error, or with a part of the content.
    pub other_answers: u64,
    /// Snapshots of URLs without a host.
    pub without_host: u64,
    /// Segments of divided records.
    pub segments: u64,
    /// Revisits whose originals no archive has.
    pub revisits: u64,
}

/// The files that archives hold, and how links lead to them. It is on disk beyond some megabytes; see [`index`](crate::index).
#[derive(Debug)]
pub struct Site {
    /// The entries by their URLs.
    urls: Urls,
    /// What is found by the URLs that redirect.
    redirects: Table,
    /// The files by the places of the records that have their contents.
    files: Table,
    pub(crate) skipped: Skipped,
    /// How links of copies are read.
    pub(crate) wayback: WaybackLinks,
    /// The URLs of links that lead to captures of other URLs.
    aliases: Mutex<Aliases>,
    /// The files with copies that pages in quirks mode apply.
    pub(crate) sheets: Sheets,
    /// How much was read of the archives, and what was seen of each.
    seen: (Reading, Vec<u64>),
    is_misled: AtomicBool,
    /// The first error of looking up a URL.
    failure: OnceLock<io::Error>,
}

/// Where links to a URL lead.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Found {
    /// The path of the file.
    pub(crate) path: String,
    /// The number of the URL among all of the site, if it redirects to that of the file.
    pub(crate) redirected: Option<u64>,
    /// The fragment of the redirect.
    pub(crate) fragment: String,
    /// What leads back to the URL, if it was captured under another one.
    pub(crate) alias: Option<String>,
}

impl Found {
    /// Returns what a link has behind the path of the file: a query, which no file has, leads back to a URL that redirects, or that was captured
    /// under another one.
    pub(crate) fn query(&self) -> String {
        let number = self.redirected.map(|number| number.to_string());
        self.alias.clone().or(number).map(|query| format!("?{query}")).unwrap_or_default()
    }

    /// Returns what a link with this fragment has behind the path: its own one, or else that of the redirect. The way back drops that.
    pub(crate) fn query_and_fragment(&self, fragment: &str) -> String {
        match fragment.is_empty() && !self.fragment.is_empty() {
            true => format!("{}-{}", self.query(), self.fragment),
            false => self.query() + fragment,
        }
    }
}

/// Snapshots in the order of their keys.
pub(crate) struct Snapshots {
    pub(crate) rows: Rows,
    pub(crate) skipped: Skipped,
    /// How much was read of the archives, and what was seen of each.
    pub(crate) seen: (Reading, Vec<u64>),
    pub(crate) wayback: WaybackLinks,
}

/// Chooses the best snapshot of each URL.
pub(crate) fn choose(snapshots: Snapshots) -> io::Result<Site> {
    let (mut by_path, mut entries) = (Sorter::default(), Sorter::default());
    let mut add = |first: SnapshotRow, content: Option<SnapshotRow>| {
        let redirect = first.redirect.clone().map(|to| (to, first.date.clone(), first.record.clone()));
        let row = content.unwrap_or(first);
        let url = row.url.clone();
        let media_type = row.content_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        let path = (row.is_written() && row.redirect.is_none())
            .then(|| site_path(&Url::parse(&url).ok()?, &media_type))
            .flatten();
        let entry = SiteEntry { path, redirect, row };
        match &entry.path {
            Some(path) => {
                by_path.push(&[folded_path(path).as_bytes(), b"\0", url.as_bytes()].concat(), &entry.to_bytes()?)
            }
            None => entries.push(url.as_bytes(), &entry.to_bytes()?),
        }
    };
    let mut group: Option<(SnapshotRow, Option<SnapshotRow>)> = None;
    for row in snapshots.rows {
        let row = SnapshotRow::from_bytes(&row?.1)?;
        let content = (row.is_written() && row.redirect.is_none()).then(|| row.clone());
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
    Ok(Site { wayback: snapshots.wayback, ..Site::of(entries.finish()?, snapshots.skipped, snapshots.seen)? })
}

/// Gives the second and further entries with one path numbers. The entries come in the order of their paths, in one case.
fn name_each(by_path: Rows, entries: &mut Sorter) -> io::Result<()> {
    let (mut last, mut count) = (Vec::new(), 0);
    for row in by_path {
        let (key, mut value) = row?;
        let (folded, url) = key.split_at(key.iter().position(|byte| *byte == 0).unwrap_or(key.len()));
        count = if folded == last { count + 1 } else { 1 };
        last = folded.to_owned();
        if count > 1 {
            let entry = SiteEntry::from_bytes(&value)?;
            value = SiteEntry { path: entry.path.map(|path| numbered(&path, count)), ..entry }.to_bytes()?;
        }
        entries.push(&url[1..], &value)?;
    }
    Ok(())
}

impl Site {
    fn of(entries: Rows, skipped: Skipped, seen: (Reading, Vec<u64>)) -> io::Result<Self> {
        let urls = Urls::of(entries)?;
        let (mut redirects, mut files, mut number) = (NewTable::new()?, Sorter::default(), 0_u64);
        urls.for_each(|url, value| {
            if has_no_file(value)? {
                return Ok(());
            }
            number += 1;
            let entry = SiteEntry::from_bytes(value)?;
            let (place, is_redirect) = (place_key(entry.row.place), entry.redirect.is_some());
            let Some((path, is_own, fragment)) = follow(&urls, entry)? else { return Ok(()) };
            if is_redirect {
                let found = (path, (!is_own).then_some(number), fragment);
                redirects.add(url, &postcard::to_stdvec(&found).map_err(io::Error::other)?)?;
            }
            if is_own { files.push(&[&place, url].concat(), value) } else { Ok(()) }
        })?;
        let (mut by_place, mut number) = (NewTable::new()?, 0_u64);
        for row in files.finish()? {
            let (key, value) = row?;
            number += 1;
            // The URL, by which they are in order, would make the table long.
            by_place.add(&[&key[..PLACE_KEY], &number.to_be_bytes()].concat(), &value)?;
        }
        let (redirects, files) = (redirects.finish()?, by_place.finish()?);
        let (is_misled, failure) = (AtomicBool::default(), OnceLock::new());
        let (wayback, aliases, sheets) = (WaybackLinks::Keep, Mutex::default(), Sheets::default());
        Ok(Self { urls, redirects, files, skipped, wayback, aliases, sheets, seen, is_misled, failure })
    }

    /// Returns whether heads have shown records that their contents turned out not to be: these are damaged. The archives have to be
    /// indexed as a whole, and what was written is void.
    pub fn is_misled(&self) -> bool {
        self.is_misled.load(Ordering::Relaxed)
    }

    /// Compares what was seen of the archives as a whole with what was seen before. Returns the indexes of those that were whole before and
    /// have changed; what heads have shown may be wrong.
    pub(crate) fn compare(&self, whole: &[u64]) -> Vec<usize> {
        let (reading, before) = &self.seen;
        let differ: Vec<usize> = (0..whole.len()).filter(|index| before[*index] != whole[*index]).collect();
        self.is_misled.store(*reading == Reading::Heads && !differ.is_empty(), Ordering::Relaxed);
        if *reading == Reading::Heads { Vec::new() } else { differ }
    }

    /// Returns what the archives have that is not in the site.
    pub const fn skipped(&self) -> Skipped {
        self.skipped
    }

    /// Passes each entry with the file that it leads to, in the order of URLs.
    pub(crate) fn for_each(&self, mut each: impl FnMut(SiteEntry, Found) -> io::Result<()>) -> io::Result<()> {
        self.urls.for_each(|url, value| match self.found(url, value)? {
            Some(found) => each(SiteEntry::from_bytes(value)?, found),
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

    /// Returns the way to a URL, from which those are found that begin like it.
    pub(crate) fn way(&self, url: &str) -> Way {
        self.urls.way(url)
    }

    /// Returns whether the archives have a capture of a URL, which may be one that no file is made of.
    pub fn was_captured(&self, url: &str) -> bool {
        self.urls.get_near(url, &self.urls.way(url)).unwrap_or_else(|error| self.fail(error)).is_some()
    }

    /// Returns where links to a URL lead, which has no fragment; `None` if no file is of that URL, nor, if it was not captured, of one that
    /// is spelled otherwise.
    pub(crate) fn find(&self, url: &str, way: &Way) -> Option<Found> {
        let found = self.urls.get_near(url, way).and_then(|own| match own {
            Some(value) => self.found(url.as_bytes(), &value),
            None => Ok(self.find_other(url)?.map(|(_, found)| found)),
        });
        found.unwrap_or_else(|error| self.fail(error))
    }

    /// Returns where links to a URL lead that was not captured, by a capture of another one, and the entry of that.
    fn find_other(&self, url: &str) -> io::Result<Option<(SiteEntry, Found)>> {
        for captured in self.urls.captured(url) {
            let (captured, value) = captured?;
            if let Some(found) = self.found(captured.as_bytes(), &value)? {
                let found = Found { alias: Some(query_of(url)), ..found };
                return Ok(Some((SiteEntry::from_bytes(&value)?, found)));
            }
        }
        Ok(None)
    }

    /// Adds the copy of a file for pages in quirks mode that apply it as a stylesheet; returns its path. There is none of a file with the type of one.
    pub fn add_sheet(&self, url: &str) -> Option<String> {
        let value = self.urls.get_near(url, &self.urls.way(url));
        let entry = value.and_then(|value| value.map(|value| SiteEntry::from_bytes(&value)).transpose());
        self.sheets.add(entry.unwrap_or_else(|error| self.fail(error))?)
    }

    /// Adds the URL of a link that leads to the capture of another one, so that the list has it.
    pub(crate) fn add_alias(&self, url: &str) {
        let added = self.aliases.lock().unwrap_or_else(PoisonError::into_inner).add(url);
        added.unwrap_or_else(|error| self.fail(error));
    }

    /// Passes each URL of a link that leads to the capture of another one to `each`, with that and the file, in the order of URLs.
    pub(crate) fn for_each_alias(
        &self,
        mut each: impl FnMut(&str, SiteEntry, Found) -> io::Result<()>,
    ) -> io::Result<()> {
        let aliases = std::mem::take(&mut *self.aliases.lock().unwrap_or_else(PoisonError::into_inner));
        for row in aliases.finish()? {
            let (url, _) = row?;
            let url = String::from_utf8_lossy(&url);
            if let Some((entry, found)) = self.find_other(&url)? {
                each(&url, entry, found)?;
            }
        }
        Ok(())
    }

    /// Keeps the first error of looking up a URL.
    fn fail<T: Default>(&self, error: io::Error) -> T {
        self.failure.get_or_init(|| error);
        T::default()
    }

    /// Returns where links to a URL with this entry lead.
    fn found(&self, url: &[u8], value: &[u8]) -> io::Result<Option<Found>> {
        match path_of(value)? {
            Some(path) => {
                let found = |path: &str| Found { path: path.to_owned(), ..Found::default() };
                Ok(path.map(found))
            }
            None => self.redirects.get(url)?.map(|found| decoded(&found)).transpose(),
        }
    }

    /// Returns an error if one of looking up a URL has occurred: then links that lead to files were written as if they did not.
    pub(crate) fn failure(&self) -> io::Result<()> {
        self.failure.get().map_or(Ok(()), |error| Err(io::Error::new(error.kind(), error.to_string())))
    }
}

/// Follows the redirects of an entry. Returns the path of the file, whether it is that of the entry itself, and the last fragment on the
/// way. Where they lead to no snapshot, the last on the way with content counts; in a circle, the first of its URLs with content. So what
/// is found always leads to itself.
fn follow(urls: &Urls, first: SiteEntry) -> io::Result<Option<(String, bool, String)>> {
    let target = |entry: &SiteEntry| {
        let (to, ..) = entry.redirect.as_ref()?;
        let (page, fragment) = to.split_at(to.find('#').unwrap_or(to.len()));
        Some((page.to_owned(), fragment.to_owned()))
    };
    let mut way = vec![first];
    let circle = loop {
        let Some((to, _)) = way.last().and_then(target) else { break way.len() };
        let Some((to, value)) = urls.captured(&to).next().transpose()? else { break way.len() };
        if let Some(start) = way.iter().position(|passed| passed.row.url == to) {
            break start;
        }
        if way.len() > REDIRECTS {
            return Ok(None);
        }
        way.push(SiteEntry::from_bytes(&value)?);
    };
    let has_content = |at: &usize| way[*at].path.is_some();
    let in_circle = (circle..way.len()).filter(has_content).min_by_key(|at| &way[*at].row.url);
    let Some(found) = in_circle.or_else(|| (0..circle).rev().find(has_content)) else { return Ok(None) };
    let mut fragments = way[..found].iter().rev().filter_map(target).map(|(_, fragment)| fragment);
    let fragment = fragments.find(|fragment| !fragment.is_empty()).unwrap_or_default();
    Ok(way[found].path.clone().map(|path| (path, found == 0, fragment)))
}

fn decoded(value: &[u8]) -> io::Result<Found> {
    let (path, redirected, fragment) = postcard::from_bytes(value).map_err(io::Error::other)?;
    Ok(Found { path, redirected, fragment, alias: None })
}
