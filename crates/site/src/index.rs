//! The first pass: which URLs the archives have, from when, and where.

use std::collections::{HashMap, HashSet};
use std::{io, iter, mem};

use absolve_containers::{Answer, Reading, Snapshot, Sorter, date_of_digits};
use absolve_files::{Entry, Inspection, Listener, visit_archives};
use absolve_rewriter::internal::{ArchivePrefix, ReplayedCopy, WaybackLinks};
use absolve_rewriter::results::Done;
use absolve_rewriter::{Code, Finding};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use sha2::{Digest, Sha256};
use url::Url;

use crate::limits::REVISITS;
use crate::looks::Looks;
use crate::names::names;
use crate::site::{Site, Skipped, Snapshots, choose};
use crate::snapshot_row::{PLACE_KEY, Place, SnapshotRow, place_key};

/// What was found in one record.
enum Seen {
    Snapshot(SnapshotRow, Vec<String>),
    /// A revisit, with its own names and those of its original.
    Revisit(SnapshotRow, [Vec<String>; 2]),
    Finding(usize, Finding),
    /// An answer of this URL that is not written.
    OtherAnswer(String),
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
    let (looks, names) = (Looks::of(archives.len()), names(archives.iter().map(|entry| &entry.source)));
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
                    Seen::Revisit(row, [own, referred]) => originals.add_revisit(&row, &own, &referred)?,
                    Seen::Finding(archive, found) => {
                        skipped.segments += u64::from(found.code == Code::RecordSegment);
                        finding(archive, found);
                    }
                    Seen::OtherAnswer(url) => {
                        skipped.other_answers += 1;
                        let row = SnapshotRow::without_file(url);
                        snapshots.push(&row.key(at), &row.to_bytes()?)?;
                    }
                    Seen::WithoutHost => skipped.without_host += 1,
                }
            }
            Ok(())
        },
        listener,
    )?;
    for (row, message) in originals.join(&mut |row| snapshots.push(&row.key(at), &row.to_bytes()?))? {
        skipped.revisits += 1;
        let captured = SnapshotRow::without_file(row.url.clone());
        snapshots.push(&captured.key(at), &captured.to_bytes()?)?;
        let record = row.record.rsplit_once(' ').map_or_else(String::new, |(_, record)| record.to_owned());
        let found = Finding { record, done: Done::NotUnpacked, ..Finding::new(Code::Revisit, message) };
        finding(row.own_place.0 as usize, found);
    }
    let (seen, wayback) = ((reading, looks.sums()), wayback.clone());
    Ok((choose(Snapshots { rows: snapshots.finish()?, skipped, seen, wayback })?, inspection))
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
    let noted = |code: Code, message: String, done: Done| {
        let record = snapshot.record.clone();
        Seen::Finding(archive, Finding { record, done, ..Finding::new(code, message) })
    };
    let truncated = snapshot.truncated.as_ref().map(|why| {
        let message = format!("the crawler cut it off (WARC-Truncated: {why}); what it has is written");
        noted(Code::RecordIncomplete, message, Done::AsSaid)
    });
    let seen = match snapshot.answer.clone() {
        Answer::Content(content_type) => {
            Seen::Snapshot(SnapshotRow { url: url.into(), content_type, ..row }, snapshot.names)
        }
        Answer::Redirect(to) => match redirected(&snapshot.url, &to, wayback) {
            Some(to) => Seen::Snapshot(SnapshotRow { url: url.into(), redirect: Some(spelled(to)), ..row }, Vec::new()),
            None => {
                let message = format!("its Location is not the URL of a page: {to}");
                return vec![noted(Code::UnreadableTarget, message, Done::NotUnpacked), Seen::OtherAnswer(url.into())];
            }
        },
        Answer::Revisit(names) => {
            let (head, content_type) = (Some(snapshot.head().to_vec()), snapshot.declared_type());
            Seen::Revisit(SnapshotRow { url: url.into(), head, content_type, ..row }, [snapshot.names, names])
        }
        _ => return vec![Seen::OtherAnswer(url.into())],
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
    /// The revisits by their places, each with what it refers to, the surest first.
    ranked: Sorter,
    /// Those that other revisits refer to.
    targets: HashSet<Place>,
    has_revisits: bool,
}

/// What a name is in its key: that of a record, that of a revisit, or a reference, the surest of a revisit first.
const ORIGINAL: u8 = 0;
const REVISIT: u8 = 1;
const REFERENCE: u8 = 2;

/// What a revisit refers to in its key, behind the numbers of references: another revisit, or nothing.
const THROUGH: u8 = 0x80;
const NOTHING: u8 = 0xFF;

impl Originals {
    fn add(&mut self, row: &SnapshotRow, names: &[String]) -> io::Result<()> {
        let value = postcard::to_stdvec(&(row.place, &row.content_type)).map_err(io::Error::other)?;
        names.iter().try_for_each(|name| self.by_name.push(&key_of(name, ORIGINAL), &value))
    }

    /// Adds a revisit with its own names, and those that it refers to.
    fn add_revisit(&mut self, row: &SnapshotRow, own: &[String], referred: &[String]) -> io::Result<()> {
        self.has_revisits = true;
        let (value, place) = (row.to_bytes()?, postcard::to_stdvec(&(row.own_place, "")).map_err(io::Error::other)?);
        own.iter().try_for_each(|name| self.by_name.push(&key_of(name, REVISIT), &place))?;
        (REFERENCE..).zip(referred).try_for_each(|(rank, name)| self.by_name.push(&key_of(name, rank), &value))?;
        self.ranked.push(&ranked(row.own_place, NOTHING), &value)
    }

    /// Passes each revisit with its original to `found`. Returns the others, each with the reason.
    fn join(
        mut self,
        found: &mut dyn FnMut(&SnapshotRow) -> io::Result<()>,
    ) -> io::Result<Vec<(SnapshotRow, &'static str)>> {
        if !self.has_revisits {
            return Ok(Vec::new());
        }
        self.rank()?;
        let (mut last, mut missing) = (Vec::new(), Vec::new());
        let (mut contents, mut next, mut through) = (HashMap::new(), HashMap::new(), Sorter::default());
        for row in self.ranked.finish()? {
            let (key, value) = row?;
            let (place, rank) = key.split_at(PLACE_KEY);
            if last == place {
                continue;
            }
            last = place.to_vec();
            let row = SnapshotRow::from_bytes(&value)?;
            match rank[0] {
                NOTHING => missing.push((row, "no archive of this run has the record that it refers to")),
                THROUGH.. => {
                    next.insert(row.own_place, row.place);
                    through.push(&key, &value)?;
                }
                _ => {
                    found(&row)?;
                    if self.targets.contains(&row.own_place) {
                        contents.insert(row.own_place, (row.place, row.content_type));
                    }
                }
            }
        }
        for row in through.finish()? {
            let row = SnapshotRow::from_bytes(&row?.1)?;
            let mut steps = iter::successors(Some(row.place), |at| next.get(at).copied()).take(REVISITS);
            match steps.find_map(|at| contents.get(&at)) {
                Some((place, content_type)) => found(&row.of(*place, content_type))?,
                None => missing.push((row, "it refers to a revisit that leads to no content")),
            }
        }
        Ok(missing)
    }

    /// Adds what each revisit refers to.
    fn rank(&mut self) -> io::Result<()> {
        // Of several with one name, the first counts.
        let (mut original, mut revisit): (Option<Named>, Option<Named>) = (None, None);
        for row in mem::take(&mut self.by_name).finish()? {
            let (key, value) = row?;
            let (name, kind) = key.split_at(key.len() - 1);
            let is_of_name = |named: &&Named| named.name == name;
            if kind[0] < REFERENCE {
                let known = if kind == [ORIGINAL] { &mut original } else { &mut revisit };
                if !known.as_ref().is_some_and(|known| is_of_name(&known)) {
                    let (place, content_type) = postcard::from_bytes(&value).map_err(io::Error::other)?;
                    *known = Some(Named { name: name.to_owned(), place, content_type });
                }
                continue;
            }
            let row = SnapshotRow::from_bytes(&value)?;
            if let Some(original) = original.as_ref().filter(is_of_name) {
                let of_original = row.of(original.place, &original.content_type);
                self.ranked.push(&ranked(row.own_place, kind[0]), &of_original.to_bytes()?)?;
            } else if let Some(Named { place, .. }) = revisit.as_ref().filter(is_of_name) {
                self.targets.insert(*place);
                self.ranked.push(&ranked(row.own_place, THROUGH), &row.of(*place, "").to_bytes()?)?;
            }
        }
        Ok(())
    }
}

/// A record that has a name.
struct Named {
    name: Vec<u8>,
    place: Place,
    content_type: String,
}

fn ranked(place: Place, rank: u8) -> Vec<u8> {
    [&place_key(place)[..], &[rank]].concat()
}

fn key_of(name: &str, kind: u8) -> Vec<u8> {
    [&Sha256::digest(name)[..16], &[kind]].concat()
}
