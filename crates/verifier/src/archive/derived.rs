//! Derived archives: resource records replace responses, and all other records are unchanged.

mod originals;
pub(crate) mod revisits;

use std::collections::HashMap;
use std::io;
use std::mem;
use std::ops::Range;

use absolve_framing::{ArchiveFormat, ArchivedDocument, Compression, DEFAULT_VERSION, block_digest};

use super::document::{document_in, verify_archived};
use super::expected::{Expected, Run, Source};
use super::line::Line;
use super::record::{Record, hash_of};
use super::records::{Records, START};
use super::written::{Written, described};
use crate::settings::Settings;
use crate::storage::Stored;
use crate::storage::digest::sha256_of;
use crate::verdict::{Difference, Rule, Verdict};
use originals::Originals;
use revisits::Revisits;

/// The verdict on a derived archive, and the places of its records; none if it is equal to the original.
pub(super) type Derived = (Verdict, Option<Vec<Moved>>);

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
    let (originals, written) = (Originals::of(original)?, Written::behind(0, rewritten, compression)?);
    let (numbers, run, places, mut verdict) = (None, None, Vec::new(), Verdict::default());
    verdict.counts.bytes = original.length()?;
    let comparison = Comparison { original, originals, written, numbers, run, places, revisits, settings, verdict };
    match rewritten.is_same_as(original)? {
        true => comparison.verify_copy_of_all(),
        false => comparison.verify(),
    }
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

/// The document that may take the place of a record of the original, or why there is none.
type Due<'d> = Result<Source<'d>, &'static str>;

impl Comparison<'_, '_> {
    /// Verifies that a copy of the original needs no change.
    fn verify_copy_of_all(mut self) -> io::Result<Derived> {
        while let Some(record) = self.originals.next()? {
            self.verify_original(&record, Self::verify_kept)?;
        }
        Ok((self.ended(), None))
    }

    fn verify(mut self) -> io::Result<Derived> {
        let mut next = self.originals.next()?;
        self.verify_warcinfo()?;
        while let Some(record) = next {
            self.verify_original(&record, Self::verify_record)?;
            next = self.originals.next()?;
        }
        self.verify_end()?;
        self.verdict.differences.append(&mut self.written.found);
        let places = mem::take(&mut self.places);
        Ok((self.ended(), Some(places)))
    }

    /// Returns the verdict with what is to be said of the end of the original.
    fn ended(mut self) -> Verdict {
        let ending = self.originals.records.ending;
        self.verdict.counts.records = ending.records;
        self.verdict.differences.extend(ending.unread.map(|why| Difference::new(Rule::Unread, why)));
        self.verdict
    }

    fn report(&mut self, found: impl IntoIterator<Item = Difference>, record: &str) {
        self.verdict.add(Verdict::of(found), record);
    }

    fn report_record(&mut self, message: impl Into<String>, record: &str) {
        self.report([Difference::new(Rule::Record, message)], record);
    }

    /// Verifies the warcinfo record of the run.
    fn verify_warcinfo(&mut self) -> io::Result<()> {
        let first = self.written.next()?;
        let Some((record, run)) = first.as_ref().and_then(|record| Some((record, Run::of(record)?))) else {
            self.written.put_back(first);
            self.report_record("it does not begin with the warcinfo record of a run", "");
            return Ok(());
        };
        let version = self.originals.version.as_deref().unwrap_or(DEFAULT_VERSION);
        let name = format!("{} {}", run.input, block_digest(&self.original.bytes(0..START)?));
        let expected = run.warcinfo(&name, None, version, self.settings);
        self.report(expected.differences(record), "");
        self.run = Some(run);
        self.written.check_member(record)
    }

    /// Verifies a record of the original by `verify`.
    fn verify_original(
        &mut self,
        record: &Record,
        verify: impl FnOnce(&mut Self, &Record, Due<'_>) -> io::Result<()>,
    ) -> io::Result<()> {
        let is_revisit = record.kind() == "revisit";
        let referred = if is_revisit { self.revisits.of(record)? } else { None };
        let replaced = referred.as_ref().and_then(|referred| document_in(referred, self.settings).ok());
        let warc = record.warc();
        let document = match (&replaced, &warc) {
            (Some(replaced), Some(warc)) => {
                let document = ArchivedDocument::revisited(warc, &replaced.content_type, &replaced.content);
                document.ok_or("does not have the type of a document")
            }
            _ if is_revisit => Err("refers to nothing that was replaced"),
            _ => document_in(record, self.settings),
        };
        let truncated = &referred.as_ref().unwrap_or(record).field("WARC-Truncated");
        let due = document.as_ref().map(|document| Source { record, document, truncated });
        verify(self, record, due.map_err(|why| *why))
    }

    /// Finds the record of the derived archive that a record of the original has become.
    fn verify_record(&mut self, record: &Record, due: Due<'_>) -> io::Result<()> {
        while let Some(next) = self.written.next()? {
            if next.header() == record.header() {
                return self.verify_copy(record, due, &next);
            }
            if self.is_in_place_of(&next, record) {
                return self.verify_replacement(record, due, &next);
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
            self.report_record(format!("{} was added, or is in another place", described(&next)), "");
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

    fn verify_copy(&mut self, record: &Record, due: Due<'_>, next: &Record) -> io::Result<()> {
        let (name, compression) = (record.name(), self.originals.records.compression);
        let is_same = self.written.check_copy(next, record, self.original, compression)?;
        self.move_to(record, next, if is_same { Became::Copy } else { Became::Compressed });
        // Where they are missing they are added, unless the record has gzip members of its own, which are copied as they are.
        let is_copied_member = is_same && next.place.members > 0;
        let was_whole = record.line_ends.ends_with(b"\n") && record.long.is_none();
        let expected = if was_whole || is_copied_member { &*record.line_ends } else { b"\r\n\r\n" };
        if !next.is_equal(record, expected) {
            self.report_record("its block has changed, or the line ends behind it", &name);
        }
        self.verify_kept(record, due)
    }

    /// Verifies that a record which is unchanged may be.
    fn verify_kept(&mut self, record: &Record, due: Due<'_>) -> io::Result<()> {
        let may_stay = self.reason_to_stay(record).is_some();
        if record.is(&["response", "resource"]) {
            self.revisits.keep(record);
        }
        let Some(Source { document, .. }) = due.ok().filter(|_| !may_stay) else { return Ok(()) };
        if record.kind() == "revisit" {
            self.report_record("it refers to a record that was replaced", &record.name());
        } else {
            self.verdict.add(verify_archived(document, &document.content, self.settings), &record.name());
        }
        Ok(())
    }

    /// Returns why a record stays, even if its links could become absolute.
    fn reason_to_stay(&self, record: &Record) -> Option<&'static str> {
        if self.originals.answers_request(record) {
            return Some("it answers a request other than GET");
        }
        let is_referred = record.is(&["response", "resource"]) && self.revisits.is_missed(record);
        is_referred.then_some("an earlier revisit record refers to it")
    }

    /// Reports whether the run wrote this record in place of a record of the same URL.
    fn is_in_place_of(&self, next: &Record, record: &Record) -> bool {
        let is_ours = |run: &Run| next.field("WARC-Warcinfo-ID").is_some_and(|id| id == run.warcinfo);
        self.run.as_ref().is_some_and(is_ours)
            && record.is(&["response", "resource", "conversion", "revisit"])
            && next.is(&["resource", "conversion"])
            && next.target() == record.target()
    }

    fn verify_replacement(&mut self, record: &Record, due: Due<'_>, next: &Record) -> io::Result<()> {
        let (name, is_revisit) = (record.name(), record.kind() == "revisit");
        self.written.check_member(next)?;
        let (source, run) = match (due, &self.run) {
            (Ok(source), Some(run)) => (source, run),
            (found, _) => {
                let why = found.err().unwrap_or("is of no run");
                self.report_record(format!("it may not be replaced, because it {why}"), &name);
                self.move_to(record, next, Became::Compressed);
                return Ok(());
            }
        };
        let Source { document, .. } = source;
        let id = next.id().unwrap_or_default();
        let (replacement, description) = (run.replacement(source, next.block()), run.description(source, &id));
        self.report(replacement.differences(next), &name);
        let digest = next.field("WARC-Payload-Digest").unwrap_or_default();
        self.move_to(record, next, Became::Replaced { digest, media_type: document.media_type().to_owned() });
        if document.content == next.block() && !is_revisit {
            self.report_record("it was replaced, and nothing in it changed", &name);
        }
        if let Some(why) = self.reason_to_stay(record) {
            self.report_record(format!("it was replaced, and {why}"), &name);
        }
        self.verdict.add(verify_archived(document, next.block(), self.settings), &name);
        if record.is(&["response", "resource"]) {
            self.revisits.add(record)?;
        }
        self.verify_metadata(&description, &id, &name)
    }

    /// Verifies that the next record is the metadata record about the record with this id.
    fn verify_metadata(&mut self, expected: &Expected, id: &str, record: &str) -> io::Result<()> {
        match self.written.next()? {
            Some(next) if next.kind() == "metadata" && next.field("WARC-Refers-To").as_deref() == Some(id) => {
                self.report(expected.differences(&next), record);
                self.written.check_member(&next)
            }
            other => {
                self.written.put_back(other);
                self.report_record(format!("no metadata record about {id} follows"), record);
                Ok(())
            }
        }
    }

    /// Reads the records behind the last one of the original: a metadata record that names the original.
    fn verify_end(&mut self) -> io::Result<()> {
        let version = self.originals.records.ending.version.as_deref().unwrap_or(DEFAULT_VERSION);
        if let Some(run) = &self.run {
            let (last, id) = (run.last(version, &sha256_of(self.original)?), run.warcinfo.clone());
            self.verify_metadata(&last, &id, "")?;
        }
        while let Some(next) = self.written.next()? {
            self.report_record(format!("{} was added, or is in another place", described(&next)), "");
        }
        Ok(())
    }
}
