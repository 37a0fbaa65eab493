//! Derived archives: resource records replace responses, and all other records are unchanged.

mod replacement;
pub(crate) mod revisits;

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};
use std::io;
use std::ops::Range;

use super::format::Format;
use super::framing::Framing;
use super::payload::Payload;
use super::reader::{Piece, Records};
use super::record::{Block, Record, fields, hash_of};
use super::record_ids::Run;
use super::written_records::{check_field, check_input_digest, check_record, described, is_warcinfo};
use crate::compression::Compression;
use crate::compression::decompressed::Decompressed;
use crate::settings::Settings;
use crate::storage::Stored;
use crate::storage::digest::sha256_of;
use crate::verdict::{Difference, Rule, Verdict};
use replacement::{check_replaced_fields, check_replacement_record};
use revisits::Revisits;

/// The number of bytes of the original that the id of a derived archive is made of.
const START: u64 = 16 << 10;

/// The result for a derived archive.
pub(super) struct Derived {
    pub(super) verdict: Verdict,
    /// The places of its records; `None` if it is equal to the original.
    pub(super) places: Option<Vec<Moved>>,
}

/// The place of a record of the original in the derived archive.
pub(super) struct Moved {
    pub(super) from: Option<u64>,
    pub(super) to: u64,
    pub(super) length: u64,
    /// The payload digest and the media type of the record that replaced it.
    pub(super) replaced: Option<(String, String)>,
    /// The SHA-256 of its bytes, computed when needed.
    pub(super) sha256: OnceCell<String>,
}

/// Verifies a derived archive record by record; `compression` is the compression that it has to have.
pub(super) fn verify_derived(
    original: Stored<'_>,
    rewritten: Stored<'_>,
    compression: Compression,
    revisits: &mut Revisits,
    settings: &Settings,
) -> io::Result<Derived> {
    let mut verdict = Verdict::default();
    verdict.counts.bytes = original.length()?;
    if rewritten.is_same_as(original)? {
        return verify_equal(original, revisits, settings, verdict);
    }
    let known = Known::of(original, revisits)?;
    if Compression::of_file(rewritten)? != compression {
        verdict
            .differences
            .push(Difference::new(Rule::Record, "it is compressed neither like the original nor as its name says"));
    }
    let framing = Framing::new(rewritten, 0, Compression::of_file(rewritten)?);
    let records = Records::written(Decompressed::of_file(rewritten)?, Format::Warc);
    let written = Written { records, ahead: None, framing };
    let (run, warcinfo) = (Run::default(), String::new());
    let mut comparison = Comparison { original, written, known, run, warcinfo, places: Vec::new(), settings, verdict };
    comparison.verify_warcinfo()?;
    let mut records = Records::of_file(original, Format::Warc)?;
    while let Some(record) = records.next_record()? {
        comparison.verify_record(&record)?;
    }
    comparison.verify_end(&sha256_of(original)?)?;
    let Comparison { mut verdict, places, .. } = comparison;
    verdict.counts.records = records.number;
    verdict.differences.extend(records.broken.map(|why| Difference::new(Rule::Unread, why)));
    Ok(Derived { verdict, places: Some(places) })
}

/// Verifies that a copy of the original needs no change.
fn verify_equal(
    original: Stored<'_>,
    revisits: &mut Revisits,
    settings: &Settings,
    mut verdict: Verdict,
) -> io::Result<Derived> {
    let mut known = Known::of(original, revisits)?;
    let mut records = Records::of_file(original, Format::Warc)?;
    while let Some(record) = records.next_record()? {
        verdict.add(known.verify_unchanged(&record, settings)?, &record.name());
    }
    verdict.counts.records = records.number;
    verdict.differences.extend(records.broken.map(|why| Difference::new(Rule::Unread, why)));
    Ok(Derived { verdict, places: None })
}

/// What has to be known of the original before its records are compared.
struct Known<'r> {
    /// The numbers of records by the hash of their headers.
    numbers: HashMap<u64, u64>,
    /// The ids of requests other than GET, and of the records of the same transactions.
    posts: HashSet<u64>,
    revisits: &'r mut Revisits,
}

impl<'r> Known<'r> {
    fn of(original: Stored<'_>, revisits: &'r mut Revisits) -> io::Result<Self> {
        let mut known = Self { numbers: HashMap::new(), posts: HashSet::new(), revisits };
        let mut records = Records::of_file(original, Format::Warc)?;
        while let Some(record) = records.next_record()? {
            known.numbers.insert(hash_of_header(&record), record.number);
            match &*record.kind() {
                "revisit" => known.revisits.add_references(&record),
                "request" if !record.bytes().starts_with(b"GET ") => known.posts.extend(transaction(&record)),
                _ => {}
            }
        }
        Ok(known)
    }

    /// Returns the verdict on a record that is unchanged. The response to a POST has to be, and so does what an earlier revisit record
    /// refers to.
    fn verify_unchanged(&mut self, record: &Record, settings: &Settings) -> io::Result<Verdict> {
        if record.kind() == "revisit" && self.revisits.of(record)?.is_some() {
            return Ok(Verdict::of([Difference::new(Rule::Record, "it refers to a record that was replaced")]));
        }
        let is_answer = !self.posts.is_empty() && transaction(record).any(|id| self.posts.contains(&id));
        let may_be_referred_to = ["response", "resource"].contains(&&*record.kind());
        Ok(match Payload::of(record, settings) {
            _ if is_answer || (may_be_referred_to && self.revisits.is_missed(record)) => Verdict::default(),
            Ok(payload) => payload.verify(&payload.content, settings),
            Err(_) => Verdict::default(),
        })
    }
}

/// Returns the ids of a record and of the other records of its transaction.
fn transaction(record: &Record) -> impl Iterator<Item = u64> {
    let ids = record.values("WARC-Record-ID").take(1).chain(record.values("WARC-Concurrent-To"));
    ids.map(|id| hash_of(&[&id])).collect::<Vec<_>>().into_iter()
}

fn hash_of_header(record: &Record) -> u64 {
    hash_of(&[&String::from_utf8_lossy(&record.header)])
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
    known: Known<'c>,
    run: Run,
    /// The id of the warcinfo record of the run.
    warcinfo: String,
    places: Vec<Moved>,
    settings: &'c Settings,
    verdict: Verdict,
}

impl Comparison<'_> {
    fn report(&mut self, differences: impl IntoIterator<Item = Difference>, record: &str) {
        self.verdict.add(Verdict::of(differences), record);
    }

    /// Returns the next record of the derived archive.
    fn next(&mut self) -> io::Result<Option<Record>> {
        if let Some(record) = self.written.ahead.take() {
            return Ok(Some(record));
        }
        loop {
            match self.written.records.next()? {
                None => return Ok(None),
                // Written records are not read behind damage.
                Some(Piece::Broken) => {}
                Some(Piece::Stray(bytes, length)) => {
                    let shown = String::from_utf8_lossy(&bytes).into_owned();
                    let message = format!("{length} bytes of the written archive are not a record: {shown:?}");
                    self.report([Difference::new(Rule::Record, message)], "");
                }
                Some(Piece::Record(record)) => {
                    let found = self.written.framing.check_next(&record);
                    self.report(found, "");
                    return Ok(Some(record));
                }
            }
        }
    }

    /// Reads the warcinfo record of the run.
    fn verify_warcinfo(&mut self) -> io::Result<()> {
        match self.next()? {
            Some(record) if is_warcinfo(&record) => {
                self.warcinfo = record.id();
                self.run = Run::of(&record);
                let id = self.run.check_derived_warcinfo(&record, &self.original.bytes(0..START)?);
                let member = self.written.framing.check_written(&record)?;
                self.report(check_record(&record).into_iter().chain(id).chain(member), "");
            }
            other => {
                self.report([Difference::new(Rule::Record, "it does not begin with the warcinfo record of a run")], "");
                self.written.ahead = other;
            }
        }
        Ok(())
    }

    /// Finds the record of the derived archive that a record of the original has become.
    fn verify_record(&mut self, record: &Record) -> io::Result<()> {
        let name = record.name();
        while let Some(next) = self.next()? {
            if next.header == record.header {
                return self.verify_copy(record, &next);
            }
            if self.is_in_place_of(&next, record) {
                return self.verify_replacement(record, &next);
            }
            let number = self.known.numbers.get(&hash_of_header(&next)).copied();
            if number.is_none() && !record.id().is_empty() && next.id() == record.id() {
                let message = format!("its header has changed: {}", changed_field(record, &next));
                self.report([Difference::new(Rule::Record, message)], &name);
                self.move_to(record, &next, None);
                return Ok(());
            }
            // It stands in the place of a later record.
            if number.is_some_and(|number| number > record.number) {
                self.written.ahead = Some(next);
                break;
            }
            let message = match number {
                Some(number) => {
                    format!("{} is a second copy of record {number}, or in another place", described(&next))
                }
                None => format!("{} was added", described(&next)),
            };
            self.report([Difference::new(Rule::Record, message)], "");
        }
        self.report([Difference::new(Rule::Record, "it is missing, or in another place")], &name);
        Ok(())
    }

    fn move_to(&mut self, record: &Record, next: &Record, replaced: Option<(String, String)>) {
        if let Some(Range { start: to, end }) = next.raw() {
            let (from, length) = (record.place, end - to);
            self.places.push(Moved { from, to, length, replaced, sha256: OnceCell::new() });
        }
    }

    fn verify_copy(&mut self, record: &Record, next: &Record) -> io::Result<()> {
        let name = record.name();
        self.move_to(record, next, None);
        let mut found: Vec<Difference> =
            self.written.framing.check_copied(next, self.original, record)?.into_iter().collect();
        if next.block != record.block {
            found.push(Difference::new(Rule::Record, "its block has changed"));
        }
        let was_whole = record.line_ends.ends_with(b"\n") && !matches!(record.block, Block::Long(..));
        let expected = if was_whole { &*record.line_ends } else { b"\r\n\r\n" };
        if next.line_ends != expected {
            found.push(Difference::new(Rule::Record, "the line ends behind it have changed"));
        }
        self.report(found, &name);
        self.verdict.add(self.known.verify_unchanged(record, self.settings)?, &name);
        Ok(())
    }

    /// Reports whether the run wrote this record in place of a record of the same URL.
    fn is_in_place_of(&self, next: &Record, record: &Record) -> bool {
        let kind = record.kind();
        let is_ours = next.field("WARC-Warcinfo-ID") == self.warcinfo && !self.warcinfo.is_empty();
        let may_be = ["response", "resource", "conversion", "revisit"].contains(&&*kind);
        is_ours && may_be && ["resource", "conversion"].contains(&&*next.kind()) && next.target() == record.target()
    }

    fn verify_replacement(&mut self, record: &Record, next: &Record) -> io::Result<()> {
        let name = record.name();
        let is_revisit = record.kind() == "revisit";
        let found = match is_revisit {
            true => match self.known.revisits.of(record)? {
                Some((payload, truncated)) => payload.retrieved_again(record).map(|payload| (payload, truncated)),
                None => Err("refers to nothing that was replaced"),
            },
            false => Payload::of(record, self.settings).map(|payload| (payload, record.field("WARC-Truncated"))),
        };
        self.move_to(record, next, None);
        let (payload, truncated) = match found {
            Ok(found) => found,
            Err(why) => {
                let message = format!("it may not be replaced, because it {why}");
                self.report([Difference::new(Rule::Record, message)], &name);
                return self.verify_metadata(record, next);
            }
        };
        if let Some(moved) = self.places.last_mut().filter(|_| next.raw().is_some()) {
            moved.replaced = Some((next.field("WARC-Payload-Digest"), payload.media_type().to_owned()));
        }
        let mut differences = check_replacement_record(record, next, &payload.content_type, &truncated);
        if payload.content == next.bytes() && !is_revisit {
            differences.push(Difference::new(Rule::Record, "it was replaced, and nothing in it changed"));
        }
        differences.extend(self.run.check_replacement(next, record));
        differences.extend(self.written.framing.check_written(next)?);
        self.report(differences, &name);
        self.verdict.add(payload.verify(next.bytes(), self.settings), &name);
        let may_be_referred_to = ["response", "resource"].contains(&&*record.kind());
        if may_be_referred_to && self.known.revisits.add(record, payload)? {
            let message = "it was replaced, and an earlier revisit record refers to it";
            self.report([Difference::new(Rule::Record, message)], &name);
        }
        self.verify_metadata(record, next)
    }

    /// Verifies the metadata record that describes a replaced record, and follows its replacement.
    fn verify_metadata(&mut self, record: &Record, next: &Record) -> io::Result<()> {
        match self.next()? {
            Some(metadata) if metadata.kind() == "metadata" && metadata.field("WARC-Refers-To") == next.id() => {
                let found = check_replaced_fields(record, &metadata).into_iter().chain(check_record(&metadata));
                let found = found.chain(check_field(&metadata, "WARC-Warcinfo-ID", &self.warcinfo));
                let found = found.chain(self.run.check_metadata(&metadata, next));
                let found = found.chain(self.written.framing.check_written(&metadata)?);
                self.report(found.collect::<Vec<_>>(), &record.name());
            }
            other => {
                let message = "no metadata record that describes it follows its replacement";
                self.report([Difference::new(Rule::Record, message)], &record.name());
                self.written.ahead = other;
            }
        }
        Ok(())
    }

    /// Reads the records behind the last one of the original: a metadata record that names the original.
    fn verify_end(&mut self, sha256: &str) -> io::Result<()> {
        let mut has_input = false;
        while let Some(next) = self.next()? {
            let is_of_run = next.kind() == "metadata" && next.field("WARC-Refers-To") == self.warcinfo;
            if is_of_run && !has_input {
                has_input = true;
                let found = check_input_digest(&next, sha256).into_iter().chain(check_record(&next));
                let member = self.written.framing.check_written(&next)?;
                self.report(found.chain(self.run.check_input_metadata(&next)).chain(member), "");
            } else {
                let message = format!("{} was added, or is in another place", described(&next));
                self.report([Difference::new(Rule::Record, message)], "");
            }
        }
        if !has_input {
            let message = "no metadata record at its end names the original archive";
            self.report([Difference::new(Rule::Record, message)], "");
        }
        let broken = self.written.records.broken.take();
        let found = match broken {
            Some(why) => Some(Difference::new(Rule::Unread, format!("the written archive: {why}"))),
            None => self.written.framing.check_end()?,
        };
        self.report(found, "");
        Ok(())
    }
}

/// Describes the first field in which two headers differ.
fn changed_field(old: &Record, new: &Record) -> String {
    let (old, new) = (fields(&old.header), fields(&new.header));
    let pair = old.iter().zip(&new).find(|(old, new)| old != new);
    pair.map_or_else(
        || "it has other fields".to_owned(),
        |((name, old), (_, new))| format!("{name} was {old:?}, is {new:?}"),
    )
}
