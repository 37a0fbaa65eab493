//! The first pass: which URLs the archives have, from when, and where.

use std::collections::BTreeSet;
use std::io;

use absolve_containers::{Answer, Reading, Snapshot, Sorter, date_of_digits};
use absolve_files::{Entry, Inspection, Listener, visit_archives};
use absolve_rewriter::internal::{ArchivePrefix, ReplayedCopy, WaybackLinks};
use absolve_rewriter::results::Done;
use absolve_rewriter::{Code, Finding};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use sha2::{Digest, Sha256};
use url::Url;

use crate::looks::Looks;
use crate::names::names;
use crate::site::{Site, Skipped, Snapshots, choose};
use crate::snapshot_row::{Place, SnapshotRow, place_key};

/// What was found in one record.
enum Seen {
    Snapshot(SnapshotRow, Vec<String>),
    /// A revisit, with the names of its original.
    Revisit(SnapshotRow, Vec<String>),
    Finding(usize, Finding),
    OtherAnswer,
    WithoutHost,
}

/// Which snapshots a site has, and how they are found.
#[derive(Clone, Copy, Debug)]
pub struct Indexing<'i> {
    /// The time that they are the nearest to, in milliseconds since 1970; `None` for the latest.
    pub at: Option<i64>,
    /// How much is read of the archives.
    pub reading: Reading,
    /// Whether copies that another archive served count as what was archived.
    pub wayback: &'i WaybackLinks,
}

/// Reads what archives have of URLs, and chooses a snapshot of each.
/// Returns the site, and what could not be read; findings about records are passed to `finding` with the index of their archive. Where only
/// heads are read, damage may be found when the files are written: see [`Site::is_misled`].
///
/// # Errors
///
/// Those of temporary files.
pub fn index(
    archives: &[Entry],
    Indexing { at, reading, wayback }: Indexing<'_>,
    finding: &mut dyn FnMut(usize, Finding),
    listener: &Listener<'_>,
) -> io::Result<(Site, Inspection)> {
    let (mut snapshots, mut originals, mut skipped) = (Sorter::default(), Originals::default(), Skipped::default());
    let (looks, names) = (Looks::default(), names(archives.iter().map(|entry| &entry.source)));
    let look = |archive: usize, seen: Result<Snapshot<'_>, Finding>| {
        looks.add(archive, &seen);
        match seen {
            Ok(snapshot) => look_at(archive, &names[archive], snapshot, wayback),
            Err(finding) => vec![Seen::Finding(archive, finding)],
        }
    };
    let inspection = visit_archives(
        archives,
        reading,
        &|archive, seen| Some(look(archive, seen)).filter(|seen| !seen.is_empty()),
        &mut |seen| {
            for seen in seen {
                match seen {
                    Seen::Snapshot(row, names) => {
                        originals.add(&row, &names)?;
                        snapshots.push(&row.key(at), &row.to_bytes()?)?;
                    }
                    Seen::Revisit(row, names) => originals.add_revisit(&row, &names)?,
                    Seen::Finding(archive, found) => {
                        skipped.segments +=
                            u64::from(found.code == Code::RecordIncomplete && found.done == Done::NotUnpacked);
                        finding(archive, found);
                    }
                    Seen::OtherAnswer => skipped.other_answers += 1,
                    Seen::WithoutHost => skipped.without_host += 1,
                }
            }
            Ok(())
        },
        listener,
    )?;
    for (place, record) in originals.join(&mut |row| snapshots.push(&row.key(at), &row.to_bytes()?))? {
        skipped.revisits += 1;
        let message = "no archive of this run has the record that it refers to";
        finding(place.0 as usize, Finding { record, done: Done::NotUnpacked, ..Finding::new(Code::Revisit, message) });
    }
    let heads = (reading == Reading::Heads).then(|| looks.sum());
    Ok((choose(Snapshots { rows: snapshots.finish()?, skipped, heads, wayback: wayback.clone() })?, inspection))
}

fn look_at(archive: usize, name: &str, snapshot: Snapshot<'_>, wayback: &WaybackLinks) -> Vec<Seen> {
    let copy = copy_of(&snapshot.url, wayback);
    let Some(url) = normal(copy.map_or(&snapshot.url, |copy| copy.url)) else { return vec![Seen::WithoutHost] };
    let place = (archive as u32, snapshot.place.0, snapshot.place.1);
    let row = SnapshotRow {
        date: copy.map_or_else(|| snapshot.date.clone().unwrap_or_default(), |copy| date_of_digits(copy.time)),
        record: format!("{name} {}", snapshot.record),
        own_place: place,
        place,
        copy: copy.filter(|copy| !copy.is_original).map(|_| snapshot.url.clone()),
        ..SnapshotRow::default()
    };
    let incomplete = |message: String, done: Done| {
        let record = snapshot.record.clone();
        Seen::Finding(archive, Finding { record, done, ..Finding::new(Code::RecordIncomplete, message) })
    };
    let truncated = snapshot.truncated.as_ref().map(|why| {
        incomplete(format!("the crawler cut it off (WARC-Truncated: {why}); what it has is written"), Done::AsSaid)
    });
    let seen = match snapshot.answer.clone() {
        Answer::Content(content_type) => {
            Seen::Snapshot(SnapshotRow { url: url.into(), content_type, ..row }, snapshot.names)
        }
        Answer::Redirect(to) => match redirected(&snapshot.url, &to, wayback) {
            Some(to) => Seen::Snapshot(SnapshotRow { url: url.into(), redirect: Some(spelled(to)), ..row }, Vec::new()),
            None => Seen::OtherAnswer,
        },
        Answer::Revisit(names) => {
            let (head, content_type) = (Some(snapshot.head().to_vec()), snapshot.declared_type());
            Seen::Revisit(SnapshotRow { url: url.into(), head, content_type, ..row }, names)
        }
        Answer::Segment => {
            incomplete("it is one segment of a divided record; segments are not joined".into(), Done::NotUnpacked)
        }
        _ => return vec![Seen::OtherAnswer],
    };
    truncated.into_iter().chain([seen]).collect()
}

/// Returns a URL as the URL Standard spells it, without its fragment; `None` if it has no host.
pub(crate) fn normal(url: &str) -> Option<Url> {
    let mut url = Url::parse(url).ok().filter(Url::has_host)?;
    url.set_fragment(None);
    Some(url)
}

/// Returns what a URL is the copy of, if copies count as that.
fn copy_of<'u>(url: &'u str, wayback: &WaybackLinks) -> Option<ReplayedCopy<'u>> {
    match wayback {
        WaybackLinks::Keep => None,
        WaybackLinks::Unwrap(given) => ReplayedCopy::of(url, &ArchivePrefix::all_of(url, given.as_ref())),
    }
}

/// Returns where a redirect of a URL leads.
fn redirected(from: &str, to: &str, wayback: &WaybackLinks) -> Option<Url> {
    let to = Url::parse(from).ok()?.join(to).ok()?;
    let archived = copy_of(to.as_str(), wayback).and_then(|copy| Url::parse(copy.url).ok());
    Some(archived.unwrap_or(to)).filter(Url::has_host)
}

/// Returns a URL whose fragment can be written into any document.
fn spelled(mut url: Url) -> String {
    const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC
        .remove(b'%')
        .remove(b'-')
        .remove(b'.')
        .remove(b'_')
        .remove(b'~')
        .remove(b'/')
        .remove(b':')
        .remove(b'=')
        .remove(b'?');
    let fragment = url.fragment().filter(|fragment| !fragment.is_empty());
    let fragment = fragment.map(|fragment| format!("#{}", utf8_percent_encode(fragment, ESCAPED)));
    url.set_fragment(None);
    String::from(url) + &fragment.unwrap_or_default()
}

/// The records that revisits can refer to, and the revisits, by the names of records.
#[derive(Default)]
struct Originals {
    by_name: Sorter,
    /// The revisits by their places, each with whether its original is known.
    revisits: Sorter,
    has_revisits: bool,
}

const ORIGINAL: u8 = 0;
const REVISIT: u8 = 1;

impl Originals {
    fn add(&mut self, row: &SnapshotRow, names: &[String]) -> io::Result<()> {
        let value = postcard::to_stdvec(&(row.place, &row.content_type)).map_err(io::Error::other)?;
        names.iter().try_for_each(|name| self.by_name.push(&key_of(name, ORIGINAL), &value))
    }

    fn add_revisit(&mut self, row: &SnapshotRow, names: &[String]) -> io::Result<()> {
        self.has_revisits = true;
        let value = row.to_bytes()?;
        names.iter().try_for_each(|name| self.by_name.push(&key_of(name, REVISIT), &value))?;
        self.revisits.push(&place_key(row.own_place), &[&[REVISIT], &value[..]].concat())
    }

    /// Passes each revisit with its original to `found`. Returns the places and names of the others.
    fn join(mut self, found: &mut dyn FnMut(&SnapshotRow) -> io::Result<()>) -> io::Result<Vec<(Place, String)>> {
        if !self.has_revisits {
            return Ok(Vec::new());
        }
        let mut last: Option<(Vec<u8>, Place, String)> = None;
        for row in self.by_name.finish()? {
            let (key, value) = row?;
            let (name, kind) = key.split_at(key.len() - 1);
            if kind == [ORIGINAL] {
                // Of several with one name, the first counts.
                if last.as_ref().is_none_or(|(last, ..)| last != name) {
                    let (place, content_type) = postcard::from_bytes(&value).map_err(io::Error::other)?;
                    last = Some((name.to_owned(), place, content_type));
                }
            } else if let Some((_, place, content_type)) = last.as_ref().filter(|(last, ..)| last == name) {
                let row = SnapshotRow::from_bytes(&value)?;
                self.revisits.push(&place_key(row.own_place), &[ORIGINAL])?;
                let declared = Some(row.content_type.clone()).filter(|declared| !declared.is_empty());
                let content_type = declared.unwrap_or_else(|| content_type.clone());
                found(&SnapshotRow { place: *place, content_type, ..row })?;
            }
        }
        let (mut missing, mut known) = (Vec::new(), BTreeSet::new());
        for row in self.revisits.finish()? {
            let (key, value) = row?;
            match value.split_first() {
                Some((&REVISIT, row)) if !known.contains(&key) => {
                    let row = SnapshotRow::from_bytes(row)?;
                    missing.push((
                        row.own_place,
                        row.record.rsplit_once(' ').map_or_else(String::new, |(_, record)| record.to_owned()),
                    ));
                }
                // A row of the original comes before that of its revisit.
                _ => known = BTreeSet::from([key]),
            }
        }
        Ok(missing)
    }
}

fn key_of(name: &str, kind: u8) -> Vec<u8> {
    [&Sha256::digest(name)[..16], &[kind]].concat()
}
