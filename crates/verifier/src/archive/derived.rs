//! Derived archives: resource records replace responses, and all other records are unchanged.

mod originals;
pub(crate) mod revisits;

use std::collections::HashMap;
use std::io;
use std::ops::Range;

use absolve_framing::{ArchiveFormat, Compression};

use super::expected::{Begun, Expected, Source};
use super::line::Line;
use super::payload::Payload;
use super::record::{DEFAULT_VERSION, Record, hash_of};
use super::records::{Records, START};
use super::run::Run;
use super::written::{Written, described};
use crate::settings::Settings;
use crate::storage::Stored;
use crate::storage::digest::sha256_of;
use crate::verdict::{Difference, Rule, Verdict};
use originals::Originals;
use revisits::{Replaced, Revisits};

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
    pub(super) became: Became,
}

/// The form of a record in the derived archive.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Became {
    /// The same bytes.
    Copy,
    /// The same record, compressed again.
    Compressed,
    /// Another record.
    Replaced { digest: String, media_type: String },
}

/// Verifies a derived archive record by record; `compression` is the compression that it has to have.
pub(super) fn verify_derived(
    original: Stored<'_>,
    rewritten: Stored<'_>,
    compression: Compression,
    revisits: &mut Revisits,
    settings: &Settings,
) -> io::Result<Derived> {
    let originals = Originals::of(original)?;
    let mut derived = match rewritten.is_same_as(original)? {
        true => verify_equal(originals, revisits, settings)?,
        false => {
            let written = Written::behind(0, rewritten, compression)?;
            let (numbers, run, places, verdict) = (None, None, Vec::new(), Verdict::default());
            Comparison { original, originals, written, numbers, run, places, revisits, settings, verdict }.verify()?
        }
    };
    derived.verdict.counts.bytes = original.length()?;
    Ok(derived)
}

/// Verifies that a copy of the original needs no change.
fn verify_equal(mut originals: Originals<'_>, revisits: &mut Revisits, settings: &Settings) -> io::Result<Derived> {
    let mut verdict = Verdict::default();
    while let Some(record) = originals.next()? {
        let referred = if record.kind() == "revisit" { revisits.of(&record)? } else { None };
        verdict.add(originals.verify_unchanged(&record, referred, revisits, settings), &record.name());
    }
    Ok(Derived { verdict: ended(verdict, &originals), places: None })
}

/// Returns the verdict with what is to be said of the end of the original.
fn ended(mut verdict: Verdict, originals: &Originals<'_>) -> Verdict {
    let ending = &originals.records.ending;
    verdict.counts.records = ending.records;
    verdict.differences.extend(ending.unread.as_ref().map(|why| Difference::new(Rule::Unread, why)));
    verdict
}

struct Comparison<'c, 'r> {
    original: Stored<'c>,
    originals: Originals<'c>,
    written: Written<'c>,
    /// The numbers of the records of the original by the hash of their headers, read when a record is not where it is looked for.
    numbers: Option<HashMap<u64, u64>>,
    run: Option<Run>,
    places: Vec<Moved>,
    revisits: &'r mut Revisits,
    settings: &'r Settings,
    verdict: Verdict,
}

impl Comparison<'_, '_> {
    fn verify(mut self) -> io::Result<Derived> {
        let mut next = self.originals.next()?;
        self.verify_warcinfo()?;
        while let Some(record) = next {
            let referred = if record.kind() == "revisit" { self.revisits.of(&record)? } else { None };
            self.verify_record(&record, referred)?;
            next = self.originals.next()?;
        }
        self.verify_end()?;
        Ok(Derived { verdict: ended(self.verdict, &self.originals), places: Some(self.places) })
    }

    fn report(&mut self, found: impl IntoIterator<Item = Difference>, record: &str) {
        self.verdict.add(Verdict::of(found), record);
    }

    fn report_record(&mut self, message: impl Into<String>, record: &str) {
        self.report([Difference::new(Rule::Record, message)], record);
    }

    /// Returns the next record of the derived archive.
    fn next(&mut self) -> io::Result<Option<Record>> {
        let record = self.written.next()?;
        let found = self.written.found();
        self.report(found, "");
        Ok(record)
    }

    /// Verifies the warcinfo record of the run.
    fn verify_warcinfo(&mut self) -> io::Result<()> {
        let first = self.next()?;
        self.run = first.as_ref().and_then(Run::of);
        match (first, &self.run) {
            (Some(record), Some(run)) => {
                let version = self.originals.version.as_deref().unwrap_or(DEFAULT_VERSION);
                let begun = Begun::Copy { start: &self.original.bytes(0..START)? };
                let found = Expected::warcinfo(run, &begun, version, self.settings).check(&record);
                self.report(found, "");
                self.written.check_member(&record)
            }
            (other, _) => {
                self.written.put_back(other);
                self.report_record("it does not begin with the warcinfo record of a run", "");
                Ok(())
            }
        }
    }

    /// Finds the record of the derived archive that a record of the original has become.
    fn verify_record(&mut self, record: &Record, referred: Option<Replaced>) -> io::Result<()> {
        while let Some(next) = self.next()? {
            if next.header() == record.header() {
                return self.verify_copy(record, &next, referred);
            }
            if self.is_in_place_of(&next, record) {
                return self.verify_replacement(record, &next, referred);
            }
            let number = self.number_of(&next)?;
            if number.is_none() && record.id().is_some() && next.id() == record.id() {
                let line = Line::different(record.header(), next.header());
                let changed = line.map(|line| line.difference(Rule::Record, "its header has changed: line"));
                self.report(changed, &record.name());
                self.move_to(record, &next, Became::Compressed);
                return Ok(());
            }
            // It is in the place of a later record.
            if number.is_some_and(|number| number > record.number) {
                self.written.put_back(Some(next));
                break;
            }
            let message = match number {
                Some(number) => {
                    format!("{} is a second copy of record {number}, or in another place", described(&next))
                }
                None => format!("{} was added", described(&next)),
            };
            self.report_record(message, "");
        }
        self.report_record("it is missing, or in another place", &record.name());
        Ok(())
    }

    /// Returns the number of the record of the original that has the header of a written record.
    fn number_of(&mut self, written: &Record) -> io::Result<Option<u64>> {
        if self.numbers.is_none() {
            let mut records = Records::of(self.original, ArchiveFormat::Warc)?;
            let numbers = self.numbers.insert(HashMap::new());
            while let Some(record) = records.next_record()? {
                numbers.insert(hash_of(record.header()), record.number);
            }
        }
        Ok(self.numbers.as_ref().and_then(|numbers| numbers.get(&hash_of(written.header())).copied()))
    }

    fn move_to(&mut self, record: &Record, next: &Record, became: Became) {
        if let Some(Range { start: to, end }) = next.raw() {
            self.places.push(Moved { from: record.place.start, to, length: end - to, became });
        }
    }

    fn verify_copy(&mut self, record: &Record, next: &Record, referred: Option<Replaced>) -> io::Result<()> {
        let (name, compression) = (record.name(), self.originals.records.compression);
        let is_same = self.written.check_copy(next, record, self.original, compression)?;
        self.move_to(record, next, if is_same { Became::Copy } else { Became::Compressed });
        if !next.is_equal(record) {
            self.report_record("its block has changed", &name);
        }
        // Where they are missing they are added, unless the record has gzip members of its own, which are copied as they are.
        let is_copied_member = is_same && next.place.members > 0;
        let was_whole = record.line_ends.ends_with(b"\n") && record.long.is_none();
        let expected = if was_whole || is_copied_member { &*record.line_ends } else { b"\r\n\r\n" };
        if next.line_ends != expected {
            self.report_record("the line ends behind it have changed", &name);
        }
        let verdict = self.originals.verify_unchanged(record, referred, self.revisits, self.settings);
        self.verdict.add(verdict, &name);
        Ok(())
    }

    /// Reports whether the run wrote this record in place of a record of the same URL.
    fn is_in_place_of(&self, next: &Record, record: &Record) -> bool {
        let is_ours = |run: &Run| next.field("WARC-Warcinfo-ID").is_some_and(|id| id == run.warcinfo);
        self.run.as_ref().is_some_and(is_ours)
            && record.is(&["response", "resource", "conversion", "revisit"])
            && next.is(&["resource", "conversion"])
            && next.target() == record.target()
    }

    fn verify_replacement(&mut self, record: &Record, next: &Record, referred: Option<Replaced>) -> io::Result<()> {
        let (name, is_revisit) = (record.name(), record.kind() == "revisit");
        let found = match (is_revisit, referred) {
            (true, Some((payload, truncated))) => payload.retrieved_again(record).map(|payload| (payload, truncated)),
            (true, None) => Err("refers to nothing that was replaced"),
            (false, _) => Payload::of(record, self.settings).map(|payload| (payload, record.field("WARC-Truncated"))),
        };
        self.written.check_member(next)?;
        let (payload, truncated) = match found {
            Ok(found) => found,
            Err(why) => {
                self.report_record(format!("it may not be replaced, because it {why}"), &name);
                self.move_to(record, next, Became::Compressed);
                return self.verify_description(next, None, &name);
            }
        };
        let digest = next.field("WARC-Payload-Digest").unwrap_or_default();
        let media_type = payload.media_type().to_owned();
        self.move_to(record, next, Became::Replaced { digest, media_type });
        let source = Source { record, payload: &payload, truncated: &truncated };
        if let Some(run) = &self.run {
            let found = Expected::replacement(run, source, next.block()).check(next);
            self.report(found, &name);
        }
        if payload.content == next.block() && !is_revisit {
            self.report_record("it was replaced, and nothing in it changed", &name);
        }
        if let Some(why) = self.originals.reason_to_stay(record, self.revisits) {
            self.report_record(format!("it was replaced, and {why}"), &name);
        }
        self.verdict.add(payload.verify(next.block(), self.settings), &name);
        let id = next.id().unwrap_or_default();
        let description = self.run.as_ref().map(|run| Expected::description(run, source, &id));
        if record.is(&["response", "resource"]) {
            self.revisits.add(record, payload)?;
        }
        self.verify_description(next, description, &name)
    }

    /// Verifies the metadata record that describes a replaced record, and follows its replacement.
    fn verify_description(&mut self, next: &Record, expected: Option<Expected>, record: &str) -> io::Result<()> {
        match self.next()? {
            Some(metadata) if metadata.kind() == "metadata" && metadata.field("WARC-Refers-To") == next.id() => {
                self.report(expected.into_iter().flat_map(|expected| expected.check(&metadata)), record);
                self.written.check_member(&metadata)
            }
            other => {
                self.written.put_back(other);
                self.report_record("no metadata record that describes it follows its replacement", record);
                Ok(())
            }
        }
    }

    /// Reads the records behind the last one of the original: a metadata record that names the original.
    fn verify_end(&mut self) -> io::Result<()> {
        let version = self.originals.records.ending.version.clone().unwrap_or_else(|| DEFAULT_VERSION.to_owned());
        let sha256 = sha256_of(self.original)?;
        let mut expected = self.run.as_ref().map(|run| (Expected::input(run, &version, &sha256), run.warcinfo.clone()));
        while let Some(next) = self.next()? {
            let is_of_run = |(_, warcinfo): &mut (_, String)| {
                next.kind() == "metadata" && next.field("WARC-Refers-To").as_ref() == Some(warcinfo)
            };
            match expected.take_if(is_of_run) {
                Some((expected, _)) => {
                    self.report(expected.check(&next), "");
                    self.written.check_member(&next)?;
                }
                None => self.report_record(format!("{} was added, or is in another place", described(&next)), ""),
            }
        }
        if expected.is_some() {
            self.report_record("no metadata record at its end names the original archive", "");
        }
        Ok(())
    }
}
