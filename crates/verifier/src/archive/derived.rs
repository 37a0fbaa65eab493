//! Derived archives: resources stand in the place of responses, all else is what it was.

mod replacement;
mod revisits;

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};
use std::io;
use std::ops::Range;

use super::format::Format;
use super::framing::Framing;
use super::payload::Payload;
use super::reader::{Piece, Records};
use super::record::{Block, Record, fields, hashed};
use super::record_ids::Run;
use super::written_records::{field_is, is_warcinfo, named, of_record, told_digest};
use crate::compression::Compression;
use crate::compression::decompressed::Decompressed;
use crate::settings::Settings;
use crate::storage::Stored;
use crate::storage::digest::sha256_of;
use crate::verdict::{Difference, Rule, Verdict};
use replacement::{ours_of, told_by_metadata};
use revisits::Replaced;

/// So many bytes of an archive are a part of the name of what is derived of it.
const START: u64 = 16 << 10;

/// What came of a derived archive.
pub(super) struct Derived {
    pub(super) verdict: Verdict,
    /// Where its records stand; nothing if it is the original.
    pub(super) places: Option<Vec<Moved>>,
}

/// Where a record of the original stands in the derived archive.
pub(super) struct Moved {
    pub(super) from: Option<u64>,
    pub(super) to: u64,
    pub(super) length: u64,
    /// The digest and the media type of what replaced it.
    pub(super) replaced: Option<(String, String)>,
    /// The digest of its bytes, once somebody needs it.
    pub(super) sha256: OnceCell<String>,
}

/// Verifies a derived archive, which is to be compressed so, record by record.
pub(super) fn verify_derived(
    original: Stored<'_>,
    rewritten: Stored<'_>,
    packing: Compression,
    settings: &Settings,
) -> io::Result<Derived> {
    let mut verdict = Verdict::default();
    verdict.counts.bytes = original.length()?;
    if verdict.counts.bytes == rewritten.length()? && rewritten.departs_from(original)?.is_none() {
        return of_itself(original, settings, verdict);
    }
    let known = Known::of(original)?;
    if Compression::of_file(rewritten)? != packing {
        verdict
            .differences
            .push(Difference::new(Rule::Record, "it is compressed neither like the original nor as its name says"));
    }
    let framing = Framing::new(rewritten, 0, Compression::of_file(rewritten)?);
    let records = Records::written(Decompressed::of_file(rewritten)?, Format::Warc);
    let written = Written { records, ahead: None, framing };
    let (run, warcinfo) = (Run::default(), String::new());
    let mut comparison = Comparison { original, written, known, run, warcinfo, places: Vec::new(), settings, verdict };
    comparison.begin()?;
    let mut records = Records::of_file(original, Format::Warc)?;
    while let Some(record) = records.next_record()? {
        comparison.take(&record)?;
    }
    comparison.end(&sha256_of(original)?)?;
    let Comparison { mut verdict, places, .. } = comparison;
    verdict.counts.records = records.number;
    verdict.differences.extend(records.broken.map(|why| Difference::new(Rule::Unread, why)));
    Ok(Derived { verdict, places: Some(places) })
}

/// Verifies that nothing was to be changed.
fn of_itself(original: Stored<'_>, settings: &Settings, mut verdict: Verdict) -> io::Result<Derived> {
    let known = Known::of(original)?;
    let mut records = Records::of_file(original, Format::Warc)?;
    while let Some(record) = records.next_record()? {
        verdict.add(known.kept(&record, settings), &record.name());
    }
    verdict.counts.records = records.number;
    verdict.differences.extend(records.broken.map(|why| Difference::new(Rule::Unread, why)));
    Ok(Derived { verdict, places: None })
}

/// What is known of the original before its records are compared.
struct Known {
    /// The numbers of records by their headers.
    numbers: HashMap<u64, u64>,
    /// The ids of requests other than GET, and of what answers them.
    posts: HashSet<u64>,
    replaced: Replaced,
}

impl Known {
    fn of(original: Stored<'_>) -> io::Result<Self> {
        let mut known = Self { numbers: HashMap::new(), posts: HashSet::new(), replaced: Replaced::new() };
        let mut records = Records::of_file(original, Format::Warc)?;
        while let Some(record) = records.next_record()? {
            known.numbers.insert(hash_of_header(&record), record.number);
            match &*record.kind() {
                "revisit" => known.replaced.want(&record),
                "request" if !record.bytes().starts_with(b"GET ") => known.posts.extend(transaction(&record)),
                _ => {}
            }
        }
        Ok(known)
    }

    /// What comes of a record that stayed: the answer to a POST has to, whatever it holds.
    fn kept(&self, record: &Record, settings: &Settings) -> Verdict {
        let is_answer = !self.posts.is_empty() && transaction(record).any(|id| self.posts.contains(&id));
        match Payload::of(record, settings) {
            Ok(page) if !is_answer => page.verify(&page.content, settings),
            _ => Verdict::default(),
        }
    }
}

/// The ids of a record and of those of the same transaction.
fn transaction(record: &Record) -> impl Iterator<Item = u64> {
    let ids = record.values("WARC-Record-ID").take(1).chain(record.values("WARC-Concurrent-To"));
    ids.map(|id| hashed(&[&id])).collect::<Vec<_>>().into_iter()
}

fn hash_of_header(record: &Record) -> u64 {
    hashed(&[&String::from_utf8_lossy(&record.header)])
}

/// The records of the derived archive.
struct Written<'f> {
    records: Records<'f>,
    ahead: Option<Record>,
    framing: Framing<'f>,
}

struct Comparison<'c> {
    original: Stored<'c>,
    written: Written<'c>,
    known: Known,
    run: Run,
    /// The id of the warcinfo of the run.
    warcinfo: String,
    places: Vec<Moved>,
    settings: &'c Settings,
    verdict: Verdict,
}

impl Comparison<'_> {
    fn differ(&mut self, differences: impl IntoIterator<Item = Difference>, record: &str) {
        let differences = differences.into_iter().collect();
        self.verdict.add(Verdict { differences, ..Verdict::default() }, record);
    }

    /// The next record of the derived archive.
    fn next(&mut self) -> io::Result<Option<Record>> {
        if let Some(record) = self.written.ahead.take() {
            return Ok(Some(record));
        }
        loop {
            match self.written.records.next()? {
                None => return Ok(None),
                // What was written is not read behind damage.
                Some(Piece::Broken) => {}
                Some(Piece::Stray(bytes, length)) => {
                    let shown = String::from_utf8_lossy(&bytes).into_owned();
                    let message = format!("{length} bytes of what was written are no record: {shown:?}");
                    self.differ([Difference::new(Rule::Record, message)], "");
                }
                Some(Piece::Record(record)) => {
                    let found = self.written.framing.next(&record);
                    self.differ(found, "");
                    return Ok(Some(record));
                }
            }
        }
    }

    /// Reads the warcinfo of the run.
    fn begin(&mut self) -> io::Result<()> {
        match self.next()? {
            Some(record) if is_warcinfo(&record) => {
                self.warcinfo = record.id();
                self.run = Run::of(&record);
                let id = self.run.of_derived(&record, &self.original.bytes(0..START)?);
                let packed = self.written.framing.of_ours(&record)?;
                self.differ(of_record(&record).into_iter().chain(id).chain(packed), "");
            }
            other => {
                self.differ([Difference::new(Rule::Record, "it does not begin with the warcinfo of a run")], "");
                self.written.ahead = other;
            }
        }
        Ok(())
    }

    /// Finds what has become of a record.
    fn take(&mut self, record: &Record) -> io::Result<()> {
        let name = record.name();
        while let Some(next) = self.next()? {
            if next.header == record.header {
                return self.copied(record, &next);
            }
            if self.is_in_place_of(&next, record) {
                return self.replaced(record, &next);
            }
            let number = self.known.numbers.get(&hash_of_header(&next)).copied();
            if number.is_none() && !record.id().is_empty() && next.id() == record.id() {
                let message = format!("its header has changed: {}", changed_field(record, &next));
                self.differ([Difference::new(Rule::Record, message)], &name);
                self.move_to(record, &next, None);
                return Ok(());
            }
            // It stands where a later one should.
            if number.is_some_and(|number| number > record.number) {
                self.written.ahead = Some(next);
                break;
            }
            let message = match number {
                Some(number) => format!("{} is record {number} once more, or in another place", named(&next)),
                None => format!("{} is added", named(&next)),
            };
            self.differ([Difference::new(Rule::Record, message)], "");
        }
        self.differ([Difference::new(Rule::Record, "it is missing, or stands in another place")], &name);
        Ok(())
    }

    fn move_to(&mut self, record: &Record, next: &Record, replaced: Option<(String, String)>) {
        if let Some(Range { start: to, end }) = next.raw() {
            let (from, length) = (record.place, end - to);
            self.places.push(Moved { from, to, length, replaced, sha256: OnceCell::new() });
        }
    }

    fn copied(&mut self, record: &Record, next: &Record) -> io::Result<()> {
        let name = record.name();
        self.move_to(record, next, None);
        let mut found: Vec<Difference> =
            self.written.framing.of_copy(next, self.original, record)?.into_iter().collect();
        if next.block != record.block {
            found.push(Difference::new(Rule::Record, "its block has changed"));
        }
        let was_whole = record.line_ends.ends_with(b"\n") && !matches!(record.block, Block::Long(..));
        let expected = if was_whole { &*record.line_ends } else { b"\r\n\r\n" };
        if next.line_ends != expected {
            found.push(Difference::new(Rule::Record, "the line ends behind it have changed"));
        }
        if record.kind() == "revisit" && self.known.replaced.of(record)?.is_some() {
            found.push(Difference::new(Rule::Record, "it refers to a record that was replaced"));
        }
        self.differ(found, &name);
        self.verdict.add(self.known.kept(record, self.settings), &name);
        Ok(())
    }

    /// Whether the run has written it for a record of this URL.
    fn is_in_place_of(&self, next: &Record, record: &Record) -> bool {
        let kind = record.kind();
        let is_ours = next.field("WARC-Warcinfo-ID") == self.warcinfo && !self.warcinfo.is_empty();
        let may_be = ["response", "resource", "conversion", "revisit"].contains(&&*kind);
        is_ours && may_be && ["resource", "conversion"].contains(&&*next.kind()) && next.target() == record.target()
    }

    fn replaced(&mut self, record: &Record, next: &Record) -> io::Result<()> {
        let name = record.name();
        let is_revisit = record.kind() == "revisit";
        let found = match is_revisit {
            true => match self.known.replaced.of(record)? {
                Some((page, truncated)) => page.again(record).map(|page| (page, truncated)),
                None => Err("refers to nothing that was replaced"),
            },
            false => Payload::of(record, self.settings).map(|page| (page, record.field("WARC-Truncated"))),
        };
        self.move_to(record, next, None);
        let (page, truncated) = match found {
            Ok(found) => found,
            Err(why) => {
                let message = format!("it was replaced, and may not be, because it {why}");
                self.differ([Difference::new(Rule::Record, message)], &name);
                return self.metadata_of(record, next);
            }
        };
        if let Some(moved) = self.places.last_mut().filter(|_| next.raw().is_some()) {
            moved.replaced = Some((next.field("WARC-Payload-Digest"), page.media_type().to_owned()));
        }
        let mut differences = ours_of(record, next, &page.content_type, &truncated);
        if page.content == next.bytes() && !is_revisit {
            differences.push(Difference::new(Rule::Record, "it was replaced, and nothing in it changed"));
        }
        differences.extend(self.run.of_replacement(next, record));
        differences.extend(self.written.framing.of_ours(next)?);
        self.differ(differences, &name);
        self.verdict.add(page.verify(next.bytes(), self.settings), &name);
        let may_be_referred_to = ["response", "resource"].contains(&&*record.kind());
        if may_be_referred_to && self.known.replaced.add(record, page)? {
            let message = "it was replaced, and a revisit before it refers to it";
            self.differ([Difference::new(Rule::Record, message)], &name);
        }
        self.metadata_of(record, next)
    }

    /// Verifies that the metadata behind what replaced a record tells of that.
    fn metadata_of(&mut self, record: &Record, next: &Record) -> io::Result<()> {
        match self.next()? {
            Some(metadata) if metadata.kind() == "metadata" && metadata.field("WARC-Refers-To") == next.id() => {
                let found = told_by_metadata(record, &metadata).into_iter().chain(of_record(&metadata));
                let found = found.chain(field_is(&metadata, "WARC-Warcinfo-ID", &self.warcinfo));
                let found = found.chain(self.run.of_metadata(&metadata, next));
                let found = found.chain(self.written.framing.of_ours(&metadata)?);
                self.differ(found.collect::<Vec<_>>(), &record.name());
            }
            other => {
                let message = "no metadata behind what replaced it tells of it";
                self.differ([Difference::new(Rule::Record, message)], &record.name());
                self.written.ahead = other;
            }
        }
        Ok(())
    }

    /// Reads what stands behind the last record: the metadata that tells of which archive this one is made.
    fn end(&mut self, sha256: &str) -> io::Result<()> {
        let mut is_told = false;
        while let Some(next) = self.next()? {
            let is_of_run = next.kind() == "metadata" && next.field("WARC-Refers-To") == self.warcinfo;
            if is_of_run && !is_told {
                is_told = true;
                let found = told_digest(&next, sha256).into_iter().chain(of_record(&next));
                let packed = self.written.framing.of_ours(&next)?;
                self.differ(found.chain(self.run.of_last(&next)).chain(packed), "");
            } else {
                let message = format!("{} is added, or in another place", named(&next));
                self.differ([Difference::new(Rule::Record, message)], "");
            }
        }
        if !is_told {
            let message = "no metadata at its end tells of which archive it is made";
            self.differ([Difference::new(Rule::Record, message)], "");
        }
        let broken = self.written.records.broken.take();
        let found = match broken {
            Some(why) => Some(Difference::new(Rule::Unread, format!("what was written: {why}"))),
            None => self.written.framing.end()?,
        };
        self.differ(found, "");
        Ok(())
    }
}

/// The first field in which two headers differ.
fn changed_field(old: &Record, new: &Record) -> String {
    let (old, new) = (fields(&old.header), fields(&new.header));
    let pair = old.iter().zip(&new).find(|(old, new)| old != new);
    pair.map_or_else(
        || "its fields are others".to_owned(),
        |((name, old), (_, new))| format!("{name} was {old:?}, is {new:?}"),
    )
}
